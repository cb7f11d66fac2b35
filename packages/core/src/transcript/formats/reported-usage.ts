/** Reports of what calls of a model used, collected while a log is read: each call once. */
import type { ReportedUsage } from '../message.ts';

/** The reports of one conversation, by their ids in the order of the log. */
export type UsageLog = Map<string, ReportedUsage>;

/** Takes a report. Of several on one call the whole one counts, or the one that the log wrote last; the time is the first. */
export function noteReport(log: UsageLog, reported: ReportedUsage): void {
  const known = log.get(reported.id);
  if (known && reported.isPartial && !known.isPartial) return;
  const time = known?.time ?? reported.time;
  log.set(reported.id, { ...reported, ...(time === undefined ? {} : { time }) });
}

/** For a transcript; absent where the log reports no usage. */
export const reportsIn = (log: UsageLog): { readonly usage?: readonly ReportedUsage[] } =>
  log.size === 0 ? {} : { usage: [...log.values()] };
