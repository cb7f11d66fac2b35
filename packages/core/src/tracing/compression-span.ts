/**
 * A compression as a span: `compress`. The conventions have no operation for what a framework compresses itself, only
 * `gen_ai.conversation.compacted` for the calls that follow, so its attributes are ours.
 */
import { genAi } from './conventions.ts';
import { activeSpan, inSpan, type Span, type SpanAttributes } from './tracer.ts';

/** Why a conversation is compressed. */
export type CompressionCause =
  /** Its engine wishes it, as a rule because its threshold is reached. */
  | 'threshold'
  /** The request does not fit. */
  | 'window'
  /** Somebody asks for it, or the program. */
  | 'asked'
  /** Its model asks for it. */
  | 'model'
  /** It is prepared while the conversation goes on. */
  | 'background';

/** Of which conversation, and why; what is not known is left out. */
export interface CompressionAbout {
  readonly cause?: CompressionCause;
  /** The session that the conversation began with. */
  readonly conversationId?: string;
  readonly sessionId?: string;
  /** By whom, where it is not the built-in engine. */
  readonly engine?: string;
}

const compressions = new WeakSet<Span>();

/**
 * Does the work in the span of a compression, one for all the parts that a compression has: inside of it, what `told` says of
 * the outcome is noted on it.
 */
export function inCompression<T>(
  about: () => CompressionAbout,
  work: () => Promise<T>,
  told: (outcome: T) => SpanAttributes,
): Promise<T> {
  const noted = async (span: Span | undefined): Promise<T> => {
    if (span) compressions.add(span);
    const outcome = await work();
    span?.setAttributes(told(outcome));
    return outcome;
  };
  const outer = activeSpan();
  if (outer && compressions.has(outer)) return noted(outer);
  return inSpan(() => ({ name: 'compress', attributes: attributesOf(about()) }), noted);
}

const attributesOf = ({ cause, conversationId, sessionId, engine }: CompressionAbout): SpanAttributes => ({
  [genAi.operation]: 'compress',
  [genAi.conversation]: conversationId,
  'palimpsest.session.id': sessionId,
  'palimpsest.compression.cause': cause,
  'palimpsest.compression.engine': engine,
});

/** What came of a compression. */
export interface CompressionFigures {
  /** `compressed`, else why not. */
  readonly outcome: string;
  /** Tokens of the list. */
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
  /** Who wrote the handoff. */
  readonly writer?: 'ledger' | 'model' | undefined;
  /** The model that wrote it, or failed to. */
  readonly model?: string | undefined;
  /** The kind of its failure. */
  readonly failure?: string | undefined;
}

export const figureAttributes = (figures: CompressionFigures): SpanAttributes => ({
  'palimpsest.compression.outcome': figures.outcome,
  'palimpsest.compression.tokens_before': figures.tokensBefore,
  'palimpsest.compression.tokens_after': figures.tokensAfter,
  'palimpsest.compression.writer': figures.writer,
  'palimpsest.compression.model': figures.model,
  'palimpsest.compression.failure': figures.failure,
});
