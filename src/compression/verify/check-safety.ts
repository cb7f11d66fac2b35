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
  if (!found) return nothing;
  const isReport = line.scope !== undefined && context.isVerbatim(line);
  const isUsers = context.isUsers(line.content.slice(found.start, found.end)) || context.isUsers(line.content);
  if (isReport || isUsers) return { claims: ['instruction'], wrong: [] };
  const said = context.source.textSearch(line.content)[0];
  const claim: WrongClaim = {
    type: 'instruction',
    text: line.content.slice(0, 160),
    line: line.number,
    verdict: 'unsupported',
    why: `${found.why}; only the user may tell the next assistant what to do`,
    refs: said === undefined ? [] : [context.source.refOf(said)],
  };
  return { claims: ['instruction'], wrong: [claim] };
};

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
