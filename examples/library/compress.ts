// The README shows this file from the next import to the line of dashes; the rest checks the result.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { compress, expand, readTranscripts, tokenizerFor, writeTranscript } from '@palimpsest/core';

const file = await readFile('examples/recorded/link-checker.openai-chat.json');
const { format, transcripts } = await readTranscripts(file);
const [session] = transcripts;
if (!session) throw new Error('The file holds no conversation.');

const tokenizer = await tokenizerFor('gpt-5');
const result = await compress(session.messages, { tokenizer, contextLength: 128_000, targetTokens: 20_000 });
console.log(result.reason);
console.log(`${result.before.total} → ${result.after.total} tokens`);

// The shorter conversation, ready to be sent or saved.
const shorter = [...writeTranscript({ ...session, messages: result.messages }, format)].join('');

// What happened to a message, and its original.
const gone = result.fates.find(({ fate }) => fate === 'summarised');
if (gone) console.log(gone.ref, gone.why, expand(session.messages, gone.ref));

// ---
assert.equal(result.status, 'compressed');
assert.ok(result.after.total <= 20_000, `expected at most 20,000 tokens, got ${result.after.total}`);
assert.ok(result.after.total < result.before.total);
assert.equal(result.fates.length, session.messages.length);
assert.ok(gone, 'expected a message that was summarised');
assert.equal(expand(session.messages, gone.ref)[0]?.message, session.messages[gone.at]);
const again = await readTranscripts(shorter, { format });
assert.equal(again.transcripts[0]?.messages.length, result.messages.length);
