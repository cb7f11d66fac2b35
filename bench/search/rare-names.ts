/**
 * Holds our search against plain full-text search (SQLite's FTS5, unicode61, bm25) over the same messages, for what people
 * remember best: a name that was said once or a few times. Each name is asked for alone, and beside a common word.
 */
import { DatabaseSync } from 'node:sqlite';
import { search } from '../../packages/core/src/recall/search/search.ts';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { searchFields } from '../../packages/core/src/store/terms/index-terms.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';

/** How often a message with the name is among the first ten, of how many questions. */
export interface NamesFound {
  readonly how: 'alone' | 'with a common word';
  readonly asked: number;
  readonly ours: number;
  readonly plain: number;
  /** Of all messages with the names, how many are among the first ten. */
  readonly wanted: number;
  readonly oursOfAll: number;
  readonly plainOfAll: number;
  /** Questions that plain search answers and ours does not. */
  readonly missed: readonly string[];
}

/** Messages that have a name: at most so many. */
const mostMessages = 3;
/** A common word is in so many of a thousand messages, at least. */
const commonShare = 0.05;
const first = 10;
/** Names whose pieces stand beside each other in more messages are no rare ones. */
const mostNear = 200;

/** Words of several pieces, such as `parse_row`, `src/parser.ts`, `readFile` or `E4711`; or words with a capital, such as `Wells`. */
export type NameKind = 'name' | 'capital';

const word = /(?<![\w./@-])[A-Za-z_][\w./-]{2,38}\w(?![\w./@-])/g;

const isOfKind: Readonly<Record<NameKind, (text: string) => boolean>> = {
  name: (text) => text.length > 4 && /\d|[_./-]|[a-z][A-Z]/.test(text) && /[A-Za-z]{2}/.test(text),
  capital: (text) => /^[A-Z][a-z]{3,}$/.test(text),
};

/** Compares both over conversations; `most` names, taken evenly. */
export async function compareNames(
  conversations: readonly (readonly Message[])[],
  { most, kind }: { readonly most: number; readonly kind: NameKind },
): Promise<readonly NamesFound[]> {
  const distinct = new Map<string, Message>();
  await using store = await openStore({ path: ':memory:' });
  for (const messages of conversations) {
    const session = await store.sessions.create({ source: 'library' });
    const { ids } = await store.messages.append(session.id, messages);
    for (const [i, id] of ids.entries()) {
      const message = messages[i];
      if (message) distinct.set(id, message);
    }
  }
  const texts = new Map([...distinct].map(([id, message]) => [id, textOf(message)]));
  using plain = plainSearch(texts);
  const names = evenly(rareNames(distinct, { texts, plain, kind }), most);
  const common = commonWords(texts);
  const found: NamesFound[] = [];
  for (const how of ['alone', 'with a common word'] as const) {
    const count = { asked: 0, ours: 0, plain: 0, wanted: 0, oursOfAll: 0, plainOfAll: 0 };
    const missed: string[] = [];
    for (const [at, { name, ids }] of names.entries()) {
      const beside = how === 'alone' ? undefined : common[at % Math.max(1, common.length)];
      const query = beside === undefined ? name : `${beside} ${name}`;
      const { hits } = await search(store, query, { limit: first });
      const ours = hits.filter(({ messageId }) => ids.has(messageId)).length;
      const theirs = plain.search(beside === undefined ? [name] : [beside, name]).filter((id) => ids.has(id)).length;
      count.asked++;
      count.wanted += ids.size;
      count.oursOfAll += ours;
      count.plainOfAll += theirs;
      if (ours > 0) count.ours++;
      if (theirs > 0) count.plain++;
      if (theirs > ours) missed.push(`${query} (${ours} of ${ids.size}, plain ${theirs})`);
    }
    found.push({ how, ...count, missed });
  }
  return found;
}

const textOf = (message: Message): string =>
  searchFields(message)
    .map(({ text }) => text)
    .join('\n');

interface RareName {
  readonly name: string;
  readonly ids: ReadonlySet<string>;
}

/** Names that were said (not only carried by a tool), and that stand in few messages, also as a part of a longer one. */
function rareNames(
  messages: ReadonlyMap<string, Message>,
  {
    texts,
    plain,
    kind,
  }: { readonly texts: ReadonlyMap<string, string>; readonly plain: PlainSearch; readonly kind: NameKind },
): readonly RareName[] {
  const said = new Set<string>();
  for (const message of messages.values()) {
    for (const field of searchFields(message)) {
      if (field.name !== 'said') continue;
      for (const [text] of field.text.matchAll(word)) if (isOfKind[kind](text)) said.add(text);
    }
  }
  return [...said].flatMap((name) => {
    // Plain search also finds the pieces of a name as words of their own: `test name` for `test_name`.
    const near = plain.search([name], mostNear);
    const exact = new RegExp(`(?<!\\w)${name.replaceAll('.', String.raw`\.`)}(?!\\w)`, 'i');
    const ids = new Set(near.filter((id) => exact.test(texts.get(id) ?? '')));
    return near.length < mostNear && ids.size > 0 && ids.size <= mostMessages ? [{ name, ids }] : [];
  });
}

function commonWords(texts: ReadonlyMap<string, string>): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of texts.values()) {
    for (const word of new Set(text.toLowerCase().match(/\b[a-z]{4,10}\b/g) ?? []))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const sorted = [...counts].filter(([, count]) => count >= texts.size * commonShare).sort(([, a], [, b]) => b - a);
  return sorted.slice(0, 12).map(([word]) => word);
}

const evenly = <T>(all: readonly T[], most: number): readonly T[] =>
  all.length <= most ? all : Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)] as T);

interface PlainSearch extends Disposable {
  /** Messages with any of the words, each as a phrase where it has several pieces, best first. */
  search(words: readonly string[], limit?: number): readonly string[];
}

function plainSearch(texts: ReadonlyMap<string, string>): PlainSearch {
  const db = new DatabaseSync(':memory:');
  db.exec('create virtual table messages using fts5 (id unindexed, text, tokenize = unicode61)');
  const add = db.prepare('insert into messages (id, text) values (?, ?)');
  for (const [id, text] of texts) add.run(id, text);
  const find = db.prepare(`select id from messages where messages match ? order by bm25(messages) limit ?`);
  return {
    search: (words, limit = first) =>
      find.all(words.map((word) => `"${word.replaceAll('"', '')}"`).join(' OR '), limit).map((row) => String(row.id)),
    [Symbol.dispose]: () => db.close(),
  };
}
