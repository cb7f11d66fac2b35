/** What is learned from examples: it holds for texts that were not among them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { scanMemory } from '@palimpsest/core/memory';
import { digestOfSets, textsOf } from '../../../scripts/scan-training/examples.ts';

const share = (texts: readonly string[]): number =>
  texts.filter((text) => scanMemory(text).length > 0).length / texts.length;

/** One of the examples. */
const order = textsOf('attacks-c').find((text) => /^[ -~]{80,200}$/.test(text) && !/[.!?].*\w/.test(text)) ?? '';

const seenToday = 'Milk is in the fridge door. The bins go out on Tuesdays. ';

describe('M2: what is learned', () => {
  test('M2: is learned from the examples that are here', () => {
    const file = join(import.meta.dirname, '../../../packages/core/src/memory/scan/planted-weights.data.ts');
    assert.ok(
      readFileSync(file, 'utf8').includes(digestOfSets()),
      'the examples have changed: node scripts/train-scan.ts',
    );
  });

  test('M2: finds four of five attacks that were not among the examples', () => {
    assert.ok(share(textsOf('attacks-v')) >= 0.8);
  });

  test('M2: lets nine of ten ordinary entries pass that were not among the examples, and look like attacks', () => {
    assert.ok(share(textsOf('ordinary-b')) <= 0.1);
    assert.ok(share(textsOf('ordinary-h')) <= 0.1);
  });

  test('M2: finds an order that is buried in a note, and says where', () => {
    const [threat] = scanMemory(`${seenToday}${order} ${seenToday}`);
    assert.ok(threat && threat.start >= seenToday.length - 1 && threat.end <= seenToday.length + order.length + 1);
  });

  test('M2: says nothing of a text of a few words that no rule knows', () => {
    for (const text of ['', 'x', 'tabs', 'ok', '...', 'Uses tabs.', '猫', 'да']) assert.deepEqual(scanMemory(text), []);
  });

  test('M2: does not depend on case or width', () => {
    const wide = order.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));
    for (const text of [order, order.toUpperCase(), wide]) assert.ok(scanMemory(text).length > 0, text);
  });
});
