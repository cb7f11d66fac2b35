/** Credentials are made when the test runs, so that none stands in a file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handoffBlock } from '../../../packages/core/src/compression/handoff-block.ts';
import { resolveTemplate } from '../../../packages/core/src/compression/ledger/templates.ts';
import { writeSummary } from '../../../packages/core/src/compression/summarize/write-summary.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { assistant, calls, result, user } from '../../support/conversations.ts';
import { inputFor, scripted, summaryFor } from './scripted.ts';

const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const secretOf = (seed: number): string =>
  `ghp${'_'}${Array.from({ length: 36 }, (_, at) => letters[(seed * 17 + at * at * 31 + at * 7) % letters.length]).join('')}`;

const mark = /\[REDACTED:[^\]]+\]/;

test('S6: no credential reaches the model, wherever it stands, and none comes back in the summary or the report', async () => {
  const secrets = Array.from({ length: 14 }, (_, at) => secretOf(at + 1));
  const next = secrets.values();
  const secret = (): string => next.next().value ?? '';
  const image: Message = {
    role: 'user',
    parts: [
      { type: 'text', text: `My token is ${secret()}.` },
      { type: 'image', url: `https://example.com/a.png?access_token=${secret()}` },
      { type: 'file', name: 'env.txt', text: `GITHUB_TOKEN=${secret()}` },
      { type: 'other', value: { type: 'box', note: secret() } },
    ],
  };
  const messages: readonly Message[] = [
    user(handoffBlock(`## Goal\nUse ${secret()}`, { covers: 'm1-m9', count: 9 })),
    image,
    calls({ a: 'bash' }, { command: `curl -H "Authorization: Bearer ${secret()}" https://example.com` }),
    result(
      'a',
      `${'x '.repeat(1_985)}${secret()} ${'y '.repeat(3_000)}\nError: bad token ${secret()}\nExit code: 1`,
      true,
    ),
    assistant(`I stored ${secret()} for later.`),
  ];
  const [leaked = '', focusTopic, facts, instruction, heading] = [secret(), secret(), secret(), secret(), secret()];
  const model = scripted((call) => ({ text: summaryFor(call, `The token is ${leaked} (m2).`) }));
  const written = await writeSummary(
    inputFor(messages, model, {
      facts: `m2 uses ${facts}`,
      focusTopic: `the token ${focusTopic}`,
      template: resolveTemplate({
        sections: [{ heading: `Keys ${heading}`, instruction: `Never print ${instruction}` }],
      }),
    }),
  );
  const told = JSON.stringify([model.calls.map(({ system, prompt }) => [system, prompt]), written]);
  assert.deepEqual(
    secrets.filter((one) => told.includes(one) || told.includes(one.slice(4, 24))),
    [],
  );
  assert.match(written.text, mark);
});

test('S6: the newest requests that guide the focus carry no credential', async () => {
  const secret = secretOf(99);
  const model = scripted((call) => ({ text: summaryFor(call) }));
  await writeSummary(inputFor([user(`Deploy with ${secret}, please.`), assistant('ok')], model));
  const { prompt = '' } = model.calls[0] ?? {};
  assert.ok(!prompt.includes(secret));
  assert.match(prompt.slice(prompt.indexOf('What the user asked for last')), mark);
});
