/**
 * `@palimpsest/core/tracing`: the spans of OpenTelemetry, for programs around the library that make their own. The library makes its
 * spans by itself wherever a program has registered a provider.
 */

export { type CallTokens, genAi, type NamedModel, namedModel, usageAttributes } from './tracing/conventions.ts';
export { inModelCall } from './tracing/model-call.ts';
export {
  errorType,
  failSpan,
  inSpan,
  isTraced,
  type NamedSpan,
  openSpan,
  type Span,
  type SpanAttributes,
  type SpanOf,
  type SpanScope,
  type SpanStart,
} from './tracing/tracer.ts';
