/** Names that say something without the line they come from. */
import type { Corpus, TermStats } from './corpus.ts';
import type { Entry } from './queue.ts';

export interface BareName {
  readonly term: TermStats;
  /** Index of the message that opens the step in which it was said last. */
  readonly step: number;
}

export interface NameRange {
  readonly corpus: Corpus;
  readonly from: number;
  readonly to: number;
  readonly partly: ReadonlySet<number>;
  readonly stepOf: (message: number) => number;
}

/** The names last said in the range, with what each is worth per token. */
export function namesIn({ corpus, from, to, partly, stepOf }: NameRange, worth: Float64Array): Entry<BareName>[] {
  const names: Entry<BareName>[] = [];
  for (const term of corpus.terms) {
    const { lastMessage } = term;
    const inRange = (lastMessage >= from && lastMessage < to) || partly.has(lastMessage);
    if (!inRange || !isName(term)) continue;
    const score = (worth[term.id] ?? 0) / (2 + term.text.length / 4);
    names.push({ value: { term, step: stepOf(lastMessage) }, score });
  }
  return names;
}

/** A bare number or a capitalised word says nothing without its line. */
const bareKinds: ReadonlySet<TermStats['kind']> = new Set(['path', 'identifier', 'dotted', 'id', 'url']);
/** Flags, shouted words, parts of sed scripts, shell variables, devices. */
const noName = /^(?:-|\$|[A-Z]+$|[sny]\/|\/dev\/|\/usr\/bin\/)/;
const minNameChars = 5;
/** `text.length` is a call of everyday code; `provider.NewRegistry` is a name. */
const compound = /[a-z][A-Z]|_/;

function isName({ kind, text }: TermStats): boolean {
  if (!bareKinds.has(kind) || text.length < minNameChars || noName.test(text)) return false;
  return kind !== 'dotted' || compound.test(text);
}
