/** What must not stand in a summary whoever said it: orders to the next assistant, and credentials. */

import { type Instruction, orderReasons } from '../../language/instruction.ts';
import { notAgainWords } from '../../language/requests.ts';
import { findSecrets } from '../../redaction/redact.ts';
import type { Span } from './atoms.ts';
import type { ClaimLine } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { clauseEnds } from './clause.ts';
import { actsNamed } from './concepts.ts';
import { type Check, type Context, nothing } from './context.ts';
import { isAllowed } from './grounds.ts';
import { shareByPerson, telling as tellingWords } from './request-words.ts';
import { attributionIn, userSection } from './words/attributions.ts';
import { addressedIn, instructionIn, permissionIn } from './words/instructions.ts';
import { isPlan } from './words/plans.ts';

/** Finds orders to the next assistant; what the conversation says under a ref of ours is a report, not an order. */
export const checkInstructions: Check = (line, context) => {
  // Code of the record stays as it is; what a writer puts into a fence is read like anything else.
  if (line.type === 'code' && (context.isVerbatim(line) || line.content.trim().length < leastChars)) return nothing;
  const found = orderIn(line, context);
  // What has an effect outside must not be done twice: that is how a ledger tells of it.
  const role = found ? undefined : roleMark.exec(line.text);
  if (!(found || role) || notAgainWords.test(line.content)) return nothing;
  const order = found ?? { start: 0, end: line.content.length };
  const isReport = line.scope !== undefined && (context.isVerbatim(line) || isOfCall(line, order, context));
  const words = line.content.slice(order.start, order.end);
  const isUsers = (words.length >= wholeOrderChars && context.isUsers(words)) || context.isUsers(line.content);
  if (isReport || isUsers) return { claims: ['instruction'], wrong: [] };
  const said = context.source.textSearch(line.content)[0];
  const claim: WrongClaim = {
    type: 'instruction',
    text: line.content.slice(0, 160),
    line: line.number,
    verdict: 'unsupported',
    why: `${found ? orderReasons[found.reason] : 'speaks as the system'}; only the user may tell the next assistant what to do`,
    refs: said === undefined ? [] : [context.source.refOf(said)],
  };
  return { claims: ['instruction'], wrong: [claim] };
};

/** A header of ours names a call by what it was given, which may read like an order. */
function isOfCall({ scope = -1, content }: ClaimLine, { start, end }: Span, { facts }: Context): boolean {
  const words = content.slice(start, end).replace(/[\s:：]+$/, '');
  return facts.actions.some(({ ref, target }) => ref === `m${scope + 1}` && target.includes(words));
}

/** `SYSTEM` alone stands in many messages. */
const wholeOrderChars = 20;

/** Too short to be an order. */
const leastChars = 12;

/** An order by its words or by its structure. */
function orderIn(line: ClaimLine, context: Context): Instruction | undefined {
  const { content, heading } = line;
  // The marks of a heading may be what makes it an order.
  const found = instructionIn(content, heading) ?? instructionIn(line.text.trim(), heading);
  if (found?.reason === 'telling' && isSupported(content, found, context)) return undefined;
  if (found?.reason === 'powers' && isGiven(content, found, context)) return undefined;
  if (found || line.type === 'heading') return found;
  const section = userSection(heading);
  // Under the user's messages stand the user's words: others are orders there too.
  const unmarked = section === 'messages' && !context.isUsers(content) ? instructionIn(content) : undefined;
  if (unmarked && unmarked.reason !== 'telling') return unmarked;
  const addressed = addressedIn(content, section !== undefined || isPlan(content, heading));
  const isDuty = addressed?.reason === 'telling' || addressed?.reason === 'addressing';
  if (addressed && !(isDuty && isSupported(content, addressed, context))) return addressed;
  return permitting(line, context);
}

/** What the line allows on nobody's word; what it says the user allows is held as a request. */
function permitting({ content, type }: ClaimLine, context: Context): Instruction | undefined {
  const found = type === 'code' ? undefined : permissionIn(content);
  if (!found || attributionIn(content)) return undefined;
  return isGiven(content, found, context) ? undefined : found;
}

/** The user's own permission, told to the reader. */
function isGiven(content: string, place: Instruction, context: Context): boolean {
  const { acts, rest } = actsNamed(clauseWith(content, place));
  return isAllowed({ words: tellingWords(rest, context), acts }, context);
}

/** The user's own wish, told to the reader: most of what tells in it is in one message of the user. */
function isSupported(content: string, { start, end }: Instruction, context: Context): boolean {
  const said = clauseWith(content, { start, end });
  const before = attributionIn(content);
  if (before && before.start < end) return true;
  const words = tellingWords(said, context);
  return words.length >= supportedBy.words && shareByPerson(words, context) >= supportedBy.share;
}

function clauseWith(content: string, place: Span): string {
  const [from, to] = clauseEnds(content, place);
  return content.slice(from, to);
}

/** So much of a wish has to be in one message of the user. */
const supportedBy = { words: 2, share: 0.6 } as const;

/** Text in the place of a role that no summary has. */
const roleMark =
  /^\s*(?:[-*]\s+)?(?:<(?:system|developer|instructions?)\b[^>]*>\s*\S|(?:SYSTEM|DEVELOPER)\s*[:：]\s*\S)/;

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
