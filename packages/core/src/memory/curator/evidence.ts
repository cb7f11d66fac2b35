/** What was said since, held against what is remembered: it corrects entries and renews them, and adds none by itself. */
import type { MemoryActDraft, MemoryChange, MemoryDraft, MemoryEntry } from '../../store/memory-store.ts';
import { scanMemory } from '../scan/scan-memory.ts';
import { isOwnText } from './own-text.ts';
import { isOutside, rankOf } from './trust.ts';

const prefix = 'evidence:';

/** Evidence as entries beside the others: nothing from outside, none of our own texts, nothing that looks like an attack. */
export const evidenceEntries = (evidence: readonly MemoryDraft[]): readonly MemoryEntry[] =>
  evidence
    .map(
      (draft, i): MemoryEntry => ({
        ...draft,
        id: `${prefix}${i}`,
        status: 'live',
        createdAt: draft.statedAt,
        updatedAt: draft.statedAt,
      }),
    )
    .filter((entry) => !isOutside(entry) && !isOwnText(entry.text) && scanMemory(entry.text).length === 0);

/** What a plan was made over. */
interface Sides {
  readonly entries: readonly MemoryEntry[];
  readonly evidence: readonly MemoryEntry[];
}

/**
 * The acts of a plan over entries and evidence, as acts over the entries alone: where evidence stays, it becomes an entry in
 * the place of what it corrects, or renews the entry that says the same; where it goes, nothing happens but that renewal.
 */
export function withoutEvidence(
  acts: readonly MemoryActDraft[],
  { entries, evidence }: Sides,
): readonly MemoryActDraft[] {
  const byId = new Map(evidence.map((entry) => [entry.id, entry]));
  return acts.flatMap((act) => {
    const [first] = act.changes;
    const stays = first?.type === 'set' ? byId.get(first.id) : undefined;
    const rest = act.changes.filter((change) => change.type === 'set' && !byId.has(change.id)).map(withoutPrefixed);
    if (!stays || first?.type !== 'set')
      return rest.length === act.changes.length || isWorthwhile(rest, evidence) ? [{ ...act, changes: rest }] : [];
    const retired = entries.filter(({ id }) => rest.some((change) => change.type === 'set' && change.id === id));
    const equal = act.what === 'merge' ? retired.find((entry) => rankOf(entry) === rankOf(stays)) : undefined;
    if (equal) return [{ ...act, changes: renewal(equal, { ...stays, ...first.values }, rest) }];
    if (retired.length === 0) return [];
    const replaces = retired.map(({ id }) => id);
    const changes: readonly MemoryChange[] = [{ type: 'add', draft: draftOf(stays, replaces) }, ...rest];
    return [{ ...act, changes }];
  });
}

/** The entry stays as it is written, and rests on the evidence as well. */
function renewal(entry: MemoryEntry, stays: MemoryDraft, rest: readonly MemoryChange[]): readonly MemoryChange[] {
  const others = rest.filter((change) => change.type === 'set' && change.id !== entry.id);
  const values = {
    messages: [...new Set([...entry.messages, ...stays.messages])],
    replaces: [...entry.replaces, ...others.flatMap((change) => (change.type === 'set' ? [change.id] : []))],
    statedAt: Math.max(entry.statedAt, stays.statedAt),
  };
  return [{ type: 'set', id: entry.id, values }, ...others];
}

/** Evidence is no entry, so that none can stand in its place. */
function withoutPrefixed(change: MemoryChange): MemoryChange {
  if (change.type !== 'set' || !change.values.replaces) return change;
  const replaces = change.values.replaces.filter((id) => !id.startsWith(prefix));
  return { ...change, values: { ...change.values, replaces } };
}

/** Where some of what it retired was evidence: it still retires an entry, or an entry rests on the evidence as well. */
const isWorthwhile = (rest: readonly MemoryChange[], evidence: readonly MemoryEntry[]): boolean =>
  rest.some(
    (change) =>
      change.type === 'set' &&
      (change.values.status === 'retired' ||
        evidence.some(({ messages }) => messages.some((message) => change.values.messages?.includes(message)))),
  );

function draftOf(entry: MemoryEntry, replaces: readonly string[]): MemoryDraft {
  const { id: _, createdAt: _created, updatedAt: _updated, status: _status, ...draft } = entry;
  return { ...draft, replaces };
}
