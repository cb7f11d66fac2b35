/** A step that broke off, as messages to go on with: what was said, and the calls of tools that have run, each with a result. */
import type { ModelMessage, TextStreamPart, ToolSet } from 'ai';

/** Gathers a step from its stream. */
export interface PartialStep {
  add(part: TextStreamPart<ToolSet>): void;
  /**
   * An assistant message and the results of its calls; nothing where nothing was said. Thoughts are left out: without the end
   * of the answer they carry no signature, and providers refuse those. `byPerson` says who broke it off.
   */
  messages(byPerson: boolean): readonly ModelMessage[];
}

interface Call {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/** A step of which nothing has come yet. */
export function createPartialStep(): PartialStep {
  let text = '';
  const calls: Call[] = [];
  const results = new Map<string, string>();
  return {
    add(part) {
      if (part.type === 'text-delta') text += part.text;
      if (part.type === 'tool-call' && !part.providerExecuted) {
        const { toolCallId, toolName, input } = part;
        calls.push({ toolCallId, toolName, input });
      }
      if (part.type === 'tool-result' || part.type === 'tool-error') results.set(part.toolCallId, resultText(part));
    },
    messages(byPerson) {
      const said = text.trim() === '' ? [] : [{ type: 'text' as const, text }];
      const content = [...said, ...calls.map((call) => ({ type: 'tool-call' as const, ...call }))];
      if (content.length === 0) return [];
      const missing = byPerson ? stoppedCall : unknownResult;
      const answers = calls.map(({ toolCallId, toolName }) =>
        toolResult({ toolCallId, toolName }, results.get(toolCallId) ?? missing),
      );
      const answer: ModelMessage = { role: 'assistant', content };
      return answers.length === 0 ? [answer] : [answer, { role: 'tool', content: answers }];
    },
  };
}

const stoppedCall = 'Stopped by the person. It may have run in part: look before you call it again.';

/** What stands for a result that was never kept: of a call that was under way when a program died. */
export const unknownResult =
  'The result is not known: the program ended while this ran. It may have run in part or as a whole: look before you call it again.';

const toolResult = ({ toolCallId, toolName }: Omit<Call, 'input'>, value: string) =>
  ({ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }) as const;

/**
 * Messages that another call may follow: calls at their end that have no result get one that says so. The list is the same one
 * where nothing is missing.
 */
export function mended(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const assistant = messages[last];
  if (!assistant || !Array.isArray(assistant.content)) return messages;
  const calls = assistant.content.flatMap((part) =>
    part.type === 'tool-call' && !part.providerExecuted ? [part] : [],
  );
  const answered = new Set(
    messages
      .slice(last + 1)
      .flatMap(({ role, content }) =>
        role === 'tool' ? content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])) : [],
      ),
  );
  const open = calls.filter(({ toolCallId }) => !answered.has(toolCallId));
  if (open.length === 0) return messages;
  const after = messages.slice(last + 1);
  const isResult = ({ role }: ModelMessage): boolean => role === 'tool';
  const end = after.findLastIndex(isResult) + 1;
  const results: ModelMessage = { role: 'tool', content: open.map((call) => toolResult(call, unknownResult)) };
  return [...messages.slice(0, last + 1 + end), results, ...after.slice(end)];
}

type ResultPart = Extract<TextStreamPart<ToolSet>, { type: 'tool-result' | 'tool-error' }>;

/** What a tool gave back, or why it failed, as text. */
export function resultText(part: ResultPart): string {
  if (part.type === 'tool-error') return part.error instanceof Error ? part.error.message : String(part.error);
  return typeof part.output === 'string' ? part.output : (JSON.stringify(part.output) ?? '');
}
