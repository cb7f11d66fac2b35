/**
 * Reads the prompt of a summariser as far as the fake needs it: labelled records such as `[m12 USER]`, the headings that
 * are asked for, and earlier summaries. Tolerant: a prompt of another shape is one record of the user.
 */

/** What one speaker said, or one call or result. */
export interface PromptRecord {
  /** `m12`. */
  readonly ref: string;
  readonly type: 'user' | 'assistant' | 'call' | 'result' | 'other';
  /** The tool of a call or result. */
  readonly tool: string;
  /** Of a result: what its label says. */
  readonly outcome: 'ok' | 'failed' | 'unknown';
  /** What the label says of the ending, such as `exit 1`. */
  readonly ending: string;
  readonly text: string;
}

/** A prompt taken apart. */
export interface ReadPrompt {
  readonly records: readonly PromptRecord[];
  /** Headings that are asked for, in order. */
  readonly headings: readonly string[];
  /** Earlier summaries and summaries of parts, in order. */
  readonly summaries: readonly string[];
}

const label = /^\[(m\d+)(?:\s*[-–]\s*m\d+)?\s+([A-Z][^\]\n]*)\]\s*$/;
const elementEdge = /^<\/?[a-z][\w-]*(?:\s[^>]*)?>\s*$/;
const summaryStart = /<(summary-so-far|previous-summary|part-summaries|part-summary)\b[^<>]*>\n?/g;
/** Facts have headings too, and nobody asks for those. */
const factsStart = /^<(facts)>\n/gm;
const partLabel = /^\[PART\s+\d+[^\]\n]*\]\s*$/gm;

/** Takes a prompt apart. */
export function readPrompt(prompt: string): ReadPrompt {
  const told = takeElements(prompt, summaryStart, (name) => new RegExp(`</${name}>`, 'g'));
  const summaries = told.bodies.flatMap((body) => body.split(partLabel));
  const { rest } = takeElements(told.rest, factsStart, (name) => new RegExp(`^</${name}>$`, 'gm'));
  const records: PromptRecord[] = [];
  const headings: string[] = [];
  let open: { readonly ref: string; readonly what: string; readonly lines: string[] } | undefined;
  const close = (): void => {
    if (open) records.push(recordOf(open));
    open = undefined;
  };
  for (const line of rest.split('\n')) {
    const [, ref, what] = label.exec(line) ?? [];
    if (ref !== undefined && what !== undefined) {
      close();
      open = { ref, what, lines: [] };
    } else if (elementEdge.test(line)) close();
    else if (open) open.lines.push(line);
    else if (line.startsWith('## ')) headings.push(line.slice(3).trim());
  }
  close();
  return { records, headings, summaries: summaries.map((text) => text.trim()).filter(Boolean) };
}

/** What stands in elements, and the text without them. One that is never closed is text, and looked for once: linear. */
function takeElements(
  text: string,
  start: RegExp,
  endOf: (name: string) => RegExp,
): { readonly rest: string; readonly bodies: readonly string[] } {
  const rest: string[] = [];
  const bodies: string[] = [];
  const unclosed = new Set<string>();
  let from = 0;
  for (const { 0: tag, 1: name = '', index } of text.matchAll(start)) {
    if (index < from || unclosed.has(name)) continue;
    const end = endOf(name);
    end.lastIndex = index + tag.length;
    const found = end.exec(text);
    if (!found) {
      unclosed.add(name);
      continue;
    }
    rest.push(text.slice(from, index));
    bodies.push(text.slice(index + tag.length, found.index));
    from = end.lastIndex;
  }
  return { rest: [...rest, text.slice(from)].join('\n'), bodies };
}

function recordOf({ ref, what, lines }: { ref: string; what: string; lines: readonly string[] }): PromptRecord {
  const text = lines.join('\n').trim();
  const [, kind = '', named = '', ending = ''] =
    /^(USER|ASSISTANT|TOOL CALL|TOOL RESULT|\w+)([^→]*)(?:→(.*))?$/.exec(what) ?? [];
  const outcome = /^\s*ok\b/i.test(ending) ? 'ok' : /^\s*failed\b/i.test(ending) ? 'failed' : 'unknown';
  return { ref, type: types.get(kind) ?? 'other', tool: named.trim(), outcome, ending, text };
}

const types: ReadonlyMap<string, PromptRecord['type']> = new Map([
  ['USER', 'user'],
  ['ASSISTANT', 'assistant'],
  ['TOOL CALL', 'call'],
  ['TOOL RESULT', 'result'],
]);

/** The last record of a type. */
export const lastOf = (records: readonly PromptRecord[], type: PromptRecord['type']): PromptRecord | undefined =>
  records.findLast((record) => record.type === type);
