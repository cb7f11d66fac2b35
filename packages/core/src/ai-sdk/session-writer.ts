/** The session's own model as the one that writes its summaries: whichever it is talking to when a summary is needed. */
import { type Summarizer, SummarizerError } from '../compression/summarize/summarizer.ts';
import { type AiSdkSummarizerOptions, aiSdkSummarizer } from '../provider/ai-sdk-summarizer.ts';
import { defined } from '../shared/defined.ts';
import { checkMembers, type KnownOptions, type OptionRule } from '../shared/options/known-options.ts';
import { isObject } from '../shared/options/schema.ts';
import type { Model } from './interface.ts';

/** Has the session's own model write its summaries, and says how. */
export interface SessionWriter extends Omit<AiSdkSummarizerOptions, 'name' | 'keyVariable'> {
  readonly writer: 'session';
}

/** Who writes the summaries of a wrapped model. */
export type SummaryWriter = Summarizer | SessionWriter | 'session';

/** What an option `summarizer` must be. */
export const aSummaryWriter: OptionRule = {
  expected: "a summarizer, 'session', or an object with writer 'session'",
  holds: (value) => value === 'session' || isObject(value),
  inside: (value, owner) => {
    if (isObject(value) && 'writer' in value) checkMembers<SessionWriter>(owner, value, members);
  },
};

const members: KnownOptions<SessionWriter> = {
  writer: { expected: "'session'", holds: (value) => value === 'session' },
  contextLength: true,
  idleTimeoutMs: true,
  totalTimeoutMs: true,
  fallback: true,
};

/** True where it is the model of the session, whichever that is. */
export const isSessionWriter = (writer: SummaryWriter | undefined): writer is SessionWriter | 'session' =>
  writer === 'session' || (writer !== undefined && 'writer' in writer);

/** The summarizer for the conversations of a model. */
export function summarizerFor(
  writer: SummaryWriter | undefined,
  { model, name, contextLength }: SessionModel,
): Summarizer | undefined {
  if (!isSessionWriter(writer)) return writer;
  const { writer: _, ...given } = writer === 'session' ? { writer } : writer;
  const options = { ...defined({ contextLength }), ...given, name };
  return {
    name,
    ...defined({ contextLength: options.contextLength, fallback: options.fallback }),
    // Its own timeouts hold.
    timeoutMs: 0,
    async write(call) {
      const current = model();
      // Whoever summarises has prepared a request, and so a model was called.
      if (!current) throw new SummarizerError('no_provider', 'No model was called yet.', { model: name });
      return aiSdkSummarizer(current, options).write(call);
    },
  };
}

/** The model that the conversations are held with. */
export interface SessionModel {
  /** The one that was called last. */
  readonly model: () => Model | undefined;
  /** `provider/model`. */
  readonly name: string;
  readonly contextLength: number | undefined;
}
