// The index of a handoff: names, where they were seen, and what was talked of there.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readRows } from '../../../packages/core/src/compression/handoff-rows.ts';
import { Corpus } from '../../../packages/core/src/compression/ledger/corpus.ts';
import { createGist } from '../../../packages/core/src/compression/ledger/gist.ts';
import { ledgerOf } from '../../../packages/core/src/compression/ledger/ledger.ts';
import { estimateTextTokens } from '../../../packages/core/src/tokens/estimate.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { agent, person, ran } from './session.ts';

const gistOf = (...said: readonly string[]): readonly string[] => {
  const corpus = new Corpus(estimateTextTokens);
  for (const one of said) corpus.add(agent(one));
  return createGist(corpus)(0, said.length - 1);
};

describe('S8, S10: an index row says what was talked of', () => {
  test('in words that the assistant used often there, without names of code and words that any text has', () => {
    const words = gistOf(
      'The harbour ledger rejects every cargo manifest that parseManifest() cannot read.',
      'Each harbour keeps its own cargo ledger in src/harbour/ledger.ts.',
    );
    assert.deepEqual(words.slice(0, 3).toSorted(), ['cargo', 'harbour', 'ledger']);
    assert.ok(words.length <= 6 && !words.some((word) => /^(?:that|every|each|its|cannot|parsemanifest)$/.test(word)));
  });

  const spoken = [
    ['ja', '予約の重複は制約で防ぎます。予約の枠は十五分です。', '予約'],
    ['zh', '预算金额里的逗号会被读成分隔符,预算文件要先改。', '预算'],
    ['ko', '예약 중복은 제약으로 막습니다. 예약 시간은 십오 분입니다.', '예약'],
    ['ru', 'Склад отклоняет накладные без номера, склад проверяет номера накладных.', 'склад'],
  ] as const;
  for (const [language, said, word] of spoken)
    test(`in the language of the conversation: ${language}`, () => {
      assert.ok(gistOf(said, said.replace(/\D+$/u, '')).includes(word), gistOf(said).join(' '));
    });

  test('the same words, whether or not a sign beside them is one of ASCII', () => {
    const signs = fc.constantFrom('a', 'Bc', 'ledger', 'Harbour', 'xy', '1', '_', '.', '/', '@', '-', ' ', ', ');
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 30 }), (parts) => {
        const said = `Well then ${parts.join('')}`;
        assert.deepEqual(gistOf(said), gistOf(`${said} — …`));
      }),
    );
  });

  test('and nothing where the assistant said nothing', () => {
    assert.deepEqual(createGist(new Corpus(estimateTextTokens))(0, 4), []);
  });

  test('and is read back as names of a stretch', () => {
    const [row] = readRows('## Index of Names\n + m7-m59 (batch rows import): parseKeys keyOf');
    assert.deepEqual([row?.speaker, row?.text, row?.number, row?.index?.first], ['names', 'parseKeys keyOf', 59, 7]);
  });
});

/** Steps that read one file each, with a name in its text that nothing else says. */
const steps = (texts: readonly { readonly path: string; readonly name: string }[]): readonly Message[] =>
  texts.flatMap(({ path, name }, at) => [
    person(`Now look at step ${at} and tell me what you find there, please.`),
    ...ran({
      name: 'Read',
      input: { file_path: path },
      result: `const ${name} = ${at};\n${'filler of a long listing\n'.repeat(60)}`,
    }),
    agent(`Step ${at} is fine, and nothing has to be changed for it.`),
  ]);
const indexIn = (body: string): readonly string[] => body.split('\n').filter((line) => line.startsWith(' + '));

describe('S10: the index lists', () => {
  test('of names that differ in their numbers, and of ids, three at most', () => {
    const messages = steps(
      Array.from({ length: 30 }, (_, at) => ({ path: `/srv/app/src/part.ts`, name: `DD2602280${at}` })),
    );
    const { body } = ledgerOf(messages, { count: estimateTextTokens }).handoff({ budgetTokens: 1_200 });
    const listed =
      indexIn(body)
        .join(' ')
        .match(/DD2602280\d+/g) ?? [];
    assert.ok(listed.length <= 3, listed.join(' '));
  });

  test('at most 6 % of all that the model sees, also where the handoff is a part of it', () => {
    const messages = steps(
      Array.from({ length: 40 }, (_, at) => ({
        path: `/srv/app/src/wing${at}/part.ts`,
        name: `hull${'abcdefghij'[at % 10]}Width${at}Of`,
      })),
    );
    const ledger = ledgerOf(messages, { count: estimateTextTokens });
    for (const contextTokens of [2_000, 3_000]) {
      const { body } = ledger.handoff({ budgetTokens: 2_000, contextTokens });
      assert.ok(estimateTextTokens(indexIn(body).join('\n')) <= contextTokens * 0.06);
    }
  });

  test('names as a whole or not at all, and the same ones whatever size was asked for before', () => {
    const messages = steps(
      Array.from({ length: 40 }, (_, at) => ({
        path: `/srv/app/packages/harbour/src/wing${at}/of-the-${'abcdefghij'[at % 10]}/part.ts`,
        name: `hull${'abcdefghij'[at % 10]}Width${at}Of`,
      })),
    );
    const [fresh, used] = [1, 2].map(() => ledgerOf(messages, { count: estimateTextTokens }));
    assert.ok(fresh && used);
    for (const budgetTokens of [16_000, 800, 4_000]) used.handoff({ budgetTokens });
    const { body } = fresh.handoff({ budgetTokens: 2_000 });
    assert.equal(used.handoff({ budgetTokens: 2_000 }).body, body);
    assert.match(indexIn(body).join('\n'), /hull\wWidth\d+Of/);
    assert.doesNotMatch(indexIn(body).join('\n'), /part\.ts/);
  });
});

describe('S2: files stand', () => {
  const messages = steps(
    Array.from({ length: 12 }, (_, at) => ({
      path: `/srv/app/packages/harbour/src/wing${at}/part.ts`,
      name: `wing${at}`,
    })),
  );
  const ledger = ledgerOf(messages, { count: estimateTextTokens });
  const files = (budgetTokens: number): string =>
    /read, not changed: .*/.exec(ledger.handoff({ budgetTokens }).body)?.[0] ?? '';

  test('by two segments of their path in a small handoff', () => {
    assert.match(files(1_500), /: wing\d+\/part\.ts/);
  });

  test('by their whole path in a roomy one', () => {
    assert.match(files(8_000), /: \/srv\/app\/packages\/harbour\/src\/wing\d+\/part\.ts/);
  });
});

test('S10: what leads to a list stays with its points where there is room', () => {
  const messages = [
    person('How would you cut the harbour import into parts?'),
    agent(
      'Here is how I would cut it:\n\n- The reader keeps the manifest as it came.\n- The parser rejects rows without a berth.\n- The writer batches five hundred rows.',
    ),
    ...steps([{ path: '/srv/app/a.ts', name: 'alphaOne' }]),
  ];
  const ledger = ledgerOf(messages, { count: estimateTextTokens });
  const { body } = ledger.handoff({ budgetTokens: 8_000 });
  assert.match(body, /Here is how I would cut it:\n - The reader keeps/);
});
