import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compress, compressionDefaults, createRecord, expand, messageTokens } from '@palimpsest/core';
import { createLedger } from '@palimpsest/core/engine';
import { diceOf } from '../../bench/invented-texts.ts';
import { parseJson } from '../../packages/core/src/shared/json.ts';
import { tokenizerFor } from '../../packages/core/src/tokens/tokenizer.ts';
import type { Message, Part } from '../../packages/core/src/transcript/message.ts';
import { redactedMessage } from '../../packages/core/src/transcript/redact.ts';
import { secretOf } from '../redaction/secret-samples.ts';

const dice = diceOf(11);
const secret = secretOf('ghp_{a36}', dice);
const data = `${secretOf('{b300}', dice)}/${secret}/`;

const message = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts });
const text = (words: string): Part => ({ type: 'text', text: words });
const result = (callId: string, words: string): Part => ({
  type: 'toolResult',
  callId,
  content: [{ type: 'text', text: words }],
});
const call = (callId: string, command: string): Part => ({
  type: 'toolCall',
  callId,
  name: 'bash',
  input: JSON.stringify({ command }),
  inputType: 'json',
});

describe('redacted messages', () => {
  test('S6: a message without secrets is the same object, also the second time', () => {
    const one = message('user', text('Please fix the token store.'));
    assert.equal(redactedMessage(one), one);
    assert.equal(redactedMessage(one), one);
  });

  test('S6: texts, reasoning, arguments, results, names and other values are masked, and remembered', () => {
    const one = message(
      'assistant',
      text(`use ${secret}`),
      { type: 'reasoning', text: `the key is ${secret}`, signature: data },
      call('c1', `echo "a"\nexport GH_TOKEN=${secret}`),
      { type: 'toolCall', callId: 'c2', name: 'patch', input: `+ key ${secret}`, inputType: 'text' },
      result('c1', `pushed with ${secret}`),
      {
        type: 'toolResult',
        callId: 'c3',
        content: [
          { type: 'file', text: `k=${secret}` },
          { type: 'other', value: { a: [secret] } },
        ],
      },
      { type: 'file', name: `${secret}.txt`, data },
      { type: 'image', url: `https://bob:${secret}@example.com/a.png` },
      { type: 'other', value: { password: 'Tr0ub4dor' } },
    );
    const clean = redactedMessage(one);
    const shown = JSON.stringify({
      ...clean,
      parts: clean.parts.map(({ ...part }) => ({ ...part, data: '', signature: '' })),
    });
    assert.ok(!shown.includes(secret) && !shown.includes('Tr0ub4dor'), shown);
    assert.equal(shown.split('[REDACTED:').length - 1, 10);
    assert.equal(redactedMessage(one), clean);
    const [, , asked] = clean.parts;
    assert.ok(asked?.type === 'toolCall' && parseJson(asked.input) !== undefined);
  });

  test('S6: bytes, signatures and encrypted reasoning stay as they are', () => {
    const one = message(
      'assistant',
      { type: 'reasoning', text: '', signature: data, encrypted: data },
      { type: 'image', mediaType: 'image/png', data },
      { type: 'file', name: 'a.pdf', data },
      { type: 'image', url: `data:image/png;base64,${data}` },
    );
    assert.equal(redactedMessage(one), one);
  });
});

/** A conversation whose middle is full of a secret, at the start, at the end and between. */
function conversation(): readonly Message[] {
  const steps = Array.from({ length: 30 }, (_, i) => [
    message('user', text(`Step ${i}: deploy release ${i} with GH_TOKEN=${secret} and tell me the result.`)),
    message('assistant', call(`c${i}`, `GH_TOKEN=${secret} ./deploy.sh --release ${i} --token ${secret}`)),
    message(
      'tool',
      result(
        `c${i}`,
        `remote: rejected ${secret} for release ${i}\n${'log line of the deployment\n'.repeat(40)}exit code 1`,
      ),
    ),
    message(
      'assistant',
      text(`Release ${i} failed: the server rejected ${secret}; I decided to retry with host h${i}.`),
    ),
  ]);
  return [
    message('system', text(`You deploy. The key is ${secret}.`)),
    ...steps.flat(),
    message('user', text(`Go on with ${secret}.`)),
  ];
}

describe('what is written about a conversation', () => {
  test('S6: facts and handoff of a ledger hold no secret', () => {
    const ledger = createLedger({ count: (words) => Math.ceil(words.length / 4) });
    for (const one of conversation()) ledger.add(one);
    const written = JSON.stringify([
      ledger.facts(),
      ledger.handoff({ budgetTokens: 3_000, focusTopic: `the key ${secret}` }),
    ]);
    assert.ok(!written.includes(secret.slice(4, 20)));
    assert.ok(written.includes('[REDACTED:github-token:'));
  });

  for (const mode of ['stub', 'head_tail', 'placeholder'] as const) {
    test(`S6: handoff, stubs, shortened arguments and explanations hold no secret (${mode})`, async () => {
      const tokenizer = await tokenizerFor('gpt-4o');
      const given = conversation();
      const template = { sections: [{ heading: `Completed Actions ${secret}`, instruction: 'What was done.' }] };
      const summary = { ...compressionDefaults.summary, template };
      const config = {
        ...compressionDefaults,
        summary,
        prune: { ...compressionDefaults.prune, mode, argumentChars: 60 },
      };
      const outcome = await compress(given, {
        tokenizer,
        contextLength: 32_000,
        targetTokens: 5_000,
        config,
      });
      assert.equal(outcome.status, 'compressed');
      const { messages, ...report } = outcome;
      const original = new Set(given.flatMap(({ parts }) => parts));
      const made = messages.flatMap(({ parts }) => parts.filter((part) => !original.has(part)));
      const written = JSON.stringify([report, made]);
      assert.ok(
        !written.includes(secret.slice(4, 20)),
        written.slice(Math.max(0, written.indexOf(secret.slice(4, 20)) - 200)).slice(0, 300),
      );
      assert.ok(written.includes('[REDACTED:github-token:'));
    });
  }

  test('S6: what stays in the context stays byte for byte, and expand gives the original', async () => {
    const tokenizer = await tokenizerFor('gpt-4o');
    const given = conversation();
    const record = createRecord({ count: (words) => tokenizer.count(words) });
    const { messages } = await compress(given, { tokenizer, contextLength: 32_000, targetTokens: 8_000, record });
    assert.equal(messages.at(-1), given.at(-1));
    assert.ok(JSON.stringify(messages[0]).includes(secret), 'the system prompt is the host\u2019s own');
    assert.equal(record.message('m3'), given[2]);
    assert.ok(JSON.stringify(expand(given, 'm3')).includes(secret));
    assert.ok(messages.every((one) => messageTokens(one, tokenizer) > 0));
  });
});
