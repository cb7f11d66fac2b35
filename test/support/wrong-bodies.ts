/** Bodies that went wrong: one place in a value changed, or a text torn. The same for the same chance. */
import type { JsonValue } from '../../packages/core/src/shared/json.ts';

const junk: readonly JsonValue[] = [
  null,
  0,
  -1.5,
  '',
  'x',
  true,
  [],
  {},
  [[]],
  [null],
  { type: 'text' },
  { role: 'user' },
  '\ud83d',
  { '#': { id: 'absent' } },
];
const roles: readonly JsonValue[] = ['user', 'assistant', 'tool', 'system', 'developer', 'model', 'function', 'nobody'];

/** A value with one place in it changed: replaced, left out, said twice, or renamed. */
export function mutated(value: JsonValue, chance: () => number): JsonValue {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(chance() * list.length)];
  const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isLeaf || chance() < 0.08) return (chance() < 0.3 ? pick(roles) : pick(junk)) ?? null;
  if (Array.isArray(value)) {
    const at = Math.floor(chance() * value.length);
    const way = chance();
    if (way < 0.1) return value.toSpliced(at, 1);
    if (way < 0.2) return value.toSpliced(at, 0, value[at]);
    if (way < 0.25) return value.toReversed();
    return value.with(at, mutated(value[at], chance));
  }
  const entries = Object.entries(value);
  const at = Math.floor(chance() * entries.length);
  const [name, member] = entries[at] ?? ['', null];
  const way = chance();
  if (way < 0.1) return Object.fromEntries(entries.toSpliced(at, 1));
  if (way < 0.15) return Object.fromEntries(entries.with(at, ['__proto__', member]));
  return Object.fromEntries(entries.with(at, [name, mutated(member, chance)]));
}

/** A text with a few characters lost, put in or put elsewhere. */
export function torn(text: string, chance: () => number): string {
  const at = Math.floor(chance() * text.length);
  const other = Math.min(text.length, at + Math.floor(chance() * 40));
  const way = chance();
  if (way < 0.3) return text.slice(0, at) + text.slice(other);
  if (way < 0.6) return text.slice(0, other) + text.slice(at);
  if (way < 0.8)
    return text.slice(0, at) + '"\\{}[],:0\u0000\ufeff\u00e9\ud800'.charAt(Math.floor(chance() * 14)) + text.slice(at);
  return text.slice(0, at);
}

/** The same with short texts. */
export const small = (value: JsonValue): JsonValue => {
  if (typeof value === 'string') return value.slice(0, 40);
  if (Array.isArray(value)) return value.map(small);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, small(one)]));
};
