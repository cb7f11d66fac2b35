/**
 * Windows of models that write summaries, as they turned out: a model that has refused a prompt as too long is not sent one of
 * that length again, by whatever conversation asks it next. Held while the process runs.
 */
import { type Summarizer, SummarizerError } from './summarizer.ts';

/** A window that was learnt from a refusal. */
export interface LearntWindow {
  readonly tokens: number;
  /** True where the model named it; otherwise it is a guess below what was refused. */
  readonly isNamed: boolean;
}

const windows = new WeakMap<Summarizer, LearntWindow>();

/** What a refusal has told of the model; undefined where none has, or its own window is smaller. */
export function learntWindow(summarizer: Summarizer): LearntWindow | undefined {
  const learnt = windows.get(summarizer);
  return learnt && learnt.tokens < (summarizer.contextLength ?? Number.POSITIVE_INFINITY) ? learnt : undefined;
}

/** No model that writes summaries has a smaller window: a guess below it came from a refusal for another reason. */
const leastGuess = 1_000;

/** Only ever downwards: a model does not grow because an error names a number. */
export function learnWindow(summarizer: Summarizer, window: LearntWindow): void {
  if (!window.isNamed && window.tokens < leastGuess) return;
  if (window.tokens < (windows.get(summarizer)?.tokens ?? Number.POSITIVE_INFINITY)) windows.set(summarizer, window);
}

/** A guess that leaves no room for anything is none. */
export function forgetWindow(summarizer: Summarizer): void {
  windows.delete(summarizer);
}

/** True where a prompt was longer than the model's window. */
export const isOverflow = (error: unknown): error is SummarizerError =>
  error instanceof SummarizerError && error.evidence.overflow === true;

/** The window that a refusal names; undefined where it names none. */
export function namedWindow({ evidence: { contextLength } }: SummarizerError): number | undefined {
  return typeof contextLength === 'number' && contextLength > 0 ? contextLength : undefined;
}
