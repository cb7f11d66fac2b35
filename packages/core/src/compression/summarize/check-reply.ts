/**
 * Whether a reply is a summary, and the summary in it. A model may answer the conversation, obey something in it,
 * decline, think aloud, or stop in the middle: none of that may take the place of the records.
 */

import { noUserClaims, userClaims } from '../../language/attribution.ts';
import { nothingSaid, placeholders } from '../../language/headings.ts';
import { closingRemarks, refusalOpenings } from '../../language/requests.ts';
import { redact } from '../../redaction/redact.ts';
import { withoutMarkers } from '../../transcript/summary-text.ts';
import type { FailureKind } from '../policy/state.ts';
import {
  contentOfHeading,
  excessOf,
  mostOfSummary,
  type SummaryLine,
  summaryLimits,
  summaryLines,
} from '../summary-lines.ts';
import { noUserSentinel, type PromptSection, type UserPresence } from './build-prompt.ts';
import { withoutThoughts } from './serialize.ts';
import type { SummaryReply } from './summarizer.ts';

/** What the reply must be a summary for. */
export interface Expected {
  readonly sections: readonly PromptSection[];
  readonly user: UserPresence;
}

/** The summary in a reply, or why there is none. */
export type CheckedReply =
  | { readonly type: 'summary'; readonly text: string }
  | {
      readonly type: 'unusable';
      readonly kind: Extract<FailureKind, 'bad_output' | 'empty_output'>;
      readonly why: string;
    };

/** Thoughts up to this length can be the summary of a model that puts everything there. */
const maxReasoningChars = 8_000;

/** A reply may think aloud before its summary. */
const maxReplyChars = 8 * summaryLimits.characters;

/** The summary in a reply, without thoughts, fences and preambles, its headings as the template words them; redacted. */
export function checkReply(reply: SummaryReply, expected: Expected): CheckedReply {
  if (reply.finish === 'refusal') return declined;
  if (reply.finish === 'length') return bad('it ended at a limit of length, before the end');
  if (reply.text.length > maxReplyChars) return bad(`it has ${reply.text.length} characters, more than any summary`);
  const said = afterThoughts(withoutThoughts(withoutThoughts(reply.text), ['analysis', 'scratchpad'])).trim();
  const thought = (reply.reasoning ?? '').trim();
  const excess = excessOf(said);
  if (excess !== undefined) return bad(`it has ${excess}, more than the ${mostOfSummary} that a summary may have`);
  if (said !== '') return checkText(said, expected);
  if (thought === '') return empty('it is empty');
  const inThoughts = thought.length > maxReasoningChars ? undefined : headedSummary(thought, expected.sections);
  if (inThoughts === undefined) return empty(`it has no text beside ${thought.length} characters of reasoning`);
  return judged(inThoughts, expected);
}

/** The text behind a closing tag that nothing opened: some models begin to think without saying so. */
function afterThoughts(text: string): string {
  if (!text.includes('</think')) return text;
  const lines = text.split('\n');
  return lines.slice(1 + lines.findLastIndex((line) => /^<\/think(?:ing)?>$/.test(line.trim()))).join('\n');
}

const bad = (why: string): CheckedReply => ({ type: 'unusable', kind: 'bad_output', why });
const empty = (why: string): CheckedReply => ({ type: 'unusable', kind: 'empty_output', why });
const declined = bad('the model declined to write it');

function checkText(text: string, expected: Expected): CheckedReply {
  const summary = headedSummary(text, expected.sections);
  if (summary !== undefined) return judged(summary, expected);
  if (declines(text)) return declined;
  return bad(`it has none of the headings that were asked for ("${expected.sections[0]?.heading}", …)`);
}

/** What stands under the headings must be more than what the prompt said about them. */
function judged(summary: string, { sections, user }: Expected): CheckedReply {
  const told = new Set(sections.flatMap(({ instruction }) => instruction.split('\n').map(plain)));
  const lines = summaryLines(summary);
  const filled = lines.filter((line) => isFilled(line) && !told.has(plain(line.text)));
  const facts = filled.filter(({ content }) => !saysNothing(content));
  if (facts.length === 0) {
    const echoes = lines.some((line) => line.type !== 'heading' && line.type !== 'blank' && !saysNothing(line.content));
    return bad(echoes ? 'it repeats the form without filling it in' : 'it has headings and says nothing under them');
  }
  if (facts.length <= 4 && declines(facts[0]?.content ?? '')) return declined;
  if (user === 'nowhere' && facts.some(claimsUser)) {
    return bad('it tells of requests of a user, and the session has no user');
  }
  const isEcho = (line: SummaryLine): boolean => line.type === 'text' && told.has(plain(line.text));
  const kept = lines.filter((line) => !isEcho(line)).map(({ text }) => text);
  // A model that goes on from an earlier summary may write its frame once more.
  return { type: 'summary', text: redact(withoutMarkers(kept.join('\n')).trim()) };
}

const plain = (text: string): string => text.replace(/^[\s>*+(-]+|[\s)*]+$/g, '').toLowerCase();

const isFilled = ({ type, content }: SummaryLine): boolean =>
  type !== 'heading' && type !== 'blank' && type !== 'fence' && !placeholders.test(content);

const saysNothing = (content: string): boolean =>
  nothingSaid.test(content) || content.includes(noUserSentinel) || content === '';

const declines = (text: string): boolean => refusalOpenings.some((opening) => opening.test(text.trimStart()));

const claimsUser = ({ type, content }: SummaryLine): boolean =>
  type !== 'code' && !noUserClaims.test(content) && userClaims.some((claim) => claim.test(content));

// Finds the summary in what a model wrote, by the headings that it was asked for.

/**
 * The text from the first of the headings to the end, without a code fence around it, each heading as it was asked for;
 * undefined when none of them is there. Headings that the model translated count where they are many.
 */
function headedSummary(text: string, sections: readonly PromptSection[]): string | undefined {
  const byName = new Map(sections.map(({ heading }) => [nameOf(heading), heading]));
  const lines = text.split('\n');
  const asked = (line: string): string | undefined => (isMarked(line) ? byName.get(nameOf(line)) : undefined);
  const first = lines.findIndex((line) => asked(line) !== undefined);
  if (first === -1) return translatedSummary(text, sections);
  const body = withoutFence(lines, first).join('\n');
  const headed = summaryLines(body).map((line) => {
    const heading = line.type === 'heading' ? asked(line.text) : undefined;
    return heading === undefined ? line.text : `## ${heading}`;
  });
  return withoutClosing(headed);
}

/** The same where the model put the headings into the language of the conversation. */
function translatedSummary(text: string, sections: readonly PromptSection[]): string | undefined {
  const askedFor = (heading: string): string | undefined => {
    const content = /[^\p{ASCII}]/u.test(heading) ? contentOfHeading(heading) : undefined;
    return content && sections.find(({ holds }) => holds.includes(content))?.heading;
  };
  const lines = text.split('\n');
  const heads = lines.map((line) => (/^\s{0,3}(?:#{1,6}\s|\*\*)/.test(line) ? askedFor(nameOf(line)) : undefined));
  const first = heads.findIndex((heading) => heading !== undefined);
  const found = new Set(heads.filter((heading) => heading !== undefined));
  if (found.size < Math.max(2, Math.ceil(sections.length / 3))) return undefined;
  const seen = new Set<string>();
  const headed = withoutFence(lines, first).map((line, at) => {
    const heading = heads[first + at];
    // Two headings of the model's may be about what one of ours holds: the second stays as it is.
    if (heading === undefined || seen.has(heading)) return line;
    seen.add(heading);
    return `## ${heading}`;
  });
  return withoutClosing(headed);
}

/** `## Goal`, `**Goal:**` and `1. Goal:` may be headings, `Goal` alone is a word. */
const isMarked = (line: string): boolean => line.length <= 200 && /^\s{0,3}(?:#{1,6}\s|\*\*|__)|[:：]\s*$/.test(line);

const nameOf = (line: string): string =>
  line
    .replace(/^\s*(?:#{1,6}\s+)?(?:\*\*|__)?\s*(?:\d{1,2}[.)]\s+)?(?:\*\*|__)?/, '')
    .replace(/[\s:：*_#]+$/, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

const fence = /^\s*(?:`{3,}|~{3,})[\w-]*\s*$/;

/** The lines from the first heading on; where a fence opens right above it, up to the fence that closes it. */
function withoutFence(lines: readonly string[], first: number): readonly string[] {
  const body = lines.slice(first);
  const above = lines.slice(0, first).findLast((line) => line.trim() !== '');
  if (above === undefined || !fence.test(above)) return body;
  const fences = body.flatMap((line, at) => (fence.test(line) ? [at] : []));
  // Fences inside come in pairs: an odd number means that the last one closes the one above.
  return fences.length % 2 === 1 ? body.slice(0, fences.at(-1)) : body;
}

/** The text without closing tags and a closing remark at its end. */
function withoutClosing(lines: readonly string[]): string {
  const kept = [...lines];
  const isLast = (pattern: RegExp): boolean => pattern.test(kept.at(-1)?.trim() ?? '');
  while (kept.length > 1 && (isLast(/^$/) || isLast(/^<\/[\w-]+>$/) || isLast(/^-{3,}$/))) kept.pop();
  const above = kept.at(-2)?.trim() ?? 'text';
  if (kept.length > 2 && /^(?:-{3,})?$/.test(above) && isLast(closingRemarks)) kept.pop();
  while (kept.length > 1 && (isLast(/^$/) || isLast(/^-{3,}$/))) kept.pop();
  return kept.join('\n');
}
