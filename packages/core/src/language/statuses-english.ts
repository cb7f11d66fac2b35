/** The English verbs, adjectives and turns of speech that tell how something stands. */
import { type Status, type StatusPattern, type StatusVerbs, statusPatterns } from './status.ts';

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
