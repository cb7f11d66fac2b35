import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { diceOf } from '../../bench/invented-texts.ts';
import { findSecrets } from '../../packages/core/src/redaction/redact.ts';
import { placeSamples } from './place-samples.ts';
import { secretOf, shapeSamples } from './secret-samples.ts';

test('S6: whatever secretlint finds in texts with secrets, we find', async () => {
  const dice = diceOf(3);
  const texts = [
    ...shapeSamples.map(({ form }) => `const one = "${secretOf(form, dice)}";\n`),
    ...placeSamples.map(({ form, write }) => `${write(secretOf(form, dice))}\n`),
  ];
  let compared = 0;
  for (const content of texts) {
    const { messages } = await lintSource({
      source: { filePath: '/sample.txt', content, ext: '.txt', contentType: 'text' },
      options: { config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] } },
    });
    const ours = findSecrets(content);
    for (const { range, ruleId } of messages) {
      compared++;
      assert.ok(
        ours.some(({ start, end }) => start < range[1] && range[0] < end),
        `${ruleId} finds ${content.slice(...range)} in ${content}`,
      );
    }
  }
  assert.ok(compared >= 25, `secretlint found ${compared}`);
});
