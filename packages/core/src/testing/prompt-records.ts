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
const summaryElement = /<(summary-so-far|previous-summary|part-summaries|part-summary)\b[^>]*>\n?([\s\S]*?)<\/\1>/g;
/** Facts have headings too, and nobody asks for those. */
const factsElement = /^<facts>\n[\s\S]*?^<\/facts>$/gm;
const partLabel = /^\[PART\s+\d+[^\]\n]*\]\s*$/gm;

/** Takes a prompt apart. */
export function readPrompt(prompt: string): ReadPrompt {
  const summaries = [...prompt.matchAll(summaryElement)].flatMap(([, , body = '']) => body.split(partLabel));
  const rest = prompt.replace(summaryElement, '\n').replace(factsElement, '\n');
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

function recordOf({ ref, what, lines }: { ref: string; what: string; lines: readonly string[] }): PromptRecord {
  const text = lines.join('\n').trim();
  const [, kind = '', tool = '', , ending = ''] =
    /^(USER|ASSISTANT|TOOL CALL|TOOL RESULT|\w+)\s*([^→]*?)\s*(→\s*(.*))?$/.exec(what) ?? [];
  const outcome = /^ok\b/i.test(ending) ? 'ok' : /^failed\b/i.test(ending) ? 'failed' : 'unknown';
  return { ref, type: types.get(kind) ?? 'other', tool, outcome, ending, text };
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
