// A model writes the summary, and Palimpsest checks it against the record. Here the model is the fake provider of
// `@palimpsest/core/testing`, over real HTTP, and it invents a request that the user never made.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { compress, readTranscripts, tokenizerFor } from '@palimpsest/core';
import { misbehaving, startFakeProvider } from '@palimpsest/core/testing';
import { loadSummarizer } from 'palimpsest';

const file = await readFile('examples/recorded/link-checker.openai-chat.json');
const [session] = (await readTranscripts(file)).transcripts;
if (!session) throw new Error('The file holds no conversation.');

await using provider = await startFakeProvider({ script: misbehaving('inventsRequest') });

// With a real model: loadSummarizer({ model: 'anthropic/claude-sonnet-5', env: process.env }), or
// aiSdkSummarizer(model) for a language model of the AI SDK that you already have.
const summarizer = await loadSummarizer({ model: 'any-model', baseUrl: provider.baseUrl('openai-chat'), env: {} });

const tokenizer = await tokenizerFor('gpt-5');
const result = await compress(session.messages, { tokenizer, contextLength: 128_000, summarizer });
console.log(result.reason);

const { summary } = result;
if (!summary) throw new Error(result.failure?.message ?? 'Nothing was compressed.');
console.log(`${summary.model} wrote it in ${summary.calls.length} call(s)`);
for (const { action, before, why, refs } of summary.verification.changes) {
  console.log(`${action}: ${before.trim().slice(0, 80)} (${[why, ...refs].join(', ')})`);
}

// ---
assert.equal(result.status, 'compressed');
assert.equal(result.handoff?.writtenBy, 'model');
assert.equal(provider.requests.length, 1);
const invented = summary.verification.wrong.filter(({ type }) => type === 'request');
assert.ok(invented.length > 0, 'expected the invented request to be found');
for (const { text } of invented) assert.ok(!result.handoff?.text.includes(text), `the handoff says: ${text}`);
