/** Results and stores for the tests of tool results. */
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { OutputStore, Store } from '../../packages/core/src/store/store.ts';
import type { ResultContent, ToolResultPart } from '../../packages/core/src/transcript/message.ts';

export interface PlainResult {
  readonly toolName: string;
  readonly callId: string;
  readonly content: string;
  readonly isError?: boolean;
}

export const plain = (content: string, toolName = 'bash'): PlainResult => ({ toolName, callId: 'call_1', content });

export const part = (content: readonly ResultContent[] | string, name = 'bash'): ToolResultPart => ({
  type: 'toolResult',
  callId: 'call_1',
  name,
  content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
});

/** Lines `line 1`, `line 2`, …, so many characters in all. */
export function lines(characters: number): string {
  const all: string[] = [];
  for (let length = 0; length < characters; ) {
    const line = `line ${all.length + 1}: nothing to see here\n`;
    all.push(line);
    length += line.length;
  }
  return all.join('').slice(0, characters);
}

export const memoryStore = (): Promise<Store> => openStore({ path: ':memory:' });

/** The whole text of a saved output. */
export const wholeText = async (outputs: OutputStore, id: string | undefined): Promise<string> =>
  (await outputs.read(id ?? '')).text;

/** What stands between the marks of a quotation. */
export const quoted = (answer: string): string =>
  /\n--- start of [^\n]* ---\n([\s\S]*)\n--- end of /.exec(`\n${answer}`)?.[1] ?? '';
