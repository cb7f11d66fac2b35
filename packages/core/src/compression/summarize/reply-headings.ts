/** Finds the summary in what a model wrote, by the headings that it was asked for. */
import { contentOfHeading, summaryLines } from '../summary-lines.ts';
import type { PromptSection } from './build-prompt.ts';
import { closingRemark } from './refusals.data.ts';

/**
 * The text from the first of the headings to the end, without a code fence around it, each heading as it was asked for;
 * undefined when none of them is there. Headings that the model translated count where they are many.
 */
export function headedSummary(text: string, sections: readonly PromptSection[]): string | undefined {
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
  if (kept.length > 2 && /^(?:-{3,})?$/.test(above) && isLast(closingRemark)) kept.pop();
  while (kept.length > 1 && (isLast(/^$/) || isLast(/^-{3,}$/))) kept.pop();
  return kept.join('\n');
}
