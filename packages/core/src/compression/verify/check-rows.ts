/**
 * Rows of work done, as templates of summaries have them: ``RUN `npm test` — ok [tool: bash]``. Each names one call; what it
 * says of the call has to be what came of it.
 */

import { badOutcomes, goodOutcomes } from '../../language/outcomes.ts';
import { isPositive } from '../../language/status.ts';
import type { Action, ActionType } from '../ledger/facts.ts';
import { toolName } from '../ledger/names.ts';
import type { ClaimLine } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { bare, holdsName } from './lookup.ts';
import { isProven } from './named-actions.ts';
import { statusClaims } from './words/statuses.ts';

const row =
  /^(?<verb>\p{Lu}{2,12})\s+(?<target>\S.*?)\s+(?:[—–]|--?)\s+(?<said>[^—–]*?)\s*(?:\[tool:\s*(?<tool>[^\]\s]+)\s*\])?\s*\.?$/u;

const file: readonly ActionType[] = ['create', 'change'];
/** What a verb of a row says that the call does; any other verb may be any call. Commands can do all of it. */
const types: ReadonlyMap<string, readonly ActionType[]> = new Map([
  ['RUN', ['run', 'other']],
  ['EXEC', ['run', 'other']],
  ['TEST', ['run', 'other']],
  ['READ', ['read', 'search', 'fetch', 'run']],
  ['WRITE', [...file, 'run']],
  ['CREATE', [...file, 'run', 'other']],
  ['EDIT', [...file, 'run']],
  ['PATCH', [...file, 'run']],
  ['UPDATE', [...file, 'run', 'other']],
  ['DELETE', ['delete', 'run', 'other', 'change']],
  ['SEARCH', ['search', 'run', 'fetch', 'read', 'other']],
  ['FETCH', ['fetch', 'run', 'read', 'other']],
]);

/** Holds a row of work done against the calls. */
export const checkRows: Check = (line, context) => {
  const groups = line.type === 'code' || line.type === 'heading' ? undefined : row.exec(line.content)?.groups;
  const { verb = '', target = '', said = '', tool } = groups ?? {};
  if (target === '' || !(tool !== undefined || types.has(verb))) return nothing;
  const wrong = judge({ verb, target: target.replace(/^`+|`+$/g, ''), said, tool }, line, context);
  return { claims: ['status'], wrong: wrong ? [wrong] : [] };
};

interface Row {
  readonly verb: string;
  readonly target: string;
  /** What came of it, as the row says. */
  readonly said: string;
  readonly tool: string | undefined;
}

function judge(told: Row, line: ClaimLine, context: Context): WrongClaim | undefined {
  const claim = { type: 'status', text: line.content, line: line.number } as const;
  const calls = callsOf(told, context);
  if (calls.length === 0) {
    if (isOfEarlier(told, context)) return undefined;
    return { ...claim, verdict: 'unsupported', why: 'no call of the conversation did that', refs: [] };
  }
  const result = resultIn(told.said);
  if (calls.some((call) => agrees({ ...call, ok: outcomeOf(call, context) }, result))) return undefined;
  const last = calls.at(-1);
  if (!last) return undefined;
  const step = context.rows.step(last.ref);
  const why = `${last.ref} ${last.ok === false ? 'failed' : 'worked'}${last.exitCode === undefined ? '' : ` (exit ${last.exitCode})`}`;
  return { ...claim, verdict: 'contradicted', why, refs: [last.ref], ...(step === undefined ? {} : { row: step }) };
}

/** What came of a call; what it was to bring back and its own error names, it did not bring. */
const outcomeOf = (call: Action, { source }: Context): boolean | undefined =>
  isProven(call, source) ?? (call.ok === false && call.firstErrorLine?.includes(bare(call.target)) ? false : undefined);

/** The calls of that tool, or of any where none of that name did it, on that target. */
function callsOf({ verb, target, tool }: Row, { facts }: Context): readonly Action[] {
  const wanted = types.get(verb);
  const calls = facts.actions.filter(
    (action) => (wanted === undefined || wanted.includes(action.type)) && isOn(action, target),
  );
  const own = calls.filter((action) => tool !== undefined && isNamed(action.tool, tool));
  const found = own.length > 0 ? own : calls;
  // A row that writes its command out is of no call with more or less of it.
  const exact = found.filter((action) => squeezed(action.target) === squeezed(target));
  return exact.length > 0 ? exact : found;
}

const isNamed = (one: string, other: string): boolean => toolName(one).toLowerCase() === toolName(other).toLowerCase();

/** Rows shorten a target, add a place in the file, and leave out the folder. */
function isOn({ target }: Action, written: string): boolean {
  const [full, told] = [squeezed(target), squeezed(written.replace(/(?:…|\.{3})$/, ''))];
  if (full === '' || told === '') return false;
  const name = bare(told.replace(/:\d[\d:,–-]*$/, '').replace(/^\S+=/, ''));
  return full === told || full.includes(told) || told.includes(full) || holdsName(full, name);
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Carried on from an earlier summary, whose calls are not all there. */
const isOfEarlier = ({ target }: Row, { source }: Context): boolean =>
  source.textSearch(target).some((at) => source.speakerOf(at) === 'summary');

interface Result {
  readonly ok: boolean | undefined;
  readonly exitCode: number | undefined;
}

/** What a row says came of its call; undefined where it only says what was found. */
function resultIn(said: string): Result {
  const code = /\bexit(?:ed)?(?: (?:code|status|with))*\s*[:=]?\s*(\d{1,3})\b/i.exec(said)?.[1];
  const exitCode = code === undefined ? undefined : Number(code);
  if (badOutcomes.test(said)) return { ok: false, exitCode };
  if (goodOutcomes.test(said)) return { ok: true, exitCode };
  const [claim] = statusClaims(said);
  const told = claim && (claim.status === 'passed' || claim.status === 'failed') ? isPositive(claim.status) : undefined;
  return { ok: told, exitCode };
}

interface Ended {
  readonly ok: boolean | undefined;
  readonly exitCode?: number;
}

/** True for a call that may have ended so. */
function agrees(call: Ended, { ok, exitCode }: Result): boolean {
  if (exitCode !== undefined && call.exitCode !== undefined && exitCode !== call.exitCode) return false;
  return ok === undefined || call.ok === undefined || call.ok === ok;
}
