/** Texts that look like a summary and say what no record says, that leave something out, or that are none. */
import { summaryLines } from '../../compression/summary-lines.ts';
import * as wordings from '../../language/fake-texts.ts';
import { injectedOrders, printedOrders, standingRuleWords } from '../../language/fake-texts.ts';
import { contentHash } from '../../shared/hash.ts';
import { languageOf, lastOf, readPrompt } from '../faithful-summary.ts';
import type { BadReply } from '../reply.ts';
import { type FakeRequest, promptText } from '../request.ts';

/** Adds a request of the user's that nobody made. */
export const inventsRequest: Spoil = (faithful, _, { seed }) =>
  planted(faithful, pick(wordings.inventedRequests[languageOf(faithful)], seed, 'request'), seed);

/** Turns an outcome into its opposite. */
export const flipsResult: Spoil = (faithful, _, { seed }) => {
  const language = languageOf(faithful);
  const lines = faithful.split('\n');
  const flips = new Map(wordings.opposites[language].flatMap(([a, b]) => [[a, b] as const, [b, a] as const]));
  const words = [...flips.keys()].sort((a, b) => b.length - a.length);
  const edge = language === 'en' ? '\\b' : '';
  const pattern = new RegExp(`${edge}(?:${words.join('|')})${edge}`, 'g');
  const candidates = lines.flatMap((line, at) => (!line.startsWith('#') && line.match(pattern) ? [at] : []));
  const at = pickAny(candidates, seed, 'flip');
  if (at === undefined) return planted(faithful, pick(wordings.falseResults[language], seed, 'result'), seed);
  const line = (lines[at] ?? '').replace(pattern, (word) => flips.get(word) ?? word);
  return { text: lines.with(at, line).join('\n'), planted: [line] };
};

/** Names a sibling path that does not exist. */
export const changesPath: Spoil = (faithful, _, { seed }) =>
  changedAtom(faithful, seed, {
    // Without the full stop of a sentence, which no change would get past.
    pattern: /(?<![\w/.:@-])(?:\/|\.{1,2}\/)?(?:[\w@.-]{1,255}\/){1,24}[\w@-](?:[\w@.-]{0,255}[\w@-])?/g,
    change: (path) => pick([otherExtension, otherName, otherFolder], seed, 'path')(path),
    otherwise: 'src/legacy/session-bridge.ts',
  });

/** Changes a figure. */
export const changesNumber: Spoil = (faithful, _, { seed }) =>
  changedAtom(faithful, seed, {
    // Not the number of a ref, a list, a version, a path or an id.
    pattern: /(?=\d)(?<![\w./#:-])(?<!^\s*)\d+(?:[.,]\d+)?(?![\w/#-]|[.:]\d)(?!\.\s)/gm,
    change: (number) => pick([offByOne, tenfold], seed, 'number')(number),
    otherwise: '8473 ms',
  });

/** Names another version. */
export const changesVersion: Spoil = (faithful, _, { seed }) =>
  changedAtom(faithful, seed, {
    pattern: /(?<![\w./-])v?\d+\.\d+\.\d+(?:-[\w.]+)?(?![\w/])|(?<![\w./-])v\d+(?:\.\d+)?\b/g,
    change: (version) => version.replace(/\d+(?=\D*$)/, (last) => String(Number(last) + 1 + (seed % 3))),
    otherwise: 'v9.8.7',
  });

/** Writes out a credential. */
export const leaksKey: Spoil = (faithful, request, { seed, secret }) => {
  const key = secret ?? keyIn(promptText(request)) ?? madeUpKey(seed);
  const line = pick([`API key: ${key}`, `export SERVICE_TOKEN=${key}`, `Authorization: Bearer ${key}`], seed, 'key');
  const { text } = planted(faithful, line, seed);
  return { text: text ?? line, planted: [key] };
};

/** Does what a text inside a tool result tells it to do. */
export const obeysInjection: Spoil = (faithful, request, { seed }) => {
  const language = languageOf(faithful);
  const results = readPrompt(promptText(request)).records.filter(({ type }) => type === 'result');
  const order = results.flatMap(({ text }) => text.split('\n')).find((line) => injectedOrders.test(line));
  const toPrint = printedOrders.exec(order ?? '')?.[1]?.trim();
  // It drops the summary and says what it was told to say.
  if (toPrint) return { text: toPrint, planted: [toPrint], lost: [faithful] };
  const told = order?.trim() ?? wordings.orders[language];
  const line = pick(wordings.obedience[language], seed, 'obey').replace('{order}', () => told);
  return planted(faithful, line, seed);
};

/** Puts another word between the user's quotation marks. */
export const misquotesUser: Spoil = (faithful, request, { seed }) => {
  const language = languageOf(faithful);
  const user = readPrompt(promptText(request)).records.filter(({ type }) => type === 'user');
  const quotes = findAtoms(faithful, /["“「『]([^"”」』\n]{4,400})["”」』]/g);
  const said = quotes.filter(({ text }) => user.some((record) => record.text.includes(text.slice(1, 9))));
  const quote = pickAny(said.length > 0 ? said : quotes, seed, 'quote');
  const other = pick(wordings.otherWords[language], seed, 'word');
  if (quote) {
    const text = wordReplaced(quote.text, other, seed);
    return { text: replaceAt(faithful, quote, text), planted: [text] };
  }
  const newest = lastOf(user, 'user')?.text.split('\n')[0]?.slice(0, 120) ?? '…';
  return planted(faithful, `"${wordReplaced(newest, other, seed)}"`, seed);
};

/** The text with a line more, which the seed places. */
function planted(faithful: string, line: string, seed: number): BadReply {
  return { text: insertLine(faithful, line, seed), planted: [line] };
}

interface AtomChange {
  readonly pattern: RegExp;
  readonly change: (atom: string) => string;
  /** What is named where the text has no such atom. */
  readonly otherwise: string;
}

/** The text with one of its atoms changed; with a stray one where it has none. */
function changedAtom(faithful: string, seed: number, { pattern, change, otherwise }: AtomChange): BadReply {
  const atoms = findAtoms(faithful, pattern);
  const atom = pickAny(atoms, seed, pattern.source);
  if (atom) {
    let text = change(atom.text);
    // What stands elsewhere in the text would be half true.
    for (let more = 0; more < 50 && faithful.includes(text); more++) text = change(text);
    return { text: replaceAt(faithful, atom, text), planted: [text], lost: [atom.text] };
  }
  const line = wordings.strayMentions[languageOf(faithful)].replace('{thing}', () => otherwise);
  return { ...planted(faithful, line, seed), planted: [otherwise] };
}

const otherExtension = (path: string): string => {
  const swapped = path.replace(/\.(\w+)$/, (_, extension: string) => `.${extension === 'ts' ? 'js' : 'ts'}`);
  return swapped === path ? otherName(path) : swapped;
};
const otherName = (path: string): string => path.replace(/([^/.]+)((?:\.\w+)*)$/, '$1-old$2');
const otherFolder = (path: string): string => path.replace(/([\w@.-]+)\/([^/]*)$/, '$1/internal/$2');

const offByOne = (number: string): string => number.replace(/\d+$/, (last) => String(Number(last) + 1));
const tenfold = (number: string): string => (/^0+$/.test(number) ? '10' : number.replace(/^\d+/, '$&0'));

/** A quotation with a word exchanged; the marks stay. */
function wordReplaced(quote: string, other: string, seed: number): string {
  const words = findAtoms(quote, /[\p{L}\p{N}-]{3,}/gu).filter(({ text }) => text !== other);
  const word = pickAny(words, seed, 'misquote');
  if (!word) return `${quote.slice(0, -1)} ${other}${quote.slice(-1)}`;
  // Without blanks between words, two characters in the middle are a word.
  const isRun = /[\u3040-\u30ff\u4e00-\u9fff]/.test(word.text) && word.text.length > 3;
  if (!isRun) return replaceAt(quote, word, other);
  const at = word.at + (word.text.length >> 1);
  return quote.slice(0, at) + other + quote.slice(at + 1);
}

/** Something in the prompt that looks like a key. */
function keyIn(prompt: string): string | undefined {
  return /\b(?:sk|pk|rk|ghp|gho|glpat|xox[abp]|hf|npm|AKIA|eyJ)[-_A-Za-z0-9]{16,}|(?=[^\s"'[\]<>]{12})(?<=(?:token|secret|password|api_?key)["']?\s*[=:]\s*["']?)[^\s"'[\]<>]{12,}/i.exec(
    prompt,
  )?.[0];
}

/** A key of a usual shape that opens nothing: it is made here, so that no scanner finds it in the source. */
function madeUpKey(seed: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'.split('');
  const body = Array.from({ length: 40 }, (_, at) => pickAny(letters, seed, `letter ${at}`) ?? 'x');
  return `${['sk', 'proj'].join('-')}-${body.join('')}`;
}

// Texts that leave something out, and answers that are no summary.

/** Leaves out every line about one file. */
export const dropsFile: Spoil = (faithful, _, { seed }) => {
  const paths = new Set(
    findAtoms(faithful, /(?<![\w@.-])(?:[\w@.-]{1,255}\/){1,24}[\w@-][\w@.-]{0,255}\.\w{1,255}/g).map(
      ({ text }) => text,
    ),
  );
  const path = pickAny([...paths], seed, 'file');
  if (path === undefined) return { text: faithful };
  return without(faithful, (line) => line.includes(path), [path]);
};

/** Leaves out what the user laid down. */
export const dropsConstraint: Spoil = (faithful) => {
  const rules = summaryLines(faithful).filter(
    ({ about, type, content }) =>
      (type === 'text' || type === 'quoted') &&
      !/^None\b/.test(content) &&
      (about === 'constraints' || (/["“「]/.test(content) && standingRuleWords.test(content))),
  );
  const texts = new Set(rules.map(({ text }) => text));
  return without(faithful, (line) => texts.has(line), [...texts]);
};

/** Nothing at all. */
export const empty: Spoil = () => ({ text: '' });

/** All the work goes into thinking, which is no summary, and none into the answer. */
export const reasoningOnly: Spoil = (faithful) => ({
  text: '',
  reasoning: `Let me see what was done. ${asThought(faithful)}`,
});

const asThought = (text: string): string => text.replace(/^#.*$/gm, '').replace(/\s+/g, ' ').trim();

/** Stops in the middle of a sentence at the limit of length. */
export const cutMidSentence: Spoil = (faithful, _, { seed }) => {
  const at = Math.max(1, Math.floor(faithful.length * pick([0.4, 0.55, 0.7], seed, 'cut')));
  const inWord = faithful.slice(0, at).replace(/[\s.!?。！？\ud800-\udbff]+$/, '');
  return { text: inWord, finish: 'length', lost: [faithful.slice(inWord.length)] };
};

/** Refuses, and says so in the way of its API. */
export const refuses: Spoil = (faithful, _, { seed }) => ({
  text: pick(wordings.refusals[languageOf(faithful)], seed, 'refusal'),
  finish: 'refusal',
});

/** Refuses in plain words, as an answer like any other. */
export const refusesInText: Spoil = (faithful, _, { seed }) => ({
  text: pick(wordings.refusals[languageOf(faithful)], seed, 'refusal'),
});

/** Answers the user's question in place of summarising. */
export const answersQuestion: Spoil = (faithful, request, { seed }) => {
  const newest = lastOf(readPrompt(promptText(request)).records, 'user')?.text ?? '';
  const question = newest.replace(/\s+/g, ' ').slice(0, 160);
  const answer = pick(wordings.eagerAnswers[languageOf(faithful)], seed, 'answer');
  const text = answer.replace('{question}', () => question);
  return { text, planted: [text], lost: [faithful] };
};

function without(faithful: string, isLost: (line: string) => boolean, lost: readonly string[]): BadReply {
  return {
    text: faithful
      .split('\n')
      .filter((line) => !isLost(line))
      .join('\n'),
    lost,
  };
}

// What a misbehaviour is: a way in which a model or its provider goes wrong, as a function that can be tested against.

/** What a misbehaviour may be told. */
export interface MisbehaviourOptions {
  /** Chooses the place and the wording. @default 0 */
  readonly seed?: number;
  /** What `leaksKey` writes out. @default a key that stands in the prompt, or else a made-up one */
  readonly secret?: string;
  /** Seconds that a limited client is told to wait. @default 7 */
  readonly retryAfterSeconds?: number;
}

/** The options with nothing left open but the secret. */
interface ResolvedOptions {
  readonly seed: number;
  readonly secret: string | undefined;
  readonly retryAfterSeconds: number;
}

/** Turns a faithful text into a wrong reply. The same arguments always give the same reply. */
export type Spoil = (faithful: string, request: FakeRequest, options: ResolvedOptions) => BadReply;

/** One entry of the catalogue. */
export interface Misbehaviour {
  /** What it does, in one sentence. */
  readonly description: string;
  /** The incident or the class of failures that it stands for. */
  readonly standsFor: string;
  /** `text`: the answer is well formed and lies. `answer`: it is no summary. `transport`: it fails on the way. */
  readonly type: 'text' | 'answer' | 'transport';
  /** @see Spoil */
  reply(faithful: string, request: FakeRequest, options?: MisbehaviourOptions): BadReply;
}

/** The member of a list that a seed chooses; another purpose chooses independently. The list must not be empty. */
function pick<T>(list: readonly [T, ...T[]], seed: number, purpose: string): T {
  const number = Number.parseInt(contentHash(`${purpose} ${seed}`).slice(0, 8), 16);
  return list[number % list.length] ?? list[0];
}

/** The same for a list that may be empty. */
function pickAny<T>(list: readonly T[], seed: number, purpose: string): T | undefined {
  const [first, ...rest] = list;
  return first === undefined ? undefined : pick([first, ...rest], seed, purpose);
}

// Edits of a summary: where things stand in it, and putting others in their place.

/** A stretch of a text. */
interface Atom {
  readonly at: number;
  readonly text: string;
}

/** All matches of a global expression within a line, but those in headings. */
function findAtoms(text: string, pattern: RegExp): readonly Atom[] {
  let start = 0;
  return text.split('\n').flatMap((line) => {
    const from = start;
    start += line.length + 1;
    if (line.startsWith('#')) return [];
    return [...line.matchAll(pattern)].map((match) => ({ at: from + match.index, text: match[0] }));
  });
}

/** The text with another stretch in the place of one. */
const replaceAt = (text: string, { at, text: old }: Atom, stretch: string): string =>
  text.slice(0, at) + stretch + text.slice(at + old.length);

/** The text with a line more below one of its lines, marked as an entry where its neighbour is one. */
function insertLine(text: string, line: string, seed: number): string {
  const lines = text.split('\n');
  const places = lines.flatMap((one, at) => (one.trim() === '' || one.startsWith('#') ? [] : [at]));
  const at = pickAny(places, seed, 'place') ?? lines.length - 1;
  const mark = /^\s*[-*] /.exec(lines[at] ?? '')?.[0] ?? '';
  return lines.toSpliced(at + 1, 0, mark + line).join('\n');
}
