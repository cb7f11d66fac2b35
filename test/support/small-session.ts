/** A session of an agent, small enough for a test and long enough to be compressed. */

interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/** `turns` requests as OpenAI chat messages, each with one file read and one test run; the run of every third fails. */
export function chatMessages(turns: number): readonly ChatMessage[] {
  const system = { role: 'system', content: 'You are a careful engineer. Never change the public flags.' };
  return [system, ...Array.from({ length: turns }, (_, turn) => chatTurn(turn)).flat()];
}

function chatTurn(turn: number): readonly ChatMessage[] {
  const path = `src/parse-${turn}.js`;
  const failed = turn % 3 === 2;
  const run = failed ? `not ok 1 - reads row ${turn}\n# fail 1` : `ok 1 - reads row ${turn}\n# pass 1`;
  return [
    { role: 'user', content: `Please make the parser accept an empty row ${turn}.` },
    { role: 'assistant', content: null, tool_calls: [call(`read-${turn}`, 'read_file', { path })] },
    { role: 'tool', tool_call_id: `read-${turn}`, content: sourceOf(turn) },
    { role: 'assistant', content: null, tool_calls: [call(`run-${turn}`, 'bash', { command: `node --test ${path}` })] },
    { role: 'tool', tool_call_id: `run-${turn}`, content: JSON.stringify({ output: run, exit_code: failed ? 1 : 0 }) },
    { role: 'assistant', content: `Row ${turn} is ${failed ? 'still refused: the test fails' : 'accepted now'}.` },
  ];
}

const call = (id: string, name: string, input: object): object => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
});

/** Lines that differ, so that no two files are duplicates of each other. */
function sourceOf(turn: number): string {
  const lines = Array.from({ length: 40 }, (_, at) => `const cell${at} = row[${at}] ?? 'empty ${turn}.${at}';`);
  return lines.join('\n');
}

/** The same as a file. */
export const chatFile = (turns: number): string => `${JSON.stringify({ messages: chatMessages(turns) }, null, 1)}\n`;
