/** The agent's own plan, as its to-do tools keep it: set whole, or entry by entry. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Ref } from '../result.ts';
import type { PlanEntry } from './facts.ts';

/** What a call of a to-do tool does to the plan. */
export type PlanChange =
  | { readonly type: 'set'; readonly entries: readonly PlanEntry[] }
  | { readonly type: 'add'; readonly entry: PlanEntry }
  | { readonly type: 'update'; readonly id: string; readonly text?: string; readonly state?: PlanEntry['state'] }
  | { readonly type: 'remove'; readonly id: string };

const states: Readonly<Record<string, PlanEntry['state']>> = {
  completed: 'done',
  complete: 'done',
  done: 'done',
  finished: 'done',
  in_progress: 'active',
  inprogress: 'active',
  active: 'active',
  doing: 'active',
};
/** Entries that nobody will work on any more. */
const dropped = new Set(['cancelled', 'canceled', 'deleted', 'dropped']);

/** Reads the arguments of a to-do call; undefined when they change nothing. `name` is the tool's name, plain. */
export function planChange(name: string, input: JsonObject): PlanChange | undefined {
  const compact = name.replace(/[^a-z]/g, '');
  if (compact === 'taskcreate') {
    const text = entryText(input);
    return text === undefined ? undefined : { type: 'add', entry: { text, state: stateOf(input) ?? 'open' } };
  }
  if (compact === 'taskupdate') return taskUpdate(input);
  const listed = [input.todos, input.plan, input.todoList, input.items, input.tasks].find(
    (value) => value !== undefined,
  );
  const entries = entriesOf(listed);
  return entries.length > 0 ? { type: 'set', entries } : undefined;
}

function taskUpdate(input: JsonObject): PlanChange | undefined {
  const id = input.taskId ?? input.task_id ?? input.id;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  if (dropped.has(statusWord(input))) return { type: 'remove', id: String(id) };
  const text = entryText(input);
  const state = stateOf(input);
  return { type: 'update', id: String(id), ...(text === undefined ? {} : { text }), ...(state ? { state } : {}) };
}

const textKeys = ['content', 'step', 'title', 'text', 'task', 'subject', 'description', 'name'];

function entryText(entry: JsonObject): string | undefined {
  for (const key of textKeys) {
    const value = entry[key];
    if (typeof value === 'string' && value.trim()) return value.trim();
  }
  return undefined;
}

const statusWord = ({ status, state }: JsonObject): string => {
  const word = status ?? state;
  return typeof word === 'string' ? word.toLowerCase().replace(/[\s-]+/g, '_') : '';
};

/** Undefined when the entry does not say; a state in words we do not know is open. */
function stateOf(entry: JsonObject): PlanEntry['state'] | undefined {
  if (entry.completed === true || entry.done === true) return 'done';
  const word = statusWord(entry);
  return word === '' ? undefined : (states[word] ?? 'open');
}

function entriesOf(list: JsonValue | undefined): readonly PlanEntry[] {
  if (typeof list === 'string') return checklist(list);
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: JsonValue): PlanEntry[] => {
    if (typeof entry === 'string' && entry.trim()) return [{ text: entry.trim(), state: 'open' }];
    if (!isJsonObject(entry) || dropped.has(statusWord(entry))) return [];
    const text = entryText(entry);
    return text === undefined ? [] : [{ text, state: stateOf(entry) ?? 'open' }];
  });
}

const box = /^\s*(?:[-*+]|\d+[.)])\s*\[([ xX~>/-])\]\s*(\S.*)$/gm;

/** A list in Markdown with boxes: `- [x] done`. */
function checklist(text: string): readonly PlanEntry[] {
  return [...text.matchAll(box)].map(([, mark = ' ', words = '']): PlanEntry => {
    const state = /x/i.test(mark) ? 'done' : mark === ' ' ? 'open' : 'active';
    return { text: words.trim(), state };
  });
}

/** The plan as it stands, built up from changes. */
export interface Plan {
  apply(change: PlanChange, ref: Ref): void;
  /** The entries, and the newest message that changed them; undefined before the first change. */
  current(): { readonly ref: Ref; readonly entries: readonly PlanEntry[] } | undefined;
}

/** An empty plan. Tools that add entries one by one number them from 1. */
export function createPlan(): Plan {
  const entries = new Map<string, PlanEntry>();
  let added = 0;
  let newest: Ref | undefined;

  function apply(change: PlanChange, ref: Ref): void {
    newest = ref;
    if (change.type === 'set') {
      entries.clear();
      for (const [at, entry] of change.entries.entries()) entries.set(`set ${at + 1}`, entry);
    } else if (change.type === 'add') {
      entries.set(String(++added), change.entry);
    } else if (change.type === 'remove') entries.delete(change.id);
    else {
      const entry = entries.get(change.id);
      if (entry) entries.set(change.id, { text: change.text ?? entry.text, state: change.state ?? entry.state });
    }
  }

  return {
    apply,
    current: () => (newest === undefined ? undefined : { ref: newest, entries: [...entries.values()] }),
  };
}
