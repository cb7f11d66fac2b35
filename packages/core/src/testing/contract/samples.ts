/** Conversations that every engine must cope with. */
import type { Message } from '../../transcript/message.ts';

/** A conversation, and what is special about it. */
export interface Sample {
  readonly title: string;
  readonly messages: readonly Message[];
}

const text = (role: Message['role'], words: string): Message => ({ role, parts: [{ type: 'text', text: words }] });

/** A call of a tool and its result of about so many lines; `side` more calls run beside it. */
function step(at: number, lines: number, side = 0): readonly Message[] {
  const ids = Array.from({ length: side + 1 }, (_, i) => `call-${at}-${i}`);
  const calls = ids.map((callId, i) => ({
    type: 'toolCall' as const,
    callId,
    name: 'bash',
    input: JSON.stringify({ command: `node move.ts --region ${at} --part ${i}` }),
    inputType: 'json' as const,
  }));
  const results = ids.map((callId, i): Message => {
    const body = `region ${at}, part ${i}: ${at * 17} rows\n${`row of region ${at}\n`.repeat(lines)}`;
    const isError = at % 5 === 3;
    return { role: 'tool', parts: [{ type: 'toolResult', callId, content: [{ type: 'text', text: body }], isError }] };
  });
  return [{ role: 'assistant', parts: [{ type: 'text', text: `Now region ${at}.` }, ...calls] }, ...results];
}

const steps = (count: number, { lines = 30, side = 0, from = 1 } = {}): readonly Message[] =>
  Array.from({ length: count }, (_, i) => step(from + i, lines, side)).flat();

const prompt = text('system', 'You move ledgers. Never delete a row.');
const request = text('user', 'Move the ledgers of all regions; begin with the small ones.');

/** From the plainest to the most tangled. */
export const samples: readonly Sample[] = [
  { title: 'a conversation of two messages', messages: [request, text('assistant', 'Which regions are small?')] },
  { title: 'a request alone', messages: [prompt, request] },
  {
    title: 'long work with a tool',
    messages: [prompt, request, ...steps(24), text('user', 'Now region 25, please.'), ...steps(2, { from: 25 })],
  },
  {
    title: 'calls side by side',
    messages: [prompt, request, ...steps(9, { side: 2 }), text('user', 'And the rest?')],
  },
  {
    title: 'a request that waits for the results of its calls',
    messages: [prompt, request, ...steps(14), text('user', 'Check region 7 once more.'), ...step(15, 30)],
  },
  {
    title: 'talk without tools',
    messages: [
      prompt,
      ...Array.from({ length: 24 }, (_, at) => [
        text('user', `Question ${at}: how many rows has region ${at}? ${'It matters for the plan. '.repeat(12)}`),
        text('assistant', `Region ${at} has ${at * 17} rows. ${'They are all of one kind. '.repeat(20)}`),
      ]).flat(),
      text('user', 'Thank you. Which region has the most?'),
    ],
  },
];
