/** Bodies of requests as agents send them to Anthropic. */

const tools = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    input_schema: { type: 'object', properties: { path: { type: 'string' } } },
  },
];

/** A file of some 700 tokens that no other is like. */
const fileOf = (step: string): string =>
  Array.from(
    { length: 24 },
    (_, row) =>
      `row ${row} of part-${step}.csv: order ORD-${step}${row}77 was shipped to bay ${row % 7}, weight ${row * 31} kg`,
  ).join('\n');

const bodyOf = (system: string, messages: readonly object[]): Buffer =>
  Buffer.from(JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 4_096, stream: true, system, tools, messages }));

let requests = 0;

/** The first request of another conversation each time. */
export function firstRequest(bytes: number): Buffer {
  requests++;
  const system = 'Every rule is kept. '.repeat(Math.floor(bytes / 20));
  return bodyOf(system, [{ role: 'user', content: `Please read part ${requests} of this run, ${process.pid}.` }]);
}

/** The text of an answer of so many events, as `child.ts` sends it. */
export const answerText = (events: number): string => 'x'.repeat(100 * events);

/** The list of an agent that has read so many bytes of files, one after the other. */
export function longList(name: string, bytes: number): object[] {
  const list: object[] = [{ role: 'user', content: `Please read every file in ${name}/.` }];
  for (let step = 0, size = 0; size < bytes; step++) size += addFile(list, `${name}-${step}`);
  return list;
}

/** One more file; gives its bytes. */
function addFile(list: object[], step: string): number {
  const id = `toolu_${step}`;
  const call = { type: 'tool_use', id, name: 'read_file', input: { path: `data/part-${step}.csv` } };
  const added = [
    { role: 'assistant', content: [{ type: 'text', text: `Now part ${step}.` }, call] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: fileOf(step) }] },
  ];
  list.push(...added);
  return JSON.stringify(added).length;
}

/** The answer that came, and what its person says then. */
export function addTurn(list: object[], events: number): void {
  const content = [{ type: 'text', text: answerText(events) }];
  list.push(
    { role: 'assistant', content },
    { role: 'user', content: `And now ${list.length}? ${fileOf(`${list.length}`)}` },
  );
}

export const listBody = (list: readonly object[]): Buffer => bodyOf('Every rule is kept.', list);
