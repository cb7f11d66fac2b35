/** The port to OpenTelemetry against its package: what is read in the global object is what the package puts there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { context, SpanKind, trace } from '@opentelemetry/api';
import { errorType, inSpan, isTraced, openSpan, type Span } from '@palimpsest/core/tracing';
import { activeSpan } from '../../packages/core/src/tracing/tracer.ts';
import { idOf, parentOf, traced } from './spans.ts';

/** A span of the package is one of ours: the compiler compares them. */
const own = (span: ReturnType<ReturnType<typeof trace.getTracer>['startSpan']>): Span => span;

test('U3 the port sees a provider from its registration on, and no longer than that', () => {
  assert.equal(isTraced(), false);
  assert.equal(
    openSpan(() => assert.fail('asked for a span that nobody hears')),
    undefined,
  );
  {
    using _otel = traced();
    assert.equal(isTraced(), true);
    own(trace.getTracer('any').startSpan('any')).end();
  }
  assert.equal(isTraced(), false);
});

test('U3 what a span awaits is inside of it, and a trace that headers name is continued', async () => {
  using otel = traced();
  const headers = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  const asked = () => ({ name: 'outer', kind: 'server' as const, headers });
  const value = await inSpan(asked, async (outer) => {
    await Promise.resolve();
    assert.equal(activeSpan(), outer);
    assert.equal(trace.getSpan(context.active()), outer);
    openSpan(() => ({ name: 'inner', startedAt: 1_000 }))?.end(new Date(2_500));
    return 7;
  });
  assert.equal(value, 7);
  const [inner, outer] = otel.spans();
  assert.ok(inner && outer);
  assert.equal(parentOf(inner), idOf(outer));
  assert.equal(parentOf(outer), 'b7ad6b7169203331');
  assert.equal(outer.spanContext().traceId, '0af7651916cd43dd8448eb211c80319c');
  assert.equal(outer.kind, SpanKind.SERVER);
  assert.deepEqual(
    [inner.startTime, inner.duration],
    [
      [1, 0],
      [1, 500_000_000],
    ],
  );
});

test('U3 an error passes through a span as it is, and its words do not stay there', async () => {
  using otel = traced();
  const error = new RangeError('the secret is out');
  await assert.rejects(
    inSpan(
      () => ({ name: 'work' }),
      async () => {
        throw error;
      },
    ),
    error,
  );
  const [span] = otel.spans();
  assert.deepEqual(span?.attributes, { 'error.type': 'RangeError' });
  assert.deepEqual([span.status.message, span.events], [undefined, []]);
  assert.equal(errorType({ code: 'a message, not a code' }), '_OTHER');
  assert.equal(errorType(undefined), '_OTHER');
});
