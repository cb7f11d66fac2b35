import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chooser, type ChooserInput } from '../../../packages/core/src/compression/ledger/chooser.ts';
import { Corpus } from '../../../packages/core/src/compression/ledger/corpus.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { agent, person, ran } from './session.ts';

const count = (text: string): number => Math.ceil(text.length / 4);
const headerTokens = 6;
/** The end of a line, and the mark before what a tool printed. */
const markTokens = (text: string): number => (/^(?:export function|return|\})/.test(text) ? 2 : 1);

function chooserOver(
  messages: readonly Message[],
  options: Partial<ChooserInput> = {},
): { chooser: Chooser; corpus: Corpus } {
  const corpus = new Corpus(count);
  for (const message of messages) corpus.add(message);
  const chooser = new Chooser({
    corpus,
    from: 0,
    to: messages.length,
    partly: new Set<number>(),
    placeOf: ({ lastMessage }) => lastMessage,
    linesIn: (place) => corpus.messageLines[place] ?? [],
    nameRowOf: ({ lastMessage }) => lastMessage,
    nameOf: ({ text }) => text,
    count,
    recentAsks: [],
    headerTokens: () => headerTokens,
    bonus: () => 0,
    focus: () => 1,
    ...options,
  });
  return { chooser, corpus };
}

function taken(chooser: Chooser, tokens = 10_000): { text: string; tokens: number }[] {
  const picks: { text: string; tokens: number }[] = [];
  let left = tokens;
  for (let pick = chooser.next(left); pick; pick = chooser.next(left)) {
    picks.push({ text: pick.line.text, tokens: pick.tokens });
    left -= pick.tokens;
  }
  return picks;
}

const session = (): readonly Message[] => [
  person('Find out why loadConfig fails in src/config/load.ts'),
  ...ran({
    name: 'Read',
    input: { file_path: 'src/config/load.ts' },
    result: 'export function loadConfig(path) {\n  return parseDocument(readText(path));\n}',
  }),
  agent('loadConfig calls parseDocument from src/config/parse.ts before the file is there.'),
];

test('S8: every line is given once, the header of a step is paid once', () => {
  const { chooser } = chooserOver(session(), { placeOf: () => 0 });
  const picks = taken(chooser);
  assert.equal(new Set(picks.map(({ text }) => text)).size, picks.length);
  assert.deepEqual(
    picks.map(({ text, tokens }) => tokens - count(text) - markTokens(text)),
    picks.map((_, at) => (at === 0 ? headerTokens : 0)),
  );
});

test('S8: no line is larger than the room that is left', () => {
  for (const room of [0, 5, 9, 14, 20, 40, 80]) {
    const sum = taken(chooserOver(session()).chooser, room).reduce((all, { tokens }) => all + tokens, 0);
    assert.ok(sum <= room, `${sum} of ${room}`);
  }
});

test('S8: what did not fit comes when there is room', () => {
  const { chooser } = chooserOver(session());
  assert.equal(chooser.next(7), undefined);
  assert.notEqual(chooser.next(200), undefined);
});

test('S8: names that are shown already are worth less than new ones', () => {
  const messages = [
    agent('readHeader calls parseBlock and checkSum today'),
    agent('parseBlock and checkSum and readHeader again'),
    agent('writeFooter calls sealBlock and signSum today'),
  ];
  const [first, second] = taken(chooserOver(messages).chooser);
  const isFooter = (text: string | undefined): boolean => text?.includes('writeFooter') ?? false;
  assert.ok(isFooter(first?.text) !== isFooter(second?.text), 'the first two lines are about different names');
});

test('S8: lines that the context shows are not chosen, and their names count as shown', () => {
  const { chooser, corpus } = chooserOver(session());
  chooser.show(corpus.messageLines[0] ?? []);
  assert.ok(taken(chooser).every(({ text }) => !text.startsWith('Find out why')));
  const shownName = chooserOver(session());
  shownName.chooser.show(shownName.corpus.messageLines.flat());
  assert.equal(
    shownName.chooser.nextName(100, () => false),
    undefined,
  );
});

test('S8: only lines last said in the range are chosen', () => {
  const said = 'The buildIndex step needs cleanStart first';
  const messages = [agent(said), agent('Something about otherThing'), agent(said)];
  const picks = taken(chooserOver(messages, { to: 2 }).chooser);
  assert.ok(picks.every(({ text }) => text !== said));
});

test('S8: a line of the focus is preferred', () => {
  const messages = Array.from({ length: 8 }, (_, i) => agent(`part_${i} uses module_${i} with value_${i}`));
  const { chooser } = chooserOver(messages, { focus: (line) => (line.text.startsWith('part_5') ? 8 : 1) });
  assert.ok(chooser.next(100)?.line.text.startsWith('part_5'));
});

test('invariant 9: the same corpus gives the same choice', () => {
  assert.deepEqual(taken(chooserOver(session()).chooser), taken(chooserOver(session()).chooser));
});
