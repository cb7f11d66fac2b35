/** Which terms an index of names may list: those that say something without their lines. */
import type { Corpus, TermStats } from './corpus.ts';
import type { Entry } from './queue.ts';

/** Messages to take names from: `from` to before `to`, and those behind that are not shown in full. */
interface NamesRange {
  readonly corpus: Corpus;
  readonly from: number;
  readonly to: number;
  readonly partly: ReadonlySet<number>;
}

/** The names last said in the range, with what each is worth per token. */
export function namesIn({ corpus, from, to, partly }: NamesRange, worth: Float64Array): Entry<TermStats>[] {
  const names = corpus.terms.filter((term) => {
    const { lastMessage } = term;
    return ((lastMessage >= from && lastMessage < to) || partly.has(lastMessage)) && isName(term);
  });
  return names.map((term) => ({ value: term, score: worth[term.id] ?? 0 }));
}

/** A bare number or a capitalised word says nothing without its line. */
const bareKinds: ReadonlySet<TermStats['kind']> = new Set(['path', 'identifier', 'dotted', 'id', 'url']);
/** Flags, shouted words, parts of sed scripts, shell variables, devices. */
const noName = /^(?:-|\$|[A-Z]+$|[sny]\/|\/dev\/|\/usr\/bin\/)/;
/** `and/or` is no path. */
const pathSign = /[.\d_]|^\/|[a-z][A-Z]/;
const minNameChars = 5;
/** `text.length` is a call of everyday code; `provider.NewRegistry` is a name. */
const compound = /[a-z][A-Z]|_/;

/** True for a name that says something without the line it comes from. */
const isName = ({ kind, text }: TermStats): boolean =>
  bareKinds.has(kind) &&
  (kind !== 'path' || pathSign.test(text)) &&
  text.length >= minNameChars &&
  !noName.test(text) &&
  (kind !== 'dotted' || compound.test(text));
