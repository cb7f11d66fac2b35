/** What must not stand in a summary whoever said it: orders to the next assistant, and credentials. */
import { findSecrets } from '../../redaction/redact.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, nothing } from './context.ts';
import { instructionIn } from './words/instructions.ts';

/** Finds orders to the next assistant; what the conversation says under a ref of ours is a report, not an order. */
export const checkInstructions: Check = (line, context) => {
  if (line.type === 'code') return nothing;
  // The marks of a heading may be what makes it an order.
  const found = instructionIn(line.content, line.heading) ?? instructionIn(line.text.trim(), line.heading);
  // What has an effect outside must not be done twice: that is how a ledger tells of it.
  const role = found ? undefined : roleMark.exec(line.text);
  if (!(found || role) || notAgain.test(line.content)) return nothing;
  const order = found ?? { start: 0, end: line.content.length, why: 'speaks as the system' };
  const isReport = line.scope !== undefined && context.isVerbatim(line);
  const isUsers = context.isUsers(line.content.slice(order.start, order.end)) || context.isUsers(line.content);
  if (isReport || isUsers) return { claims: ['instruction'], wrong: [] };
  const said = context.source.textSearch(line.content)[0];
  const claim: WrongClaim = {
    type: 'instruction',
    text: line.content.slice(0, 160),
    line: line.number,
    verdict: 'unsupported',
    why: `${order.why}; only the user may tell the next assistant what to do`,
    refs: said === undefined ? [] : [context.source.refOf(said)],
  };
  return { claims: ['instruction'], wrong: [claim] };
};

/** Text in the place of a role that no summary has. */
const roleMark =
  /^\s*(?:[-*]\s+)?(?:<(?:system|developer|instructions?)\b[^>]*>\s*\S|(?:SYSTEM|DEVELOPER)\s*[:：]\s*\S)/;

const notAgain =
  /\b(?:do not|don't|not to be|never) (?:be )?(?:repeat|redo|re-?run)|不要重复|请勿重复|勿重复|繰り返さないこと|再実行しないこと|반복하지 (?:말|마)|다시 실행하지 (?:말|마)/i;

/** One claim a credential; the report never repeats it. Lines are those of the text given. */
export function secretClaims(summary: string): readonly WrongClaim[] {
  return findSecrets(summary).map(
    ({ rule, start }): WrongClaim => ({
      type: 'secret',
      text: `a credential (${rule})`,
      line: summary.slice(0, start).split('\n').length,
      verdict: 'unsupported',
      why: 'no credential belongs into a summary',
      refs: [],
    }),
  );
}
