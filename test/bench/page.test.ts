import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionsOf } from '../../bench/options.ts';
import { pageOf, sectionText } from '../../bench/page.ts';

const speed = sectionText({ name: 'speed', title: 'Speed', paragraphs: ['fast'] }, '2 cores');
const tokens = sectionText({ name: 'tokens', title: 'Tokens', paragraphs: ['few'] }, '2 cores');

test('a section that was not measured stays on the page as it was', () => {
  const first = pageOf(new Map([['tokens', tokens]]), '');
  const second = pageOf(new Map([['speed', speed]]), first);
  assert.ok(second.includes(speed) && second.includes(tokens));
  assert.ok(second.indexOf(speed) < second.indexOf(tokens), 'sections stand in their usual order');
  assert.equal(pageOf(new Map([['speed', speed]]), second), second);
});

test('a section that was measured again replaces its older self', () => {
  const before = pageOf(new Map([['speed', speed]]), '');
  const slow = sectionText({ name: 'speed', title: 'Speed', paragraphs: ['slow'] }, '2 cores');
  const after = pageOf(new Map([['speed', slow]]), before);
  assert.ok(after.includes('slow'));
  assert.ok(!after.includes('fast'));
});

test('without a word everything is measured, and an unknown word is named', () => {
  assert.deepEqual(optionsOf(['--quick'])?.sections, optionsOf(['all'])?.sections);
  assert.deepEqual(optionsOf(['tokens', 'real'])?.sections, ['real', 'tokens']);
  assert.throws(() => optionsOf(['sped']), /expected a section \(.*speed.*\), got "sped"/);
  assert.throws(() => optionsOf(['--quick', '--write']), /leave out --quick/);
});
