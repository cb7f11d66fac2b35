/** English: its small words by what they do in a sentence, and the words that tell how something stands. */
import { type Status, type StatusPattern, type StatusVerbs, statusPatterns } from './status.ts';

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

/** An English verb, with the status that it tells. */
export interface Verb {
  readonly base: string;
  readonly status: Status;
}

export type Form = 'base' | 'third' | 'past' | 'ing';

/** `fix` for the regular ones, else all of base, third person, past, participle and -ing form. */
const verbs: StatusVerbs = {
  passed: 'pass succeed compile',
  failed: 'fail crash error/errors/errored/errored/erroring',
  fixed: 'fix resolve solve correct repair patch address',
  done: `complete finish accomplish conclude verify test validate run/runs/ran/run/running execute
    review investigate do/does/did/done/doing`,
  undone: 'skip abort postpone cancel/cancels/cancelled/cancelled/cancelling',
  deleted: 'delete remove erase purge wipe/wipes/wiped/wiped/wiping drop',
  kept: 'keep/keeps/kept/kept/keeping preserve retain',
  created: 'create generate write/writes/wrote/written/writing build/builds/built/built/building scaffold',
  changed: `change update modify edit rename move replace rewrite/rewrites/rewrote/rewritten/rewriting refactor add
    implement extend touch migrate convert adjust revise`,
  committed: 'commit',
  pushed: 'push',
  merged: 'merge',
  released: 'release publish deploy ship',
  installed: 'install',
  stopped: 'stop kill terminate',
};

const doubled = /^(?:commit|drop|ship|skip|stop)$/;

function regular(base: string): readonly [string, string, string] {
  if (base.endsWith('e')) return [`${base}s`, `${base}d`, `${base.slice(0, -1)}ing`];
  if (/[^aeiou]y$/.test(base)) return [`${base.slice(0, -1)}ies`, `${base.slice(0, -1)}ied`, `${base}ing`];
  const stem = doubled.test(base) ? base + base.slice(-1) : base;
  return [/(?:s|x|sh|ch)$/.test(base) ? `${base}es` : `${base}s`, `${stem}ed`, `${stem}ing`];
}

/** A verb, and which of its forms a word is. */
export interface VerbForm {
  readonly verb: Verb;
  readonly form: Form;
}

/** Every form of every verb. `past` is the participle as well, which only the words around it can tell apart. */
export const verbForms: ReadonlyMap<string, VerbForm> = new Map(
  // The keys of the table are statuses, which Object.entries forgets.
  (Object.entries(verbs) as [Status, string][]).flatMap(([status, list]) =>
    list.split(/\s+/).flatMap((entry): [string, VerbForm][] => {
      const [base = '', third, past, participle, ing] = entry.split('/');
      const [ruleThird, rulePast, ruleIng] = regular(base);
      const verb: Verb = { base, status };
      return [
        [base, { verb, form: 'base' }],
        [third ?? ruleThird, { verb, form: 'third' }],
        [ing ?? ruleIng, { verb, form: 'ing' }],
        [past ?? rulePast, { verb, form: 'past' }],
        [participle ?? past ?? rulePast, { verb, form: participle === base ? 'base' : 'past' }],
      ];
    }),
  ),
);

const adjectives: StatusVerbs = {
  passed: 'successful green clean',
  failed: 'unsuccessful red broken',
  done: 'complete',
  undone: 'incomplete unfinished untested unverified unimplemented canceled',
  unfixed: 'unfixed unresolved unsolved',
  uncommitted: 'uncommitted',
  unpushed: 'unpushed',
  unmerged: 'unmerged',
  unreleased: 'unreleased',
  unchanged: 'unchanged unmodified untouched',
};

/** Words that say a status by themselves. */
export const statusAdjectives: ReadonlyMap<string, Status> = new Map(
  // The keys of the table are statuses, which Object.entries forgets.
  (Object.entries(adjectives) as [Status, string][]).flatMap(([status, words]) =>
    words.split(' ').map((word) => [word, status] as const),
  ),
);

/** Failures of which there may be none; not `error handling` or `errors array`. */
const trouble =
  '(?:(?:new|more|further|remaining|known|unexpected|build|test|type|lint|linter|compile|compiler|compilation|typescript|console|runtime|other|unit|integration|syntax|import) ){0,2}(?:errors?|failures?|problems?|issues?|regressions?|warnings?|diffs?|(?:failed|failing) (?:tests?|checks?|specs?|cases?|jobs?|steps?)|(?:tests?|checks?) failing)(?=$|[\\s,.;:!?)\\]|—–-]*(?:$|[^\\w\\s])| (?:were|was|are|is|in|on|found|detected|reported|remain|remaining|left|occurred|encountered|raised|and|or|but|so|after|during|at|with|from|across|anywhere|now|so far|yet|this|today|either|whatsoever|to report|seen)\\b)';

const test =
  '(?:unit |integration |e2e |regression )?(?:tests?|specs?|checks?|cases?|suites?|assertions?|jobs?|steps?)';

/** What may stand before a count that stands for itself, and is not what something else was done to. */
const countOpening =
  '(?<=^\\W{0,16}|[,;:.(|=/—–-] ?|[•·✅❌✓✗] ?|\\b(?:and|with|but|has|have|are|were|is|still|now|got|shows?|showed|leaves?|reports?|reported|remaining|result|results|tests|of which|only) )';

/** Where a word stands as the value of a label: `→ success`, `(new file)`, `Result: failure`. */
const label = '(?<=(?:→|⇒|->|=>|[:=—–|([])\\s{0,2}\\*{0,2})';

const labelEnd = '(?=\\**\\s*(?:$|[.,;:)\\]|—–(]))';

/** Turns of speech such as counts of failures and the absence of errors; of two at one place the first counts. */
export const englishPhrases: readonly StatusPattern[] = statusPatterns([
  ['passed', `${label}(?:success|ok|okay|successfully)${labelEnd}`],
  ['failed', `${label}(?:failure|error|crash|errors)(?=\\**\\s*(?:$|[.,;)\\]|(]))`],
  ['created', `${label}(?:a )?new(?: file)?${labelEnd}`],
  ['undone', `${label}(?:still )?(?:open|missing|unstarted)${labelEnd}`, 'open'],
  ['undone', /\b(?:is|are|remains?|was|were) (?:still |left )(?:open|missing|outstanding|to be done)\b/gi, 'open'],
  ['undone', /\b(?:has|have|had|was|were|is|are)(?: not| never|n['’]t) (?:yet )?(?:been )?(?:started|begun)\b/gi],
  [
    'passed',
    /\b(?:went|goes|going) (?:fine|well|through|smoothly|cleanly)\b(?! (?:the|a|all|each|every|several|its)\b)/gi,
  ],
  ['failed', /\b(?:did not|didn['’]t) go (?:fine|well|through|smoothly)\b/gi],
  [
    'failed',
    /\b(?:ended|finished|completed|terminated|resulted|came back|exited|stopped) (?:with|in) (?:an? |some |several |the following )?(?:\w+ )?(?:errors?|failures?|exception|crash)\b/gi,
  ],
  [
    'failed',
    /(?<=[\w)\ufffc\ufffb] )(?:reported|raised|threw|printed|returned|hit|gave|produced) (?:an? |some |several |the )?(?:errors?|failures?|exception)\b(?! (?:message|handler|code|object|class|type))/gi,
  ],
  ['failed', /(?<=[\w)\ufffc\ufffb] )broke\b(?! (?:down|up|out|into|off|through|it|the \w+ (?:into|down|up)))/gi],
  ['deleted', /\b(?:is|are|was|were) gone\b/gi, 'now'],
  ['kept', /\bstill (?:exists?|there|present|in place)\b/gi, 'now'],
  ['passed', `\\b(?:no|zero|0|without(?: any)?|free of) ${trouble}`],
  ['passed', /\bwithout (?:failing|crashing|breaking)\b/gi],
  ['passed', /(?<![\w.,#])0 (?:tests? )?(?:failed|failing|failures|fails?)\b/gi],
  ['passed', /\b(?:failed|failures?|fail|failing|errors)\s?[:=]\s?0(?![\d.])/gi],
  ['failed', /(?<![\w.,#])0 (?:tests? )?(?:passed|passing)\b/gi],
  ['failed', /\b(?:passed|passing)\s?[:=]\s?0(?![\d.])/gi],
  ['failed', `${countOpening}[1-9][\\d,]* (?:failing|failed) ${test}\\b`],
  ['passed', `${countOpening}[1-9][\\d,]* passing ${test}\\b`],
  ['failed', /(?<![\w.#])[1-9][\d,]* (?:failures|fails)(?=$|[\s,.;)]*(?:$|[^\w\s])| (?:and|in|of|remain|left))/gi],
  ['failed', /\b(?:failed|failures|failing)\s?[:=]\s?[1-9]\d*\b/gi],
  ['passed', /\b(?:passed|passing)\s?[:=]\s?[1-9]\d*\b/gi],
  [
    'passed',
    /\b(?:exited|returned|finished|ended|came back)(?: with)?(?: an?)?(?: (?:exit|status|return|code)){0,2} 0\b/gi,
  ],
  [
    'failed',
    /\b(?:exited|returned|finished|ended|came back)(?: with)?(?: an?)?(?: (?:exit|status|return|code)){1,2} [1-9]\d*\b/gi,
  ],
  ['failed', /\bexited(?: with)? [1-9]\d*\b/gi],
  [
    'passed',
    /(?<!with )(?<!an )\bexit (?:code|status)(?: (?:was|is)|\s?[:=])? ?0\b(?! (?:means|when|if|for|on|and [1-9]))/gi,
  ],
  [
    'failed',
    /(?<!with )(?<!an )\bexit (?:code|status)(?: (?:was|is)|\s?[:=])? ?[1-9]\d*\b(?! (?:means|when|if|for|on))/gi,
  ],
  ['passed', /\bno longer (?:fails?|failing|failed|crash(?:es|ing)?|broken|errors)\b/gi, 'now'],
  ['failed', /\bno longer (?:pass(?:es|ing)?|works?|working|compiles?|builds?)\b/gi, 'now'],
  ['stopped', /\bno longer running\b/gi, 'now'],
  ['deleted', /\bno longer exists?\b/gi, 'now'],
  ['failed', /\bstopped (?:working|passing|compiling|building)\b/gi],
  ['passed', /\bstopped (?:failing|crashing)\b/gi],
  ['failed', /(?<=[\w)\ufffc] )timed out\b/gi],
  ['running', /\b(?:up and running|still running in the background)\b/gi, 'now'],
  [
    'unchanged',
    /\b(?:left|leaving|leave) (?:it |them |everything )?(?:untouched|unchanged|alone|intact|in place|as is)\b/gi,
  ],
  [
    'undone',
    /(?<=^\W{0,16}|\b(?:is|are|was|were|still|now|status|state|fix|fixes|work|pr|task|review|merge|deployment)[ :=—–-]{1,3}|[[(|:—–] ?| - )(?:in[ _-]progress|pending|under ?way|ongoing|wip|not (?:yet )?started|to[ -]do|todo)(?![\w-])(?=$|[\s.,;:)\]|]*(?:$|[^\w\s])| (?:and|but|on|in|for|until|at|with)\b)/gi,
    'open',
  ],
]);
