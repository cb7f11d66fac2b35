/**
 * How true the lists of open matters are at cuts of real sessions: against labels of a reader who did not know our code
 * (`test/fixtures/story/open-lists.md`). A program of its own:
 *
 *     node bench/open-lists.ts [LABELS.jsonl] [--budgets 3000,8000] [--only FILE-PART] [--show] [--data DIR] [--kit DIR]
 *
 * A row tells a label when it holds one of the label's words. Of several labels it is the one of which it holds the
 * largest share, of equal ones the one about the row's own message, then a settled one. What no label knows has to be
 * judged by reading: `--show` prints it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compress, fromOpenAiChat, type Message, tokenizerFor } from '@palimpsest/core';
import { messageText } from '../packages/core/src/transcript/text.ts';
import { table } from '../scripts/reference/markdown.ts';
import { percent } from './figures.ts';
import { cutFrom, type Label, messagesBefore, missingForLabels, quoted, type Sources } from './open-lists/labels.ts';
import { root } from './options.ts';

/** Headings whose rows say that something is open, as long as they have one of these words. */
const listHeadings = /pending|in progress|blocked|remaining|waiting/i;

/** A transcript up to a cut, with what is open there in the words of the transcript. */
interface Case {
  readonly file: string;
  readonly messages: readonly Message[];
  readonly labels: readonly Label[];
}

/** A row of a list, with the lines below it. */
interface Row {
  readonly heading: string;
  readonly text: string;
}

/** What one cut gave at one size. */
interface Score {
  readonly cut: Case;
  readonly budget: number;
  /** Rows with what they match; without a label where nobody labelled it. */
  readonly rows: readonly { readonly row: Row; readonly label: Label | undefined }[];
  readonly told: readonly Label[];
  readonly missed: readonly Label[];
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase();

/** Rows under the headings of open matters. */
function listedRows(block: string): readonly Row[] {
  const rows: { heading: string; text: string }[] = [];
  let heading = '';
  for (const line of (block.split('\n</handoff>', 1)[0] ?? '').split('\n')) {
    const title = /^## (.*)$/.exec(line)?.[1];
    if (title !== undefined) heading = title;
    else if (listHeadings.test(heading) && line.trim() !== '' && !line.startsWith('[')) {
      const last = rows.at(-1);
      if (line.startsWith(' ') && last?.heading === heading) last.text += `\n${line}`;
      else rows.push({ heading, text: line });
    }
  }
  return rows;
}

const heldOf = (text: string, { words }: Label): number =>
  words.filter((word) => plain(text).includes(plain(word))).length / words.length;

/** The label that a row is about. */
function labelOf({ text }: Row, labels: readonly Label[]): Label | undefined {
  const number = Number(/^m(\d+)/.exec(text)?.[1] ?? 0);
  const rank = (label: Label): number =>
    heldOf(text, label) + (label.at + 1 === number ? 0.01 : 0) + (label.type === 'settled' ? 0.001 : 0);
  const found = labels.filter((label) => heldOf(text, label) > 0).toSorted((a, b) => rank(b) - rank(a));
  return found[0];
}

async function scoreOf(cut: Case, budget: number): Promise<Score> {
  const { messages } = cut;
  const tokenizer = await tokenizerFor('gpt-4o');
  const result = await compress(messages, { tokenizer, targetTokens: budget, system: 'cover' });
  const rows = listedRows(result.handoff?.text ?? '').map((row) => ({ row, label: labelOf(row, cut.labels) }));
  const newest = messages.findLast(({ role, origin }) => role === 'user' && origin !== 'host');
  const words = newest ? messageText(newest) : '';
  // What is asked last is told where it stands word for word behind the block.
  const behind = result.messages.some((message) => messageText(message).includes(words)) ? words : '';
  const open = cut.labels.filter(({ type }) => type === 'open');
  const isTold = (label: Label): boolean =>
    heldOf(behind, label) > 0 || rows.some(({ row }) => heldOf(row.text, label) > 0);
  return { cut, budget, rows, told: open.filter(isTold), missed: open.filter((label) => !isTold(label)) };
}

async function casesIn(labels: string, sources: Sources & { readonly only: string }): Promise<readonly Case[]> {
  const cuts = readFileSync(labels, 'utf8').split('\n').filter(Boolean).map(cutFrom);
  const cases: Case[] = [];
  for (const cut of cuts.filter(({ file }) => file.includes(sources.only))) {
    const messages = await messagesBefore(cut, sources);
    cases.push({ file: cut.file, messages: fromOpenAiChat(messages), labels: quoted(cut, messages) });
  }
  return cases;
}

// What is printed.

const nameOf = ({ at, words }: Label): string => `m${at + 1} ${words.join(' | ')}`;

function show({ cut, budget, rows, told, missed }: Score): void {
  console.log(`\n### ${cut.file} @${cut.messages.length}, ${budget} tokens`);
  for (const { row, label } of rows) {
    console.log(`[${label?.type ?? '?'}] ${row.heading} | ${row.text}${label ? `\n      = ${nameOf(label)}` : ''}`);
  }
  for (const label of told) console.log(`told    ${label.kind}: ${nameOf(label)}`);
  for (const label of missed) console.log(`MISSED  ${label.kind}: ${nameOf(label)}`);
}

function lineOf(name: string, scores: readonly Score[]): readonly string[] {
  const rows = scores.flatMap((score) => score.rows);
  const count = (type: Label['type'] | undefined): number => rows.filter(({ label }) => label?.type === type).length;
  const [open, settled, unknown] = [count('open'), count('settled'), count(undefined)];
  const told = scores.reduce((sum, one) => sum + one.told.length, 0);
  const all = told + scores.reduce((sum, one) => sum + one.missed.length, 0);
  return [
    name,
    String(rows.length),
    String(open),
    String(settled),
    String(unknown),
    percent(open / (open + settled)),
    percent(open / (open + settled + unknown)),
    `${told} of ${all}`,
    percent(told / all),
  ];
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      budgets: { type: 'string', default: '3000,8000' },
      only: { type: 'string', default: '' },
      show: { type: 'boolean', default: false },
      data: { type: 'string', default: join(root, '../shared/data') },
      kit: { type: 'string', default: join(root, '../shared/eval') },
    },
  });
  const missing = missingForLabels(values);
  if (missing !== undefined) return console.log(`skipped: ${missing}`);
  const cases = await casesIn(positionals[0] ?? join(root, 'test/fixtures/story/open-lists-a.jsonl'), values);
  const lines: (readonly string[])[] = [];
  for (const budget of values.budgets.split(',').map(Number)) {
    const scores: Score[] = [];
    for (const cut of cases) scores.push(await scoreOf(cut, budget));
    if (values.show) for (const score of scores) show(score);
    lines.push(lineOf(`all at ${budget}`, scores));
  }
  const headings = ['cuts', 'rows', 'open', 'settled', 'unlabelled', 'precision', 'at least', 'told', 'recall'];
  console.log(`\n${table(headings, lines)}`);
}

await main();
