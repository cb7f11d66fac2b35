/** JSON as no serialiser of ours writes it: odd white space, escapes that need not be, numbers in other spellings. */
import type { JsonValue } from '../../packages/core/src/shared/json.ts';

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function chanceOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const gaps = ['', '', '', '', ' ', '\n', '\t', '\r\n  '];
const shortEscapes: Readonly<Record<string, string>> = { '/': '\\/', '\n': '\\u000a', '\t': '\\u0009', '"': '\\u0022' };

/** A text of the value. Strings that begin with `=` are written as `JSON.stringify` writes them, so that a test can find them. */
export function oddJson(value: JsonValue, chance: () => number): string {
  const gap = (): string => gaps[Math.floor(chance() * gaps.length)] ?? '';
  const write = (one: JsonValue): string => {
    if (typeof one === 'string') return oddString(one, chance);
    if (typeof one === 'number') return oddNumber(one, chance);
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    const isList = Array.isArray(one);
    const members = isList
      ? one.map((element: JsonValue) => `${gap()}${write(element)}${gap()}`)
      : Object.entries(one).map(
          ([name, member]) => `${gap()}${oddString(name, chance)}${gap()}:${gap()}${write(member)}${gap()}`,
        );
    const inside = members.length === 0 ? gap() : members.join(',');
    return isList ? `[${inside}]` : `{${inside}}`;
  };
  return `${gap()}${write(value)}${gap()}`;
}

function oddString(text: string, chance: () => number): string {
  if (text.startsWith('=')) return JSON.stringify(text);
  const rate = chance() < 0.3 ? 0.3 : 0;
  const units = text.split('').map((unit) => {
    if (chance() >= rate) return JSON.stringify(unit).slice(1, -1);
    return shortEscapes[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  // A pair is two units: escaped one by one they stay what they are, and bare they must not be torn.
  const plain = JSON.stringify(text);
  const odd = `"${units.join('')}"`;
  return rate > 0 && JSON.parse(odd) === text ? odd : plain;
}

function oddNumber(value: number, chance: () => number): string {
  const plain = JSON.stringify(value);
  if (!Number.isInteger(value) || Math.abs(value) > 1e9) return plain;
  const spellings = [plain, plain, `${plain}.0`, `${plain}e0`, `${plain}E+0`, `${plain}.000`];
  return spellings[Math.floor(chance() * spellings.length)] ?? plain;
}
