/** The small words of English, by what they do in a sentence: what shows what a status word means there. */

/** The words of a list that is written with blanks between them. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Signs after which something new is said. */
export const clauseSigns: ReadonlySet<string> = wordSet(
  '. ; ! ? : — – | ( ) [ ] { } → ⇒ , … • · ✅ ❌ ✓ ✔ ✗ ✘ 。 ， ； ： 、',
);

/** Articles and their kin. */
export const determiners: ReadonlySet<string> = wordSet(
  `the a an this that these those its our my your his their any each every some per another which whose what
   several many few more most other such following same first second third last next previous`,
);

/** Prepositions. */
export const prepositions: ReadonlySet<string> = wordSet(
  `of for with from in on by at into onto about after before between during through via against within without
   across under over upon like than as per to inside outside besides beyond despite toward towards`,
);

/** Verbs that help another verb. */
export const auxiliaries: ReadonlySet<string> = wordSet(
  `is are was were am be been being has have had do does did get gets got getting having became become remains
   remain stays stayed went`,
);

/** They make what follows a wish, a plan, a condition or a guess. */
export const modals: ReadonlySet<string> = wordSet("will would should shall can could may might must 'll 'd to");

/** Words that deny the verb behind them. */
export const plainNegations: ReadonlySet<string> = wordSet('not never cannot');

/** Adverbs that may stand between a subject and its verb. */
export const adverbs: ReadonlySet<string> = wordSet(
  `yet been be being now already just also all both still currently actually ever even again only partially then
   recently finally previously automatically accidentally fully half almost nearly once later since so far thus
   otherwise subsequently manually always often sometimes usually probably possibly perhaps maybe apparently either
   together immediately simply merely well too indeed really very never not long entirely mostly largely
   today yesterday twice thrice locally remotely cleanly out up down first consistently repeatedly intermittently`,
);

/** Words that may follow a verb without being its object or a noun that it describes. */
export const closers: ReadonlySet<string> = wordSet(
  `and or but because since so while when whenever if unless until although though however whereas where who which that
   there here i we you he she it they them us me him nor yet is are was were has have had will would should can could
   may might must do does did not`,
);

/** What tests, builds and checks are called. */
export const checkNouns: ReadonlySet<string> = wordSet(
  `test tests testing suite suites testsuite ci build builds lint lints linter linting typecheck typechecks type-check
   type-checks typechecking type-checking tsc check checks pipeline pipelines spec specs case cases compilation compile
   e2e unit integration pytest jest vitest mocha eslint biome prettier clippy mypy ruff cargo rspec phpunit validation
   verification workflow workflows job jobs run runs assertion assertions smoke regression regressions review qa gate
   gates format formatting hook hooks pre-commit benchmark benchmarks scenario scenarios step steps`,
);

/** Words for now. */
export const currentWords: ReadonlySet<string> = wordSet('now currently still presently');

/** Modals with their negation. */
export const deniedModals: ReadonlySet<string> = wordSet(
  "can't cannot won't shouldn't wouldn't mustn't needn't mightn't",
);

/** `it's`, `they're`, `we've`: the subject is in the same word, and the chain ends. */
export const shortAuxiliary: RegExp = /'(?:s|re|ve|d|m)$/;

/** Before a verb they make a wish, a plan, a guess or advice of it. */
export const wishes: ReadonlySet<string> = wordSet(
  `need needs want wants wanted planned planning hope hopes hoping intend intends try tries trying tried
   attempting attempted ensure ensures ensuring if unless whether would should will shall might may can
   must could expect expects expected expecting supposed appears appear seems seem assume assumes assuming presumably
   likely probably possibly perhaps maybe please let's require requires required awaiting
   consider considering recommend recommended suggest suggests avoid avoids prevent prevents`,
);

/** Nouns as well: a plan to do something is a wish, an entry of a plan is none. */
export const intentions: ReadonlySet<string> = wordSet(
  'plan plans goal goals aim aims attempt attempts idea todo task',
);

/** With a past tense after them they tell what happened; else a condition or a time to come. */
export const timeWords: ReadonlySet<string> = wordSet('when whenever once until till before after');

/** In the imperative, what follows is to be found out: "Verify that all tests pass". */
export const enquiries: ReadonlySet<string> = wordSet(
  'verify check confirm ensure see make test investigate rerun re-run run get keep wait find watch',
);

/** Words with which another clause begins. */
export const turnWords: ReadonlySet<string> = wordSet(
  'but although though however because since whereas so yet while which as',
);

/** Right behind a verb they make a habit of it. */
export const conditionWords: ReadonlySet<string> = wordSet('when whenever if unless until');

/** Forms of "to be" that make a participle passive. */
export const being: RegExp =
  /^(?:is|are|was|were|am|be|been|being|got|get|gets|getting|remains?|stays?|wasn't|weren't|isn't|aren't)$|'(?:re|s)$/;

/** Status verbs that take no object. */
export const intransitiveVerbs: ReadonlySet<string> = wordSet('pass succeed compile fail crash error');

/** Who or what does something, right before the verb. */
export const subjectWords: ReadonlySet<string> = wordSet(
  `i we it they he she you this which who agent assistant user claude codex model commit pr mr change patch script
   migration worker subagent team release that's also then and successfully`,
);

/** Nouns of a heading such as `Created files:`. */
export const labelNouns: ReadonlySet<string> = wordSet(
  `files file tests test issues tasks task bugs components sections changes commits features steps step modules
   functions code work lines endpoints cases actions todos prs requests branches values fields hunks documents`,
);

/** Nouns that `fixed` only describes. */
export const measureNouns: ReadonlySet<string> = wordSet(
  'size sized width height length point position number rate price cost set amount time date interval delay order layout',
);

/** What may follow `works`. */
export const wellWorking: ReadonlySet<string> = wordSet(
  'now again correctly properly fine as reliably perfectly locally end-to-end everywhere too well and but again flawlessly yet anymore',
);
