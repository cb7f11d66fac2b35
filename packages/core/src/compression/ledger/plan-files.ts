/** Plans that the agent keeps in files: lists with boxes, which it writes, or reads and then ticks. */
import { taskNumbers } from '../../language/outstanding.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Ref } from '../result.ts';
import type { LedgerFacts, PlanEntry } from './facts.ts';
import { sidesOfEdit } from './new-names.ts';
import { checklist, firstString } from './plans.ts';

/** What a call does to a file with boxes. */
export type BoxChange =
  | { readonly type: 'whole'; readonly path: string; readonly entries: readonly PlanEntry[] }
  | {
      readonly type: 'part';
      readonly path: string;
      readonly before: readonly PlanEntry[];
      readonly after: readonly PlanEntry[];
    };

interface PlanFile {
  /** What stood in it when it was seen whole, and where. */
  readonly ref: Ref;
  readonly entries: Map<string, PlanEntry>;
  /** True once the agent has worked through it: a document that is only written or read plans nothing. */
  isFollowed: boolean;
}

const mostFiles = 8;
const mostEntries = 60;
const leastEntries = 2;
const mostChars = 40_000;
const hasBox = /\[[ xX~>/-]\]/;
/** Names of files that hold nothing else. */
const planName = /(?:^|[/\\_.-])(?:to-?dos?|tasks?|plan|progress|checklist|roadmap)(?:[_.-][^/\\]*)?\.\w+$/i;
/** What readers put in front of lines. */
const lineNumber = /^\s*\d+(?:→|\t|[:|] ?)/gm;

/** The boxes that a call writes into a file; undefined where there are none. Linear. */
export function boxChange(path: string | undefined, input: JsonObject, patch: string): BoxChange | undefined {
  if (path === undefined) return undefined;
  const whole = firstString(input, ['content', 'contents', 'file_text', 'text']);
  if (whole !== undefined) {
    const entries = boxesIn(whole);
    return entries.length >= leastEntries ? { type: 'whole', path, entries } : undefined;
  }
  const sides = sidesOfEdit(input, patch);
  const [before, after] = [boxesIn(sides.before), boxesIn(sides.after)];
  return before.length + after.length > 0 ? { type: 'part', path, before, after } : undefined;
}

const boxesIn = (text: string): readonly PlanEntry[] =>
  hasBox.test(text) ? checklist(text.slice(0, mostChars)).slice(0, mostEntries) : [];

/** The plans in files, as they stand. */
export class PlanFiles {
  /** The one touched last at the end. */
  readonly #files = new Map<string, PlanFile>();

  /** Takes in what the agent wrote. */
  apply(change: BoxChange, ref: Ref): void {
    if (change.type === 'whole')
      this.#set(change.path, change.entries, { ref, isFollowed: planName.test(change.path) });
    else this.#edit(change);
  }

  /** Takes in what the agent read of a file: a plan from when it ticks an entry of it. */
  read(path: string, text: string, ref: Ref): void {
    const known = this.#files.get(path);
    if (known || !hasBox.test(text)) return;
    const entries = boxesIn(text.replace(lineNumber, ''));
    if (entries.length >= leastEntries) this.#set(path, entries, { ref, isFollowed: false });
  }

  #set(path: string, entries: readonly PlanEntry[], { ref, isFollowed }: Pick<PlanFile, 'ref' | 'isFollowed'>): void {
    const before = this.#files.get(path);
    this.#files.delete(path);
    this.#files.set(path, {
      ref,
      entries: new Map(entries.map((entry) => [keyOf(entry), entry])),
      isFollowed: isFollowed || before?.isFollowed === true,
    });
    const [oldest] = this.#files.keys();
    if (this.#files.size > mostFiles && oldest !== undefined) this.#files.delete(oldest);
  }

  /** An entry of the plan that is worked through is said to be done, by its number. */
  finish(id: string): void {
    const file = [...this.#files.values()].findLast(({ isFollowed }) => isFollowed);
    for (const [key, entry] of file?.entries ?? []) {
      if (numberOf(entry) === id) file?.entries.set(key, { ...entry, state: 'done' });
    }
  }

  #edit({ path, before, after }: Extract<BoxChange, { type: 'part' }>): void {
    const file = this.#files.get(path);
    if (!file) return;
    const kept = new Set(after.map(keyOf));
    for (const entry of before) if (!kept.has(keyOf(entry))) file.entries.delete(keyOf(entry));
    for (const entry of after) {
      const known = file.entries.get(keyOf(entry));
      file.isFollowed ||= known !== undefined && known.state !== entry.state;
      if (known || file.entries.size < mostEntries) file.entries.set(keyOf(entry), entry);
    }
    this.#files.delete(path);
    this.#files.set(path, file);
  }

  /** The plan that was worked through last; undefined without one. */
  current(): LedgerFacts['plan'] {
    const file = [...this.#files.values()].findLast(({ isFollowed }) => isFollowed);
    return file && { ref: file.ref, entries: [...file.entries.values()] };
  }
}

const ownNumber = /^[^\p{L}\p{N}#]*(?:#(\d{1,3})(?!\d)|(\d{1,3})[.):])/u;

/** The number that an entry opens with: `#1 Parse`, `2. Parse`, `Task 3: Parse`. */
function numberOf({ text }: PlanEntry): string | undefined {
  const [, signed, counted] = ownNumber.exec(text) ?? [];
  const [named] = text.matchAll(taskNumbers);
  return signed ?? counted ?? (named && /^\W*$/.test(text.slice(0, named.index)) ? named[1] : undefined);
}

/** An entry is the same one whatever is noted behind it. */
const keyOf = ({ text }: PlanEntry): string =>
  text
    .replace(/[*_`~]/g, '')
    .slice(0, keyChars)
    .trim()
    .toLowerCase();
const keyChars = 60;
