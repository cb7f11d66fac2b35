/** Whether a reply says that something was saved although nothing was. Pure. */
import { quotedStretches } from '../../language/relative-days.ts';
import { type SavingWords, savingWords } from '../../language/saving-claims.ts';
import { isJsonObject, parseJson } from '../../shared/json.ts';

/** A sentence that claims to have saved something, or promises to remember it. */
export interface SavingClaim {
  readonly type: 'done' | 'promised';
  readonly sentence: string;
  /** Where the sentence is: from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
}

/** A turn that is over: what the model said, and what its calls gave. */
export interface FinishedTurn {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly result?: unknown }[];
}

/** Tools of which a successful call is a write to the memory. */
const memoryTools: readonly string[] = ['memory', 'remember'];

/**
 * The sentences of a reply that claim to have saved, noted or memorised something for later. What denies it, asks, or tells
 * of files, and what is quoted, is no claim. Words in eight languages; what they say is told by the first person and the
 * perfect.
 *
 * @example
 * import { claimsOfSaving } from '@palimpsest/core/memory';
 * claimsOfSaving('Got it, I have saved that. Shall we go on?').length; // 1
 */
export function claimsOfSaving(text: string): readonly SavingClaim[] {
  return sentencesOf(text).flatMap(({ sentence, start, end }) => {
    if (/[?？]["'”」)\s]*$/.test(sentence)) return [];
    const open = sentence.replaceAll(quotedStretches, (run) => (isOfMemory(run) ? run : ' '.repeat(run.length)));
    const isPlace = open !== sentence;
    const type = savingWords()
      .map((words) => typeOf(open, words, isPlace))
      .find((one) => one !== undefined);
    return type ? [{ type, sentence, start, end }] : [];
  });
}

const isOfMemory = (run: string): boolean => savingWords().some(({ memory }) => memory.test(run));

/** What a sentence says in a language; undefined for no claim. */
function typeOf(sentence: string, words: SavingWords, hasPlace: boolean): SavingClaim['type'] | undefined {
  const isMemory = words.memory.test(sentence);
  if (words.promised.test(sentence) && !words.denied.test(withoutMatch(sentence, words.promised))) return 'promised';
  const isSaved = words.done.test(sentence) || (isMemory && words.changed.test(sentence));
  if (!isSaved || words.denied.test(sentence)) return undefined;
  return isMemory || !(hasPlace || words.elsewhere.test(sentence)) ? 'done' : undefined;
}

/** "I will not forget" denies nothing. */
const withoutMatch = (sentence: string, pattern: RegExp): string => sentence.replace(pattern, ' ');

function sentencesOf(
  text: string,
): readonly { readonly sentence: string; readonly start: number; readonly end: number }[] {
  const found = [];
  let fenced = false;
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    else if (!fenced && !/^\s*>/.test(line)) {
      for (const { 0: run, index: at } of line.matchAll(/[^.!?。！？]+(?:\.(?=[^\s.])[^.!?。！？]*)*[.!?。！？…]*/g)) {
        const start = index + at;
        found.push({ sentence: run.trim(), start, end: start + run.length });
      }
    }
  }
  return found.filter(({ sentence }) => sentence !== '');
}

/**
 * The claims of a turn in which nothing was written to the memory: to be told to the person, or to the model with the next
 * request. Empty where a write succeeded. What only waits for the person was not saved.
 *
 * @param tools names of tools that write to the memory
 */
export function reportUnsaved(
  { text, calls }: FinishedTurn,
  tools: readonly string[] = memoryTools,
): readonly SavingClaim[] {
  return calls.some(({ name, result }) => tools.includes(name) && isSaved(result)) ? [] : claimsOfSaving(text);
}

function isSaved(result: unknown): boolean {
  const told = typeof result === 'string' ? parseJson(result) : result;
  return isJsonObject(told) && told.success === true && told.saved !== false;
}
