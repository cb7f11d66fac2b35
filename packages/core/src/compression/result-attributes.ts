/** What a span tells of a compression. */

import { figureAttributes } from '../tracing/compression-span.ts';
import type { SpanAttributes } from '../tracing/tracer.ts';
import type { CompressionResult } from './result.ts';

/** Its figures, and who wrote the handoff; nothing of what it says. */
export const resultAttributes = (result: CompressionResult): SpanAttributes =>
  figureAttributes({
    outcome: result.status,
    tokensBefore: result.before.total,
    tokensAfter: result.after.total,
    writer: result.handoff?.writtenBy,
    model: result.summary?.model ?? result.failure?.model,
    failure: result.failure?.kind,
  });
