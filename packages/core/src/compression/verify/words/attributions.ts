/** Words that say what the user asked for, wants or said, and what they attribute to the user. */
import type { Attribution, AttributionPattern } from './attribution.ts';
import { attributionGroups } from './attribution-patterns.ts';
import { masked } from './quotes.ts';

export type { Attribution, AttributionVerb } from './attribution.ts';

/**
 * The first attribution to the user in a line; undefined where there is none. The user of a program under work
 * (`when the user clicks`, `asks the user for a name`, `the user table`) asks for nothing. Linear.
 */
export function attributionIn(line: string): Attribution | undefined {
  const known = remembered.get(line);
  if (known) return known.attribution;
  const attribution = readAttribution(line);
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(line, { attribution });
  return attribution;
}

/** Several checks ask of the same line, one after the other. */
const remembered = new Map<string, { readonly attribution: Attribution | undefined }>();
const mostRemembered = 64;

function readAttribution(line: string): Attribution | undefined {
  const text = masked(line);
  const groups = attributionGroups.filter(({ mention }) => mention.test(text));
  const place = { line, text };
  return (
    firstOf(
      groups.flatMap(({ patterns }) => patterns),
      place,
    ) ??
    firstOf(
      groups.flatMap(({ loose }) => loose),
      place,
    )
  );
}

interface Text {
  readonly line: string;
  /** With its quotations and code masked. */
  readonly text: string;
}

function firstOf(patterns: readonly AttributionPattern[], { line, text }: Text): Attribution | undefined {
  let best: Attribution | undefined;
  for (const { words, verb, content, negated } of patterns)
    for (const match of text.matchAll(words)) {
      const start = match.index;
      const end = start + match[0].length;
      if (best && best.start <= start) break;
      if (supposed(text, start) || ofProgram(text, end)) continue;
      const rest = restOf(line, { start, end, content, between: match.indices?.groups?.content });
      best = { by: 'user', verb, start, end, negated: negated ?? denied.test(match[0]), rest };
      break;
    }
  return best;
}

const denied =
  /\b(?:not|never|n['’]t|nicht|pas)\b|n['’]t\b|(?:没有|从未|未曾|并未|不)(?=要求|请求|让|同意|批准)|ていない|しなかった|지 ?않|지 ?못/i;

/** A condition, a habit or a question right before makes a user of a program of it, or a request to come. */
const conditional =
  /(?:\b(?:if|whether|unless|until|till|whenever|in case|once|when|before|should|let|lets|letting|ask|asks|asking|asked|prompt|prompts|require[sd]?|allow|allows|wait|waits|waiting|per) (?:that )?(?:the |our |a |an |any |every |each )?|如果|若|当|除非|直到|一旦|每当|等待|等|待|让|请|提示|允许|要求|询问|帮助|需|需要|处理|接收|收到|记录|解析|每个|もし|만약|만일)$/i;

/** `every user asked` speaks of the users of a program. */
const many = /\b(?:every|each|any|a|no) $/i;

function supposed(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 24), start);
  return conditional.test(before) || (many.test(before) && /^user/i.test(text.slice(start, start + 4)));
}

/** What shows right behind that the sentence tells how a program treats its users. */
const programs =
  /^(?:时|后|的?时候|之后|的话|场合|場合|とき|時|なら|たら|면|할 때|하면|경우|\s*(?:data|input|inputs|values?|locale|page|url|fields?|profile|table|id|ids|token|session|record|row|rows|event|events|records|resources?)\b)/i;

const ofProgram = (text: string, end: number): boolean => programs.test(text.slice(end, end + 12));

interface Place {
  readonly start: number;
  readonly end: number;
  readonly content: 'after' | 'before' | 'between';
  readonly between: readonly [number, number] | undefined;
}

const edges = /^[\s:：,，、;；—–-]+|[\s,，、;；:：—–]+$/g;

function restOf(line: string, { start, end, content, between }: Place): string {
  const after = withinBrackets(line, start, end).replace(edges, '');
  const before = line.slice(0, start).replace(edges, '');
  if (content === 'between' && between) return line.slice(...between).replace(edges, '');
  return content === 'before' ? before || after : after || before;
}

/** What follows; within `(user chose: JSON)` only up to the bracket that closes. */
function withinBrackets(line: string, start: number, end: number): string {
  const closing = { '(': ')', '（': '）', '[': ']' }[line.slice(0, start).trimEnd().slice(-1)];
  const close = closing === undefined ? -1 : line.indexOf(closing, end);
  return line.slice(end, close < 0 ? undefined : close);
}
