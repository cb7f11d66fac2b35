/** The newest request of a running conversation, as its own model may have it in its cache: a summary can be asked for behind it (C5). */
import type { SummaryPrefix } from '../compression/summarize/continued.ts';
import { summaryCosts } from '../context/prompt-cache/summary-way.ts';
import type { Snapshot, Step } from './live.ts';
import { roomOf } from './size.ts';

/** What is known of it; undefined where no report says how large it was, or it is not the start of the conversation any more. */
export function summaryPrefix(
  step: Pick<Step, 'runtime' | 'basis' | 'live'>,
  { list, view }: Pick<Snapshot, 'list' | 'view'>,
): SummaryPrefix | undefined {
  const { runtime, live } = step;
  const { continued, model, now } = runtime.settings;
  const { report, lastCall } = live.state;
  if (!continued || !report || !lastCall || view[report.size - 1]?.id !== report.last) return undefined;
  const write = continued.writer(live.session.id);
  if (!write) return undefined;
  const { promptTokens: tokens, size } = report;
  const { cachedTokens, at } = lastCall;
  return {
    messages: list.length - view.length + size,
    tokens,
    contextLength: roomOf(step),
    isCheaper(calls) {
      const request = { tokens, cachedTokens, idleMs: Math.max(0, now() - at) };
      const costs = summaryCosts({ model, ttl: continued.ttl, request, ...calls });
      return costs !== undefined && costs.continued < costs.plain;
    },
    write,
  };
}
