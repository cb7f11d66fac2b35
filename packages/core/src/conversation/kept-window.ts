/** The windows of models that write summaries, where they refused a prompt and named one: kept for every process. */
import { isOverflow, namedWindow } from '../compression/summarize/learnt-window.ts';
import type { Summarizer } from '../compression/summarize/summarizer.ts';
import type { KnownWindows } from '../provider/errors/known-windows.ts';

/** The summarizer with the window that is known of it, and that keeps what a refusal names. */
export async function withKeptWindow(summarizer: Summarizer, windows: KnownWindows): Promise<Summarizer> {
  const { name, timeoutMs } = summarizer;
  const known = [summarizer.contextLength, await windows.get(name)].filter((tokens) => tokens !== undefined);
  return {
    name,
    ...(known.length === 0 ? {} : { contextLength: Math.min(...known) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    async write(call) {
      try {
        return await summarizer.write(call);
      } catch (error) {
        const tokens = isOverflow(error) ? namedWindow(error) : undefined;
        // What the model said is told in any case; the window is learnt again where the store could not take it.
        if (tokens !== undefined) await windows.learn(name, { tokens, source: 'stated' }).catch(() => false);
        throw error;
      }
    },
  };
}
