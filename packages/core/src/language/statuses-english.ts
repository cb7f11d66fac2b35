/** The English verbs, adjectives and turns of speech that tell how something stands. */
import type { Status } from './status.ts';

/** An English verb in its forms, with the status that it tells. */
export interface Verb {
  readonly base: string;
  readonly third: string;
  readonly past: string;
  readonly participle: string;
  readonly status: Status;
}

export type Form = 'base' | 'third' | 'past' | 'ing';

/** `fix` for the regular ones, else all of base, third person, past, participle and -ing form. */
const verbs: Readonly<Partial<Record<Status, string>>> = {
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
      const verb: Verb = {
        base,
        third: third ?? ruleThird,
        past: past ?? rulePast,
        participle: participle ?? past ?? rulePast,
        status,
      };
      return [
        [base, { verb, form: 'base' }],
        [verb.third, { verb, form: 'third' }],
        [ing ?? ruleIng, { verb, form: 'ing' }],
        [verb.past, { verb, form: 'past' }],
        [verb.participle, { verb, form: verb.participle === base ? 'base' : 'past' }],
      ];
    }),
  ),
);

/** Words that say a status by themselves, with the word for its opposite where there is one. */
export const statusAdjectives: ReadonlyMap<string, { readonly status: Status; readonly opposite?: string }> = new Map([
  ['successful', { status: 'passed', opposite: 'unsuccessful' }],
  ['unsuccessful', { status: 'failed', opposite: 'successful' }],
  ['green', { status: 'passed', opposite: 'red' }],
  ['red', { status: 'failed', opposite: 'green' }],
  ['clean', { status: 'passed' }],
  ['broken', { status: 'failed' }],
  ['complete', { status: 'done', opposite: 'incomplete' }],
  ['incomplete', { status: 'undone', opposite: 'complete' }],
  ['unfinished', { status: 'undone', opposite: 'finished' }],
  ['untested', { status: 'undone', opposite: 'tested' }],
  ['unverified', { status: 'undone', opposite: 'verified' }],
  ['unimplemented', { status: 'undone', opposite: 'implemented' }],
  ['canceled', { status: 'undone' }],
  ['unfixed', { status: 'unfixed', opposite: 'fixed' }],
  ['unresolved', { status: 'unfixed', opposite: 'resolved' }],
  ['unsolved', { status: 'unfixed', opposite: 'solved' }],
  ['uncommitted', { status: 'uncommitted', opposite: 'committed' }],
  ['unpushed', { status: 'unpushed', opposite: 'pushed' }],
  ['unmerged', { status: 'unmerged', opposite: 'merged' }],
  ['unreleased', { status: 'unreleased', opposite: 'released' }],
  ['unchanged', { status: 'unchanged', opposite: 'changed' }],
  ['unmodified', { status: 'unchanged', opposite: 'modified' }],
  ['untouched', { status: 'unchanged', opposite: 'changed' }],
]);

/** Words that swap with their opposite without a `not`. */
export const statusSwaps: ReadonlyMap<string, string> = new Map([
  ['pass', 'fail'],
  ['passes', 'fails'],
  ['passed', 'failed'],
  ['passing', 'failing'],
  ['fail', 'pass'],
  ['fails', 'passes'],
  ['failed', 'passed'],
  ['failing', 'passing'],
  ['succeeded', 'failed'],
  ['succeeds', 'fails'],
  ['works', 'does not work'],
]);

/** A turn of speech that says a status as a whole. */
interface EnglishPhrase {
  readonly words: RegExp;
  readonly status: Status;
  readonly negated?: true;
  /** Work under way claims nothing of the past. */
  readonly hedged?: true;
  readonly current?: true;
  readonly turned?: string;
}

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
export const statusPhrases: readonly EnglishPhrase[] = [
  {
    words: new RegExp(`${label}(?:success|ok|okay|successfully)${labelEnd}`, 'gi'),
    status: 'passed',
    turned: 'failed',
  },
  { words: new RegExp(`${label}(?:failure|error|crash|errors)(?=\\**\\s*(?:$|[.,;)\\]|(]))`, 'gi'), status: 'failed' },
  { words: new RegExp(`${label}(?:a )?new(?: file)?${labelEnd}`, 'gi'), status: 'created' },
  {
    words: new RegExp(`${label}(?:still )?(?:open|missing|unstarted)${labelEnd}`, 'gi'),
    status: 'undone',
    hedged: true,
  },
  {
    words: /\b(?:is|are|remains?|was|were) (?:still |left )(?:open|missing|outstanding|to be done)\b/gi,
    status: 'undone',
    hedged: true,
  },
  {
    words: /\b(?:has|have|had|was|were|is|are)(?: not| never|n['’]t) (?:yet )?(?:been )?(?:started|begun)\b/gi,
    status: 'undone',
    negated: true,
  },
  {
    words:
      /\b(?:went|goes|going) (?:fine|well|through|smoothly|cleanly)\b(?! (?:the|a|all|each|every|several|its)\b)/gi,
    status: 'passed',
    turned: 'failed',
  },
  {
    words: /\b(?:did not|didn['’]t) go (?:fine|well|through|smoothly)\b/gi,
    status: 'failed',
    negated: true,
    turned: 'went through',
  },
  {
    words:
      /\b(?:ended|finished|completed|terminated|resulted|came back|exited|stopped) (?:with|in) (?:an? |some |several |the following )?(?:\w+ )?(?:errors?|failures?|exception|crash)\b/gi,
    status: 'failed',
  },
  {
    words:
      /(?<=[\w)\ufffc\ufffb] )(?:reported|raised|threw|printed|returned|hit|gave|produced) (?:an? |some |several |the )?(?:errors?|failures?|exception)\b(?! (?:message|handler|code|object|class|type))/gi,
    status: 'failed',
  },
  {
    words: /(?<=[\w)\ufffc\ufffb] )broke\b(?! (?:down|up|out|into|off|through|it|the \w+ (?:into|down|up)))/gi,
    status: 'failed',
  },
  { words: /\b(?:is|are|was|were) gone\b/gi, status: 'deleted', current: true },
  { words: /\bstill (?:exists?|there|present|in place)\b/gi, status: 'kept', current: true },
  { words: new RegExp(`\\b(?:no|zero|0|without(?: any)?|free of) ${trouble}`, 'gi'), status: 'passed', negated: true },
  { words: /\bwithout (?:failing|crashing|breaking)\b/gi, status: 'passed', negated: true },
  { words: /(?<![\w.,#])0 (?:tests? )?(?:failed|failing|failures|fails?)\b/gi, status: 'passed', negated: true },
  { words: /\b(?:failed|failures?|fail|failing|errors)\s?[:=]\s?0(?![\d.])/gi, status: 'passed', negated: true },
  { words: /(?<![\w.,#])0 (?:tests? )?(?:passed|passing)\b/gi, status: 'failed', negated: true },
  { words: /\b(?:passed|passing)\s?[:=]\s?0(?![\d.])/gi, status: 'failed', negated: true },
  { words: new RegExp(`${countOpening}[1-9][\\d,]* (?:failing|failed) ${test}\\b`, 'gi'), status: 'failed' },
  { words: new RegExp(`${countOpening}[1-9][\\d,]* passing ${test}\\b`, 'gi'), status: 'passed' },
  {
    words: /(?<![\w.#])[1-9][\d,]* (?:failures|fails)(?=$|[\s,.;)]*(?:$|[^\w\s])| (?:and|in|of|remain|left))/gi,
    status: 'failed',
  },
  { words: /\b(?:failed|failures|failing)\s?[:=]\s?[1-9]\d*\b/gi, status: 'failed' },
  { words: /\b(?:passed|passing)\s?[:=]\s?[1-9]\d*\b/gi, status: 'passed' },
  {
    words:
      /\b(?:exited|returned|finished|ended|came back)(?: with)?(?: an?)?(?: (?:exit|status|return|code)){0,2} 0\b/gi,
    status: 'passed',
  },
  {
    words:
      /\b(?:exited|returned|finished|ended|came back)(?: with)?(?: an?)?(?: (?:exit|status|return|code)){1,2} [1-9]\d*\b/gi,
    status: 'failed',
  },
  { words: /\bexited(?: with)? [1-9]\d*\b/gi, status: 'failed' },
  {
    words:
      /(?<!with )(?<!an )\bexit (?:code|status)(?: (?:was|is)|\s?[:=])? ?0\b(?! (?:means|when|if|for|on|and [1-9]))/gi,
    status: 'passed',
  },
  {
    words:
      /(?<!with )(?<!an )\bexit (?:code|status)(?: (?:was|is)|\s?[:=])? ?[1-9]\d*\b(?! (?:means|when|if|for|on))/gi,
    status: 'failed',
  },
  {
    words: /\bno longer (?:fails?|failing|failed|crash(?:es|ing)?|broken|errors)\b/gi,
    status: 'passed',
    negated: true,
    current: true,
  },
  {
    words: /\bno longer (?:pass(?:es|ing)?|works?|working|compiles?|builds?)\b/gi,
    status: 'failed',
    negated: true,
    current: true,
  },
  { words: /\bno longer running\b/gi, status: 'stopped', negated: true, current: true },
  { words: /\bno longer exists?\b/gi, status: 'deleted', current: true },
  { words: /\bstopped (?:working|passing|compiling|building)\b/gi, status: 'failed' },
  { words: /\bstopped (?:failing|crashing)\b/gi, status: 'passed' },
  { words: /(?<=[\w)\ufffc] )timed out\b/gi, status: 'failed' },
  { words: /\b(?:up and running|still running in the background)\b/gi, status: 'running', current: true },
  {
    words: /\b(?:left|leaving|leave) (?:it |them |everything )?(?:untouched|unchanged|alone|intact|in place|as is)\b/gi,
    status: 'unchanged',
  },
  {
    words:
      /(?<=^\W{0,16}|\b(?:is|are|was|were|still|now|status|state|fix|fixes|work|pr|task|review|merge|deployment)[ :=—–-]{1,3}|[[(|:—–] ?| - )(?:in[ _-]progress|pending|under ?way|ongoing|wip|not (?:yet )?started|to[ -]do|todo)(?![\w-])(?=$|[\s.,;:)\]|]*(?:$|[^\w\s])| (?:and|but|on|in|for|until|at|with)\b)/gi,
    status: 'undone',
    hedged: true,
  },
];
