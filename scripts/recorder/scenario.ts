/**
 * The scenario of a recorded session: who says what and which tools are called, without any tool output. A line
 * `@@ word …` opens a piece, the lines up to the next such line are its body:
 *
 *     @@ user                     what the person says
 *     @@ assistant                what the assistant says (may be empty); the calls below it belong to it
 *     @@ bash                     the command
 *     @@ read_file PATH [10-40]   no body
 *     @@ write_file PATH          the content
 *     @@ edit_file PATH           the old text, a line `@@ with`, the new text
 *     @@ grep PATH                the pattern
 *     @@ system                   the system prompt, before everything else
 *     @@ setup                    a shell script that prepares the folder and is not recorded
 */
import type { JsonObject } from '../../packages/core/src/shared/json.ts';

export type ToolName = 'bash' | 'read_file' | 'write_file' | 'edit_file' | 'grep';

export interface ScenarioCall {
  readonly tool: ToolName;
  readonly input: JsonObject;
}

export interface ScenarioStep {
  readonly type: 'system' | 'user' | 'assistant' | 'setup';
  readonly text: string;
  readonly calls: readonly ScenarioCall[];
}

interface Piece {
  readonly word: string;
  readonly rest: string;
  readonly body: string;
  readonly line: number;
}

/** The steps of a scenario; throws an `Error` that names the file and the line of what it cannot read. */
export function parseScenario(text: string, file: string): readonly ScenarioStep[] {
  const steps: (ScenarioStep & { readonly calls: ScenarioCall[] })[] = [];
  for (const piece of joinEdits(piecesOf(text))) {
    const at = `${file}:${piece.line}`;
    if (isSpeech(piece.word)) {
      steps.push({ type: piece.word, text: piece.body.trim(), calls: [] });
      continue;
    }
    const step = steps.at(-1);
    if (step?.type !== 'assistant') throw new Error(`${at}: a tool call must follow an assistant, got "${piece.word}"`);
    step.calls.push(callOf(piece, at));
  }
  return steps;
}

function isSpeech(word: string): word is ScenarioStep['type'] {
  return word === 'system' || word === 'user' || word === 'assistant' || word === 'setup';
}

function piecesOf(text: string): readonly Piece[] {
  const pieces: { word: string; rest: string; lines: string[]; line: number }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const head = /^@@ (\w+) ?(.*)$/.exec(line);
    if (head) pieces.push({ word: head[1] ?? '', rest: head[2] ?? '', lines: [], line: index + 1 });
    else pieces.at(-1)?.lines.push(line);
  }
  return pieces.map(({ lines, ...piece }) => ({ ...piece, body: lines.join('\n') }));
}

/** Puts a `with` piece into the edit before it, both halves in one body around a NUL. */
function joinEdits(pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    if (piece.word === 'with' && before?.word === 'edit_file') {
      joined[joined.length - 1] = { ...before, body: `${oneNewline(before.body)}\0${oneNewline(piece.body)}` };
    } else joined.push(piece);
  }
  return joined;
}

function callOf({ word, rest, body }: Piece, at: string): ScenarioCall {
  switch (word) {
    case 'bash':
      return { tool: word, input: { command: body.trim() } };
    case 'grep':
      return { tool: word, input: { pattern: body.trim(), path: rest } };
    case 'write_file':
      return { tool: word, input: { path: rest, content: `${oneNewline(body)}\n` } };
    case 'edit_file': {
      const [old, replacement] = body.split('\0');
      if (old === undefined || replacement === undefined) throw new Error(`${at}: edit_file needs a line "@@ with"`);
      return { tool: word, input: { path: rest, old, new: replacement } };
    }
    case 'read_file': {
      const [path = '', range] = rest.split(' ');
      if (!range) return { tool: word, input: { path } };
      const [from = 1, to = 1] = range.split('-').map(Number);
      return { tool: word, input: { path, offset: from, limit: to - from + 1 } };
    }
    default:
      throw new Error(`${at}: expected user, assistant, system, setup or a tool name, got "${word}"`);
  }
}

/** A body without the line breaks that separate it from the next piece; leading white space is the author's. */
const oneNewline = (body: string): string => body.replace(/\n+$/, '');
