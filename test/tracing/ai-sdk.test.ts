/** A wrapped model of the AI SDK, over real HTTP: its calls are traced as those of any other door. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trace } from '@opentelemetry/api';
import { withPalimpsest } from '@palimpsest/core/ai-sdk';
import { startFakeProvider } from '@palimpsest/core/testing';
import { generateText, streamText } from 'ai';
import { anthropic } from '../ai-sdk/providers.ts';
import { idOf, parentOf, textOf, traced } from './spans.ts';

test('U3 a call and a stream of a wrapped model have one span each, below that of the program', async () => {
  using otel = traced();
  await using fake = await startFakeProvider({ script: { text: 'Good morning.' } });
  await using model = withPalimpsest(anthropic.model(fake), { contextLength: 32_000 });
  await trace.getTracer('agent').startActiveSpan('agent', async (span) => {
    await generateText({ model, prompt: 'Hello there.' });
    await streamText({ model, prompt: 'Hello again.' }).consumeStream();
    span.end();
  });
  await model[Symbol.asyncDispose]();
  const [agent] = otel.named('agent');
  const calls = otel.named('chat');
  assert.ok(agent && calls.length === 2);
  for (const call of calls) {
    assert.equal(parentOf(call), idOf(agent));
    assert.equal(call.attributes['gen_ai.provider.name'], 'anthropic');
    assert.equal(typeof call.attributes['gen_ai.usage.output_tokens'], 'number');
    assert.equal(call.attributes['palimpsest.call.outcome'], 'answered');
  }
  assert.doesNotMatch(textOf(otel.spans()), /Hello|Good morning/);
});
