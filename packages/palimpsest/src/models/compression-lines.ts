/** What a compression came to, for people: in two lines as it happens (F5), and in full where somebody asked for it (§1.11). Pure. */
import type { CompressionResult, CompressReport, ContextCompression, SummaryAttempt } from '@palimpsest/core';

/** A compression as it is told. */
export interface ToldCompression {
  readonly status: 'compressed' | 'unchanged';
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Set where they are known. */
  readonly messages?: { readonly before: number; readonly after: number };
  readonly result?: CompressionResult;
  /** How long somebody waited for it. */
  readonly milliseconds?: number;
  readonly inBackground?: boolean;
  /** Why nothing was compressed, where the result does not say it. */
  readonly why?: string;
}

/** A compression that happened by itself, as the hook `onCompressionEnd` hears of it. */
export const toldEnd = (end: ContextCompression, milliseconds?: number): ToldCompression => ({
  ...end,
  status: 'compressed',
  ...(milliseconds === undefined ? {} : { milliseconds }),
});

/** One that a person asked for. */
export function toldReport(report: CompressReport, milliseconds?: number): ToldCompression {
  const { status, before, after, messages, result, failures } = report;
  const [failure] = failures;
  return {
    status,
    messages,
    tokensBefore: before.tokens,
    tokensAfter: after.tokens,
    ...(result === undefined ? {} : { result }),
    ...(failure === undefined ? {} : { why: `${failure.message} ${failure.consequence}` }),
    ...(milliseconds === undefined ? {} : { milliseconds }),
  };
}

/** Two lines: how much smaller it is, and who wrote the handoff, or who could not and what was done instead. */
export function compressionLines(told: ToldCompression): readonly [string, string] {
  return [sizeLine(told), writerLine(told)];
}

function sizeLine({ status, tokensBefore, tokensAfter, inBackground, ...told }: ToldCompression): string {
  const { before, after } = told.messages ?? countsOf(told.result);
  if (status === 'unchanged') return `Nothing was compressed: ${counted(before)}${amount(tokensBefore)} tokens`;
  const share = tokensBefore > 0 ? Math.round(100 * (1 - tokensAfter / tokensBefore)) : 0;
  const less = share < 0 ? `${-share} % more` : `${share} % less`;
  const how = inBackground ? `${less}, prepared in the background` : less;
  const rows = before === undefined || after === undefined ? '' : `${amount(before)} → ${amount(after)} messages, `;
  return `Compressed ${rows}${amount(tokensBefore)} → ${amount(tokensAfter)} tokens (${how})`;
}

const counted = (messages: number | undefined): string =>
  messages === undefined ? '' : `${number(messages, 'message')}, `;

const countsOf = (result: CompressionResult | undefined): { readonly before?: number; readonly after?: number } =>
  result ? { before: result.fates.length, after: result.messages.length } : {};

function writerLine({ status, result, milliseconds, why }: ToldCompression): string {
  const failed = attemptsOf(result).map((attempt) => `${oneLine(attempt.model)} failed (${causeOf(attempt)})`);
  const time = milliseconds === undefined ? '' : ` in ${seconds(milliseconds)}`;
  if (status === 'unchanged') {
    if (failed.length > 0) return [...failed, 'the conversation was left as it is'].join(' → ');
    return oneLine(why ?? result?.reason ?? 'there is nothing to gain');
  }
  const { summary } = result ?? {};
  if (!summary) {
    if (failed.length > 0) return [...failed, `the ledger wrote the handoff${time}`].join(' → ');
    return `written by the ledger, without a model${time}`;
  }
  const removed = summary.verification.changes.filter(({ action }) => action === 'removed').length;
  const check = removed === 0 ? 'nothing removed by the check' : `${number(removed, 'line')} removed by the check`;
  const way = summary.coverage.continued ? ', on the cached conversation' : '';
  if (failed.length > 0) return [...failed, `${oneLine(summary.model)} wrote it${time}${way}, ${check}`].join(' → ');
  return `written by ${oneLine(summary.model)}${time}${way}, ${check}`;
}

/** Everything that went wrong, in the order in which it did. */
function attemptsOf(result: CompressionResult | undefined): readonly SummaryAttempt[] {
  const { summary, failure } = result ?? {};
  return [...(summary?.failures ?? []), ...(failure?.before ?? []), ...(failure ? [failure] : [])];
}

const kinds: Readonly<Record<SummaryAttempt['kind'], string>> = {
  no_provider: 'not available',
  auth: 'key refused',
  quota: 'quota',
  rate_limit: 'rate limit',
  timeout: 'timeout',
  server_error: 'server error',
  network: 'no connection',
  bad_output: 'no usable summary',
  empty_output: 'empty answer',
  nothing: 'refused',
  cancelled: 'cancelled',
  other: 'refused',
};

/** The status as the provider gave it, and what it means. The last of several attempts tells of all. */
function causeOf({ kind, message }: SummaryAttempt): string {
  const status = /\(([45]\d\d)\)/.exec(message.split('; then: ').at(-1) ?? '')?.[1];
  return status === undefined ? kinds[kind] : `${status}, ${kinds[kind]}`;
}

// What a person is shown who asked for a compression (§1.11).

/** The feedback of `/compress`. */
export interface CompressFeedback {
  /** True where the conversation is as it was. */
  readonly noop: boolean;
  readonly headline: string;
  /** Sizes of the whole request. */
  readonly tokenLine: string;
  /** Set where fewer messages have more tokens. */
  readonly note?: string;
  /** True where a model failed and the conversation was kept rather than cut without one. */
  readonly aborted: boolean;
  /** True where the result would have been larger. */
  readonly refusedWouldGrow: boolean;
  /** True where another model, or the ledger, stepped in. */
  readonly fallbackUsed: boolean;
  /** True where another process is compressing the conversation. */
  readonly busy: boolean;
  /** Every failure with its consequence, a line each. */
  readonly failures: readonly string[];
}

/** From the report what a person is shown. */
export function compressFeedback(report: CompressReport): CompressFeedback {
  const { before, after, messages, why, result } = report;
  const noop = report.status === 'unchanged';
  const isDenser = !noop && messages.after < messages.before && after.tokens > before.tokens;
  return {
    noop,
    headline: headlineOf(report),
    tokenLine:
      before.tokens === after.tokens
        ? `Whole request: about ${amount(before.tokens)} tokens (unchanged)`
        : `Whole request: about ${amount(before.tokens)} → ${amount(after.tokens)} tokens`,
    ...(isDenser ? { note: denser } : {}),
    aborted: why === 'model_failed',
    refusedWouldGrow: why === 'would_grow',
    fallbackUsed: !noop && attemptsOf(result).length > 0,
    busy: why === 'busy',
    failures: report.failures.map(({ message, consequence }) => oneLine(`${message} ${consequence}`)),
  };
}

const denser =
  'There are fewer messages, but they have more tokens: the summary is longer than what it stands for, because it tells all of it.';

function headlineOf({ status, why, messages }: CompressReport): string {
  const count = number(messages.before, 'message');
  if (status === 'compressed') return `Compressed: ${amount(messages.before)} → ${amount(messages.after)} messages`;
  switch (why) {
    case 'busy':
      return `Not compressed: another process is compressing this conversation (${count})`;
    case 'vetoed':
      return `Not compressed: a hook vetoed it (${count})`;
    case 'model_failed':
      return `Not compressed: the model failed, and nothing was cut (${count})`;
    case 'would_grow':
      return `Not compressed: the result would have been larger (${count})`;
    case 'overflow':
    case 'refused':
      return `Not compressed: it could not be done (${count})`;
    default:
      return `Nothing to compress: ${count}, unchanged`;
  }
}

const number = (count: number, what: string): string => `${amount(count)} ${what}${count === 1 ? '' : 's'}`;

const seconds = (milliseconds: number): string =>
  milliseconds < 9_950 ? `${(milliseconds / 1_000).toFixed(1)} s` : `${Math.round(milliseconds / 1_000)} s`;

const amount = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Control characters and line breaks of a provider's words would break the two lines. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 300);
