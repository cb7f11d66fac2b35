/**
 * What the agent itself says is not done: in a sentence of its reports, or in a list under "remaining" or "next steps". It
 * leaves when it is said again, when later words or work settle it, or when turns have ended without anybody coming back
 * to it.
 */
import {
  absenceWords,
  conditionBefore,
  conditionBehind,
  dutyWords,
  firstWords,
  gateWords,
  leftHeadings,
  nextHeadings,
  nothingOutstanding,
  outstandingHints,
  outstandingWords,
  settledWords,
  soFarWords,
  tracedActs,
} from '../../language/outstanding.ts';
import {
  alternatives,
  announcements,
  becauseWords,
  closingRemarks,
  handOvers,
  idleRemarks,
  noWords,
  questionEnds,
} from '../../language/requests.ts';
import type { Ref } from '../result.ts';
import type { Action, LedgerFacts } from './facts.ts';
import { flat } from './names.ts';
import { shareOf, tellingWords } from './same-words.ts';

/**
 * What kind of thing was said: how it stands, what has to be before something else, an entry of a list of either kind,
 * what was announced and put off for something else, what was offered beside anything else.
 */
type Manner = 'status' | 'duty' | 'left' | 'next' | 'later' | 'offer';

interface Matter {
  readonly ref: Ref;
  readonly text: string;
  readonly manner: Manner;
  readonly words: ReadonlySet<string>;
  /** Names of files and code in it, in small letters. */
  readonly names: readonly string[];
  /** True where it was said at the end of a turn; what is said beside calls is about the work at hand. */
  readonly isReport: boolean;
  /** The place in its list. */
  readonly at: number;
  /** How many turns have ended since. */
  rounds: number;
  /** How often the agent has spoken since. */
  remarks: number;
}

/** In what place something was said. */
export interface Place {
  /** True at the end of a turn. */
  readonly isReport: boolean;
  /** True where the turn did more than look: what is not there is then what it left. */
  readonly hasWorked: boolean;
}

/** What a call did. */
interface Deeds {
  /** Paths of files that it wrote or deleted. */
  readonly written: readonly string[];
  readonly checks: readonly string[];
}

interface Statement {
  readonly text: string;
  readonly manner: Manner | undefined;
  readonly at: number;
}

const mostKept = 24;
const mostChars = 20_000;
const leastWords = 2;
/** With this share of its words said again, it is the same matter. */
const sameShare = 0.5;
/** With less, words about something done settle it. */
const settledShare = 0.4;
/** Beside calls, how things stand is said of the work at hand: so many further remarks, and it is past. */
const mostRemarks = 4;
/** After so many further turns it is forgotten, unless it was said again. */
const mostRounds: Readonly<Record<Manner, number>> = { status: 1, duty: 3, left: 2, next: 0, later: 0, offer: 1 };

export class Outstanding {
  #matters: Matter[] = [];

  /** Takes in what the agent said: at the end of a turn, or beside calls. Linear in its length. */
  hear(text: string, ref: Ref, place: Place): void {
    const { isReport } = place;
    const found: Matter[] = [];
    for (const { text: said, manner, at } of statementsIn(text.slice(-mostChars), place)) {
      if (manner === undefined) {
        if (this.#matters.length > 0) this.#settleBy(said);
        continue;
      }
      const words = tellingWords(said);
      const names = namesIn(said);
      if (words.size + names.length === 0) continue;
      this.#matters = this.#matters.filter((matter) => !isSame(matter.words, words));
      const isAgain = found.some((matter) => isSame(matter.words, words));
      if (!isAgain) found.push({ ref, text: said, manner, words, names, isReport, at, rounds: 0, remarks: 0 });
    }
    if (text === '') return;
    for (const matter of this.#matters) matter.remarks++;
    const isOver = ({ isReport: wasReport, manner, remarks }: Matter): boolean =>
      !wasReport && manner === 'status' && remarks >= mostRemarks;
    this.#matters = [...this.#matters.filter((matter) => !isOver(matter)), ...found].slice(-mostKept);
  }

  /** Words about something done settle what they are about. */
  #settleBy(said: string): void {
    if (!settledWords.test(said)) return;
    const words = tellingWords(said);
    this.#drop((matter) => {
      const shared = [...matter.words].filter((word) => words.has(word)).length;
      return (
        shared >= Math.min(leastWords, matter.words.size) &&
        matter.words.size > 0 &&
        shared >= matter.words.size * settledShare
      );
    });
  }

  /** Takes in a call that worked: files that it wrote, what it checked, and what it did outside. */
  act({ type, target, ok }: Action, { written, checks }: Deeds): void {
    if (this.#matters.length === 0 || ok === false) return;
    const files = written.map((path) => path.toLowerCase().split(/[\\/]/).at(-1) ?? '');
    const acts = type === 'run' ? tracedActs.filter(({ command }) => command.test(unquoted(target))) : [];
    const read = type === 'run' || files.length > 0 ? undefined : target.toLowerCase().replace(/^\//, '');
    this.#drop(({ names, text, manner }) => {
      if (names.some((name) => files.includes(name))) return true;
      if (read !== undefined) return manner === 'next' && names.includes(read);
      // What was to be made is not made by a run of it.
      if (manner === 'later') return false;
      return acts.some(({ said }) => said.test(text)) || checks.some((check) => checkWords[check]?.test(text));
    });
  }

  /** A person spoke: what was offered is taken or not, and what is old is over. */
  ask(text: string, { isEnded, isAssent }: { readonly isEnded: boolean; readonly isAssent: boolean }): void {
    if (this.#matters.length === 0) return;
    const words = tellingWords(text);
    this.#matters = this.#matters.filter((matter) => {
      const { manner, isReport, rounds } = matter;
      if (isEnded && !isAssent) matter.rounds++;
      if (manner === 'next') return isAssent && rounds === 0;
      if (manner === 'offer' && (isAssent || noWords.test(text))) return false;
      if (isEnded && !isReport && (manner === 'status' || manner === 'later')) return false;
      return matter.rounds <= mostRounds[manner] && !isSame(matter.words, words);
    });
  }

  /** Drops what is settled. Who works at an entry of a list of steps is done with those before it. */
  #drop(isSettled: (matter: Matter) => boolean): void {
    const settled = this.#matters.filter(isSettled);
    if (settled.length === 0) return;
    const isPassed = (matter: Matter): boolean =>
      matter.manner === 'next' && settled.some(({ ref, at }) => ref === matter.ref && matter.at <= at);
    this.#matters = this.#matters.filter((matter) => !settled.includes(matter) && !isPassed(matter));
    // A list that is worked through stays.
    for (const matter of this.#matters) if (settled.some(({ ref }) => ref === matter.ref)) matter.rounds = 0;
  }

  facts(): LedgerFacts['outstanding'] {
    // What has to be before something else stands last, as the newest do.
    return this.#matters
      .toSorted((a, b) => Number(a.manner === 'duty') - Number(b.manner === 'duty'))
      .map(({ ref, text }) => ({ ref, text }));
  }
}

const isSame = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  words.size > 0 && Math.max(shareOf(words, others), shareOf(others, words)) >= sameShare && shareOf(words, others) > 0;

/** A command without the texts that it is given. */
const unquoted = (command: string): string => command.replace(/"[^"]*"?|'[^']*'?/g, '');

/** What a sentence calls the checks of a kind. */
const checkWords: Readonly<Record<string, RegExp>> = {
  tests: /\btests?\b|测试|テスト|테스트/i,
  lint: /\blint/i,
  types: /\btypes?\b|typecheck|tsc\b/i,
  build: /\bbuilds?\b|compil|构建|ビルド|빌드/i,
};

const fileName = /[\w@.-]+\.[a-z]\w{0,5}\b/gi;
const inCode = /`([^`\n]{2,80})`/g;

function namesIn(text: string): readonly string[] {
  const files = [...text.matchAll(fileName)].map(([name]) => name.toLowerCase());
  return [...files, ...[...text.matchAll(inCode)].map(([, name = '']) => name.toLowerCase().replace(/^\//, ''))];
}

// What a text states, sentence by sentence.

const point = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/;
const ticked = /^\s*(?:[-*•]|\d{1,3}[.)])?\s*(?:\[[xX]\]|[✅✓✔☑]|~~)|[✅✓✔☑]\s*$/u;
const heading = /^(?:#{1,6}\s|\*\*[^*]+\*\*[:：]?$)|[:：]\**$/;
const headingChars = 80;

/** What leads to something behind other sentences is no heading. */
const isHeading = (line: string): boolean =>
  line.length <= headingChars && heading.test(line) && (line.startsWith('#') || !sentenceBreak.test(line));

function* statementsIn(text: string, place: Place): Generator<Statement> {
  let list: Manner | undefined;
  let at = 0;
  for (const raw of text.replace(/```[\s\S]*?(?:```|$)/g, '').split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('|') || line.startsWith('>')) continue;
    const isPoint = point.test(line);
    if (!isPoint && isHeading(line)) {
      [list, at] = [listUnder(line, place), 0];
      continue;
    }
    if (!isPoint) list = undefined;
    const words = flat(line.replace(point, '').replaceAll('**', ''));
    if (ticked.test(line)) yield { text: words, manner: undefined, at };
    else if (isPoint && list) yield { text: words, manner: list, at: at++ };
    else yield* sentencesOf(words, place);
  }
}

function listUnder(line: string, { isReport, hasWorked }: Place): Manner | undefined {
  const words = line.replace(/`[^`]*`/g, '');
  if (announcements.test(words) || nothingOutstanding.test(words) || settledWords.test(words)) return undefined;
  if (leftHeadings.test(words)) return hasWorked ? 'left' : undefined;
  return isReport && nextHeadings.test(words) ? 'next' : undefined;
}

/** Where a sentence ends and another one begins, in scripts without capitals too. */
const sentenceBreak =
  /(?<=[\p{L}\p{N}`)\]"'*][.!?]["')\]*_]*)\s+(?=`|["'(*_[]*[\p{Lu}\p{Lo}\p{N}])|(?<=[。！？])\s*(?=\S)|(?<=[?!])(?=[\u3040-\ud7af])/u;
/** Longer sentences are read clause by clause. */
const mostSentence = 160;

function* sentencesOf(line: string, place: Place): Generator<Statement> {
  const sentences = line.split(sentenceBreak);
  for (const [at, sentence] of sentences.entries()) {
    const next = sentences[at + 1] ?? '';
    const clauses = sentence.length > mostSentence ? sentence.split(/(?<=[;；])\s*/) : [sentence];
    for (const text of clauses) {
      const manner = mannerOf(text, place);
      // What is announced right behind it is being done about it.
      const isActedOn = manner !== undefined && !place.isReport && announcements.test(next);
      const isPutOff = !place.isReport && firstWords.test(next) && announcements.test(text) && namesIn(text).length > 0;
      const other = isPutOff ? 'later' : place.isReport && isOffer(text) ? 'offer' : undefined;
      yield { text, manner: other ?? (isActedOn ? undefined : manner), at: 0 };
    }
  }
}

/** True for "shall I do this, or is there anything else?": who names something else leaves this for afterwards. */
function isOffer(sentence: string): boolean {
  const clauses = questionEnds.test(sentence) ? sentence.split(alternatives) : [];
  const idle = clauses.filter((clause) => idleRemarks.test(clause)).length;
  return idle > 0 && idle < clauses.length;
}

const mostClause = 400;

function mannerOf(text: string, { isReport, hasWorked }: Place): Manner | undefined {
  if (text.length > mostClause || !outstandingHints.test(text)) return undefined;
  const plain = text.replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, '_');
  const duty = gateWords.test(plain) ? dutyWords.exec(plain) : null;
  const found = duty ?? outstandingWords.exec(plain);
  if (found === null || nothingOutstanding.test(plain) || conditionBefore.test(plain.slice(0, found.index)))
    return undefined;
  const behind = plain.slice(found.index);
  if (conditionBehind.test(behind) || idleRemarks.test(plain)) return undefined;
  // What is not there yet is how things are; what was left undone for a reason is settled.
  if (!(isReport && hasWorked) && absenceWords.test(plain)) return undefined;
  if (becauseWords.test(behind) && !soFarWords.test(plain)) return undefined;
  if (announcements.test(text) || questionEnds.test(text) || closingRemarks.test(plain) || handOvers.test(plain))
    return undefined;
  return duty ? 'duty' : 'status';
}
