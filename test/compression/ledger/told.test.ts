import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Corpus } from '../../../packages/core/src/compression/ledger/corpus.ts';
import { namedIn, votes, votesOf, withOdds } from '../../../packages/core/src/compression/ledger/relevance.ts';
import { type ToldLine, toldLines } from '../../../packages/core/src/compression/ledger/told.ts';
import { agent, person, ran } from './session.ts';
import { otherForm, ownForm } from './summaries.ts';

const corpusOf = (...messages: Parameters<Corpus['add']>[0][]) => {
  const corpus = new Corpus((text) => Math.ceil(text.length / 4));
  for (const message of messages) corpus.add(message);
  return corpus;
};

const told = (summary: string): readonly ToldLine[] => toldLines(summary, corpusOf());

const outlineOf = (lines: readonly ToldLine[]) =>
  lines.map(({ line, about, leads }) => [leads.length, about ?? '-', line.text.slice(0, 24)]);

describe('S9: a summary is read as lines to choose from', () => {
  it('with what each line needs above it', () => {
    const lines = told(
      '## Goal\nWhat is left:\n- one `a.ts`\n  - deeper\n    ```ts\n      let x;\n    ```\n- two\nNo list.',
    );
    assert.deepEqual(outlineOf(lines), [
      [0, 'goal', 'What is left:'],
      [1, 'goal', '- one `a.ts`'],
      [2, 'goal', '- deeper'],
      [3, 'goal', '```ts'],
      [4, 'goal', '  let x;'],
      [1, 'goal', '- two'],
      [0, 'goal', 'No list.'],
    ]);
  });

  it('a line knows the lines under it', () => {
    const [head] = told('- files\n  - a.ts\n    - new\n- rest');
    assert.deepEqual(
      head?.under.map(({ line }) => line.text),
      ['- a.ts', '- new'],
    );
  });

  it('a row of a table needs the head of the table, which brings the rule below it', () => {
    const lines = told('| file | state |\n|---|---|\n| a.ts | new |\n| b.ts | gone |');
    assert.deepEqual(
      lines.map(({ line, leads }) => [leads.length, line.text]),
      [
        [0, '| file | state |\n|---|---|'],
        [1, '| a.ts | new |'],
        [1, '| b.ts | gone |'],
      ],
    );
  });

  it('a long paragraph sentence by sentence, so that one of them can stand alone', () => {
    const sentence = 'The reader of the journal takes every line that it can parse and leaves the others for a person.';
    const lines = told(`## Goal\n${[sentence, sentence, sentence].join(' ')}`);
    assert.deepEqual(
      lines.map(({ piece, line }) => [piece, line.text]),
      [0, 1, 2].map((piece) => [piece, sentence]),
    );
    assert.deepEqual(
      told(`## 目标\n${'这个函数读取日志的每一行，并且把不能解析的行留给人看。'.repeat(12)}`).map(({ piece }) => piece)
        .length > 1,
      true,
    );
  });

  it('headings, blanks and lines that say nothing are none', () => {
    assert.deepEqual(outlineOf(told('## Blocked\nNone\n\n## Goal\n-\n---\nN/A.\nなし\nship it')), [
      [0, 'goal', 'ship it'],
    ]);
  });

  it('what another tool calls its sections stands where ours is about the same', () => {
    const by = (text: string) => told(otherForm).find(({ line }) => line.text.includes(text))?.about;
    assert.equal(by('wants to know why'), 'goal');
    assert.equal(by('`src/journal.js`'), 'files');
    assert.equal(by('Tag 2.4.0'), 'remaining');
    assert.equal(by('is complete'), 'progress');
  });

  it('what was solved blocks nothing, and the messages of the user are no open requests', () => {
    const lines = told(otherForm);
    assert.equal(lines.find(({ line }) => line.text.includes('TypeError'))?.about, undefined);
    assert.equal(
      lines.some(({ line }) => line.text.includes('Since last Tuesday')),
      false,
    );
  });

  it('a heading inside another one is about what the outer one is about', () => {
    const lines = told('## In Progress\n### The port\nstill open\n## Notes\nelse');
    assert.deepEqual(
      lines.map(({ about }) => about),
      ['progress', undefined],
    );
  });
});

describe('S9: what a summary says goes on counts as a vote', () => {
  const messages = [
    person('Look at src/journal.js and src/other.js'),
    ...ran({ name: 'Read', input: { file_path: 'src/queue.js' }, result: 'openJournal(readAll);\nfarAway(nowhere);' }),
    agent('The branch signed-webhook is next, with parseKeys.'),
  ];

  it('for the names in it, and less for those beside them in a line of the conversation', () => {
    const corpus = corpusOf(...messages);
    const odds = votesOf(toldLines('## Remaining Work\n- call `openJournal` before', corpus), corpus);
    const of = (text: string) => odds?.[corpus.terms.find((term) => term.text === text)?.id ?? -1];
    assert.equal(of('openJournal'), votes.every + votes.named);
    assert.equal(of('readAll'), votes.every + votes.beside);
    assert.equal(of('farAway'), votes.every);
  });

  it('not for a name that it has elsewhere', () => {
    const corpus = corpusOf(...messages);
    assert.equal(votesOf(toldLines('## Relevant Files\n- src/journal.js', corpus), corpus), undefined);
    assert.equal(namedIn(toldLines(ownForm, corpus), corpus).named.size > 0, true);
  });

  it('a name that nobody said gets none', () => {
    const corpus = corpusOf(...messages);
    const before = corpus.terms.length;
    assert.equal(namedIn(toldLines('## In Progress\n- `neverHeard` of it', corpus), corpus).named.size, 0);
    assert.equal(corpus.terms.length, before);
  });

  it('log odds add up, and zero changes nothing', () => {
    assert.equal(withOdds(0.3, 0), 0.3);
    assert.ok(Math.abs(withOdds(withOdds(0.3, 1), -1) - 0.3) < 1e-12);
    assert.ok(withOdds(0.3, 1.7) > 0.3 && withOdds(0.3, -0.2) < 0.3);
  });
});
