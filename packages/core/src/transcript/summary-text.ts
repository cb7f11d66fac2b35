/**
 * Summaries as compressions leave them in a conversation, ours and those of other tools, by their openings and end markers.
 * People write of summaries too, and hand elements of such names to a model: only what a tool writes is one.
 */

/** A text taken apart: the summary, and the real text around it. */
export interface SummaryText {
  readonly body: string;
  readonly before: string;
  readonly after: string;
  /** What the opening of a handoff of ours says of it. */
  readonly tag?: HandoffTag;
}

/** What the opening of a handoff of ours says, as it stands there. */
export interface HandoffTag {
  /** The messages that it stands for: `m4-m407`. */
  readonly covers: string;
  /** The messages right behind it when it was made, in their order: `m390, m408-m420`. */
  readonly followedBy?: string;
  /** Where the messages that it stands for are kept. */
  readonly keptIn?: string;
}

/** What closes a handoff of ours. */
export const handoffEnd = '</handoff>';

/** The summary in a text that a compression wrote, and what stands around it; undefined when it has none. */
export function summaryIn(text: string): SummaryText | undefined {
  const start = handoffStart.exec(text);
  if (!start) return foreignSummary(text);
  const end = endOfHandoff(text, start[0].length);
  const inner = text.slice(start[0].length, end === -1 ? undefined : end);
  const told = inner.startsWith('Reference only:') ? inner.indexOf('\n\n') : -1;
  const body = unescaped(inner.slice(told === -1 ? 0 : told).trim());
  const after = end === -1 ? '' : text.slice(end + handoffEnd.length).replace(/^\s*\n/, '');
  return { body, before: '', after, tag: tagOf(start[1] ?? '', start[2] ?? '') };
}

function tagOf(covers: string, rest: string): HandoffTag {
  const attribute = (name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`).exec(rest)?.[1];
  const [followedBy, keptIn] = [attribute('followed-by'), attribute('kept-in')];
  return {
    covers,
    ...(followedBy === undefined ? {} : { followedBy }),
    ...(keptIn === undefined ? {} : { keptIn }),
  };
}

const handoffStart = /^\s*<handoff covers="([^"\n]*)"([^>\n]*)>[^\S\n]*\n?/;

/** Where the block ends that begins before `from`; naive tools put one block right into another, each with its own end. */
function endOfHandoff(text: string, from: number): number {
  let depth = 1;
  let inner = text.slice(from);
  for (let open = handoffStart.exec(inner); depth < 8; open = handoffStart.exec(inner)) {
    const told = open ? open[0].length : inner.startsWith('Reference only:') ? inner.indexOf('\n\n') : -1;
    if (told < 0) break;
    if (open) depth++;
    inner = inner.slice(told);
  }
  let end = text.indexOf(handoffEnd, from);
  for (let left = depth - 1; left > 0; left--) {
    const next = end === -1 ? -1 : text.indexOf(handoffEnd, end + handoffEnd.length);
    if (next === -1) break;
    end = next;
  }
  return end;
}

/** The end marker inside a body gets a backslash more, so that only the real one ends the block. */
export const escaped = (body: string): string => body.replace(/<(\\*)\/handoff>/g, '<\\$1/handoff>');
const unescaped = (body: string): string => body.replace(/<\\(\\*)\/handoff>/g, '<$1/handoff>');

interface Shape {
  /** The opening, up to where the summary begins. */
  readonly start: RegExp;
  /** Where the summary ends; without a match it goes to the end of the text. */
  readonly end?: RegExp;
}

const endOfSummary = /^-{3}\s*END OF CONTEXT SUMMARY\b[^\n]*-{3}[^\S\n]*$/m;

const shapes: readonly Shape[] = [
  // Hermes Agent, today and before: one long line of rules, then the summary.
  { start: /^\[CONTEXT COMPACTION[^\]\n]*\][^\n]*\n?/, end: endOfSummary },
  { start: /^\[CONTEXT SUMMARY\](?::|(?=\s*\n))[^\S\n]*\n?/, end: endOfSummary },
  // Claude Code.
  {
    start: /^This session is being continued from a previous conversation that ran out of context[^\n]*\n*/,
    end: /^(?:If you need specific details from before compaction|Please continue the conversation from where we left)/m,
  },
  // pi.
  {
    start:
      /^The conversation history before this point was compacted into the following summary[^\n]*\n*(?:<summary>\n?)?/,
    end: /<\/summary>/,
  },
  // Codex.
  { start: /^Another language model started to solve this problem and produced a summary[^\n]*\n*/ },
];

/** Gemini CLI, GitHub Copilot and others: the whole text. With words behind it, it is what a person hands to a model. */
const summaryElement = /^<(state_snapshot|conversation[_-]summary|context[_-]summary)>\n?([\s\S]*)<\/\1>\s*$/;

/** Lines with which tools open and close a summary and say nothing of it, and the same at the start of a line that says more. */
const markerLine: readonly RegExp[] = [
  /^<\\*\/?(?:handoff|summary|state_snapshot|conversation[_-]summary|context[_-]summary)\b[^>\n]*>$/,
  /^\[CONTEXT COMPACTION[^\]\n]*\]/,
  /^-{3}\s*END OF CONTEXT SUMMARY\b/,
  /^\[(?:END OF )?PRIOR CONTEXT\b[^\]\n]*\]$/,
  /^This session is being continued from a previous conversation that ran out of context/,
  /^(?:If you need specific details from before compaction|Please continue the conversation from where we left)/,
  /^The conversation history before this point was compacted into the following summary/,
  /^Another language model started to solve this problem and produced a summary/,
  /^Reference only: notes on earlier conversation that was removed\b/,
];
const markerStart = /^(?:\[CONTEXT SUMMARY\]:?\s*)+/;
const markerInside = /<handoff covers="[^"\n]*"[^>\n]*>|<\\*\/handoff>/g;
/** What quotes and lists put before a line. */
const lineLead = /^(?:\s|[>"“'`]|[*+-](?=\s))*/;

/**
 * The lines of a summary without the markers of earlier ones that it was made of, whoever wrote them: between them a reader
 * would take the rest for something else than a part of this summary.
 */
export function withoutMarkers(body: string): string {
  if (!/handoff|summary|CONTEXT|state_snapshot|compact|previous conversation|where we left|Reference only/i.test(body))
    return body;
  const lines = body.split('\n').flatMap((line): readonly string[] => {
    const lead = lineLead.exec(line)?.[0] ?? '';
    const said = line.slice(lead.length);
    if (markerLine.some((marker) => marker.test(said.trimEnd()))) return [];
    const own = said.replace(markerStart, '').replace(markerInside, '');
    return own === said ? [line] : own.trim() === '' ? [] : [lead + own];
  });
  return lines.join('\n');
}

/** Lines that belong to the tool, not to the user, after the summary. */
const trailer =
  /^(?:<\/\w+>|[^\n]*read the full transcript at:[^\n]*|If you need specific details[^\n]*|Please continue the conversation[^\n]*|\s)*/;

const priorHeader = /^\[PRIOR CONTEXT\b[^\]\n]*\]\s*\n?/;
const priorEnd = /^\[END OF PRIOR CONTEXT\b[^\]\n]*\][^\S\n]*$/m;

function foreignSummary(text: string): SummaryText | undefined {
  const trimmed = text.trimStart();
  const prior = trimmed.includes('[END OF PRIOR CONTEXT') ? priorEnd.exec(trimmed) : null;
  if (prior && (priorHeader.test(trimmed) || afterPrior(trimmed, prior))) {
    const inner = afterPrior(trimmed, prior);
    if (inner) return { ...inner, before: trimmed.slice(0, prior.index).replace(priorHeader, '').trimEnd() };
  }
  for (const shape of shapes) {
    const start = shape.start.exec(trimmed);
    if (start) return cut(trimmed, start[0].length, shape.end);
  }
  const element = summaryElement.exec(trimmed);
  return element ? { body: (element[2] ?? '').trim(), before: '', after: '' } : undefined;
}

function afterPrior(text: string, prior: RegExpExecArray): SummaryText | undefined {
  return foreignSummary(text.slice(prior.index + prior[0].length));
}

function cut(text: string, start: number, endMarker: RegExp | undefined): SummaryText {
  const rest = text.slice(start);
  const end = endMarker?.exec(rest);
  if (!end) return { body: rest.trim(), before: '', after: '' };
  const behind = rest.slice(end.index + (/^[<-]/.test(end[0]) ? end[0].length : 0));
  return { body: rest.slice(0, end.index).trim(), before: '', after: behind.replace(trailer, '') };
}
