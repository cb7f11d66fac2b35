/**
 * A line of English as words and signs, and what stands around a status word there: its auxiliaries, what denies it, and
 * what makes it a wish or a plan.
 */

import {
  adverbs,
  auxiliaries,
  clauseSigns,
  closers,
  conditionWords,
  currentWords,
  deniedModals,
  determiners,
  enquiries,
  intentions,
  modals,
  plainNegations,
  prepositions,
  shortAuxiliary,
  timeWords,
  turnWords,
  verbForms,
  wishes,
} from '../../../language/english-statuses.ts';
import { codeMark, quoteMark } from './quotes.ts';

export interface Token {
  /** Small letters, straight apostrophes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** `wide` is a run of letters of another script, `mark` a code span or a quotation. */
  readonly type: 'word' | 'number' | 'mark' | 'wide' | 'sign';
}

/** Names such as `src/a.ts`, `--fixed` and `isDone` are one word each, so that no part of them is read as a status. */
const tokenShapes = new RegExp(
  [
    `[${codeMark}${quoteMark}]+`,
    String.raw`[@#$~./\\-]*[\p{Script=Latin}\d_]+(?:['’./@#\\&+-]+[\p{Script=Latin}\d_]+)*%?`,
    String.raw`[\u2e80-\u2fff\u3005-\u3007\u3041-\u30ff\u3131-\u318e\u3400-\u9fff\uac00-\ud7a3]+`,
    String.raw`[^\s*]`,
  ].join('|'),
  'gu',
);

/** The tokens of a masked line, without marks of emphasis. Linear. */
export function tokensOf(line: string): readonly Token[] {
  return [...line.matchAll(tokenShapes)].map(({ 0: text, index: start }): Token => {
    const end = start + text.length;
    return { text: text.toLowerCase().replaceAll('’', "'"), start, end, type: typeOf(text) };
  });
}

function typeOf(text: string): Token['type'] {
  if (text.startsWith(codeMark) || text.startsWith(quoteMark)) return 'mark';
  if (/^[#~]?\d[\d.,/]*%?$/.test(text)) return 'number';
  if (/[\p{Script=Latin}\d_]/u.test(text)) return 'word';
  return /^[\u2e80-\ud7a3]/.test(text) && !/^[\u3000-\u3004\u3008-\u303f]/.test(text) ? 'wide' : 'sign';
}

/** A noun that the word before it may describe, or its object: a word of no other kind. */
export const isNoun = (token: Token | undefined): boolean =>
  token?.type === 'word' &&
  !prepositions.has(token.text) &&
  !closers.has(token.text) &&
  !determiners.has(token.text) &&
  !adverbs.has(token.text) &&
  !/ly$|n't$/.test(token.text);

/** Something that a verb can act on. */
export const isObject = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.type === 'mark' ||
    token.type === 'number' ||
    determiners.has(token.text) ||
    isNoun(token) ||
    /^(?:it|them|all|both)$/.test(token.text));

/** The end of a clause, or of the line. */
export const isSign = (token: Token | undefined): boolean => token === undefined || clauseSigns.has(token.text);

/** The small words right before a verb: `has not yet been`. */
export interface Chain {
  /** Index of the first of them; that of the verb where there is none. */
  readonly first: number;
  readonly negation: number | undefined;
  /** Index of the first auxiliary; it may stand before another verb that this one is joined to by `and`. */
  readonly auxiliary: number | undefined;
  /** The auxiliaries as they read, from the verb backwards. */
  readonly auxiliaries: readonly string[];
  /** A modal verb or an infinitive. */
  readonly modal: string | undefined;
  /** `now`, `currently`, `still` among them. */
  readonly current: boolean;
}

/** @param joints how many verbs back an auxiliary is looked for; few sentences join more */
export function chainBefore(tokens: readonly Token[], at: number, joints = 4): Chain {
  let first = at;
  let negation: number | undefined;
  let auxiliary: number | undefined;
  const found: string[] = [];
  let modal: string | undefined;
  let current = false;
  for (let i = at - 1; i >= 0; i--) {
    const { text = '', type } = tokens[i] ?? {};
    if (type !== 'word') break;
    const isShort = shortAuxiliary.test(text) && !text.endsWith("n't");
    if (plainNegations.has(text) || text.endsWith("n't")) negation = i;
    if (modals.has(text) || deniedModals.has(text)) modal = text;
    else if (auxiliaries.has(text) || isShort || (text.endsWith("n't") && text !== "couldn't")) {
      auxiliary = i;
      found.push(text);
    } else if (currentWords.has(text)) current = true;
    else if (!plainNegations.has(text) && text !== "couldn't" && !adverbs.has(text) && !/.ly$/.test(text)) break;
    if (text === "couldn't") modal = 'could';
    first = i;
    if (isShort) break;
  }
  const own: Chain = { first, negation, auxiliary, auxiliaries: found, modal, current };
  return auxiliary === undefined && modal === undefined && joints > 0 ? joined(tokens, own, joints) : own;
}

/** `was built and pushed`, `not fixed or tested`: the second verb takes the auxiliary of the first. */
function joined(tokens: readonly Token[], own: Chain, joints: number): Chain {
  const joint = tokens[own.first - 1]?.text ?? '';
  const before = tokens[own.first - 2];
  if (!['and', 'or', 'nor', ','].includes(joint) || before?.type !== 'word') return own;
  const at = joint === ',' || before.text !== ',' ? own.first - 2 : own.first - 3;
  if (verbForms.get(tokens[at]?.text ?? '')?.form !== 'past') return own;
  const other = chainBefore(tokens, at, joints - 1);
  const denies = joint === 'or' || joint === 'nor';
  return {
    ...own,
    auxiliary: other.auxiliary,
    auxiliaries: [...own.auxiliaries, ...other.auxiliaries],
    modal: other.modal,
    negation: own.negation ?? (denies ? other.negation : undefined),
  };
}

const breaks: ReadonlySet<string> = new Set([...clauseSigns].filter((sign) => !'[]{}'.includes(sign)));

/** True when the words before the verb, or the end of its sentence, make it something else than a report. */
export function isHedged(
  tokens: readonly Token[],
  at: number,
  { chain, past }: { chain: Chain; past: boolean },
): boolean {
  const { modal, negation } = chain;
  if (tokens.slice(chain.first, at).some(({ text }) => text === 'once')) return true;
  if (modal !== undefined && !(modal === 'could' && negation !== undefined)) return true;
  if (chain.auxiliaries.some((word) => word === 'being' || word === 'get' || word === 'getting')) return true;
  return hedgedBefore(tokens, { chain, past }) || hedgedAfter(tokens, at, past);
}

function hedgedBefore(tokens: readonly Token[], { chain, past }: { chain: Chain; past: boolean }): boolean {
  const report = past && !chain.auxiliaries.some((word) => /^(?:is|are|be|has|have)$|'(?:s|re|ve)$/.test(word));
  for (let i = chain.first - 1; i >= 0; i--) {
    const { text = '' } = tokens[i] ?? {};
    const opens = i === 0 || breaks.has(tokens[i - 1]?.text ?? '');
    if (breaks.has(text) || turnWords.has(text)) return false;
    if (wishes.has(text)) return !(text === 'could' && tokens[i + 1]?.text === 'not');
    if (intentions.has(text) && /^(?:to|is|was|for)$/.test(tokens[i + 1]?.text ?? '')) return true;
    if (timeWords.has(text) && (!report || i === chain.first - 1)) return true;
    if (enquiries.has(text) && (opens || tokens[i - 1]?.text === 'to')) return true;
    if (text === 'sure' || (text === 'that' && tokens[i - 1]?.text === 'so')) return true;
  }
  return false;
}

function hedgedAfter(tokens: readonly Token[], at: number, past: boolean): boolean {
  if (!past && conditionWords.has(tokens[at + 1]?.text ?? '')) return true;
  for (let i = at + 1; i < tokens.length; i++) {
    const { text = '' } = tokens[i] ?? {};
    if (text === '?') return true;
    if (text === '.' || text === ';' || text === '!') return false;
  }
  return false;
}

/** `no tests`, `none of them`, `nothing`, `not all`: a subject that turns the verb into its opposite. */
export function denyingSubject(tokens: readonly Token[], first: number): number | undefined {
  for (let i = first - 1; i >= Math.max(0, first - 6); i--) {
    const { text = '', type } = tokens[i] ?? {};
    if (type === 'sign') return undefined;
    if (/^(?:no|none|nothing|neither|nobody|zero|0)$/.test(text)) return i;
    if (/^(?:all|every|both|everything)$/.test(text) && tokens[i - 1]?.text === 'not') return i - 1;
    if (type === 'word' && (auxiliaries.has(text) || turnWords.has(text) || verbForms.get(text)?.form === 'past'))
      return undefined;
  }
  return undefined;
}
