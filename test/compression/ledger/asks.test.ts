import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { askType, rulesIn } from '../../../packages/core/src/compression/ledger/cues.ts';
import type { Ask } from '../../../packages/core/src/compression/ledger/facts.ts';

function all(type: Ask['type'], texts: readonly string[]): void {
  for (const text of texts) assert.equal(askType(text), type, text);
}

test('S8: something taken back is a reversal', () => {
  all('reversal', [
    'Stop.',
    'stop that, please',
    'Wait, not that file',
    'wait!',
    'hold on',
    'No, use the other branch',
    'no wait, keep the old name',
    'Never mind',
    'nvm',
    'cancel that',
    'Undo the last change',
    "let's roll back to the first version",
    'revert it',
    'Actually, forget it',
    'I changed my mind: keep the table',
    'oops, wrong window: ignore that message, it was for Ada',
  ]);
  all('reversal', ['不对，应该是另一个文件', '算了，先不要改', '取消', '撤销刚才的修改', '等一下', '停！']);
  all('reversal', [
    'やっぱり前のままにして',
    'それはやめて、別の方法で',
    '待って',
    '元に戻して',
    '違います、別のファイルです',
  ]);
  all('reversal', ['아니, 다른 파일이야', '그만', '취소해 줘', '되돌려 줘', '잠깐만']);
  all('reversal', ['Stopp!', 'Warte, nicht so', 'Nein, nimm die andere Datei', 'doch nicht', 'Mach das rückgängig']);
});

test('S8: words that only look like a reversal are none', () => {
  for (const text of [
    'No problem, thanks!',
    'no worries',
    'No, that is all for now.',
    "No, I don't have it at hand.",
    'stop words list: add the missing ones',
    'Stop the dev server and start it again',
    'wait for the checks and then merge',
    'Add an undo button',
    'cancel the order of the customer with number 12',
    'nothing else',
    'Notes on the parser',
    '没问题，继续',
    '把取消按钮移到左边',
    '检查对称矩阵',
    '問題ありません',
    '괜찮아요, 계속하세요',
    'Kein Problem, mach weiter',
  ]) {
    assert.notEqual(askType(text), 'reversal', text);
  }
});

test('S8: something asked is a question', () => {
  all('question', [
    'Why does the build fail?',
    'only 3 files changed?',
    'what is the default port',
    'how do I run it',
    'is there a test for that',
  ]);
  all('question', ['为什么测试失败了？', '这样可以吗', '你觉得呢？']);
  all('question', ['なぜ失敗したのですか', 'これでいいでしょうか。', '次のステップは？']);
  all('question', ['왜 실패했나요?', '이렇게 하면 될까요', '무엇이 바뀌었습니까']);
  all('question', ['Warum schlägt der Test fehl?', 'wie viele Dateien sind das', '¿Cómo funciona?']);
});

test('S8: a question mark in code, a quotation or the middle of a document asks nothing', () => {
  all('request', [
    'Run this:\n```\nconst x = a ? b : c;\nis this ok?\n```',
    '> why is it slow?\nDo the same for the other module',
    `${'A long document about many things. What is it for? It says so below.\n'.repeat(20)}The end.`,
  ]);
  all('question', [`${'Some background of the matter. '.repeat(40)}\nWhat would you do?`]);
});

test('S8: a rule that is laid down is a constraint', () => {
  all('constraint', [
    'Never push to main.',
    "Please don't touch the generated files",
    'Always run the tests first',
    'Make sure the old API keeps working',
    'only change the parser',
    'Use tabs only',
    'From now on, answer in one sentence',
    'No new dependencies.',
    'do the rename without changing the tests',
    'The output must stay sorted',
    'keep it simple',
    'Update the docs, but do not commit',
  ]);
  all('constraint', ['不要修改测试文件', '必须使用中文注释', '只能改这个目录', '以后都用这个格式', '别动配置文件']);
  all('constraint', [
    'テストは変更しないでください',
    '必ず英語で書いて',
    'このファイルだけ変更して',
    '今後は短く答えて',
  ]);
  all('constraint', [
    '테스트는 수정하지 마세요',
    '반드시 한국어로 답해 줘',
    '항상 먼저 확인해',
    '설정은 바꾸지 않도록',
  ]);
  all('constraint', [
    'Ändere niemals die Tests',
    'Bitte keine neuen Abhängigkeiten',
    'Schreib das auf keinen Fall um',
    'Verwende immer Leerzeichen',
  ]);
});

test('S8: a plain request is not a constraint for the words it happens to use', () => {
  all('request', [
    'Fix the login page',
    "don't worry about the warnings, go on",
    "I don't know the reason, look into it",
    "they don't exist any more",
    "I'll make sure the key is there",
    'I never saw that error before',
    'there is only one room left, paint it',
    'the page should be blue',
    'Add the required fields to the form',
    '修复登录页面',
    'ログインを直して',
    '로그인 페이지를 고쳐 줘',
    'Korrigiere die Anmeldung',
    'yes',
    '1',
  ]);
});

test('S8: a long text is a request unless it ends with a question', () => {
  assert.equal(askType(`Never do this. Always do that. ${'More text follows here. '.repeat(60)}`), 'request');
});

test('S8: apostrophes are read in both shapes', () => {
  all('constraint', ['Don’t touch the lock file']);
  all('request', ['I don’t know why, check the log']);
});

test('S8: every text has a type, whatever it is', () => {
  const types: readonly string[] = ['request', 'question', 'constraint', 'reversal'];
  const unit = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('no, ', '```', '？', "don't ", '\n', '别', ' '));
  fc.assert(fc.property(fc.array(unit), (pieces) => assert.ok(types.includes(askType(pieces.join(''))))));
});

test('S8: the rules in a long text are found, word for word, at both of its ends', () => {
  const more = 'More text follows here. '.repeat(20);
  assert.deepEqual(rulesIn(`Write it. ${more}You must never delete north-7. ${more}\n- Don’t touch the lock file.`), [
    'You must never delete north-7.',
    'Don’t touch the lock file.',
  ]);
  assert.deepEqual(rulesIn(`${more}\n\`\`\`\nNever run this.\n\`\`\`\n> You must not.\n请不要修改 a.ts。谢谢。`), [
    '请不要修改 a.ts。',
  ]);
  const rules = Array.from({ length: 400 }, (_, at) => `You must keep row ${at} as it is, whatever it says.`);
  assert.deepEqual(rulesIn(rules.join('\n')), [rules[0], rules[1], rules[398], rules[399]]);
});
