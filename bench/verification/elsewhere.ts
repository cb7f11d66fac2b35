/** Values that the record knows from another place: the hard case, since asking whether they occur does not help. */

import type { ActionType } from '../../packages/core/src/compression/ledger/facts.ts';
import { toolCalls } from '../../packages/core/src/transcript/text.ts';
import { atomsIn } from './atoms.ts';
import type { Atom, Fact, TrueLine } from './lines.ts';
import { type SessionRecord, standsIn } from './record.ts';

/** Values of the same shape that stand elsewhere in the record. */
export function othersLike(atom: Atom, record: SessionRecord): readonly string[] {
  if (atom.type === 'quote') return [];
  if (atom.type === 'path') {
    const segments = atom.text.split('/').length;
    return record.facts.files.map(({ path }) =>
      atom.text.startsWith('/') ? path : path.split('/').slice(-segments).join('/'),
    );
  }
  const shape = shapeOf(atom.text);
  return knownOf(record)
    .filter(({ type, text }) => type === atom.type && shapeOf(text) === shape)
    .map(({ text }) => text);
}

/** Flags are exchanged for flags, constants for constants, short hashes for short hashes. */
const shapeOf = (text: string): string =>
  [/^--/, /^[A-Z0-9_]+$/, /_/, /^#/, /^v?\d/, /^https?:/].map((pattern) => Number(pattern.test(text))).join('') +
  (/^[0-9a-f-]{7,}$/.test(text) ? text.length : '');

const known = new WeakMap<SessionRecord, readonly Atom[]>();

/** Names and figures of the record, from the start of each of its messages. */
function knownOf(record: SessionRecord): readonly Atom[] {
  const found = known.get(record);
  if (found) return found;
  const atoms = record.texts.flatMap((text) => atomsIn(text.slice(0, 1500)));
  const distinct = [...new Map(atoms.map((atom) => [atom.text, atom])).values()];
  known.set(record, distinct);
  return distinct;
}

interface Place {
  readonly atom: Atom;
  readonly line: TrueLine;
  readonly record: SessionRecord;
}

/** True when the line would be false with this value in place of its atom. Where that is in doubt, the answer is no. */
export function isFalseThere(value: string, { atom, line, record }: Place): boolean {
  const { fact } = atom;
  switch (fact?.type) {
    case 'exit':
      return value !== atom.text;
    case 'created':
    case 'changed':
    case 'deleted':
    case 'read':
      return !wasDone(record, { path: value, type: fact.type });
    case 'count':
      return !isSaid(record, value, unitOf(fact));
    case 'duration':
      return !isSaid(record, value, unitOf(fact));
    case 'version':
      return !areTogether(record, value, [fieldOf(fact, 'name')]);
    case 'commit':
      return !areTogether(record, value, [fieldOf(fact, 'text')]);
    case 'function':
      return !areTogether(record, value, [fieldOf(fact, atom.type === 'path' ? 'identifier' : 'path')]);
    case 'flag':
      return !areTogether(record, value, [fieldOf(fact, 'name')]);
    case undefined:
      return isOutOfPlace(value, { atom, line, record });
    default:
      // What is said of these holds for every other value that occurs too.
      return false;
  }
}

const fieldOf = ({ fields }: Fact, name: string): string => {
  const word = fields[name];
  return typeof word === 'string' ? word : (word?.en ?? '');
};

const unitOf = (fact: Fact): string => fieldOf(fact, 'unit');

const isSaid = (record: SessionRecord, value: string, word: string): boolean =>
  [`${value} ${word}`, `${value}${word}`, `${value}(${word}`].some((text) => record.all.includes(text.toLowerCase()));

/** A line of a real summary or a handoff: no message may hold the value beside anything else that the line names. */
function isOutOfPlace(value: string, { atom, line, record }: Place): boolean {
  if (atom.type === 'number') {
    const after = /^[^\p{L}]{0,2}(\p{L}[\p{L}-]*)/u.exec(line.text.slice(atom.start + atom.text.length))?.[1];
    return after !== undefined && after.length > 1 && !isSaid(record, value, after);
  }
  const others = line.atoms.filter((other) => other !== atom && other.type !== 'number').map(({ text }) => text);
  return others.length > 0 && !areTogether(record, value, others);
}

/** True when some message holds the value and one of the others. */
function areTogether(record: SessionRecord, value: string, others: readonly string[]): boolean {
  return record.texts.some((text) => {
    const words = text.toLowerCase();
    return standsIn(words, value.toLowerCase()) && others.some((other) => words.includes(other.toLowerCase()));
  });
}

const doing: Readonly<Record<'created' | 'changed' | 'deleted' | 'read', readonly ActionType[]>> = {
  created: ['create', 'change', 'run'],
  changed: ['create', 'change', 'run'],
  deleted: ['delete', 'run'],
  read: ['read', 'run', 'search', 'create', 'change'],
};

/** Shell commands count by the name of the file in them, since they can do anything to it. */
function wasDone(record: SessionRecord, { path, type }: { path: string; type: keyof typeof doing }): boolean {
  const name = path.split('/').at(-1) ?? path;
  const byTool = record.facts.actions.some(
    (action) => doing[type].includes(action.type) && action.target.includes(name),
  );
  const byFile = record.facts.files.some((file) => file.path.endsWith(path) && file.state === type);
  const inCommand = record.messages.some((message) =>
    toolCalls(message).some(({ input }) => /"(?:command|cmd|script)"/.test(input) && input.includes(name)),
  );
  return byTool || byFile || inCommand;
}
