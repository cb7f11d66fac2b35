/** English words for a state, and whether they say it of something: `is green`, `works now`, `is running on port 3000`. */

import { adverbs, checkNouns, determiners, prepositions, wellWorking } from '../../../language/english.ts';
import { chainBefore } from './english-context.ts';
import { isNoun, isSign, type Token } from './english-tokens.ts';
import type { Reading } from './english-turned.ts';

/** `is green`, `Status: complete`, `migration complete`; not `a complete list`. */
export function isPredicate(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.text ?? '';
  const next = tokens[at + 1];
  if (next?.type === 'wide') return false;
  if (
    text.startsWith('un') &&
    /^(?:changes?|files?|work|edits|modifications|commits?|issues?|errors?)$/.test(next?.text ?? '')
  )
    return /^(?:has|have|had|are|were|is|with|still|leaves?|left|contains?)$/.test(tokens[at - 1]?.text ?? '');
  if (isNoun(next) || (text === 'broken' && /^(?:down|into|up|by|out)$/.test(next?.text ?? ''))) return false;
  let i = at - 1;
  while (
    !/^(?:all|both)$/.test(tokens[i]?.text ?? '') &&
    (adverbs.has(tokens[i]?.text ?? '') || /.ly$|^not$|n't$/.test(tokens[i]?.text ?? ''))
  )
    i--;
  const before = tokens[i];
  const linked =
    /^(?:is|are|was|were|be|been|remains?|stays?|isn't|aren't|wasn't|weren't|looks|went|all|both|everything|now)$|'(?:s|re)$/.test(
      before?.text ?? '',
    );
  const labelled = before !== undefined && /^[:：=|(—–→✅❌✓✔\]]$/.test(before.text) && isSign(next);
  const colour = /^(?:green|red|clean)$/.test(text);
  if (colour)
    return (
      (linked || labelled || isChecks(before)) &&
      ofChecks(tokens, i) &&
      (isSign(next) || /^(?:after|again|on|since|because|and|for|too|but)$/.test(next?.text ?? ''))
    );
  const after = isSign(next) || /^(?:and|but|on|in|with|after|at|because|since|as|for)$/.test(next?.text ?? '');
  return (linked || labelled) && after ? true : isSign(next) && i >= 0 && (isNoun(before) || before?.type === 'mark');
}

const isChecks = (token: Token | undefined): boolean => checkNouns.has(token?.text ?? '') || token?.type === 'mark';

/** True when a check is named, or stands for itself, among the few words before. */
function ofChecks(tokens: readonly Token[], from: number): boolean {
  for (let i = from; i >= Math.max(0, from - 5); i--) {
    const token = tokens[i];
    if (
      token === undefined ||
      /^(?:tree|directory|worktree|checkout|working|repo|code|button|text|line|light)$/.test(token.text)
    )
      return false;
    if (isChecks(token) || /^(?:all|everything)$/.test(token.text)) return true;
  }
  return false;
}

/** `works now`, `does not work`, `is working`; not `how it works` or `was working on`. */
export function worksAt(tokens: readonly Token[], at: number): Reading | undefined {
  const text = tokens[at]?.text ?? '';
  const chain = chainBefore(tokens, at);
  const next = tokens[at + 1];
  if (!isSign(next) && !wellWorking.has(next?.text ?? '')) return undefined;
  const subject = tokens[chain.first - 1];
  if (subject === undefined || isSign(subject) || prepositions.has(subject.text)) return undefined;
  if (tokens.slice(Math.max(0, at - 8), at).some((token) => /^(?:how|why|way)$/.test(token.text))) return undefined;
  if (text === 'work' && (chain.negation === undefined || chain.auxiliary === undefined)) return undefined;
  if (text === 'working' && (chain.auxiliary === undefined || /^(?:i|we|he|she|who)$/.test(subject.text)))
    return undefined;
  if (text === 'worked' && chain.negation === undefined && !isSign(next) && next?.text === 'as') return undefined;
  if (determiners.has(subject.text) && !/^(?:this|that|which|each|every)$/.test(subject.text)) return undefined;
  return { kind: 'works', status: 'passed', at, last: at, chain, past: text === 'worked', verb: undefined };
}

/** `the server is running on port 3000`; not `running the tests`. */
export function runsAt(tokens: readonly Token[], at: number): Reading | undefined {
  const chain = chainBefore(tokens, at);
  const next = tokens[at + 1];
  const place = /^(?:on|in|at|as|under|with|again|and|locally|now|since|for)$/.test(next?.text ?? '');
  if (!isSign(next) && !place) return undefined;
  const before = tokens[chain.first - 1];
  if (/^(?:i|we|was|by|for|of|after|before|while|when)$/.test(before?.text ?? '')) return undefined;
  if (chain.auxiliary === undefined && !chain.current && chain.negation === undefined) {
    const labelled = isSign(before) && before !== undefined && isSign(next);
    if (!labelled && !(isNoun(before) || before?.type === 'mark')) return undefined;
    if (!labelled && !/^(?:on|at|in)$/.test(next?.text ?? '')) return undefined;
  }
  return { kind: 'running', status: 'running', at, last: at, chain, past: false, verb: undefined };
}
