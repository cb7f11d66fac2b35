/** A model that writes summaries when the test lets it. */
import { type Summarizer, SummarizerError, type SummaryCall } from '@palimpsest/core';

/** A call that waits for its answer. */
interface Waiting {
  readonly call: SummaryCall;
  readonly answer: () => void;
  readonly fail: (error: Error) => void;
}

/** A summarizer under the hand of a test. */
export interface Writer {
  readonly summarizer: Summarizer;
  /** Calls so far. */
  calls(): number;
  /** Calls that wait. */
  waiting(): number;
  /** Answers the calls that wait, or so many of them. */
  answer(most?: number): void;
  /** Has every call that waits fail as a model does that is overloaded. */
  fail(): void;
}

export const writerName = 'anthropic/claude-haiku-4-5';

/** What it writes is true: nothing of it is taken out. */
const summary = '## Active Task\nUser asked: "Move the ledgers of all regions."';

/** @param contextLength its window in tokens, for one that must read in parts */
export function createWriter(contextLength?: number): Writer {
  let calls = 0;
  const waiting: Waiting[] = [];
  const write: Summarizer['write'] = (call) => {
    calls++;
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        call,
        answer: () => resolve({ text: summary, finish: 'stop', usage: { inputTokens: 1_000, outputTokens: 40 } }),
        fail: reject,
      };
      waiting.push(one);
      call.signal?.addEventListener('abort', () => {
        waiting.splice(waiting.indexOf(one), 1);
        reject(call.signal?.reason);
      });
    });
  };
  return {
    summarizer: { name: writerName, write, ...(contextLength === undefined ? {} : { contextLength }) },
    calls: () => calls,
    waiting: () => waiting.length,
    answer: (most = waiting.length) => {
      for (const { answer } of waiting.splice(0, most)) answer();
    },
    fail: () => {
      for (const { fail } of waiting.splice(0)) {
        fail(new SummarizerError('server_error', 'the model is overloaded', { model: writerName }));
      }
    },
  };
}
