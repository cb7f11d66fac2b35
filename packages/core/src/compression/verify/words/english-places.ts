/**
 * Where in a sentence an English status word says something of its subject, and where it only belongs to a name:
 * `the tests failed` and `a failed test`, `passes all tests` and `passes the flag on`.
 */

import {
  adverbs,
  being,
  checkNouns,
  determiners,
  intransitiveVerbs,
  labelNouns,
  measureNouns,
  prepositions,
  subjectWords,
  type Verb,
} from '../../../language/english-statuses.ts';
import { type Chain, isNoun, isObject, isSign, type Token } from './english-sentence.ts';

interface Seen {
  readonly verb: Verb;
  readonly chain: Chain;
}

/** A past tense or a participle that is said of something. */
export function saysPast(tokens: readonly Token[], at: number, { verb, chain }: Seen): boolean {
  const before = tokens[at - 1];
  const next = tokens[at + 1];
  const passive = chain.auxiliaries.some((word) => being.test(word));
  if (next?.type === 'wide' || before?.text === "'") return false;
  if (verb.base === 'do' && tokens[at]?.text !== 'done') return false;
  if (nameOf(tokens, at, verb)) return false;
  const subject = tokens[chain.first - 1];
  if (subject?.text === 'what' || subject?.text === 'how') return false;
  if (intransitiveVerbs.has(verb.base) && !passesSomething(tokens, at, { verb, passive })) return false;
  if (chain.auxiliary !== undefined || chain.negation !== undefined)
    return !(
      passive &&
      verb.base === 'do' &&
      /^(?:by|via|through|in|inside|using|at|on|as|per)$/.test(next?.text ?? '')
    );
  if (verb.base === 'run' && tokens[at]?.text === 'run') return false;
  return saysAlone(tokens, at, verb);
}

/** Without an auxiliary: `tests failed` and `fixed the bug`, but not `a fixed bug` and `Created files:`. */
function saysAlone(tokens: readonly Token[], at: number, verb: Verb): boolean {
  let i = at - 1;
  while (tokens[i]?.type === 'word' && (adverbs.has(tokens[i]?.text ?? '') || /.ly$/.test(tokens[i]?.text ?? ''))) i--;
  const before = tokens[i];
  const next = tokens[at + 1];
  if (before !== undefined && (determiners.has(before.text) || prepositions.has(before.text)))
    return (
      (/^(?:this|which|these|those|after|before|since)$/.test(before.text) && !isNoun(next)) || before.text === 'all'
    );
  if (before?.text === 'that' || before?.text === 'of') return false;
  const opens = isSign(before) || subjectWords.has(before?.text ?? '');
  if (isNoun(next)) {
    if (intransitiveVerbs.has(verb.base)) return false;
    if (!opens) return false;
    return !(isSign(before) && labelNouns.has(next?.text ?? '') && isLabelEnd(tokens[at + 2]));
  }
  // `the lines that the human removed`: what was removed stands before.
  const relative = tokens[i - 1]?.text === 'that' || tokens[i - 2]?.text === 'that';
  if (relative && isNoun(before) && !intransitiveVerbs.has(verb.base) && !isObject(next)) return false;
  // `Files changed:` at the head of a list is a label as well.
  const alone = isLabelEnd(next) && tokens[at + 2] === undefined && at === 1;
  return !(alone && labelNouns.has(before?.text ?? '') && !intransitiveVerbs.has(verb.base));
}

const isLabelEnd = (token: Token | undefined): boolean => token === undefined || /^[:：(|—–-]$/.test(token.text);

/** What a status word is in a name: `fixed size`, `pushed onto`, `resolved to`, `kept failing`. */
function nameOf(tokens: readonly Token[], at: number, { base }: Verb): boolean {
  const next = tokens[at + 1]?.text ?? '';
  if (base === 'fix') return measureNouns.has(next);
  // Of a person it means to contradict.
  if (base === 'correct')
    return /^(?:me|us|this|that|[:：—–-])$/.test(next) || /^(?:user|they|he|she|you)$/.test(tokens[at - 1]?.text ?? '');
  if (base === 'push') return /^(?:onto|into|back|forward|down|aside|for|through|out|against)$/.test(next);
  if (base === 'resolve') return /^(?:to|from|against|relative|via|as|at|into|with)$/.test(next);
  if (base === 'keep' || base === 'stop') return /.ing$/.test(next) || /^(?:at|by|in)$/.test(next);
  if (base === 'build' || base === 'write') return /^(?:with|on|from|around|using|in|into|for|as)$/.test(next);
  if (base === 'drop') return /^(?:from|by|below|to|down|in)$/.test(next);
  if (base === 'run') return /^(?:into|out|away|over)$/.test(next);
  if (base === 'commit') return next === 'itself' || next === 'themselves';
  if (base === 'address') return next === 'to' || next === 'by';
  return base === 'touch' && next === 'on';
}

/** `passed to`, `passes the flag` and `is passed` hand something over; `passes all tests` does not. */
function passesSomething(
  tokens: readonly Token[],
  at: number,
  { verb, passive }: { verb: Verb; passive: boolean },
): boolean {
  if (verb.base !== 'pass' && verb.base !== 'compile') return true;
  const next = tokens[at + 1];
  if (
    /^(?:to|as|into|by|via|along|through|onto|down|around|from|back|over|off|up|directly|explicitly)$/.test(
      next?.text ?? '',
    )
  )
    return false;
  if (next?.text === 'in')
    return tokens[at + 2]?.type === 'number' || (!passive && checkNouns.has(tokens[at + 2]?.text ?? ''));
  if (passive) return false;
  const isObject =
    next !== undefined &&
    (next.type === 'mark' ||
      next.type === 'number' ||
      determiners.has(next.text) ||
      isNoun(next) ||
      /^(?:it|them|all|both)$/.test(next.text));
  return !isObject || namesCheck(tokens, at + 1);
}

/** True when the next words are the name of a check: `all unit tests`. */
function namesCheck(tokens: readonly Token[], from: number): boolean {
  for (let i = from; i < from + 5; i++) {
    const token = tokens[i];
    if (token === undefined || isSign(token) || token.type === 'mark' || prepositions.has(token.text)) return false;
    if (checkNouns.has(token.text)) return true;
  }
  return false;
}

/** `the lint passes`, `this fixes the bug`, but not `two passes` or `bug fixes`. */
export function saysThird(tokens: readonly Token[], at: number, { verb, chain }: Seen): boolean {
  if (!/^(?:pass|succeed|compile|fail|crash|fix|resolve)$/.test(verb.base)) return false;
  const before = tokens[chain.first - 1];
  const next = tokens[at + 1];
  if (next?.type === 'wide') return false;
  if (verb.base === 'fix' || verb.base === 'resolve') {
    const object =
      next !== undefined &&
      (next.type === 'mark' || next.type === 'number' || /^(?:the|a|an|this|that|#\d+|all|both|it)$/.test(next.text));
    return object && (isSign(before) || subjectWords.has(before?.text ?? '') || before?.type === 'mark');
  }
  if (before !== undefined && before.type !== 'mark') {
    if (prepositions.has(before.text) || before.text === 'that' || before.text === 'how') return false;
    if (
      before.type === 'number' ||
      (determiners.has(before.text) && !/^(?:this|which|that|each|every)$/.test(before.text))
    )
      return false;
    if (/^(?:two|three|four|multiple|both|no|any|random|and|or|where|what|why)$/.test(before.text)) return false;
  }
  if (verb.base === 'crash') return before !== undefined && !isSign(before) && !isNoun(next);
  if (verb.base === 'fail')
    return before === undefined || !isSign(before) || !isNoun(next) || namesCheck(tokens, at + 1);
  return passesSomething(tokens, at, { verb, passive: false });
}

/** `all tests pass`, `they fail`, `did not push`; a base form at the head of a sentence is an order. */
export function saysBase(tokens: readonly Token[], at: number, { verb, chain }: Seen): boolean {
  const next = tokens[at + 1];
  if (next?.type === 'wide') return false;
  const before = tokens[chain.first - 1];
  if (verb.base === 'do') return false;
  if (chain.negation !== undefined) {
    const did = chain.auxiliaries.some((word) => /^(?:did|didn't)$/.test(word));
    if (did || chain.modal === 'could')
      return intransitiveVerbs.has(verb.base) ? passesSomething(tokens, at, { verb, passive: false }) : true;
    const does = chain.auxiliaries.some((word) => /^(?:does|doesn't)$/.test(word));
    const plural =
      chain.auxiliaries.some((word) => /^(?:do|don't)$/.test(word)) && before !== undefined && !isSign(before);
    if (!does && !plural) return false;
    return (
      /^(?:pass|succeed|compile|fail|fix)$/.test(verb.base) && passesSomething(tokens, at, { verb, passive: false })
    );
  }
  if (!/^(?:pass|succeed|compile|fail)$/.test(verb.base)) return false;
  if (before === undefined || isSign(before) || before.type === 'wide') return false;
  if (determiners.has(before.text) || prepositions.has(before.text)) return false;
  if (/^(?:and|or|how|one|single|that|where|why|what|a|i|you|we)$/.test(before.text) || chain.modal === 'to')
    return false;
  if (!/s$|\d$|^(?:all|both|they|two|three|which|none|everything|ci|\ufffc+)$/.test(before.text)) return false;
  if (/ss$|'s$/.test(before.text)) return false;
  return !isNoun(next) && passesSomething(tokens, at, { verb, passive: false });
}

/** `all passing`, `is failing`, `keeps failing`; not `passing the flag` or `a failing test`. */
export function saysIng(tokens: readonly Token[], at: number, { verb, chain }: Seen): boolean {
  if (!/^(?:pass|fail|succeed|crash|compile)$/.test(verb.base)) return false;
  const next = tokens[at + 1];
  const before = tokens[chain.first - 1];
  if (next?.type === 'wide' || next?.type === 'mark' || isNoun(next)) return false;
  if (next !== undefined && determiners.has(next.text) && verb.base !== 'fail') return false;
  if (/^(?:pass|compile)$/.test(verb.base) && /^(?:to|as|into|by|via|along|through|it|them)$/.test(next?.text ?? ''))
    return false;
  if (chain.auxiliary !== undefined || chain.negation !== undefined) return true;
  if (/^(?:keeps?|kept|started|starts|began|all|both)$/.test(before?.text ?? '')) return true;
  if (chain.current && isSign(before)) return true;
  if (isSign(before)) return before !== undefined && isSign(next) && /^[:：|—–(]$/.test(before.text);
  if (before?.type === 'number' || before?.type === 'mark')
    return isSign(next) || /^(?:and|now|in|on|with)$/.test(next?.text ?? '');
  return isNoun(before) && (checkNouns.has(before?.text ?? '') || /s$/.test(before?.text ?? ''));
}

/** `removed the import from a.ts` changes a file and deletes none. */
export function movesOnly(tokens: readonly Token[], at: number, { base }: Verb): boolean {
  if (!/^(?:remove|delete|drop|erase)$/.test(base)) return false;
  for (let i = at + 1; i < tokens.length && i < at + 14 && !/^[.;!?]$/.test(tokens[i]?.text ?? ''); i++)
    if (tokens[i]?.text === 'from') return true;
  return false;
}

/** `is created by the hook`, `are deleted on exit`: how something works, not what was done. */
export const describes = (tokens: readonly Token[], at: number, { auxiliaries, current }: Chain): boolean =>
  !current &&
  auxiliaries.some((word) => /^(?:is|are|gets?|isn't|aren't)$/.test(word)) &&
  /^(?:by|from|via|using|at|on|when|if|during|per|through|as|for|automatically)$/.test(tokens[at + 1]?.text ?? '');
