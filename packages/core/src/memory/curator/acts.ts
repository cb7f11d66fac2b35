/** The acts for what was found: one for each entry that stays or goes alone, with its reason for a person. */
import type { MemoryActDraft, MemoryChange, MemoryEntry } from '../../store/memory-store.ts';
import type { Finding } from './findings.ts';
import { rankOf, saidAt } from './trust.ts';

type Rivalry = Exclude<Finding, { type: 'stale' }>;

/** One act an entry that stays, with all that goes in its favour; one for each that goes alone. */
export function actsFor(findings: readonly Finding[]): readonly MemoryActDraft[] {
  const alone = findings.flatMap((finding) => (finding.type === 'stale' ? [finding] : []));
  const rivalries = findings.flatMap((finding) => (finding.type === 'stale' ? [] : [finding]));
  return [
    ...alone.map(
      ({ goes, reason }): MemoryActDraft => ({ actor: 'curator', what: 'retire', reason, changes: [retire(goes)] }),
    ),
    ...[...Map.groupBy(rivalries, ({ stays }) => stays)].map(([stays, found]) => rivalryAct(stays, found)),
  ];
}

function rivalryAct(stays: MemoryEntry, found: readonly Rivalry[]): MemoryActDraft {
  let next = stays;
  const goes: MemoryEntry[] = [];
  for (const finding of found) {
    for (const entry of finding.goes) {
      next = finding.type === 'duplicate' ? merged(next, entry) : replacing(next, entry);
      goes.push(entry);
    }
  }
  const { id, messages, replaces, statedAt } = next;
  return {
    actor: 'curator',
    what: found.every(({ type }) => type === 'duplicate') ? 'merge' : 'replace',
    reason: found.map(reasonOf).join(' '),
    changes: [{ type: 'set', id, values: { messages, replaces, statedAt } }, ...goes.map(retire)],
  };
}

const retire = ({ id }: MemoryEntry): MemoryChange => ({ type: 'set', id, values: { status: 'retired' } });

const replacing = (stays: MemoryEntry, entry: MemoryEntry): MemoryEntry => ({
  ...stays,
  replaces: [...new Set([...stays.replaces, entry.id])],
});

/** What is said again rests on more; but nothing rests on a word less trusted than its own. */
function merged(stays: MemoryEntry, entry: MemoryEntry): MemoryEntry {
  const next = replacing(stays, entry);
  if (rankOf(entry) > rankOf(stays)) return next;
  return {
    ...next,
    messages: [...new Set([...stays.messages, ...entry.messages])],
    statedAt: Math.max(stays.statedAt, entry.statedAt),
  };
}

function reasonOf(finding: Rivalry): string {
  const { stays, goes } = finding;
  const quoted = goes.map(({ id, text }) => `${id} (“${text}”)`).join(', ');
  if (finding.type === 'duplicate') return `${stays.id} (“${stays.text}”) says the same as ${quoted}.`;
  const about = finding.about ? `on the ${finding.about} ` : '';
  const isNewer = goes.every((entry) => saidAt(stays) >= saidAt(entry));
  const why = isNewer ? 'it is newer' : `it comes from ${sourceName(stays)}`;
  return `${stays.id} (“${stays.text}”) stands ${about}against ${quoted}: ${why}.`;
}

function sourceName({ source, confirmedAt }: MemoryEntry): string {
  if (confirmedAt !== undefined) return 'the person';
  switch (source) {
    case 'person':
      return 'the person';
    case 'model':
      return 'the model';
    case 'own-tool':
      return 'a tool of ours';
    case 'outside-tool':
      return 'an outside tool';
    case 'document':
      return 'a document';
  }
}
