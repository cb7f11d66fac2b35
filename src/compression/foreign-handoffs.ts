/** Summaries as other tools leave them in a conversation, by their openings and end markers. */

/** A text taken apart: the summary, and the real text around it. */
export interface ForeignHandoff {
  readonly body: string;
  readonly before: string;
  readonly after: string;
}

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
  { start: /^\[CONTEXT SUMMARY\]:?[^\S\n]*\n?/, end: endOfSummary },
  // Claude Code.
  {
    start: /^This session is being continued from a previous conversation[^\n]*\n*/,
    end: /^(?:If you need specific details from before compaction|Please continue the conversation from where we left)/m,
  },
  // pi.
  {
    start: /^The conversation history before this point was compacted[^\n]*\n*(?:<summary>\n?)?/,
    end: /<\/summary>/,
  },
  // Codex.
  { start: /^Another language model started to solve this problem[^\n]*\n*/ },
  // Gemini CLI, GitHub Copilot and others.
  { start: /^<state_snapshot>\n?/, end: /<\/state_snapshot>/ },
  { start: /^<conversation[_-]summary>\n?/, end: /<\/conversation[_-]summary>/ },
  { start: /^<context[_-]summary>\n?/, end: /<\/context[_-]summary>/ },
];

/** Lines that belong to the tool, not to the user, after the summary. */
const trailer =
  /^(?:<\/\w+>|[^\n]*read the full transcript at:[^\n]*|If you need specific details[^\n]*|Please continue the conversation[^\n]*|\s)*/;

const priorHeader = /^\[PRIOR CONTEXT\b[^\]\n]*\]\s*\n?/;
const priorEnd = /^\[END OF PRIOR CONTEXT\b[^\]\n]*\][^\S\n]*$/m;

/** The summary in a text that another tool, or an older form of ours, wrote; undefined when it has none. */
export function foreignHandoff(text: string): ForeignHandoff | undefined {
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
  return undefined;
}

function afterPrior(text: string, prior: RegExpExecArray): ForeignHandoff | undefined {
  return foreignHandoff(text.slice(prior.index + prior[0].length));
}

function cut(text: string, start: number, endMarker: RegExp | undefined): ForeignHandoff {
  const rest = text.slice(start);
  const end = endMarker?.exec(rest);
  if (!end) return { body: rest.trim(), before: '', after: '' };
  const behind = rest.slice(end.index + (/^[<-]/.test(end[0]) ? end[0].length : 0));
  return { body: rest.slice(0, end.index).trim(), before: '', after: behind.replace(trailer, '') };
}
