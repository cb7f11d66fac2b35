/**
 * The script that stands in for a model that does its work well: a summary made of the records in the prompt, without a
 * model. The user's words are quoted, results are told as their labels tell them, and nothing else is claimed.
 */
import type { SectionContent } from '../compression/ledger/templates.ts';
import { summaryLines } from '../compression/summary-lines.ts';
import { type Language, type Phrases, phrases, standingRuleWords } from '../language/fake-texts.ts';
import { isJsonObject, parseJson } from '../shared/json.ts';
import type { Reply } from './reply.ts';
import { type FakeRequest, promptText } from './request.ts';

/** What the summary is made of. */
interface Source {
  readonly records: readonly PromptRecord[];
  readonly steps: readonly Step[];
  readonly phrases: Phrases;
}

/** A call with what it led to. */
interface Step {
  readonly what: string;
  readonly call: PromptRecord;
  readonly result: PromptRecord | undefined;
}

/** Answers a request for a summary faithfully, and any other request with its own last words. */
export function faithfulSummary(request: Pick<FakeRequest, 'messages'>): Reply {
  const prompt = promptText(request);
  const read = readPrompt(prompt);
  if (read.records.length === 0 && read.summaries.length === 0) return { text: echo(prompt) };
  return { text: summaryOf(read) };
}

/** What the fake says where there is nothing to summarise. */
const echo = (prompt: string): string => `You said: ${oneLine(prompt, 400)}`;

const usualHeadings = ['Active Task', 'Constraints & Preferences', 'Completed Actions', 'Blocked', 'Relevant Files'];

function summaryOf({ records, headings, summaries }: ReadPrompt): string {
  const source: Source = { records, steps: stepsOf(records), phrases: phrases[languageIn(records, summaries)] };
  const known = summaries.flatMap(summaryLines).filter(({ type }) => type === 'text' || type === 'quoted');
  const carriedUnder = Map.groupBy(known, ({ heading }) => heading);
  const newUnder = new Map<SectionContent, readonly string[]>();
  const newAbout = (about: SectionContent): readonly string[] => {
    const lines = newUnder.get(about) ?? writers[about](source);
    newUnder.set(about, lines);
    return lines;
  };
  const asked = headings.length > 0 ? [...new Set(headings)] : usualHeadings;
  const sections = asked.map((heading) => {
    const [line] = summaryLines(`## ${heading}`);
    const carried = (carriedUnder.get(heading) ?? [])
      .filter(({ content }) => !/^None\b/.test(content))
      .map(({ text }) => text);
    const written = line?.about === undefined ? [] : newAbout(line.about);
    // The newest request replaces the one before it; everything else is added to what stood there.
    const kept = line?.about === 'task' && written.length > 0 ? [] : carried;
    const lines = renumbered([...new Set([...kept, ...written])]);
    return `## ${heading}\n${lines.length > 0 ? lines.join('\n') : source.phrases.none}`;
  });
  return sections.join('\n\n');
}

/** The language of the user; of the earlier summaries where the user says nothing. */
function languageIn(records: readonly PromptRecord[], summaries: readonly string[]): Language {
  const said = records.filter(({ type }) => type === 'user').map(({ text }) => text);
  return languageOf((said.length > 0 ? said : summaries).join('\n'));
}

const nothing = (): readonly string[] => [];

/** What is written under a heading, by what the heading is about. */
const writers: Readonly<Record<SectionContent, (source: Source) => readonly string[]>> = {
  task: ({ records, phrases: say }) => {
    const newest = lastOf(records, 'user');
    return newest ? [quoted(newest), say.underWay] : [say.noUser];
  },
  goal: ({ records }) =>
    records
      .filter(({ type }) => type === 'user')
      .slice(0, 1)
      .map(quoted),
  constraints: ({ records }) =>
    records
      .filter(({ type }) => type === 'user')
      .flatMap((record) =>
        record.text
          .split('\n')
          .filter((line) => standingRuleWords.test(line))
          .map((text) => `- ${quoted({ ...record, text })}`),
      ),
  actions: ({ steps, phrases: say }) => steps.map((step, index) => `${index + 1}. ${told(step, say)}`),
  state: ({ steps, phrases: say }) => steps.slice(-1).map((step) => `- ${told(step, say)}`),
  blocked: ({ steps, phrases: say }) => {
    const solvedAt = new Map(steps.flatMap(({ what, result }, at) => (result?.outcome === 'ok' ? [[what, at]] : [])));
    return steps
      .filter(({ what, result }, at) => result?.outcome === 'failed' && (solvedAt.get(what) ?? -1) < at)
      .map(({ what, result, call }) => `- ${say.unsolved(what)}${errorOf(result)} (${result?.ref ?? call.ref})`);
  },
  files: ({ steps }) => [...filesOf(steps)].map(([path, ref]) => `- \`${path}\` (${ref})`),
  checks: nothing,
  waiting: nothing,
  progress: nothing,
  decisions: nothing,
  answers: nothing,
  asks: nothing,
  remaining: nothing,
  names: nothing,
  earlier: nothing,
};

/** Each call with the next result of its tool. */
function stepsOf(records: readonly PromptRecord[]): readonly Step[] {
  const next = new Map<string, PromptRecord>();
  const steps: Step[] = [];
  for (const record of records.toReversed()) {
    if (record.type === 'result') next.set(record.tool, record);
    if (record.type === 'call') steps.push({ what: targetOf(record), call: record, result: next.get(record.tool) });
  }
  return steps.reverse();
}

const member = (names: string): RegExp => new RegExp(`^(?:${names})["']?\\s*[:=]\\s*["']?(.+?)["']?,?$`, 'm');
const commandMember = member('command|cmd');
const targetMember = member('path|file_path|filePath|url|query|pattern');

/** What a call is about: its command, or its tool with what it was used on. */
function targetOf({ tool, text }: PromptRecord): string {
  const shown = (value: string): string => `\`${oneLine(value, 160).replaceAll('`', "'")}\``;
  const command = commandMember.exec(text)?.[1];
  if (command) return shown(command);
  const target = targetMember.exec(text)?.[1] ?? text;
  return target.trim() === '' ? tool : `${tool} ${shown(target)}`;
}

function told({ what, call, result }: Step, say: Phrases): string {
  const outcome = { ok: say.ok, failed: say.failed, unknown: say.unknown }[result?.outcome ?? 'unknown'];
  const ending = /exit \d+/.exec(result?.ending ?? '')?.[0];
  const shown = countLine.exec(outputOf(result))?.[0].trim();
  const refs = result ? `${call.ref}, ${result.ref}` : call.ref;
  return `${say.ran(what, outcome)}${ending ? `, ${ending}` : ''}${shown ? ` (\`${oneLine(shown, 160)}\`)` : ''} (${refs})`;
}

/** The text of a result; of one that wraps it into JSON, what stands inside. */
function outputOf(result: PromptRecord | undefined): string {
  const value = parseJson(result?.text ?? '');
  const inside = isJsonObject(value) ? (value.output ?? value.stdout) : undefined;
  return typeof inside === 'string' ? inside : (result?.text ?? '');
}

/** A line that counts what passed and what failed. */
const countLine = /^.*\b\d+ (?:passed|failed|passing|failing|tests?|errors?)\b.*$/m;

function errorOf(result: PromptRecord | undefined): string {
  const line = /^.*(?:error|exception|failed|cannot|not found).*$/im.exec(outputOf(result))?.[0];
  return line ? `: \`${oneLine(line.replaceAll('`', "'"), 160)}\`` : '';
}

/** Paths that calls name, each with the ref that names it first. */
function filesOf(steps: readonly Step[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { call } of steps) {
    for (const [path] of call.text.matchAll(
      /(?<![\w/.:-])(?:\.{0,2}\/)?(?:[\w@.-]{1,255}\/){1,24}[\w@-][\w@.-]{0,255}\.\w{1,8}\b/g,
    )) {
      if (!files.has(path)) files.set(path, call.ref);
    }
  }
  return files;
}

const quoted = ({ ref, text }: PromptRecord): string => {
  const words = oneLine(text, 400);
  return words.includes('"') ? `“${words}” (${ref})` : `"${words}" (${ref})`;
};

/** A text on one line; what does not fit is left out at the end. */
function oneLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Lines of a numbered list numbered through. */
function renumbered(lines: readonly string[]): readonly string[] {
  let number = 0;
  return lines.map((line) => line.replace(/^\d+\. /, () => `${++number}. `));
}

/** The language of a text by its script; English for everything that is none of the others. */
export function languageOf(text: string): Language {
  const hangul = countOf(text, /[\uac00-\ud7af]/g);
  const kana = countOf(text, /[\u3040-\u30ff]/g);
  const han = countOf(text, /[\u4e00-\u9fff]/g);
  const latin = countOf(text, /[A-Za-z]+/g);
  if (hangul + kana + han === 0 || latin > 4 * (hangul + kana + han)) return 'en';
  if (hangul >= kana + han) return 'ko';
  return kana * 8 > han ? 'ja' : 'zh';
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

// The prompt of a summariser, read as far as the fake needs it: labelled records such as `[m12 USER]`, the headings that are asked for, and earlier summaries. Tolerant: a prompt of another shape is one record of the user.

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
