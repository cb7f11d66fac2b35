/** Usage in rollouts of Codex: `token_count` events, with the counts of the last response and of the whole session. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { asName, asTime, defined } from './fields.ts';
import { noteReport, type UsageLog } from './reported-usage.ts';

/** What tells the responses of a session apart. */
export interface CodexCounts {
  readonly log: UsageLog;
  /** The session that the first one of the log was forked from, however often. */
  origin?: string;
  provider?: string;
  /** The sum in the event before. */
  total?: string;
}

export const newCodexCounts = (): CodexCounts => ({ log: new Map() });

/**
 * Takes the line of a session. A fork begins with a copy of the whole log that it was forked from, its first line too: the
 * last such line is of the session where all of them began, and each response counts once in all of them.
 */
export function noteCodexSession(counts: CodexCounts, meta: JsonObject): void {
  const id = asName(meta.id);
  if (id !== undefined) counts.origin = id;
  const provider = asName(meta.model_provider);
  if (provider !== undefined) counts.provider ??= provider;
}

/** Takes the report of a response. An event whose sum is that of the event before only brings new rate limits. */
export function noteCodexUsage(counts: CodexCounts, { info, model, time }: CodexReport): void {
  const { last_token_usage: last, total_token_usage: total } = info;
  if (!isJsonObject(last)) return;
  const sum = isJsonObject(total) ? `${text(total.total_tokens)}/${text(total.output_tokens)}` : undefined;
  if (sum !== undefined && sum === counts.total) return;
  if (sum !== undefined) counts.total = sum;
  const id = `codex:${counts.origin ?? ''}:${sum ?? counts.log.size}+${text(last.total_tokens)}`;
  const name = model === undefined || counts.provider === undefined ? model : `${counts.provider}/${model}`;
  noteReport(counts.log, defined({ id, model: name, time: asTime(time), report: last }));
}

/** A `token_count` event. */
export interface CodexReport {
  readonly info: JsonObject;
  /** The model of the turn. */
  readonly model: string | undefined;
  readonly time: JsonValue | undefined;
}

const text = (value: JsonValue | undefined): string => (typeof value === 'number' ? String(value) : '');
