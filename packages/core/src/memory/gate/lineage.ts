/** Who said first what an entry says, mark by mark, and at whose place most of it stands together. */
import { reportedSource } from '../../language/instruction.ts';
import { dismissingWords } from '../../language/keeping.ts';
import { opposingWords } from '../../language/negations.ts';
import { passingWords, questionEnds, questionWords } from '../../language/requests.ts';
import type { MemorySource } from '../../store/memory-store.ts';
import { bareOf, foldForMarks, type Mark, marksOf, sentencesIn } from './marks.ts';
import type { Heard, Said } from './said.ts';
import { isForeign, lowest } from './sources.ts';

/** Where something of an entry comes from. */
export interface Origin {
  readonly source: MemorySource;
  /** The message that said it first; absent for what nobody said before. */
  readonly message?: number;
  /** A summary or a host program says it, and nobody else. */
  readonly isUnknown?: true;
}

/** One sentence of somebody, by the marks of the entry that stand in it. */
export interface Sentence {
  readonly text: string;
  readonly keys: ReadonlySet<string>;
}

/** What somebody said, by the marks of the entry that stand in it. */
export interface Hearing {
  readonly said: Said;
  readonly keys: ReadonlySet<string>;
  readonly sentences: readonly Sentence[];
  /** Letters and digits of the whole, for what stands in it in another spelling. */
  readonly bare: string;
}

/** All keys by which a mark is looked for. */
export const keysOf = (marks: readonly Mark[]): ReadonlySet<string> =>
  new Set(marks.flatMap((mark) => [mark.key, ...mark.pieces.map(({ key }) => key)]));

/** The keys of some that a text has. */
export function keysIn(text: string, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const mark of marksOf(foldForMarks(text)))
    for (const { key } of [mark, ...mark.pieces]) if (wanted.has(key)) found.add(key);
  return found;
}

/** Looks in all that was said for the marks of an entry. Linear in what was said. */
export function hearings({ said }: Heard, marks: readonly Mark[]): readonly Hearing[] {
  const wanted = keysOf(marks);
  const known = new Map<string, ReadonlySet<string>>();
  const keysOfAsked = (text: string): ReadonlySet<string> => {
    const found = known.get(text) ?? keysIn(text, wanted);
    known.set(text, found);
    return found;
  };
  return said.map((one) => {
    const own = new Set(one.source === 'own-tool' ? one.asked.flatMap((text) => [...keysOfAsked(text)]) : []);
    const folded = foldForMarks(one.text);
    const sentences = sentencesIn(folded).flatMap((sentence) =>
      one.speaker === 'person' ? sentence : stretchesOf(sentence),
    );
    const kept = sentences.flatMap((text) => {
      const keys = new Set([...keysIn(text, wanted)].filter((key) => !own.has(key)));
      // Of a person every sentence counts: what it denies or asks is looked at with its neighbours.
      return keys.size > 0 || one.speaker === 'person' ? [{ text, keys }] : [];
    });
    return { said: one, sentences: kept, keys: new Set(kept.flatMap(({ keys }) => [...keys])), bare: bareOf(folded) };
  });
}

/** What stands farther apart was not said together, such as in a line of JSON. */
const stretch = /\S[\s\S]{0,240}(?!\S)|\S{1,400}/g;
const stretchesOf = (sentence: string): readonly string[] =>
  sentence.length <= 240 ? [sentence] : (sentence.match(stretch) ?? []);

/** Fewer letters stand in a long text by chance. */
const leastBare = 6;

/** What a hearing has of a mark, in its spelling or in another one. */
export const has = ({ keys, bare }: Hearing, mark: Mark): boolean =>
  keys.has(mark.key) ||
  (mark.isStrong && mark.bare.length >= leastBare && !/^\d+$/.test(mark.bare) && bare.includes(mark.bare));

const isOwnWork = ({ said }: Hearing): boolean => said.speaker === 'tool' && said.source === 'own-tool';
const isTheirs = ({ said }: Hearing): boolean => said.speaker === 'person';
const isOutside = ({ said }: Hearing): boolean => isForeign(said.source) && said.speaker !== 'person';

/** Who said a mark: what stands for one thing is whose who said it first; a word is also of those who say it by themselves. */
export function originOf(mark: Mark, heard: readonly Hearing[], isStanding: boolean): Origin | undefined {
  const found = heard.filter((one) => has(one, mark));
  const [first] = found;
  if (first === undefined) return mark.isStrong ? originOfPieces(mark, heard, isStanding) : undefined;
  const at = (one: Hearing): Origin => ({ source: one.said.source, message: one.said.message });
  const byThemselves = found.find(isTheirs) ?? found.find(isOwnWork);
  if (byThemselves && (!mark.isStrong || first.said.speaker === 'unknown')) return at(byThemselves);
  const isModels = first.said.speaker === 'assistant' && first.said.source === 'model';
  if (!mark.isStrong && !isModels) {
    const outside = found.filter(isOutside);
    const worst = outside.find(({ said }) => said.source === 'document') ?? outside[0];
    if (worst) return at(worst);
  }
  if (first.said.speaker === 'unknown') return { ...at(first), isUnknown: true };
  if (first.said.speaker !== 'assistant') return at(first);
  if (first.said.isOwnCall && isOwnName(mark)) return { source: 'model', message: first.said.message };
  const taint = isStanding ? first.said.everTaint : first.said.turnTaint;
  return { source: lowest('model', taint), message: first.said.message };
}

/** A path, a port or a name that the model works with before anybody told it of one; addresses and encoded text are none. */
const isOwnName = ({ isStrong, key }: Mark): boolean =>
  isStrong && key.length < 60 && !/@|:\/\/|[a-z\d+]{24}/.test(key);

function originOfPieces(mark: Mark, heard: readonly Hearing[], isStanding: boolean): Origin | undefined {
  const origins = mark.pieces.map((piece) => originOf(piece, heard, isStanding));
  if (origins.length === 0 || origins.includes(undefined)) {
    const foreign = origins.find((origin) => origin && isForeign(origin.source));
    return foreign;
  }
  return origins.reduce((one, other) =>
    one && other && lowest(one.source, other.source) === one.source ? one : other,
  );
}

/** A question, or words that deny what the entry affirms or the other way round. */
export const isOtherwise = (sentence: string, entry: string): boolean =>
  isQuestion(sentence) || opposingWords.test(withoutNo(sentence)) !== opposingWords.test(entry);

export const isQuestion = (sentence: string): boolean =>
  questionEnds.test(sentence.trim()) || questionWords.test(sentence.trim());

/**
 * What a person says of an entry as their own: no question, no denial of it, no telling what others say, nothing that holds
 * for once, and nothing of a message that turns the matter down.
 */
export function ownSentences({ said, sentences }: Hearing, entry: string): readonly Sentence[] {
  if (dismissingWords.test(said.text)) return [];
  return sentences.filter(
    ({ text }, at) =>
      !isOtherwise(text, entry) &&
      !reportedSource.test(text) &&
      !passingWords.test(text) &&
      !isTakenBack(sentences[at + 1]?.text, entry),
  );
}

/** A short sentence behind that only denies. */
const isTakenBack = (next: string | undefined, entry: string): boolean =>
  next !== undefined && next.length < 60 && !isQuestion(next) && isOtherwise(next, entry);

/** The answer in front of a sentence denies what was said before it. */
const withoutNo = (sentence: string): string =>
  sentence.replace(/^\s*(?:no|nein|non|нет|não|いいえ|いや|아니요?|不是?|不对)\s*[,，、.!:]\s*/iu, '');

/** At whose place most of an entry stands together: somebody outside, where neither the person nor the agent's work says as much of it. */
export function outsideSupport(entry: string, heard: readonly Hearing[]): Origin | undefined {
  let outside: { readonly count: number; readonly at: number; readonly said: Said } | undefined;
  let [own, ownAt, person] = [0, Number.POSITIVE_INFINITY, 0];
  let isLate = false;
  heard.forEach((one, at) => {
    if (isTheirs(one)) {
      // Of what somebody outside said before, only what the person takes up as their own counts.
      const theirs = isLate
        ? ownSentences(one, entry)
        : one.sentences.filter(({ text }) => isQuestion(text) || !isOtherwise(text, entry));
      person = Math.max(person, countIn(theirs));
      return;
    }
    const count = together(one);
    if (isOutside(one) && !one.said.isOwnCall) {
      isLate ||= count > 0;
      if (count > (outside?.count ?? 1)) outside = { count, at, said: one.said };
    } else if ((isOwnWork(one) || (one.said.isOwnCall && !isLate)) && count > own) [own, ownAt] = [count, at];
  });
  if (outside === undefined || outside.count <= person) return undefined;
  if (outside.count < own || (outside.count === own && ownAt < outside.at)) return undefined;
  return { source: outside.said.source, message: outside.said.message };
}

/** What stands for one thing weighs as much as two words. */
const countIn = (sentences: readonly Sentence[]): number =>
  [...new Set(sentences.flatMap(({ keys }) => [...keys]))].reduce((sum, key) => sum + (key.startsWith('=') ? 2 : 1), 0);

/** So much as two sentences, one behind the other, have of it. */
const together = ({ sentences }: Hearing): number =>
  sentences.reduce((most, _, at) => Math.max(most, countIn(sentences.slice(at, at + 2))), 0);
