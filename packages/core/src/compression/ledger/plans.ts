/** The agent's own plan, as its to-do tools keep it: set whole, or entry by entry. */
import { activeEntries, doneEntries, openEntries } from '../../language/outcomes.ts';
import { outstandingWords, settledWords, taskNumbers } from '../../language/outstanding.ts';
import { announcements, questionEnds } from '../../language/requests.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Ref } from '../result.ts';
import type { Action, LedgerFacts, PlanEntry } from './facts.ts';

/** What a call of a to-do tool does to the plan. */
export type PlanChange =
  | { readonly type: 'set'; readonly entries: readonly PlanEntry[] }
  | { readonly type: 'add'; readonly entry: PlanEntry }
  | { readonly type: 'update'; readonly id: string; readonly text?: string; readonly state?: PlanEntry['state'] }
  | { readonly type: 'remove'; readonly id: string };

const stateWords: Readonly<Record<string, PlanEntry['state'] | 'dropped'>> = {
  completed: 'done',
  complete: 'done',
  done: 'done',
  finished: 'done',
  in_progress: 'active',
  inprogress: 'active',
  active: 'active',
  doing: 'active',
  // Entries that nobody will work on any more.
  cancelled: 'dropped',
  canceled: 'dropped',
  deleted: 'dropped',
  dropped: 'dropped',
};

/** Reads the arguments of a to-do call; undefined when they change nothing. `name` is the tool's name, plain. */
export function planChange(name: string, input: JsonObject): PlanChange | undefined {
  const compact = name.replace(/[^a-z]/g, '');
  const text = entryText(input);
  const said = stateOf(input);
  if (compact === 'taskcreate') {
    return text === undefined ? undefined : { type: 'add', entry: { text, state: said ?? 'open' } };
  }
  if (compact === 'taskupdate') {
    const id = input.taskId ?? input.task_id ?? input.id;
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    if (isDropped(input)) return { type: 'remove', id: String(id) };
    return { type: 'update', id: String(id), ...(text === undefined ? {} : { text }), ...(said && { state: said }) };
  }
  const listed = [input.todos, input.plan, input.todoList, input.items, input.tasks].find(
    (value) => value !== undefined,
  );
  const entries = entriesOf(listed);
  return entries.length > 0 ? { type: 'set', entries } : undefined;
}

const textKeys = ['content', 'step', 'title', 'text', 'task', 'subject', 'description', 'name'];

const entryText = (entry: JsonObject): string | undefined => firstString(entry, textKeys);

/** The first of the keys whose value says something. */
export function firstString(input: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string' && value.trim()) return value.trim();
  }
  return undefined;
}

function stateWord({ status, state }: JsonObject): string {
  const word = status ?? state;
  return typeof word === 'string' ? word.toLowerCase().replace(/[\s-]+/g, '_') : '';
}

const isDropped = (entry: JsonObject): boolean => stateWords[stateWord(entry)] === 'dropped';

/** Undefined when the entry does not say; a state in words we do not know is open. */
function stateOf(entry: JsonObject): PlanEntry['state'] | undefined {
  if (entry.completed === true || entry.done === true || entry.checked === true) return 'done';
  const word = stateWord(entry);
  const state = stateWords[word] ?? stateIn(word.replaceAll('_', ' '));
  return word === '' ? undefined : state === 'dropped' ? 'open' : state;
}

/** A state in other words, or in another language; one that we do not know is open. */
const stateIn = (words: string): PlanEntry['state'] => {
  if (openEntries.test(words)) return 'open';
  return activeEntries.test(words) ? 'active' : doneEntries.test(words) ? 'done' : 'open';
};

function entriesOf(list: JsonValue | undefined): readonly PlanEntry[] {
  if (typeof list === 'string') return checklist(list);
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: JsonValue): PlanEntry[] => {
    if (typeof entry === 'string' && entry.trim()) return [boxed(entry) ?? { text: entry.trim(), state: 'open' }];
    const text = isJsonObject(entry) && !isDropped(entry) ? entryText(entry) : undefined;
    if (text === undefined || !isJsonObject(entry)) return [];
    const marked = boxed(text);
    return [{ text: marked?.text ?? text, state: stateOf(entry) ?? marked?.state ?? 'open' }];
  });
}

const box = /^\s*(?:[-*+]|\d+[.)、])?\s*(?:\[([ xX✓✔~>/-])\]|([✅☑✔✓☐⬜🔄⏳])\uFE0F?)\s*(\S.*)$/u;

/** A line of a list with a box: `- [x] done`, `✅ done`. */
function boxed(line: string): PlanEntry | undefined {
  const [, inside, sign = '', words] = box.exec(line) ?? [];
  if (words === undefined) return undefined;
  const mark = inside ?? sign;
  const state = /[xX✓✔✅☑]/u.test(mark) ? 'done' : /[ ☐⬜]/u.test(mark) ? 'open' : 'active';
  return { text: words.trim(), state };
}

/** A list with boxes. */
export const checklist = (text: string): readonly PlanEntry[] => text.split('\n').flatMap((line) => boxed(line) ?? []);

const clauseBreak = /(?<=[.!?;,])\s+|(?<=[。！？、，；])|\n/;

/** Numbers of the entries of a plan that a text says are done. Linear. */
export function entriesDone(text: string): readonly string[] {
  if (text.search(taskNumbers) < 0) return [];
  return text.split(clauseBreak).flatMap((clause) => {
    const isDone = settledWords.test(clause) && !outstandingWords.test(clause) && !announcements.test(clause);
    return isDone && !questionEnds.test(clause) ? [...clause.matchAll(taskNumbers)].map(([, id = '']) => id) : [];
  });
}

/** So many turns may change something and end without anybody touching the plan; then nobody keeps it any more. */
const mostTurns = 1;

/** True where the work has gone on without the plan: what it says of its entries no longer holds. */
export function isLeftBehind({ plan, asks, actions }: Pick<LedgerFacts, 'plan' | 'asks' | 'actions'>): boolean {
  if (!plan) return false;
  const changes = actions.filter(({ type, ok }) => changing.has(type) && ok !== false).map(({ ref }) => numberOf(ref));
  const turns = asks.filter(({ ref, answer }) => {
    const end = answer?.text ? numberOf(answer.ref) : 0;
    const start = Math.max(numberOf(ref), numberOf(plan.ref));
    return changes.some((at) => at > start && at < end);
  });
  return turns.length > mostTurns;
}

/** Actions that write a file. */
export const changing: ReadonlySet<Action['type']> = new Set(['create', 'change', 'delete']);
const numberOf = (ref: Ref): number => Number(ref.slice(1));

const numberGiven = /(?:^|\s)#(\d{1,6})(?=\s|$)/;

/**
 * The change with the id that the tool's result gives a new entry: `Task #10 created`, `{"task":{"id":"10"}}`. A
 * conversation that begins with a summary goes on with the numbers of the one before.
 */
export function withIdGiven(change: PlanChange, result: string): PlanChange {
  if (change.type !== 'add') return change;
  const value = result.startsWith('{') ? parseJson(result) : undefined;
  const task = isJsonObject(value) ? (isJsonObject(value.task) ? value.task : value) : {};
  const id = task.id ?? task.taskId ?? numberGiven.exec(result)?.[1];
  return typeof id === 'string' || typeof id === 'number'
    ? { ...change, entry: { ...change.entry, id: String(id) } }
    : change;
}

/** The plan as it stands, built up from changes. Tools that add entries one by one number them from 1, if they do not say. */
export class Plan {
  readonly #entries = new Map<string, PlanEntry>();
  #added = 0;
  #newest: Ref | undefined;

  apply(change: PlanChange, ref: Ref): void {
    const entries = this.#entries;
    this.#newest = ref;
    if (change.type === 'set') {
      entries.clear();
      for (const [at, entry] of change.entries.entries()) entries.set(entry.id ?? `set ${at + 1}`, entry);
    } else if (change.type === 'add') entries.set(change.entry.id ?? String(++this.#added), { ...change.entry, ref });
    else if (change.type === 'remove') entries.delete(change.id);
    else {
      const { id, text, state } = change;
      const entry = entries.get(id);
      const said = text === undefined ? entry : { text, ref };
      if (entry && said) entries.set(id, { ...said, state: state ?? entry.state });
    }
  }

  /** An entry is said to be done, by its number. */
  finish(id: string, ref: Ref): void {
    const entry = this.#entries.get(id);
    if (entry && entry.state !== 'done') this.apply({ type: 'update', id, state: 'done' }, ref);
  }

  /** The entries, and the newest message that changed them; undefined before the first change. */
  current(): LedgerFacts['plan'] {
    return this.#newest === undefined ? undefined : { ref: this.#newest, entries: [...this.#entries.values()] };
  }
}
