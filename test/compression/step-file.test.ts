/** A step names its file once, with its path where that was worth a line; and what reads a handoff back has both. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { handoffBlock } from '../../packages/core/src/compression/handoff-block.ts';
import { readRows } from '../../packages/core/src/compression/handoff-rows.ts';
import { ledgerOf } from '../../packages/core/src/compression/ledger/ledger.ts';
import { headerWithPath, splitHeader } from '../../packages/core/src/compression/step-file.ts';
import { estimateTextTokens } from '../../packages/core/src/tokens/estimate.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';

const longPath = 'packages/web/src/a-name-of-more-than-24-characters.test.ts';

describe('S8: the header of a step', () => {
  for (const [header, path, whole] of [
    ['m2 read konto.ts:', 'src/konto.ts', 'm2 read src/konto.ts:'],
    ['m2 Read, Bash konto.ts:', '/srv/app/konto.ts', 'm2 Read, Bash /srv/app/konto.ts:'],
    ['m12 edit konto.ts failed:', './konto.ts', 'm12 edit ./konto.ts failed:'],
    ['m12 bash check.sh failed (exit 1):', './check.sh', 'm12 bash ./check.sh failed (exit 1):'],
    ['m3 read a-name-of-more-than-24-c…:', longPath, `m3 read ${longPath}:`],
  ] as const)
    test(`takes the path of its file, and is taken apart again: ${whole}`, () => {
      assert.equal(headerWithPath(header, path), whole);
      assert.deepEqual(splitHeader(whole), { header, path });
    });

  for (const [header, line] of [
    ['m2 read konto.ts:', 'src/other.ts'],
    ['m2 read konto.ts:', 'konto.ts'],
    ['m2 bash cat konto.ts:', 'src/konto.ts'],
    ['m2 read konto.ts:', 'm9 user: see src/konto.ts'],
    ['m2 assistant:', 'src/konto.ts'],
    ['', 'src/konto.ts'],
  ] as const)
    test(`stays as it is: ${header} beside ${line}`, () => assert.equal(headerWithPath(header, line), undefined));

  test('is taken apart where it names a path alone', () => {
    for (const row of [
      'm2 read konto.ts:',
      'm2 bash cat src/konto.ts:',
      'm2 edit src/konto.ts failed',
      ' src/konto.ts',
    ])
      assert.equal(splitHeader(row), undefined, row);
  });
});

/** An agent that reads one file after the other. */
const reading: readonly Message[] = [
  { role: 'user', parts: [{ type: 'text', text: 'Please find the wrong balance in the accounts.' }] },
  ...Array.from({ length: 12 }, (_, at): readonly Message[] => {
    const [callId, name] = [`c${at}`, 'read'];
    const input = JSON.stringify({ path: `src/konto_${at}.ts` });
    const text = `export function balanceOf${at}() {\n  return konto_${at} * rate${at};\n}`;
    return [
      { role: 'assistant', parts: [{ type: 'toolCall', callId, name, input, inputType: 'json' }] },
      { role: 'tool', parts: [{ type: 'toolResult', callId, name, content: [{ type: 'text', text }] }] },
    ];
  }).flat(),
];

describe('S8: a handoff of files that were read', () => {
  for (const budgetTokens of [300, 900])
    test(`names none of them twice in a step, in ${budgetTokens} tokens`, () => {
      const { body, tokens } = ledgerOf(reading, { count: estimateTextTokens }).handoff({ budgetTokens });
      assert.ok(tokens <= budgetTokens);
      const paths = body.match(/src\/konto_\d+\.ts/g) ?? [];
      assert.ok(paths.length >= 8, body);
      assert.deepEqual(paths, [...new Set(paths)]);
      assert.doesNotMatch(body, /^ src\/konto_/m);
    });

  test('gives every path back to who reads it in another process, which writes the same of it', () => {
    const { body } = ledgerOf(reading, { count: estimateTextTokens }).handoff({ budgetTokens: 900, to: 23 });
    const calls = readRows(body).filter(({ speaker }) => speaker === 'call');
    assert.deepEqual(
      calls.map(({ number, header, text }) => [number, header, text]),
      (body.match(/src\/konto_\d+\.ts/g) ?? []).map((path) => {
        const at = Number(/\d+/.exec(path)?.[0]);
        return [2 + 2 * at, `m${2 + 2 * at} read konto_${at}.ts:`, path];
      }),
    );
    const handoff: Message = {
      role: 'user',
      origin: 'summary',
      parts: [{ type: 'text', text: handoffBlock(body, { covers: 'm1-m23', count: 23, followedBy: 'm24-m25' }) }],
    };
    const next = ledgerOf([handoff, ...reading.slice(-2)], { count: estimateTextTokens }).handoff({
      budgetTokens: 900,
    });
    const steps = (text: string): readonly string[] => text.match(/^m\d+ read src.*$/gm) ?? [];
    assert.ok(steps(body).length >= 8, body);
    assert.deepEqual(steps(next.body), steps(body));
  });
});
