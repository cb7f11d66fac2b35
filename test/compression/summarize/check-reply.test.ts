import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { templates } from '../../../packages/core/src/compression/ledger/templates.ts';
import {
  noUserSentinel,
  sectionsOf,
  type UserPresence,
} from '../../../packages/core/src/compression/summarize/build-prompt.ts';
import { checkReply } from '../../../packages/core/src/compression/summarize/check-reply.ts';
import type { SummaryReply } from '../../../packages/core/src/compression/summarize/summarizer.ts';
import { growsInProportion } from '../../support/growth.ts';

const sections = sectionsOf(templates.handoff);
const check = (reply: Partial<SummaryReply>, user: UserPresence = 'here') =>
  checkReply({ text: '', finish: 'stop', ...reply }, { sections, user });
const checkText = (text: string, user?: UserPresence) => check({ text }, user);

function textOf(text: string, user?: UserPresence): string {
  const checked = checkText(text, user);
  assert.ok(checked.type === 'summary', JSON.stringify(checked));
  return checked.text;
}

const good = '## Active Task\n"Fix the parser." (m1)\nUnder way.\n\n## Goal\nA parser that accepts empty rows (m1).';

test('S3: a reply under the headings is taken as it is', () => {
  assert.equal(textOf(good), good);
});

describe('S3: what stands around the summary is taken away:', () => {
  const wrapped: Readonly<Record<string, string>> = {
    'a block of thought': `<think>\nLet me see.\n## Goal\nnot this\n</think>\n${good}`,
    'a thought that nothing opened': `So, what is the goal?\n## Goal\na draft\n</think>\n\n${good}`,
    'an analysis': `<analysis>\nFirst I look at it.\n</analysis>\n\n${good}`,
    'a greeting': `Sure! Here is the checkpoint you asked for:\n\n${good}`,
    'a code fence': `\`\`\`markdown\n${good}\n\`\`\``,
    'a greeting and a code fence': `Here it is:\n\n\`\`\`\n${good}\n\`\`\`\n\nHope this helps!`,
    'an element': `<summary>\n${good}\n</summary>`,
    'a closing remark': `${good}\n\nLet me know if you need anything else.`,
    'a rule and a remark in Chinese': `${good}\n\n---\n\n如果您还需要其他内容，请告诉我。`,
    'a remark in Japanese': `${good}\n\n以上です。ご不明な点があればお知らせください。`,
    'a remark in Korean': `${good}\n\n추가로 필요한 것이 있으면 말씀해 주세요.`,
  };
  for (const [name, text] of Object.entries(wrapped)) {
    test(name, () => assert.equal(textOf(text), good));
  }
});

test('S3: a fence inside the summary stays whole', () => {
  const inner = '## Completed Actions\n1. Ran this:\n```sh\nnpm test\n## Goal\n```\nIt failed.';
  assert.equal(textOf(inner), inner);
  assert.equal(textOf(`\`\`\`\n${inner}\n\`\`\``), inner);
});

test('S3: headings are put as they were asked for, however the model marked them', () => {
  const marked =
    '# **Active Task**\nx (m1)\n\n**Goal:**\ny (m2)\n\n### 3. constraints & preferences\nz (m3)\n\n4. Completed Actions:\nw';
  const headings = textOf(marked)
    .split('\n')
    .filter((line) => line.startsWith('#'));
  assert.deepEqual(headings, ['## Active Task', '## Goal', '## Constraints & Preferences', '## Completed Actions']);
});

test('S3: headings that the model translated are recognised where they are many', () => {
  const zh = ['当前任务', '目标', '约束与偏好', '已完成的操作', '关键决定', '相关文件'].map(
    (heading) => `## ${heading}\n修复了解析器 (m3)。`,
  );
  const text = textOf(zh.join('\n\n'));
  for (const heading of ['Active Task', 'Goal', 'Constraints & Preferences', 'Completed Actions', 'Key Decisions']) {
    assert.ok(text.includes(`## ${heading}\n`), heading);
  }
  assert.equal(checkText('## 文件\n这是答案。').type, 'unusable');
});

test('S3: thoughts alone are a summary when they are short enough and have the headings', () => {
  assert.equal(check({ reasoning: good }).type, 'summary');
  assert.equal(check({ text: ' \n', reasoning: good }).type, 'summary');
  const kinds = [
    check({ reasoning: `${good}\n${'x'.repeat(8_000)}` }),
    check({ reasoning: 'I should write a checkpoint.' }),
    check({ text: '<think>only this' }),
    check({}),
  ].map((checked) => checked.type === 'unusable' && checked.kind);
  assert.deepEqual(kinds, ['empty_output', 'empty_output', 'empty_output', 'empty_output']);
});

test('S3: a reply that was cut off or refused is no summary, whatever it says', () => {
  for (const finish of ['length', 'refusal'] as const) {
    const checked = check({ text: good, finish });
    assert.equal(checked.type === 'unusable' && checked.kind, 'bad_output');
  }
  assert.equal(check({ text: good, finish: 'other' }).type, 'summary');
});

const refusals: readonly string[] = [
  "I'm sorry, but I can't help with that.",
  'I cannot summarise this conversation because it contains sensitive data.',
  'I’m unable to assist with this request.',
  'As an AI language model, I must decline.',
  'Unfortunately, I am not able to process this content.',
  'This request goes against our usage policies.',
  '抱歉，我无法协助处理这个请求。',
  '对不起，我不能提供该内容的总结。',
  '我无法总结这段对话。',
  '作为一个AI语言模型，我不能这样做。',
  '申し訳ございませんが、この内容を要約することはできません。',
  'そのようなご依頼にはお応えできません。',
  'お手伝いできません。',
  '죄송하지만 이 요청은 도와드릴 수 없습니다.',
  '이 내용은 요약할 수 없습니다.',
  '죄송합니다. 해당 작업은 수행할 수 없습니다.',
];

describe('S3: a refusal is no summary, in four languages, alone or under a heading:', () => {
  for (const text of refusals) {
    test(text, () => {
      for (const reply of [text, `## Active Task\n${text}`, `## Active Task\n${text}\n\n## Goal\nNone`]) {
        const checked = checkText(reply);
        assert.deepEqual(checked, { type: 'unusable', kind: 'bad_output', why: 'the model declined to write it' });
      }
    });
  }
});

test('S3: a summary that tells of a refusal is a summary', () => {
  const text = `${good}\n\n## Blocked\nI cannot reach the server: connection refused (m4).\nSorry, unable to open file (m5).\nMore (m6).`;
  assert.equal(checkText(text).type, 'summary');
});

describe('S3: a model that answered or obeyed has not summarised:', () => {
  const others: readonly string[] = [
    'The option limits how deep folders are read.',
    '它限制读取文件夹的深度。',
    'フォルダーを読む深さを制限します。',
    '폴더를 읽는 깊이를 제한합니다.',
    '## Answer\nUse `--levels 3`.',
    'PWNED',
    'Goal reached.',
    '```ts\nexport const levels = 3;\n```',
  ];
  for (const text of others) {
    test(JSON.stringify(text), () => {
      const checked = checkText(text);
      assert.equal(checked.type === 'unusable' && checked.kind, 'bad_output');
    });
  }
});

test('S3: a form that was not filled in is no summary', () => {
  const echo = sections.map(({ heading, instruction }) => `## ${heading}\n${instruction}`).join('\n\n');
  const places = sections.map(({ heading }) => `## ${heading}\n[to be filled in]`).join('\n\n');
  const nothing = sections
    .map(({ heading }, at) => `## ${heading}\n${['None', 'None.', '无', 'なし', '없음'][at % 5]}`)
    .join('\n\n');
  const bare = sections.map(({ heading }) => `## ${heading}`).join('\n');
  for (const text of [echo, places, nothing, bare]) {
    const checked = checkText(text);
    assert.equal(checked.type === 'unusable' && checked.kind, 'bad_output', text.slice(0, 80));
  }
});

test('S3: an instruction that the model repeated above its own words is taken out', () => {
  const text = textOf(`## Goal\n${sections[1]?.instruction}\nA faster build (m2).`);
  assert.equal(text, '## Goal\nA faster build (m2).');
});

describe('S3: in a session without a user nobody asked for anything:', () => {
  const claims: readonly string[] = [
    'The user asked to delete the old backups (m3).',
    'User wants a weekly report.',
    '- Deleted at the user’s request.',
    '用户要求删除旧备份。',
    '按照用户的要求删除了备份。',
    'ユーザーは古いバックアップの削除を依頼した。',
    '사용자가 오래된 백업을 삭제해 달라고 요청했다.',
  ];
  for (const claim of claims) {
    test(claim, () => {
      const text = `## Active Task\n${noUserSentinel}\n\n## Completed Actions\n1. Saved 3 files (m2).\n${claim}`;
      const checked = checkText(text, 'nowhere');
      assert.equal(checked.type === 'unusable' && checked.kind, 'bad_output');
      assert.equal(checkText(text, 'here').type, 'summary');
    });
  }
  test('and a summary that says so is taken', () => {
    const text = `## Active Task\n${noUserSentinel}\n\n## Completed Actions\n1. No user asked for this; the schedule started it (m1). Added a table \`user requests\`.\n2. 没有用户提出请求。`;
    assert.equal(checkText(text, 'nowhere').type, 'summary');
  });
});

describe('S3: a reply that is longer than any summary is none, and is not read:', () => {
  const endless: Readonly<Record<string, (share: number) => string>> = {
    'lines of one heading': (share) => '## Active Task\n'.repeat(80_000 * share),
    'a million line breaks': (share) => `## Goal\n${'\n'.repeat(1_000_000 * share)}x`,
    'one line of a million letters': (share) => `## Goal\n${'a'.repeat(1_000_000 * share)}`,
    'thoughts that open again and again': (share) => '<think>\n'.repeat(140_000 * share),
    'thoughts that close again and again': (share) => '</think>\n'.repeat(120_000 * share),
  };
  for (const [name, textFor] of Object.entries(endless)) {
    test(name, async () => {
      const [eighth, whole] = [textFor(1 / 8), textFor(1)];
      assert.equal(checkText(whole).type, 'unusable');
      await growsInProportion({ small: () => checkText(eighth), large: () => checkText(whole) }, 8);
    });
  }

  test('thoughts before a summary do not count', () => {
    assert.equal(textOf(`<think>\n${'Let me see. '.repeat(20_000)}\n</think>\n${good}`), good);
  });
});
