/** What a text says whose words are taken apart: letter by letter, by marks within them, or down the beginnings of lines. */
import type { Decoded } from './decode.ts';

const spelled = /(?<![\p{L}\p{N}])(?:\p{L}[ ._·*|\-/+~,]{1,8}){4,600}\p{L}(?![\p{L}\p{N}])/gu;
const joined = /(?<![\p{L}\p{N}_-])\p{L}+(?:[_\-.]\p{L}+){2,40}|(?<![\p{L}])\p{Ll}+(?:\p{Lu}\p{Ll}+){2,40}/gu;
const inside = /(?<=\p{L})(?:\*{1,3}|~~|`|<\/?\p{L}{1,8}>|["'] ?[+.&] ?["']|\[|\])(?=\p{L})/gu;

/** Stretches put together again, each as it may have been meant. Linear. */
export function respelledStretches(text: string): readonly Decoded[] {
  return [...spelledRuns(text), ...joinedRuns(text), ...mended(text), ...downwards(text)];
}

/** `i g n o r e   a l l`: a single mark is nothing, more of them are a space. */
const spelledRuns = (text: string): readonly Decoded[] =>
  [...text.matchAll(spelled)].flatMap(({ 0: run, index }) => {
    const place = { start: index, end: index + run.length };
    const words = run.replaceAll(/([ ._·*|\-/+~,]{1,8})/g, (gap) => (gap.length === 1 ? '' : ' '));
    return [words, run.replaceAll(/[ ._·*|\-/+~,]/g, '')].map((plain) => ({ text: plain, ...place }));
  });

/** `ignore_all_previous_instructions`, `ignoreAllPreviousInstructions`. */
const joinedRuns = (text: string): readonly Decoded[] =>
  [...text.matchAll(joined)].map(({ 0: run, index }) => ({
    text: run.replaceAll(/[_\-.]/g, ' ').replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '),
    start: index,
    end: index + run.length,
  }));

/** `ig**no**re`, `"ig" + "nore"`. */
function mended(text: string): readonly Decoded[] {
  const plain = text.replaceAll(inside, '');
  return plain === text ? [] : [{ text: plain, start: 0, end: text.length }];
}

/** The first letters of lines, and of words. */
function downwards(text: string): readonly Decoded[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const firsts = (parts: readonly string[]): string => parts.map((part) => /[\p{L}]/u.exec(part)?.[0] ?? '').join('');
  const said = lines.length > 7 ? [firsts(lines)] : [];
  const words = text.slice(0, 4_096).split(/\s+/);
  if (words.length > 11) said.push(firsts(words));
  return said.map((plain) => ({ text: plain, start: 0, end: text.length }));
}
