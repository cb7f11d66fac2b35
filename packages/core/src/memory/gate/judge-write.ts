/** ★ The gate: whether an entry may be remembered, by who said first what it says. */
import type { MemorySource } from '../../store/memory-store.ts';
import type { Message } from '../../transcript/message.ts';
import { agreedByPerson, type Confirmation, saidByPerson } from './confirmation.ts';
import { type Hearing, hearings, keysOf, type Origin, originOf, outsideSupport } from './lineage.ts';
import { bareOf, decodedIn, foldForMarks, type Mark, marksOf, turnedOf } from './marks.ts';
import { isGrave, isStanding, maybeBids } from './orders.ts';
import { type Heard, hear } from './said.ts';
import { isForeign, lowest } from './sources.ts';
import type { ToolSourceOptions } from './tool-source.ts';

/** An entry that is to be written, and the conversation it is written in. */
export interface WriteOptions extends ToolSourceOptions {
  /** The entry. */
  readonly text: string;
  /**
   * The conversation so far, best as the record has it: what stands in it only as a summary is of unknown lineage, and
   * waits for the person. With the call that writes, or without it.
   */
  readonly messages: readonly Message[];
}

/** What the gate says of an entry. */
export interface WriteVerdict {
  /** The lowest class of what the entry came from. */
  readonly source: MemorySource;
  /** `confirm`: it may be remembered only after the person has confirmed this very text. */
  readonly decision: 'write' | 'confirm';
  /** The messages it rests on, as places in the list, in order. */
  readonly messages: readonly number[];
  /** For the person, in a sentence; never a word of the entry. */
  readonly reason: string;
}

/**
 * Judges a write by what the conversation says. Every number, name, address and word of the entry is traced to who said it
 * first; the lowest class counts. The person's own words are the person's wherever they stand; what the model says passes on
 * what it had just seen; words that nobody said before are the model's, unless somebody outside had a say since the person
 * last spoke. What an outside tool or a document said waits for the person, and so do the model's own orders about data,
 * money, credentials, packages, hosts and honesty. Time in proportion to the conversation.
 *
 * @example
 * import { fromOpenAiChat } from '@palimpsest/core';
 * import { judgeWrite } from '@palimpsest/core/memory';
 * const messages = fromOpenAiChat([{ role: 'user', content: 'Remember that I take the train at 7:14.' }]);
 * judgeWrite({ text: 'Takes the train at 7:14.', messages }).decision; // 'write'
 */
export function judgeWrite({ text, messages, ...options }: WriteOptions): WriteVerdict {
  const heard = hear(messages, options);
  const entry = foldForMarks([text, ...decodedIn(text)].join('\n'));
  const marks = [...marksOf(entry)];
  const found = hearings(heard, marks);
  const standing = isStanding(text);
  const traced = marks.map((mark) => ({ mark, origin: originOf(mark, found, standing) }));
  const told = traced.flatMap(({ mark, origin }) => (origin ? [mark] : []));
  const confirmed = confirmationOf(text, told, { heard, found });
  const isAgreed = confirmed !== undefined && told.every(({ key }) => confirmed.keys.has(key));
  const support = isAgreed ? undefined : outsideSupport(entry, found);
  const isBad = isGrave(text);
  const isOwn = !support && !standing && !isBad && isOwnFinding(traced) && !maybeBids(text);
  const kept = isOwn ? traced.filter(({ mark, origin }) => mark.isStrong || !isLoose(origin)) : traced;
  const isNew = marks.length === 0 || kept.some(({ origin }) => origin === undefined);
  const isNewOrder = standing && !isKnownOrder(found, confirmed);
  const origins: readonly Origin[] = [
    ...kept.flatMap(({ mark, origin }) => (origin ? [confirmed?.keys.has(mark.key) ? theirs(confirmed) : origin] : [])),
    ...(isNew || isNewOrder ? [newWords({ traced, entry, standing, heard, found })] : []),
    ...(support ? [support] : []),
  ];
  const isTheirs =
    origins.every(({ source }) => source === 'person') || (!isForeign(heard.everTaint) && isReworded(traced));
  const isRaised = kept.some(({ mark, origin }) => origin?.source !== 'person' && confirmed?.keys.has(mark.key));
  return verdict(origins, { isGrave: !isTheirs && isBad, isConfirmed: isRaised });
}

/** The person's words, put a little differently by the model: all that stands for one thing, and half of the words. */
function isReworded(traced: readonly Traced[]): boolean {
  const theirs = traced.filter(({ origin }) => origin?.source === 'person');
  const isModels = ({ mark, origin }: Traced): boolean =>
    !mark.isStrong && (origin === undefined || (origin.source === 'model' && !origin.isUnknown));
  return theirs.length * 2 >= traced.length && traced.every((one) => one.origin?.source === 'person' || isModels(one));
}

interface Traced {
  readonly mark: Mark;
  readonly origin: Origin | undefined;
}

const mostLoose = 2;

/** A word of no account by itself: somebody outside has used it too, or nobody has. */
const isLoose = (origin: Origin | undefined): boolean => origin === undefined || isForeign(origin.source);

/**
 * What the agent found out by its own work: nothing that stands for one thing comes from outside, and no more than a few of
 * the words around it were used by somebody outside alone.
 */
function isOwnFinding(traced: readonly Traced[]): boolean {
  const strong = traced.filter(({ mark }) => mark.isStrong);
  const loose = traced.filter(({ mark, origin }) => !mark.isStrong && isLoose(origin));
  const isOwn = ({ origin }: Traced): boolean => origin !== undefined && !origin.isUnknown && !isForeign(origin.source);
  return strong.length > 0 && strong.every(isOwn) && loose.length <= mostLoose && loose.length * 2 < traced.length;
}

/** Words make an order only where somebody who may give one, or the agent's own work, said them as one. */
const isKnownOrder = (found: readonly Hearing[], confirmed: Confirmation | undefined): boolean =>
  (confirmed !== undefined && isStanding(confirmed.text)) ||
  found.some(
    ({ said, sentences }) =>
      (said.source === 'person' || (said.source === 'own-tool' && said.speaker === 'tool')) &&
      sentences.some(({ keys, text }) => keys.size > 0 && isStanding(text)),
  );

const theirs = ({ message }: Confirmation): Origin => ({ source: 'person', message });

interface Conversation {
  readonly heard: Heard;
  readonly found: readonly Hearing[];
}

/** The person's word for all that somebody said of an entry. */
function confirmationOf(text: string, told: readonly Mark[], { heard, found }: Conversation): Confirmation | undefined {
  const wanted = new Set(told.map(({ key }) => key));
  const said = saidByPerson(foldForMarks(text), wanted, found);
  if (said) return said;
  const agreed = agreedByPerson(foldForMarks(text), keysOf(told), heard.said);
  return agreed.reduce<Confirmation | undefined>(
    (most, one) => (one.keys.size > 0 && one.keys.size >= (most?.keys.size ?? 0) ? one : most),
    undefined,
  );
}

interface NewWords extends Conversation {
  readonly traced: readonly Traced[];
  readonly entry: string;
  readonly standing: boolean;
}

/** Letters of new words, set together: fewer stand in a long text by chance. */
const leastRun = 8;
const mostRunWords = 8;
const opaque = /(?<![\w/+-])[\w/+-]{24,}={0,2}/;

/** Where words come from that nobody said: the model's own, unless they put into other words what somebody outside said. */
function newWords({ traced, entry, standing, heard, found }: NewWords): Origin {
  const outside = found.filter(({ said }) => isForeign(said.source));
  const spelled = outside.find(({ bare }) => runsOf(entry, traced).some((run) => bare.includes(run)));
  if (spelled) return { source: spelled.said.source, message: spelled.said.message };
  const fresh = traced.filter(({ origin }) => origin === undefined).length;
  const isAnywhere = standing || opaque.test(entry) || fresh * 2 >= traced.length;
  const taint = isAnywhere ? heard.everTaint : heard.turnTaint;
  if (isForeign(taint)) return { source: taint };
  const hidden = outside.find((one) => turnedOf(entry).some((plain) => saysMost(plain, one)));
  if (hidden) return { source: hidden.said.source, message: hidden.said.message };
  return isAnywhere && heard.isSummarised && traced.length > 0
    ? { source: 'model', isUnknown: true }
    : { source: 'model' };
}

/** Stretches of an entry around words that nobody said, by their letters alone: an address set apart in pieces. */
function runsOf(entry: string, traced: readonly Traced[]): readonly string[] {
  const fresh = traced.flatMap(({ mark, origin }) => (origin ? [] : [mark.bare]));
  const words = entry.split(/\s+/).map(bareOf);
  return words.flatMap((_, from) =>
    Array.from({ length: mostRunWords }, (_, more) => words.slice(from, from + more + 1).join('')).filter(
      (run) => run.length >= leastRun && fresh.some((bare) => run.includes(bare)),
    ),
  );
}

/** Two marks at least, and half of all. */
function saysMost(plain: string, { bare }: Hearing): boolean {
  const marks = [...marksOf(foldForMarks(plain))].filter((mark) => mark.bare.length > 3);
  const said = marks.filter((mark) => bare.includes(mark.bare)).length;
  return said >= 2 && said * 2 >= marks.length;
}

const reasons: Readonly<Record<MemorySource, string>> = {
  person: 'The person said it',
  model: 'The model said it',
  'own-tool': "It comes from the agent's own work",
  'outside-tool': 'It comes from a tool that shows what others wrote',
  document: 'It comes from a document',
};

interface Weighed {
  readonly isGrave: boolean;
  readonly isConfirmed: boolean;
}

function verdict(origins: readonly Origin[], { isGrave, isConfirmed }: Weighed): WriteVerdict {
  const source = origins.reduce<MemorySource>((found, origin) => lowest(found, origin.source), 'person');
  const isUnknown = origins.some((origin) => origin.isUnknown);
  const decision = isForeign(source) || isUnknown || isGrave ? 'confirm' : 'write';
  const messages = [...new Set(origins.flatMap(({ message }) => message ?? []))].sort((a, b) => a - b);
  return { source, decision, messages, reason: reasonOf() };

  function reasonOf(): string {
    if (isForeign(source)) return `${reasons[source]}: the person has to confirm it.`;
    if (isUnknown) return 'It stands only in a summary or a note of a program: the person has to confirm it.';
    if (isGrave) return `${reasons[source]}, and it harms if it is false: the person has to confirm it.`;
    return isConfirmed && source === 'person' ? 'The person confirmed it.' : `${reasons[source]}.`;
  }
}
