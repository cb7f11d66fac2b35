import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllRule, laysDown, rulesIn } from '../../../packages/core/src/compression/ledger/cues.ts';
import { ledgerOf } from '../../../packages/core/src/compression/ledger/ledger.ts';
import { ownSentences } from '../../../packages/core/src/compression/ledger/own-words.ts';
import { estimateTextTokens } from '../../../packages/core/src/tokens/estimate.ts';
import { fromOpenAiChat } from '../../../packages/core/src/transcript/wire/chat/messages.ts';

const own = (text: string): readonly string[] => ownSentences(text).map((sentence) => sentence.text);

const handoffOf = (messages: readonly object[], budgetTokens = 900): string =>
  // Each is a message of the chat format.
  ledgerOf(fromOpenAiChat(messages as Parameters<typeof fromOpenAiChat>[0]), { count: estimateTextTokens }).handoff({
    budgetTokens,
  }).body;

const constraintsOf = (body: string): string =>
  /## Constraints & Preferences\n([\s\S]*?)(?=\n## |$)/.exec(body)?.[1] ?? '';

test('S8: what a person wrote around data, code and quotations is told from them', () => {
  const csv = Array.from({ length: 6 }, (_, at) => `4000${at},2025-06-24,EMEA,SK-381${at},7,7438.50`).join('\n');
  assert.deepEqual(own(`The totals are provisional.\n\n${csv}`), ['The totals are provisional.']);
  assert.deepEqual(own(`${csv}\n\n手数料は七分五厘です。`), ['手数料は七分五厘です。']);
  assert.deepEqual(own('> From: Ada\n> The room is free.\n\nRéponds-lui demain.'), ['Réponds-lui demain.']);
  assert.deepEqual(own('```\nNever run this.\n```\n고쳐 줘.'), ['고쳐 줘.']);
});

test('S8: a note of the person within something pasted is the person’s', () => {
  const code = ['def load(path):', '    df = read(path)', '    x = log(df)', '    return x', '    y = fit(x)'].join(
    '\n',
  );
  assert.deepEqual(own(`${code}\n    # 这一行归我，别人不碰\n${code}`), ['# 这一行归我，别人不碰']);
  const columns = 'Kessel 1   Baujahr 1998   dicht';
  const note = '(von mir: Kessel 3 kommt in kein Angebot)';
  assert.deepEqual(own(`${columns}\n${columns}\n   ${note}\n${columns}`), [note]);
});

test('S8: a rule is found without any cue word, in several languages', () => {
  for (const rule of [
    'Anything in our reports that is not checked yet gets an asterisk, every time.',
    'In unseren Tabellen bleiben alle Spalten immer in dieser Reihenfolge.',
    'Dans nos courriers, aucun chiffre ne doit figurer, jamais.',
    'En nuestros informes no va ninguna foto, nunca.',
    '我们的标题一律带工号。',
    'うちの資料では敬称は常に「さん」だけ。',
    '우리 표에는 항상 단위를 붙여야 해.',
  ]) {
    assert.ok(laysDown(rule), rule);
    assert.ok(isAllRule(rule), rule);
  }
});

test('S8: a question, an answer, a guess and what holds for now lay down nothing', () => {
  for (const text of [
    'can you summarize what we must do?',
    'B. will do, make sure it rings',
    "let's have it plain for now",
    'I think parseKeys should not depend on the order',
    '今回だけ英語で書いて',
    '이번엔 테스트를 건너뛰어',
  ]) {
    assert.ok(!isAllRule(text), text);
  }
});

const guide = [
  '# Quality',
  '',
  '<context>',
  'As a manager, you must:',
  '</context>',
  '',
  '## Golden rules',
  '',
  '- **Labels first**: Ensure no crate is shipped without its label',
  'Never ship without a label.',
  '',
  '## More',
  '',
  'Always ask first.',
].join('\n');

test('S8: a document that is to be worked on lays down no rule, one to be followed does', () => {
  assert.deepEqual(rulesIn(`${guide}\n\n수정해줘.`), []);
  assert.deepEqual(rulesIn(`${guide}\n\nTranslate this into French.`), []);
  assert.deepEqual(rulesIn(`Work by these rules:\n\n${guide}`), ['Never ship without a label.', 'Always ask first.']);
});

test('S8: a passage beside a question about it lays down nothing', () => {
  assert.deepEqual(rulesIn('May I print this?\n\nPhotographs of the archive must never be cropped.'), []);
  assert.deepEqual(rulesIn('May I print this?\n\nAnd never crop our photographs.'), [
    'And never crop our photographs.',
  ]);
});

const tail = [
  { role: 'assistant', content: 'The page is done and looks as it should.' },
  { role: 'user', content: 'Now the footer.' },
  { role: 'assistant', content: 'The footer is done as well.' },
];

test('S8: what programs write in the user’s place is never the user’s', () => {
  const reminder = '<system-reminder>Never touch the lock file.</system-reminder>';
  const body = handoffOf([{ role: 'user', content: `Make the heading smaller.\n${reminder}` }, ...tail]);
  assert.match(body, /user:\n Make the heading smaller\./);
  assert.doesNotMatch(body, /user:.*(?:\n .*)*lock file/);
});

test('S8: the text of a slash command is a program’s, beside the command or behind it', () => {
  const command = '<command-message>poem</command-message>\n<command-name>/poem</command-name>';
  const template = 'Turn the release into verse. Always fourteen lines, and never a rhyme.';
  const args = '<command-args>for the spring release</command-args>';
  const first = { role: 'user', content: 'Write the release notes.' };
  const merged = handoffOf([first, ...tail, { role: 'user', content: `${command}\n${args}\n${template}` }, ...tail]);
  assert.match(merged, /user:\n for the spring release/);
  assert.doesNotMatch(merged, /user:.*(?:\n .*)*fourteen/);
  const apart = handoffOf([
    first,
    ...tail,
    { role: 'user', content: command },
    { role: 'user', content: template },
    ...tail,
  ]);
  assert.match(apart, /host: Turn the release into verse/);
  assert.doesNotMatch(apart, /user:.*(?:\n .*)*fourteen/);
});

test('S8: a rule among other words stands apart, once, and without what came of its message', () => {
  const asked = 'Build the page with the two lists that we talked about. Never push to main.';
  const body = handoffOf([
    { role: 'user', content: 'Hello, we have work.' },
    ...tail,
    { role: 'user', content: asked },
    ...tail,
  ]);
  assert.match(constraintsOf(body), /user: Never push to main\.$/);
  assert.equal(body.split('Never push to main').length, 2);
  assert.match(body, /user: Build the page with the two lists that we talked about\.\n → m\d+ assistant/);
});

test('S8: many short messages of a person are kept before long ones grow', () => {
  const long = 'The archive of the town has many rooms and each of them has a story of its own. '.repeat(5);
  const messages = Array.from({ length: 12 }, (_, at) => [
    { role: 'user', content: at % 2 === 0 ? `Room ${at} is for the maps.` : `${long}Look at room ${at}.` },
    { role: 'assistant', content: `Room ${at} is noted.` },
  ]).flat();
  const body = handoffOf(messages, 700);
  for (let at = 0; at < 12; at += 2) assert.match(body, new RegExp(`Room ${at} is for the maps`));
});
