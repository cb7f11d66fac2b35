/** Usage in sessions of pi: on every message of the model. */
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import type { ReportedUsage } from '../message.ts';
import { asName, asObject, asTime, defined } from './fields.ts';

/** The report in an entry; undefined where it has none, or only zeros, which stand for a call that was never answered. */
export function piReport(entry: JsonObject): ReportedUsage | undefined {
  const message = asObject(entry.message);
  const { usage: report, provider, stopReason } = message;
  if (message.role !== 'assistant' || !isJsonObject(report)) return undefined;
  const tokens = [report.input, report.output, report.cacheRead, report.cacheWrite];
  if (!tokens.some((count) => typeof count === 'number' && count > 0)) return undefined;
  const time = asTime(message.timestamp) ?? asTime(entry.timestamp);
  const seller = asName(provider);
  const model = asName(message.model);
  return defined({
    // Copies of a session keep the ids and the times of its entries.
    id: `pi:${asName(message.responseId) ?? `${time ?? ''}+${asName(entry.id) ?? ''}+${tokens.join('/')}`}`,
    model: seller === undefined || model === undefined ? model : `${seller}/${model}`,
    time,
    report,
    isPartial: stopReason === 'aborted' || stopReason === 'error' ? true : undefined,
  } as const);
}
