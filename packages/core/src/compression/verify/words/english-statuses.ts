/** The status claims of an English line: which of its status words are said of something, and what denies them. */
import { type Chain, chainBefore, currentWords, denyingSubject, isHedged } from './english-context.ts';
import * as places from './english-places.ts';
import * as states from './english-states.ts';
import { clauseSigns, type Token, tokensOf } from './english-tokens.ts';
import { type Reading, turnedEnglish } from './english-turned.ts';
import { adjectives, type VerbForm, verbForms } from './english-verbs.ts';
import { isPositive, oppositeStatus, type Status, type StatusClaim } from './status.ts';

/** Claims of the Latin words of a masked line, in order. Linear in the length of the line. */
export function englishClaims(line: string): readonly StatusClaim[] {
  const tokens = tokensOf(line);
  const claims: StatusClaim[] = [];
  const taken = [...englishPhrases(line)].sort((a, b) => a.start - b.start);
  for (const { turned, ...phrase } of taken) {
    const at = tokens.findIndex(({ end }) => end > phrase.start);
    const chain = chainBefore(tokens, Math.max(0, at));
    const last = tokens.findLastIndex(({ start }) => start < phrase.end);
    const hedged = phrase.hedged || isHedged(tokens, Math.max(last, 0), { chain, past: true });
    const turn =
      turned === undefined || hedged ? {} : { turned: { start: phrase.start, end: phrase.end, text: turned } };
    claims.push({ ...phrase, positive: isPositive(phrase.status), hedged, ...turn });
  }
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.type !== 'word' || taken.some(({ start, end }) => token.start < end && start < token.end)) continue;
    const reading = readingAt(tokens, at);
    if (!reading) continue;
    claims.push(claimOf(line, tokens, reading));
    at = Math.max(at, reading.last);
  }
  return claims.sort((a, b) => a.start - b.start);
}

function readingAt(tokens: readonly Token[], at: number): Reading | undefined {
  const text = tokens[at]?.text ?? '';
  // `done()` is the name of a function, `passed=` and `failed/` parts of names.
  const next = tokens[at + 1];
  if (next !== undefined && next.start === tokens[at]?.end && /^[(=<>&\\/_]$/.test(next.text)) return undefined;
  const to = failedTo(tokens, at);
  if (to) return to;
  if (/^work(?:s|ing|ed)?$/.test(text)) return states.worksAt(tokens, at);
  if (text === 'running') return states.runsAt(tokens, at);
  const adjective = adjectives.get(text);
  if (adjective && states.isPredicate(tokens, at)) return reading(tokens, at, { ...adjective, kind: 'adjective' });
  const found = verbForms.get(text);
  return found && verbAt(tokens, at, found);
}

/** `failed to delete` and `unable to delete` are one claim, and not that something was deleted. */
function failedTo(tokens: readonly Token[], at: number): Reading | undefined {
  const text = tokens[at]?.text ?? '';
  if (!/^(?:fail|fails|failed|failing|unable)$/.test(text) || tokens[at + 1]?.text !== 'to') return undefined;
  if (tokens[at + 2]?.type !== 'word') return undefined;
  const found = reading(tokens, at, { status: 'failed', kind: 'failedTo' });
  return { ...found, last: at + 2, past: text === 'failed' || text === 'unable' };
}

function verbAt(tokens: readonly Token[], at: number, { verb, form }: VerbForm): Reading | undefined {
  const chain = chainBefore(tokens, at);
  const status = places.movesOnly(tokens, at, verb) ? 'changed' : verb.status;
  const base = { status, verb, chain };
  const participle =
    form === 'past' || (verb.participle === verb.base && chain.auxiliaries.some((word) => places.being.test(word)));
  if (participle && places.saysPast(tokens, at, { verb, chain })) return reading(tokens, at, { ...base, kind: 'past' });
  if (participle) return undefined;
  if (form === 'third' && places.saysThird(tokens, at, { verb, chain }))
    return reading(tokens, at, { ...base, kind: 'third' });
  if (form === 'ing' && places.saysIng(tokens, at, { verb, chain }))
    return reading(tokens, at, { ...base, kind: 'ing' });
  if (form === 'base' && places.saysBase(tokens, at, { verb, chain }))
    return reading(tokens, at, { ...base, kind: 'base' });
  return undefined;
}

interface Found {
  readonly status: Status;
  readonly kind: Reading['kind'];
  readonly opposite?: string;
  readonly verb?: Reading['verb'];
  readonly chain?: Chain;
}

function reading(tokens: readonly Token[], at: number, found: Found): Reading {
  const chain = found.chain ?? chainBefore(tokens, at);
  // `when it is done` tells of a state, `when it was done` of an act.
  const past =
    found.kind === 'past' &&
    (found.verb?.base !== 'do' || chain.auxiliaries.some((word) => /^(?:was|were|had|got)/.test(word)));
  return { ...found, at, last: at, chain, past, verb: found.verb };
}

function claimOf(line: string, tokens: readonly Token[], reading: Reading): StatusClaim {
  const { at, last, chain, past } = reading;
  const denying = chain.negation === undefined ? denyingSubject(tokens, chain.first) : undefined;
  const negated = (chain.negation ?? denying) !== undefined;
  const status = negated ? oppositeStatus(reading.status) : reading.status;
  const still = tokens.slice(chain.first, at).find(({ text }) => text === 'still');
  const from = tokens[chain.negation ?? denying ?? at];
  const start = Math.min(from?.start ?? 0, still?.start ?? line.length, tokens[at]?.start ?? 0);
  const did = chain.auxiliaries.some((word) => word.startsWith('did'));
  const isNow =
    (!past && !did) ||
    chain.current ||
    chain.auxiliaries.some((word) => /^(?:is|are|remains?|stays?)$|'(?:re|s)$/.test(word));
  const hedged = isHedged(tokens, last, { chain, past }) || places.describes(tokens, reading);
  const turned = hedged ? undefined : turnedEnglish(line, tokens, { ...reading, denying });
  return {
    status,
    positive: isPositive(status),
    start,
    end: tokens[last]?.end ?? line.length,
    negated,
    hedged,
    current: isNow || saysNow(tokens, at),
    ...(turned ? { turned } : {}),
  };
}

function saysNow(tokens: readonly Token[], at: number): boolean {
  const stops = (text: string): boolean => clauseSigns.has(text) && text !== ',';
  for (let i = at; i < tokens.length && !stops(tokens[i]?.text ?? ''); i++)
    if (currentWords.has(tokens[i]?.text ?? '')) return true;
  for (let i = at; i >= 0 && !stops(tokens[i]?.text ?? ''); i--)
    if (currentWords.has(tokens[i]?.text ?? '')) return true;
  return false;
}

// English turns of speech that say a status as a whole, such as counts of failures and the absence of errors.

interface PhraseMatch {
  readonly status: Status;
  readonly start: number;
  readonly end: number;
  readonly negated: boolean;
  readonly hedged: boolean;
  readonly current: boolean;
  /** The words that say the opposite. */
  readonly turned?: string;
}

interface Phrase {
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

const phrases: readonly Phrase[] = [
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

/** Every phrase of the line, in the order of the list; none overlaps one before it. Linear. */
function englishPhrases(line: string): readonly PhraseMatch[] {
  const found: PhraseMatch[] = [];
  for (const { words, status, negated = false, hedged = false, current = false, turned } of phrases)
    for (const { 0: text, index: start } of line.matchAll(words)) {
      const end = start + text.length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      found.push({ status, start, end, negated, hedged, current, ...(turned === undefined ? {} : { turned }) });
    }
  return found;
}
