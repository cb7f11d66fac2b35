/** What providers answer, read as it passes: names for the door `@palimpsest/core/wire`, whose list they join. */

export { type FailedAnswer, failureOf } from './provider/errors/failure-of.ts';
export {
  type AnswerReader,
  type AnswerReaderOptions,
  createAnswerReader,
  type ReadAnswer,
} from './transcript/wire/answer-reader.ts';
export { readFailure } from './transcript/wire/read-failure.ts';
