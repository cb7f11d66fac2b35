import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ScriptName, scriptOf } from '../../bench/language.ts';
import { assistant, user } from '../support/conversations.ts';

const pasted = 'const permits = await loadPermits(year, { allowEmpty: true });\n'.repeat(20);

const samples: readonly (readonly [ScriptName, readonly string[]])[] = [
  ['Latin', ['Bitte prüfe die Übergabe', pasted]],
  ['Japanese', ['資料室を直してください', `これを見て\n${pasted}`]],
  ['Korean', ['선반을 고쳐 줘', `${pasted}\n이것을 봐`]],
  ['Chinese', ['请修理书架', pasted]],
  ['Cyrillic', ['почини полку', 'спасибо']],
];

for (const [script, texts] of samples) {
  test(`people who write ${script} are known by it, whatever they paste`, () => {
    assert.equal(scriptOf([...texts.map(user), assistant('Done.')]), script);
  });
}

test('what the agent writes and what a host puts in says nothing about the people', () => {
  assert.equal(scriptOf([user('fix it'), assistant('完成'), user('<reminder>请注意时间</reminder>')]), 'Latin');
});
