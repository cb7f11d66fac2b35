/** A model's summary and the record in one handoff: who tells what, in which order, and what had no room. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { besiding } from '../../../packages/core/src/compression/ledger/beside.ts';
import type { ComposedHandoff } from '../../../packages/core/src/compression/ledger/compose.ts';
import { type HandoffOptions, type Ledger, ledgerOf } from '../../../packages/core/src/compression/ledger/ledger.ts';
import { tokenizerFor } from '../../../packages/core/src/tokens/tokenizer.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../../packages/core/src/transcript/read.ts';
import { agent, person, ran } from './session.ts';
import { otherForm, ownForm } from './summaries.ts';

let session: Ledger;
let count: (text: string) => number;

before(async () => {
  const file = await readFile(new URL('../../fixtures/sessions/debugging-en.claude-code.jsonl', import.meta.url));
  const { transcripts } = await readTranscripts(file);
  count = (await tokenizerFor('gpt-4o')).count;
  session = ledgerOf(transcripts[0]?.messages ?? [], { count });
});

const of = (options: HandoffOptions): ComposedHandoff => session.handoff(options);
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '' && line !== 'None');
const requestsIn = (body: string): string[] => body.match(/^(?:### )?m\d+ user:(?: (?!see [A-Z]).*|\n .*)$/gm) ?? [];

/** The lines of `told` that stand in `body` and do not come after the one before them. */
function outOfOrder(told: readonly string[], body: string): string[] {
  const lines = body.split('\n').map((line) => line.trim());
  let from = 0;
  return told.filter((one) => {
    const at = lines.indexOf(one.trim(), from);
    if (at >= 0) from = at;
    return at < 0;
  });
}

describe('S9: a handoff half as large again as a summary', () => {
  for (const [name, summary] of Object.entries({ own: ownForm, other: otherForm })) {
    it(`has every line of it, in order, and keeps to its budget: ${name} headings`, () => {
      const budgetTokens = Math.ceil(count(summary.trim()) / besiding.wholeShare);
      const { body, tokens, leftOut } = of({ budgetTokens, summary });
      assert.deepEqual(outOfOrder(linesOf(summary), body), []);
      assert.deepEqual(leftOut, []);
      assert.ok(tokens <= budgetTokens, `${tokens} of ${budgetTokens} tokens`);
    });
  }
});

describe('S9: a handoff without room for the whole summary', () => {
  for (const budgetTokens of [300, 450, 600]) {
    it(`says which lines of it had no room, and has the others: ${budgetTokens} tokens`, () => {
      const { body, leftOut = [] } = of({ budgetTokens, summary: ownForm });
      assert.ok(leftOut.some(({ why }) => why === 'no room'));
      const named = new Set(leftOut.map(({ line }) => line));
      const rest = ownForm
        .split('\n')
        .filter((text, at) => !named.has(at + 1) && /^(?:\s*[-\d]|[A-Z])(?!one$)/.test(text));
      const missing = rest.filter((text) => !body.includes(text.trim()) && !/^"Good\./.test(text));
      assert.deepEqual(missing, []);
    });

    it(`has the others in the order of the summary: ${budgetTokens} tokens`, () => {
      const { body } = of({ budgetTokens, summary: ownForm });
      const there = linesOf(ownForm).filter((line) => body.split('\n').some((one) => one.trim() === line.trim()));
      assert.ok(there.length > 3);
      assert.deepEqual(outOfOrder(there, body), []);
    });
  }

  it('quotes the requests that it quotes without a model', () => {
    for (const budgetTokens of [400, 800, 1_500, 3_000]) {
      const alone = requestsIn(of({ budgetTokens }).body);
      const both = requestsIn(
        of({ budgetTokens, summary: `${ownForm}\n${'- The port stays closed.\n'.repeat(900)}` }).body,
      );
      assert.deepEqual(both, alone);
    }
  });

  it('has a block of code as a whole or not at all', () => {
    const code = Array.from({ length: 40 }, (_, at) => `const value${at} = read(${at});`).join('\n');
    const summary = `${ownForm}\n## Notes\n\`\`\`js\n${code}\n\`\`\``;
    for (let budgetTokens = 400; budgetTokens <= 1_600; budgetTokens += 100) {
      const { body } = of({ budgetTokens, summary });
      const shown = body.match(/const value\d+ = read/g)?.length ?? 0;
      assert.ok(shown === 0 || shown === 40, `${shown} lines at ${budgetTokens} tokens`);
    }
  });
});

/** A conversation about one change, with the sentence that ended it. */
const changed = (asked: string, ended: string): readonly Message[] => [
  person(asked),
  ...ran({
    name: 'Edit',
    input: { file_path: '/repo/src/spool/reader.ts', old_string: 'open()', new_string: 'openOnce()' },
    result: 'The file has been updated.',
  }),
  agent(ended),
  person('Thanks.'),
  ...Array.from({ length: 12 }, (_, at) => [
    ...ran({
      name: 'Read',
      input: { path: `/repo/docs/page${at}.md` },
      result: `page ${at} of the manual\n`.repeat(30),
    }),
    agent(`Page ${at} of the manual describes the setting number ${at} and its default.`),
  ]).flat(),
  person('Next: the settings page.'),
];

const bodyOf = (messages: readonly Message[], options: HandoffOptions): string =>
  ledgerOf(messages, { count }).handoff(options).body;

/** As long a summary that the handoff has no room for the whole of it, and that tells the change first. */
const long = (said: string): string =>
  `## Completed Actions\n- ${said}\n\n## Notes\n${Array.from({ length: 60 }, (_, at) => `- Chapter ${at} was compared with the printed edition by hand.`).join('\n')}`;

const budgetTokens = 420;

describe('S9: summary and record tell a thing once', () => {
  const ended =
    'The reader opened the spool file twice because the retry handler called it again after every timeout, so messages were delivered twice.';

  it('an ending that the summary tells in as few words stands in the words of the summary', () => {
    const body = bodyOf(changed('Why are messages delivered twice?', ended), {
      budgetTokens,
      summary: long(ended.replace('The reader opened', 'Reader opened')),
    });
    assert.match(body, /^- Reader opened the spool file twice/m);
    assert.doesNotMatch(body, /The reader opened the spool file/);
  });

  it('an ending that the summary tells in more words stands in the words of the record', () => {
    const words = `${ended.slice(0, -1)}, which nobody had seen before, in the office or at home, by day or by night.`;
    const body = bodyOf(changed('Why are messages delivered twice?', ended), { budgetTokens, summary: long(words) });
    assert.match(body, /→ m4 assistant: The reader opened the spool file twice/);
  });

  const endings = {
    ja: '再試行の処理が時間切れのたびにスプールファイルを二回開いたため、メッセージが二重に配信されていました。',
    zh: '重试处理程序在每次超时之后都会再次打开假脱机文件，因此每一封邮件都被投递了两次。',
    ko: '재시도 처리기가 시간 초과가 날 때마다 스풀 파일을 다시 열어서 메시지가 두 번씩 배달되었습니다.',
    de: 'Der Leser öffnete die Warteschlange nach jedem Zeitablauf erneut, deshalb wurden Nachrichten doppelt zugestellt.',
    fr: 'Le lecteur ouvrait deux fois le fichier après chaque expiration, donc les messages partaient en double.',
    es: 'El lector abría dos veces el archivo después de cada espera agotada, por eso los mensajes salían duplicados.',
  };
  for (const [language, text] of Object.entries(endings)) {
    it(`in ${language}, too`, () => {
      const body = bodyOf(changed('Fix the double delivery.', text), { budgetTokens, summary: long(text) });
      assert.equal(body.split(text).length - 1, 1, body);
    });
  }

  it('a file that the summary names has no row of its own', () => {
    const messages = changed('Why are messages delivered twice?', ended);
    const row = /^m\d+ (?:also )?changed:? .*spool\/reader\.ts/m;
    assert.match(bodyOf(messages, { budgetTokens }), row);
    const named = long('Made `src/spool/reader.ts` open the file once.');
    const body = bodyOf(messages, { budgetTokens, summary: named });
    assert.match(body, /Made `src\/spool\/reader\.ts` open/);
    assert.doesNotMatch(body, row);
  });
});

describe('S10: the spine alone', () => {
  it('has every request with what came of it, and neither chosen lines nor names', () => {
    const { body, lines, tokens } = of({ budgetTokens: 1_200, spineOnly: true });
    assert.deepEqual(new Set(lines.map(({ why }) => why)), new Set(['fact', 'outcome']));
    assert.doesNotMatch(body, /^## Index of Names/m);
    assert.ok((body.match(/^ → m\d+ assistant: /gm) ?? []).length >= 3);
    assert.ok(tokens <= 1_200);
  });
});

it('S10: every line that stems from a message says why it stands there', () => {
  const { lines } = of({ budgetTokens: 2_000, summary: ownForm });
  const reasons = Map.groupBy(lines, ({ why }) => why);
  assert.ok(reasons.get('fact')?.some(({ text }) => text.startsWith('m1 user:')));
  assert.ok(reasons.get('outcome')?.every(({ text }) => text.startsWith(' → ')));
  assert.ok(reasons.get('summary')?.some(({ text }) => text.startsWith('1. Found the cause')));
  assert.ok(reasons.get('name')?.every(({ text }) => text.startsWith(' + ')));
});
