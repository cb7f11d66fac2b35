/** Lines that name an entry of the agent's plan: whatever their words, they say how that entry stands. */
import type { PlanEntry } from '../ledger/facts.ts';
import type { ClaimLine } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { clauseEnds } from './clause.ts';
import { type Check, nothing } from './context.ts';

/** Shorter entries stand in lines by chance. */
const leastChars = 8;

const done =
  /(?<![\p{L}-])(?:done|completed?|finished|implemented|closed|ticked off)(?![\p{L}-])|[✅☑✔✓]|\[[xX]\]|已?完成|做完|完了|済み|終わった|終了|完成した|완료|끝났|끝남|마침|마쳤/iu;
const open =
  /(?<!\p{L})(?:not (?:yet )?(?:\p{L}+ ){0,2}(?:done|completed?|finished|started|begun|implemented)|(?:has|have|had|was|is|were|are)(?: not|n['’]t) (?:yet )?(?:been )?\p{L}+|undone|to[- ]?do|pending|open|unfinished|incomplete|not started|outstanding|remaining|still (?:open|to be done|to do|left))(?!\p{L})|\[ \]|[☐⬜⏳]|未完成|没有?(?:完成|做|开始)|还没|尚未|待办|待处理|待完成|未开始|没做|未完了|未着手|まだ|していない|終わっていない|完了していない|これから|미완료|완료되지|않았|않음|아직|대기|예정|시작되지|끝나지|못했/iu;
/** Under way: the entry may count as either. */
const active =
  /(?<!\p{L})(?:in progress|under way|ongoing|active|started|partly|partially|being)(?!\p{L})|进行中|正在|部分|進行中|作業中|一部|진행 ?중|일부/iu;

/** Holds what a line says of an entry of the plan against the plan as it stood last. */
export const checkPlanLines: Check = (line, { facts }) => {
  const { plan } = facts;
  if (line.type === 'code' || line.type === 'heading' || !plan) return nothing;
  const wrong: WrongClaim[] = [];
  let claims = 0;
  for (const entry of plan.entries) {
    const place = placeOf(entry, plan.entries, line);
    if (place === undefined) continue;
    const said = stateIn(around(line.content, place));
    if (said === undefined) continue;
    claims++;
    const state = entry.state === 'done' ? 'done' : 'open';
    if (said.state === state || (entry.state === 'active' && said.isWeak)) continue;
    wrong.push({
      ...{ type: 'status', text: said.text, line: line.number, verdict: 'contradicted', refs: [plan.ref] },
      why: `${plan.ref} says of this entry of the plan: ${entry.state}`,
    });
  }
  return { claims: Array.from({ length: claims }, () => 'status' as const), wrong };
};

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Where the entry stands in the line; undefined where it does not, or another entry with the same words stands otherwise. */
function placeOf(entry: PlanEntry, all: readonly PlanEntry[], { content }: ClaimLine): Place | undefined {
  const text = entry.text.trim();
  const start = text.length < leastChars ? -1 : content.indexOf(text);
  if (start < 0) return undefined;
  const isDoubtful = all.some((other) => other.state !== entry.state && other.text.includes(text));
  return isDoubtful ? undefined : { start, end: start + text.length };
}

/** What the same clause says besides the entry. */
function around(content: string, { start, end }: Place): string {
  const [from, to] = clauseEnds(content, { start, end });
  return `${content.slice(from, start)}\ufffc${content.slice(end, to)}`;
}

interface Said {
  readonly state: 'done' | 'open';
  readonly text: string;
  /** "Not finished" may be said of what is under way. */
  readonly isWeak: boolean;
}

/** More words beside the entry than these tell of something else. */
const mostChars = 60;

function stateIn(text: string): Said | undefined {
  if (text.length > mostChars || active.test(text)) return undefined;
  const isOpen = open.exec(text);
  if (isOpen) return { state: 'open', text: isOpen[0], isWeak: true };
  const isDone = done.exec(text);
  return isDone ? { state: 'done', text: isDone[0], isWeak: false } : undefined;
}
