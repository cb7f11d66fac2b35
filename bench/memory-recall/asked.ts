/** Asks recall about conversations that a store has, and about those that it has not. */

import type { Tokenizer } from '@palimpsest/core';
import { createTurnRecall } from '@palimpsest/core/search';
import { type OpenCorpus, openCorpus } from '../search/open-corpus.ts';
import type { LabelledCorpus, LabelledSet } from '../search/sets.ts';

/** What became of one question. */
export interface Asked {
  readonly corpus: string;
  readonly category: string;
  /** True for a question whose evidence is labelled. */
  readonly hasEvidence: boolean;
  /** Over a store with its conversation alone, with all, and with all others. */
  readonly own: Recalled;
  readonly all: Recalled;
  readonly others: Recalled;
}

/** What was recalled at a threshold of 0: the confidence tells at which it would have been. */
export interface Recalled {
  readonly confidence: number;
  /** The text has the beginnings of every evidence message. */
  readonly holds: boolean;
  readonly tokens: number;
  readonly ms: number;
}

/** Whole messages are shown up to some length; of longer ones a stretch, which need not be where the label points. */
const comparedCharacters = 200;

/** All questions of a set. */
export async function askAll({ corpora }: LabelledSet, tokenizer: Tokenizer): Promise<readonly Asked[]> {
  const all = await opened(corpora);
  const asked: Asked[] = [];
  for (const one of corpora) {
    const own = await opened([one]);
    const others = await opened(corpora.filter((other) => other !== one));
    const texts = new Map(one.corpus.sessions.flatMap(({ messages }) => messages.map(({ id, text }) => [id, text])));
    for (const { query, gold, category } of one.questions) {
      const evidence = gold.flatMap((id) => texts.get(id) ?? []);
      const ask = (from: OpenCorpus): Promise<Recalled> => recalled(from, { query, evidence, tokenizer });
      const hasEvidence = evidence.length > 0;
      asked.push({
        ...{ corpus: one.corpus.id, category, hasEvidence },
        own: await ask(own),
        all: await ask(all),
        others: await ask(others),
      });
    }
    for (const { store } of [own, others]) await store.close();
  }
  await all.store.close();
  return asked;
}

const opened = (corpora: readonly LabelledCorpus[]): Promise<OpenCorpus> =>
  openCorpus({ sessions: corpora.flatMap(({ corpus }) => corpus.sessions) });

interface Asking {
  readonly query: string;
  readonly evidence: readonly string[];
  readonly tokenizer: Tokenizer;
}

async function recalled({ store }: OpenCorpus, { query, evidence, tokenizer }: Asking): Promise<Recalled> {
  const recall = createTurnRecall({ store, tokenizer, confidence: 0 });
  const start = performance.now();
  const { confidence, text = '', tokens } = await recall.explain({ sessionId: 'new', text: query, messages: [] });
  const ms = performance.now() - start;
  const shown = plain(text);
  return { confidence, holds: evidence.every((one) => shown.includes(beginning(one))), tokens, ms };
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const beginning = (text: string): string => plain(text).slice(0, comparedCharacters).trim();
