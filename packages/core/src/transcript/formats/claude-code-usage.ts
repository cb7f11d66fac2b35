/** Usage in session logs of Claude Code: `message.usage`, repeated on every line of a message. */
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import { asName, asObject, asTime, defined } from './fields.ts';
import { noteReport, type UsageLog } from './reported-usage.ts';

/** Takes the report in a line; messages of sub-agents, which the log tells of as progress, count as calls of a side. */
export function noteClaudeUsage(log: UsageLog, record: JsonObject): void {
  if (record.type === 'assistant') noteMessage(log, { message: asObject(record.message), time: record.timestamp });
  const told = asObject(asObject(record.data).message);
  if (record.type === 'progress' && told.type === 'assistant')
    noteMessage(log, { message: asObject(told.message), time: told.timestamp ?? record.timestamp, ofSide: true });
}

interface Told {
  readonly message: JsonObject;
  readonly time: JsonObject[string] | undefined;
  readonly ofSide?: true;
}

/**
 * Versions 2.0 and later write lines while the answer streams, with the counts from its start, and never the final ones: no
 * line then names a reason for stopping. What Claude Code says itself (`<synthetic>`) was no call.
 */
function noteMessage(log: UsageLog, { message, time, ofSide }: Told): void {
  const { usage, stop_reason: reason } = message;
  const id = asName(message.id);
  const model = asName(message.model);
  if (id === undefined || !isJsonObject(usage) || model === '<synthetic>') return;
  const isPartial = reason === null ? (true as const) : undefined;
  noteReport(log, defined({ id: `claude-code:${id}`, model, time: asTime(time), report: usage, isPartial, ofSide }));
}
