/** What is left of what a person said where there are too many requests for all of them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compress, createRecord, estimatingTokenizer, type Message } from '@palimpsest/core';
import { ledgerOf } from '../../../packages/core/src/compression/ledger/ledger.ts';
import { sayingOf } from '../../../packages/core/src/compression/ledger/stated.ts';
import { messageText } from '../../../packages/core/src/transcript/text.ts';
import { agent, person, ran } from './session.ts';

const tokenizer = estimatingTokenizer('claude');

/** What is said in passing, with the value that matters later. */
const facts: readonly (readonly [said: string, value: string])[] = [
  ['How do I get at the log? The box is called pelican-two.', 'pelican-two'],
  ['I am Marisol, by the way. Go on with the table.', 'Marisol'],
  ['Nothing goes out before the 27th, plan the rest around that.', '27th'],
  ['The office closes at six, so be brief. What is left?', 'closes at six'],
  ['Bitte auf Deutsch für den Kunden, er sitzt in Graz. Wie klingt der Absatz?', 'Graz'],
  ['会場は青葉ホールの302です。案内文を書いてください。', '302'],
  ['预算最多五万元。选哪家酒店比较好?', '五万元'],
  ['My laptop has an old GPU, a Quadro K620.', 'K620'],
  ['Send the draft to Henrike first. Then clean up the notes.', 'Henrike'],
  ['We pay 3,150 a month for it. Is that a lot?', '3,150'],
];
const count = 120;
const nods = ['ok', 'go on', 'yes', '好的', 'はい', 'weiter'];

interface Asked {
  readonly said: string;
  /** What it alone has; a nod has nothing. */
  readonly value?: string;
  readonly isFact?: true;
}

/** A fact, four questions, five things to do, two nods, and again. */
const asked: readonly Asked[] = Array.from({ length: count }, (_, at): Asked => {
  const [said, value] = facts[Math.floor(at / 12)] ?? ['', ''];
  if (at % 12 === 0) return { said, value, isFact: true };
  if (at % 12 >= 10) return { said: nods[at % nods.length] ?? 'ok' };
  const name = `stage${String.fromCharCode(97 + (at % 26))}${at}Step`;
  const wanted = at % 2 === 0 ? `Rename ${name} to something shorter.` : `What is ${name} there for?`;
  return { said: wanted, value: name };
});

const output = (at: number): string =>
  Array.from({ length: 30 }, (_, line) => `  ${line + 1}  const value${at}_${line} = read(${line * at});`).join('\n');

const turn = ({ said }: Asked, at: number): readonly Message[] => [
  person(said),
  ...ran({ name: 'read', input: { path: `src/part-${at % 9}.ts` }, result: output(at) }),
  agent(`Part ${at} is read and the change is in. The loop ran twice because its end was counted again.`),
];

const session = asked.flatMap(turn);

/** The handoff of the whole session and what a model still sees of what was asked. */
async function seen(targetTokens: number): Promise<string> {
  const { messages } = await compress(session, { tokenizer, targetTokens });
  return messages.map(messageText).join('\n');
}

/** The context at the end of a loop that compresses every twenty requests. */
async function seenAfterLoop(targetTokens: number, isRecorded: boolean): Promise<string> {
  const record = createRecord({ count: tokenizer.count });
  let list: readonly Message[] = [];
  for (let from = 0; from < session.length; from += 80) {
    list = [...list, ...session.slice(from, from + 80)];
    const { messages } = await compress(isRecorded ? list : structuredClone(list), {
      tokenizer,
      targetTokens,
      ...(isRecorded ? { record } : {}),
    });
    list = messages;
  }
  return list.map(messageText).join('\n');
}

const missing = (context: string, of: readonly Asked[]): readonly string[] =>
  of.filter(({ value }) => value !== undefined && !context.includes(value)).map(({ said }) => said);
const isFact = ({ isFact: holds }: Asked): boolean => holds === true;

describe('S2, S10: a conversation of 120 requests', () => {
  it('keeps every short one where there is room', async () => {
    assert.deepEqual(missing(await seen(8_000), asked), []);
  });

  it('keeps what the person said in passing where there is room for few', async () => {
    const context = await seen(2_000);
    assert.deepEqual(missing(context, asked.filter(isFact)), []);
    assert.ok(missing(context, asked).length > 20, 'everything had room');
  });

  for (const isRecorded of [true, false]) {
    it(`keeps it through six compressions ${isRecorded ? 'with' : 'without'} a record`, async () => {
      assert.deepEqual(missing(await seenAfterLoop(3_000, isRecorded), asked.filter(isFact)), []);
    });
  }

  it('leaves out nods before requests', () => {
    const { body } = ledgerOf(session, { count: tokenizer.count }).handoff({ budgetTokens: 2_000 });
    const [, story = ''] = body.split('## Completed Actions');
    assert.ok(missing(body, asked).length > 0);
    // What is left behind the last request that fits may hold a word or two.
    const told = [...story.matchAll(/ user:\n (.*)/g)].filter(([, said = '']) => nods.includes(said));
    assert.ok(told.length <= 2, told.join());
  });

  it('says how many are left out, and says it again where only the handoff is known', async () => {
    assertCounted(await seen(3_000));
    assertCounted(await seenAfterLoop(3_000, true));
    assertCounted(await seenAfterLoop(3_000, false));
  });

  it('tells what was done for a request below it, and not below another one', () => {
    const edited = [...asked, ...asked, ...asked].flatMap((one, at) => [
      ...turn(one, at),
      ...ran({ name: 'write_file', input: { path: `src/made-${at}.ts`, content: 'x' }, result: 'written' }),
      agent('That is all.'),
    ]);
    const { body } = ledgerOf(edited, { count: tokenizer.count }).handoff({ budgetTokens: 6_500 });
    assert.match(body, /left out here/);
    const turns = [
      ...body.matchAll(/^(?:### )?m(\d+) user:[^\n]*\n(?: [^\n]*\n)*? m\d+(?:-m\d+)? changed made-(\d+)/gm),
    ];
    assert.ok(turns.length > 0, `${turns.length} turns`);
    for (const [row, ref, at] of turns) assert.equal(Number(ref), 1 + 7 * Number(at), row);
  });

  it('says nothing of it where all are told', async () => {
    assert.doesNotMatch(await seen(16_000), /left out here/);
  });
});

/** Requests that are told and those that are counted are all there were. */
function assertCounted(context: string): void {
  const [block = '', behind = ''] = context.split('</handoff>');
  const rows = [...block.matchAll(/^(?:### )?(m\d+) user:/gm)].map(([, ref]) => ref);
  const counted = [...block.matchAll(/^m\d+(?:-m\d+)? left out here: (\d+) requests?$/gm)].map(([, n]) => Number(n));
  assert.equal(counted.length, 1, 'one row');
  const after = asked.filter(({ value }) => value !== undefined && behind.includes(value) && !block.includes(value));
  const isNamedBelow = block.includes('word for word below');
  const told = new Set(rows).size + after.length - (isNamedBelow && after.length > 0 ? 1 : 0);
  assert.equal(told + (counted[0] ?? 0), count);
}

it('S2: a short message names something, states something, wants something, asks or nods', () => {
  const expected: Readonly<Record<string, readonly string[]>> = {
    names: [
      'My number is 4711.',
      'Which one? Lena prefers the "blue" one.',
      'Wir treffen uns am 3. Mai.',
      'サーバーは tsubame-1 です。',
      '电话是 5550142。',
    ],
    states: ['I cannot see red. Can you change the colour?', 'We moved house last week. Write the letter.'],
    wants: ['Rename parseKeys to readKeys.', 'Split src/store/keys.ts where it makes sense.', '把 parseKeys 删掉。'],
    asks: ['What is a bloom filter good for?', 'なぜ失敗したのですか', 'Is parseKeys covered by anything?'],
    nods: ['ok', 'go on', 'Yes please.', '继续', 'はい', '네'],
  };
  for (const [saying, messages] of Object.entries(expected))
    for (const message of messages) assert.equal(sayingOf(message), saying, message);
});
