/** A line of English as words and signs, with the kinds of small words that show what a status word means there. */
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

export const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Signs after which something new is said. */
export const clauseSigns: ReadonlySet<string> = words(
  '. ; ! ? : — – | ( ) [ ] { } → ⇒ , … • · ✅ ❌ ✓ ✔ ✗ ✘ 。 ， ； ： 、',
);

export const determiners: ReadonlySet<string> = words(
  `the a an this that these those its our my your his their any each every some per another which whose what
   several many few more most other such following same first second third last next previous`,
);
export const prepositions: ReadonlySet<string> = words(
  `of for with from in on by at into onto about after before between during through via against within without
   across under over upon like than as per to inside outside besides beyond despite toward towards`,
);
export const auxiliaries: ReadonlySet<string> = words(
  `is are was were am be been being has have had do does did get gets got getting having became become remains
   remain stays stayed went`,
);
/** They make what follows a wish, a plan, a condition or a guess. */
export const modals: ReadonlySet<string> = words("will would should shall can could may might must 'll 'd to");
export const negations: ReadonlySet<string> = words('not never cannot');

export const adverbs: ReadonlySet<string> = words(
  `yet been be being now already just also all both still currently actually ever even again only partially then
   recently finally previously automatically accidentally fully half almost nearly once later since so far thus
   otherwise subsequently manually always often sometimes usually probably possibly perhaps maybe apparently either
   together immediately simply merely well too indeed really very never not long entirely mostly largely
   today yesterday twice thrice locally remotely cleanly out up down first consistently repeatedly intermittently`,
);

/** Words that may follow a verb without being its object or a noun that it describes. */
const closers = words(
  `and or but because since so while when whenever if unless until although though however whereas where who which that
   there here i we you he she it they them us me him nor yet is are was were has have had will would should can could
   may might must do does did not`,
);

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

/** What tests, builds and checks are called. */
export const checks: ReadonlySet<string> = words(
  `test tests testing suite suites testsuite ci build builds lint lints linter linting typecheck typechecks type-check
   type-checks typechecking type-checking tsc check checks pipeline pipelines spec specs case cases compilation compile
   e2e unit integration pytest jest vitest mocha eslint biome prettier clippy mypy ruff cargo rspec phpunit validation
   verification workflow workflows job jobs run runs assertion assertions smoke regression regressions review qa gate
   gates format formatting hook hooks pre-commit benchmark benchmarks scenario scenarios step steps`,
);
