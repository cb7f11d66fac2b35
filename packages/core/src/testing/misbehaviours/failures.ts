/** Answers that fail on their way: statuses, broken streams, silence. */
import { dialectNamed } from '../../transcript/wire/dialects.ts';
import type { BadReply, Spoil } from './misbehaviour.ts';

/** Never answers. */
export const timesOut: Spoil = () => ({ hang: true });

/** A failure with the provider's own words for a status. */
export const status =
  (code: number): Spoil =>
  () => ({ error: { status: code } });

/** Too many requests, and when to come back. */
export const status429: Spoil = (_faithful, _request, { retryAfterSeconds }) => ({
  error: {
    status: 429,
    headers: { 'retry-after': String(retryAfterSeconds), 'retry-after-ms': String(retryAfterSeconds * 1_000) },
  },
});

/** Goes away after half of the text. */
export const closesStream: Spoil = (faithful) => ({ text: faithful, closeAfter: faithful.length >> 1 });

/** One event of the stream, or the whole body, is no JSON. */
export const malformedStream: Spoil = (faithful) => ({ text: faithful, malformed: true });

/** The page of a load balancer in place of an answer, with status 200. */
export const wrongContentType: Spoil = (): BadReply => ({
  raw: {
    contentType: 'text/html; charset=utf-8',
    body: '<!doctype html><html><head><title>One moment</title></head><body>Please sign in to continue.</body></html>',
  },
});

/** The prompt does not fit, in the words of the dialect. */
export const contextLengthExceeded: Spoil = (_, request) => ({
  error: dialectNamed(request.dialect).overflow(208_310, 200_000),
});
