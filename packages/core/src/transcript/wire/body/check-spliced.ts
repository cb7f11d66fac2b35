/** Why the provider of a body would refuse it with other messages in it. */
import { PalimpsestError } from '../../../shared/errors.ts';
import { isSameMessage, type Message, type Part } from '../../message.ts';
import { type Finding, isSigned, type Rule, validate } from '../../validate.ts';
import type { DialectName } from '../answer.ts';
import type { Pairs } from './format.ts';
import { bodyFormatOf } from './formats.ts';
import { type Body, elementsOf, readBody } from './read-body.ts';

/** The error for a body that cannot be had. */
export const unfit = (dialect: DialectName, why: string): PalimpsestError =>
  new PalimpsestError('BODY_UNFIT', `expected a body that ${dialect} takes, but ${why}; send the original`, {
    evidence: { dialect },
  });

/** True for a part that its provider knows again: it comes back as it was, or not at all with its whole message. */
export const isProof = (part: Part): boolean => isSigned({ role: 'assistant', parts: [part] });

/** True for a changed message that has all that its provider signed in it, as it came and in the same order. */
export function isKept(before: Message, after: Message): boolean {
  let at = 0;
  for (const proof of before.parts) {
    if (!isProof(proof)) continue;
    while (at < after.parts.length && !isSamePart(after.parts[at] ?? proof, proof)) at++;
    if (at === after.parts.length) return false;
    at++;
  }
  return true;
}

/** Equal in every field. */
const isSamePart = (a: Part, b: Part): boolean =>
  a === b || isSameMessage({ role: 'assistant', parts: [a] }, { role: 'assistant', parts: [b] });

/** @throws BODY_UNFIT for a text that is no whole request of the body's dialect, for an answer or for a count */
export function checkSpliced(body: Body, text: string, isCount: boolean): void {
  const { dialect, misplaced, pairs } = bodyFormatOf(body.dialect);
  const spliced = readBody(body.dialect, text);
  const model = body.model ?? '';
  const limit = isCount ? { max_tokens: Number.MAX_SAFE_INTEGER } : {};
  const rejected = dialect.reject({ model, ...limit, ...spliced.value }, model);
  if (rejected) throw unfit(body.dialect, `it says: ${(rejected.message ?? '').slice(0, 300)}`);
  const [before, after] = [elementsOf(body), elementsOf(spliced)];
  const place = misplaced?.(after, before);
  if (place !== undefined) throw unfit(body.dialect, `there is ${place}`);
  const torn = pairs && tornPair(pairs(before), pairs(after));
  if (torn !== undefined) throw unfit(body.dialect, `the call ${torn.slice(0, 60)} is parted from its answer`);
  const finding = newFinding(body.messages, spliced.messages);
  if (finding) throw unfit(body.dialect, `message ${finding.at} has ${finding.detail.slice(0, 200)}`);
}

/** The id of a pair that was whole and no longer is. */
function tornPair(before: Pairs, after: Pairs): string | undefined {
  const answered = new Set(before.answers);
  const whole = before.calls.filter((id) => answered.has(id));
  const [calls, answers] = [new Set(after.calls), new Set(after.answers)];
  return whole.find((id) => calls.has(id) !== answers.has(id));
}

/** What would be wrong in every dialect. Reasons of a client's own, which its provider took so far, are no reasons. */
const rules: ReadonlySet<Rule> = new Set([
  'missing-id',
  'duplicate-call',
  'duplicate-result',
  'orphan-result',
  'unanswered-call',
  'unpaired-server-tool',
]);

function newFinding(before: readonly Message[], after: readonly Message[]): Finding | undefined {
  const wrong = (messages: readonly Message[]): readonly Finding[] =>
    validate(messages).filter(({ rule }) => rules.has(rule));
  const found = wrong(after);
  if (found.length === 0) return undefined;
  const known = new Set(wrong(before).map(({ rule, detail }) => `${rule} ${detail}`));
  return found.find(({ rule, detail }) => !known.has(`${rule} ${detail}`));
}
