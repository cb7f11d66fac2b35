/** What a provider says when a request does not fit, in the words that its clients look for. */
import { PalimpsestError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { DialectName, Rejection, WireEvent } from './answer.ts';
import { dialectNamed } from './dialects.ts';

/** A request that does not fit. */
export interface Overflow {
  /** Tokens of the request, and what the window takes: clients read both out of the message and act on them. */
  readonly tokens: number;
  readonly limit: number;
  /** The provider's name of the request, for the body. @default `req_palimpsest` */
  readonly requestId?: string;
}

/**
 * The status and the body of an overflow. Claude Code reads `prompt is too long: N tokens > M maximum` and drops its oldest rounds;
 * clients of OpenAI know the code `context_length_exceeded`, those of Gemini the words of its 400.
 *
 * @throws BAD_OPTION for tokens or a limit that are no positive numbers
 */
export const overflowFailure = (
  dialect: DialectName,
  overflow: Overflow,
): { readonly status: number; readonly body: JsonObject } =>
  dialectNamed(dialect).failure(rejectionOf(dialect, overflow), overflow.requestId ?? unnamed);

/** The same as the events of a stream that has begun; the Responses API ends with `response.failed`. */
export const overflowEvents = (dialect: DialectName, overflow: Overflow): readonly WireEvent[] =>
  dialectNamed(dialect).failureEvents(rejectionOf(dialect, overflow), {
    number: 1,
    requestId: overflow.requestId ?? unnamed,
    sent: 0,
  });

const unnamed = 'req_palimpsest';

/** Whole numbers, the first above the second: no client reads others. */
function rejectionOf(dialect: DialectName, { tokens, limit }: Overflow): Rejection {
  const known = [tokens, limit].every((one) => one > 0 && one <= Number.MAX_SAFE_INTEGER);
  if (!known) {
    throw new PalimpsestError(
      'BAD_OPTION',
      `expected tokens and limit above 0, got ${tokens} and ${limit}; give what was counted and the window`,
    );
  }
  const most = Math.floor(limit);
  return dialectNamed(dialect).overflow(Math.max(Math.ceil(tokens), most + 1), most);
}
