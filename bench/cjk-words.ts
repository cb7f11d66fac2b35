/**
 * Searches for every word of one to four Chinese, Japanese or Korean characters that a set of messages has, and holds what
 * is found against the messages that have the word. Prints Markdown.
 *
 *   node bench/cjk-words.ts [--data DIR] [--kit DIR]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { search } from '@palimpsest/core/search';
import { root } from './options.ts';
import { type Corpus, openCorpus } from './search/open-corpus.ts';
import { labelledSets } from './search/sets.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(root, '../shared/data') },
    kit: { type: 'string', default: join(root, '../shared/eval') },
  },
});

const dense = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{1,4}$/u;

interface Words {
  searches: number;
  /** Pairs of a word and a message that has it; at most `most` of a word. */
  wanted: number;
  found: number;
  /** Messages that were found and do not have the word. */
  others: number;
}

/** Hits asked for. */
const most = 500;

/** Every known word, by the word list of ICU. */
function wordsOf(texts: readonly string[]): readonly string[] {
  const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
  const words = texts.flatMap((text) => [...segmenter.segment(text)].map(({ segment }) => segment));
  return [...new Set(words)].filter((word) => dense.test(word));
}

async function measure(corpus: Corpus, byLength: Map<number, Words>): Promise<void> {
  const opened = await openCorpus(corpus);
  const texts = new Map(
    corpus.sessions.flatMap(({ messages }) => messages.map(({ id, text }) => [id, text.normalize()] as const)),
  );
  for (const word of wordsOf([...texts.values()])) {
    const length = [...word].length;
    const row = byLength.get(length) ?? { searches: 0, wanted: 0, found: 0, others: 0 };
    byLength.set(length, row);
    // What was said twice in the same words is stored, and found, once.
    const having = new Set(texts.values().filter((text) => text.includes(word))).size;
    const { hits } = await search(opened.store, word, { limit: most });
    const ids = hits.map(({ sessionId, position }) => opened.idAt(sessionId, position) ?? '');
    const shown = ids.map((id) => texts.get(id) ?? '');
    const right = new Set(shown.filter((text) => text.includes(word))).size;
    row.searches++;
    row.wanted += Math.min(having, most);
    row.found += right;
    row.others += shown.filter((text) => !text.includes(word)).length;
  }
}

const share = (part: number, whole: number): string => (whole === 0 ? '' : ((100 * part) / whole).toFixed(2));

console.log('| set | characters | words | in messages | found % | of what is found, right % |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const { name, corpora } of await labelledSets(values)) {
  const byLength = new Map<number, Words>();
  for (const { corpus } of corpora) await measure(corpus, byLength);
  for (const [length, { searches, wanted, found, others }] of [...byLength].sort(([a], [b]) => a - b)) {
    const cells = [name, length, searches, wanted, share(found, wanted), share(found, found + others)];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
