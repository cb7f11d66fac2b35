/** Makes a result shorter by one of its texts: saved where that works, cut where it does not. */
import { spilledOutput } from '../transcript/spilled-output.ts';
import { cutInline } from './cut-inline.ts';
import { type Spilled, type SpillOptions, spill } from './spill.ts';
import { type AnyResult, type HeldText, toolNameOf, withText } from './tool-output.ts';

/** A result with one text shorter, and by how many characters. */
export interface Shorter<R> {
  readonly result: R;
  readonly saved: number;
}

/** Takes at least `excess` characters out of a text where it can; the same result where nothing can be won. */
export type Shortener = <R extends AnyResult>(result: R, held: HeldText, excess: number) => Promise<Shorter<R>>;

export interface ShortenerOptions extends SpillOptions {
  readonly onSaveFailure: ((error: unknown) => void) | undefined;
}

/** Beneath this, what stands for a text would hardly be shorter than the text. */
const leastChars = 1_000;

interface ShorterText {
  readonly text: string;
  readonly isError?: boolean | undefined;
}

/** A shortener for one call: once the store has failed, it is not asked again for the same answer. */
export function createShortener(options: ShortenerOptions): Shortener {
  let failure: Extract<Spilled, { type: 'failed' }> | undefined;

  async function shorterText(text: string, result: AnyResult, excess: number): Promise<ShorterText> {
    const spilled = failure ?? (await spill(text, result, options));
    if (spilled.type === 'spilled') return spilled;
    if (!failure) options.onSaveFailure?.(spilled.error);
    failure = spilled;
    const maxChars = Math.max(options.previewChars + leastChars, text.length - excess);
    return { text: cutInline(text, { toolName: toolNameOf(result), maxChars, reason: spilled.reason }) };
  }

  return async (result, { at, text }, excess) => {
    const isDone = text.length < leastChars || spilledOutput(text, options.previewChars) !== undefined;
    const shorter = isDone ? { text } : await shorterText(text, result, excess);
    const saved = text.length - shorter.text.length;
    if (saved <= 0) return { result, saved: 0 };
    const replaced = withText(result, at, shorter.text);
    return { result: shorter.isError ? { ...replaced, isError: true } : replaced, saved };
  };
}
