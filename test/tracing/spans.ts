/** OpenTelemetry as a program has it: a provider, a context manager and a propagator, registered for one test. */
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { type ReadableSpan, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

export type { ReadableSpan };

/** What a program with OpenTelemetry sees. */
export interface Traced extends Disposable {
  /** Spans that have ended, in the order in which they did. */
  readonly spans: () => readonly ReadableSpan[];
  /** Those of a name that begins like this. */
  readonly named: (start: string) => readonly ReadableSpan[];
}

/** Registers everything; taken back when it is disposed of. */
export function traced(): Traced {
  const ended: ReadableSpan[] = [];
  const processor: SpanProcessor = {
    onStart: () => undefined,
    onEnd: (span) => void ended.push(span),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  const provider = new TracerProvider({ spanProcessors: [processor] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return {
    spans: () => ended,
    named: (start) => ended.filter(({ name }) => name.startsWith(start)),
    [Symbol.dispose]: () => {
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

/** The id of the span that another one is inside of. */
export const parentOf = ({ parentSpanContext }: ReadableSpan): string | undefined => parentSpanContext?.spanId;
export const idOf = (span: ReadableSpan): string => span.spanContext().spanId;

/** Everything that spans say, for what must not be among it. */
export const textOf = (spans: readonly ReadableSpan[]): string =>
  JSON.stringify(spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })));
