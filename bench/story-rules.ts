/**
 * What a handoff keeps of rules, decisions, errors and answers in free wording, and what of other people's rules it
 * takes for the user's own: each message of a set of `test/fixtures/story` in a place of an invented session.
 *
 *   node bench/story-rules.ts [--set rules-a] [--budgets 3000,8000] [--only CLASS] [--misses]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compress, fromOpenAiChat, type Tokenizer, tokenizerFor } from '@palimpsest/core';
import type { JsonObject } from '@palimpsest/core/engine';
import { table } from '../scripts/reference/markdown.ts';
import { percent } from './figures.ts';
import { inventedSession } from './invented-session.ts';

/** One line of a set. */
interface Item {
  readonly id: string;
  readonly class: 'rule' | 'decision' | 'decoy' | 'error' | 'answer';
  readonly speaker: 'user' | 'assistant' | 'tool';
  readonly carrier: string;
  readonly language: string;
  readonly message: string;
  readonly question?: string;
  readonly statement: string;
  readonly key?: string;
}

interface Outcome {
  readonly item: Item;
  readonly budget: number;
  /** The words stand where the class wants them; of a decoy, they stand as the user's. */
  readonly stands: boolean;
}

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'rules-a' },
    budgets: { type: 'string', default: '3000,8000' },
    only: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
});

/** About 60,000 tokens. */
const sessionMessages = 240;
const session = inventedSession(sessionMessages, 14);

/** Turns of the session at which something may be planted: not its first one, and none of its end. */
const starts = session.flatMap((message, at) =>
  message.role === 'user' && at > sessionMessages * 0.1 && at < sessionMessages * 0.85 ? [at] : [],
);

const items = readFileSync(join(import.meta.dirname, `../test/fixtures/story/${values.set}.jsonl`), 'utf8')
  .trim()
  .split('\n')
  // The sets are written with these members.
  .map((line) => JSON.parse(line) as Item)
  .filter((item) => values.only === undefined || values.only === item.class);

const tokenizer = await tokenizerFor('gpt-4o');
const outcomes: Outcome[] = [];
for (const [at, item] of items.entries()) {
  const messages = planted(item, starts[(at * 7) % starts.length] ?? 0);
  for (const budget of values.budgets.split(',').map(Number))
    outcomes.push({ item, budget, stands: await stands(item, messages, { tokenizer, budget }) });
}
print();

/** The session with an item in the turn that begins at `start`; what it takes the place of is gone. */
function planted(item: Item, start: number): readonly JsonObject[] {
  const messages = [...session];
  const end = messages.findIndex(({ role }, at) => at > start && role === 'user');
  const calls = messages.findIndex((message, at) => at > start && message.role === 'assistant' && message.tool_calls);
  const results = messages.findIndex(({ role }, at) => at > start && role === 'tool');
  const before = messages[start - 1];
  if (item.speaker === 'tool') messages[results] = { ...messages[results], content: item.message };
  else if (item.speaker === 'user') messages[start] = { role: 'user', content: item.message };
  // Beside a call or at the end of the turn: by the number of the item.
  else if (Number(item.id.slice(1)) % 2 === 0) messages[calls] = { ...messages[calls], content: item.message };
  else messages[end - 1] = { role: 'assistant', content: item.message };
  if (item.question && before) messages[start - 1] = { ...before, content: `${before.content}\n\n${item.question}` };
  return messages;
}

async function stands(
  item: Item,
  messages: readonly JsonObject[],
  { tokenizer, budget }: { readonly tokenizer: Tokenizer; readonly budget: number },
): Promise<boolean> {
  const result = await compress(fromOpenAiChat(messages), { tokenizer, targetTokens: budget, system: 'cover' });
  const rows = rowsOf(result.handoff?.text ?? '');
  return rows.some((row) => speaks(item, row) && holds(item, row.text));
}

/** The key, or where there is none, nearly all of the statement. */
function holds({ key, statement }: Item, text: string): boolean {
  if (key !== undefined) return plain(text).includes(plain(key));
  const pairs = pairsOf(plain(statement));
  const there = pairsOf(plain(text));
  return [...pairs].filter((pair) => there.has(pair)).length >= 0.8 * pairs.size;
}

/** All pairs of neighbouring characters. */
function pairsOf(text: string): ReadonlySet<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

interface Row {
  readonly heading: string;
  readonly speaker: string;
  text: string;
}

/** Whose words count: a decoy fails as a rule, and a program's text wherever it stands as the user's. */
function speaks({ class: kind, speaker, carrier }: Item, row: Row): boolean {
  if (kind !== 'decoy') return row.speaker === speaker || (speaker === 'tool' && row.speaker !== 'user');
  const isProgram = carrier === 'system-reminder' || carrier === 'command-template' || carrier === 'skill-list';
  return row.speaker === 'user' && (isProgram || speaker === 'tool' || row.heading.startsWith('Constraints'));
}

/** The rows of a handoff with all that stands below them. */
function rowsOf(text: string): readonly Row[] {
  const rows: Row[] = [];
  let heading = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) heading = line.slice(3);
    const opened = /^(?:### | ?→ | )?m\d+(?:-m\d+)? (user|assistant|host|system|earlier summary):(?: (.*))?$/.exec(
      line,
    );
    const last = rows.at(-1);
    if (opened) rows.push({ heading, speaker: opened[1] ?? '', text: opened[2] ?? '' });
    else if (last && line.startsWith(' ') && !/^ [<+-] /.test(line)) last.text += `\n${line.slice(1)}`;
    else rows.push({ heading, speaker: 'tool', text: line });
  }
  return rows;
}

/** Without marks and blanks that differ between a message and its row. */
function plain(text: string): string {
  return text
    .replace(/^[\s>*#/-]+/, '')
    .replace(/[\s\\]+/g, '')
    .toLowerCase();
}

function print(): void {
  const groupsBy = (nameOf: (item: Item) => string): string[][] =>
    [...Map.groupBy(outcomes, ({ item, budget }) => `${budget}\n${nameOf(item)}`)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, group]) => {
        const share = group.filter(({ stands }) => stands).length / group.length;
        return [...name.split('\n'), String(group.length), percent(share)];
      });
  const kindOf = ({ class: kind, speaker }: Item): string => (kind === 'decoy' ? kind : `${kind} of ${speaker}`);
  console.log(`Set ${values.set}; of decoys, the share that stands as the user's.\n`);
  console.log(
    table(
      ['budget', 'class', 'messages', 'stands'],
      groupsBy(({ class: kind }) => kind),
    ),
  );
  console.log(table(['budget', 'class and speaker', 'messages', 'stands'], groupsBy(kindOf)));
  console.log(
    table(
      ['budget', 'carrier', 'messages', 'stands'],
      groupsBy((item) => `${item.class} ${item.carrier}`),
    ),
  );
  console.log(
    table(
      ['budget', 'language', 'messages', 'stands'],
      groupsBy((item) => `${item.class} ${item.language}`),
    ),
  );
  if (!values.misses) return;
  for (const { item, budget, stands } of outcomes)
    if (stands === (item.class === 'decoy'))
      console.log(
        `${budget} ${item.id} ${item.class} ${item.speaker} ${item.carrier} ${item.message.length}: ${item.statement}`,
      );
}
