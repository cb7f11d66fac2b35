/** `@palimpsest/core/wire`: bodies of requests read and changed without touching the bytes of what stays, and answers read as
 * they pass, for whoever stands between a client and its provider. */

export { type FailedAnswer, failureOf } from './provider/errors/failure-of.ts';
export { type TurnOpeningOptions, withTurnOpening } from './transcript/turn-opening.ts';
export type { DialectName, WireEvent } from './transcript/wire/answer.ts';
export {
  type AnswerReader,
  type AnswerReaderOptions,
  createAnswerReader,
  type ReadAnswer,
} from './transcript/wire/answer-reader.ts';
export type { ProviderAct } from './transcript/wire/body/format.ts';
export { nextMessages } from './transcript/wire/body/next-messages.ts';
export {
  type Body,
  type BodyEntry,
  type BodyTool,
  type ReadBodyOptions,
  readBody,
} from './transcript/wire/body/read-body.ts';
export { type NextMessage, type SpliceOptions, spliceBody } from './transcript/wire/body/splice-body.ts';
export { type Overflow, overflowEvents, overflowFailure } from './transcript/wire/overflow.ts';
export { readFailure } from './transcript/wire/read-failure.ts';
