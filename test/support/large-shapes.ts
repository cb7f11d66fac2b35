/** Conversations in which one thing is far larger than the room that there is for everything. */
import { estimatingTokenizer, type Message, messageTokens, type Tokenizer } from '@palimpsest/core';
import { assistant, call, calls, message, result, resultPart, user } from './conversations.ts';

export const tokenizer: Tokenizer = estimatingTokenizer('claude');

/** What stands in a shape, besides the messages. */
export interface LargeShape {
  readonly messages: readonly Message[];
  /** What the person asked last, word for word; absent where only programs speak. */
  readonly request?: string;
  /** What no compression may shorten is larger than the room by itself, or leaves none for a handoff. */
  readonly cannotFit?: boolean;
  /** Hosts say it anew with every request: only for a target that the caller names it is shortened. */
  readonly isPrompt?: boolean;
  /** There are no words for a handoff of the usual size. */
  readonly tellsLittle?: boolean;
}

const verbs = ['reads', 'writes', 'checks', 'drops', 'keeps', 'renames', 'merges', 'retries'];
const nouns = ['ledger', 'invoice', 'shard', 'cursor', 'lease', 'digest', 'tenant', 'webhook', 'snapshot', 'quota'];
const pick = (list: readonly string[], at: number): string => list[at % list.length] ?? '';

/** A line of prose about something that no other line is about. */
const line = (subject: string, at: number): string =>
  `The ${pick(nouns, at * 7)} of ${subject} ${pick(verbs, at * 3)} ${pick(nouns, at * 5 + 1)}_${at} before ${pick(nouns, at + 4)}${at * 13}.`;

/** A line of code of a file. */
const codeLine = (file: string, at: number): string =>
  at % 6 === 0
    ? `export function ${pick(verbs, at)}${pick(nouns, at).replace(/^./, (c) => c.toUpperCase())}${at}(${file}Id: string): number {`
    : `  const ${pick(nouns, at)}${at} = await ${file}.${pick(verbs, at * 5)}(${pick(nouns, at + 2)}${at % 17}, ${at * 31});`;

const texts = new Map<string, string>();

/** Many shapes hold the same text; it is made once. */
const once = (name: string, make: () => string): string => {
  const text = texts.get(name) ?? make();
  texts.set(name, text);
  return text;
};

const until = (tokens: number, next: (at: number) => string): string => {
  const lines: string[] = [];
  let count = 0;
  for (let at = 0; count < tokens; at++) {
    lines.push(next(at));
    count += tokenizer.count(`${lines.at(-1)}\n`);
  }
  return lines.join('\n');
};

/** Prose of about so many tokens. */
export const prose = (subject: string, tokens: number): string =>
  once(`${subject} ${tokens}`, () => until(tokens, (at) => line(subject, at)));
/** Code of about so many tokens. */
export const code = (file: string, tokens: number): string =>
  once(`code ${file} ${tokens}`, () => until(tokens, (at) => codeLine(file, at)));

const system = message('system', 'You are a careful engineer. Answer in whole sentences.');

/** An ordinary session of so many rounds: asked, looked, changed, checked, told. */
export function work(rounds: number): readonly Message[] {
  return Array.from({ length: rounds }, (_, at): readonly Message[] => {
    const file = `src/${pick(nouns, at)}/${pick(verbs, at)}-${at}.ts`;
    return [
      user(`Please make ${file} ${pick(verbs, at + 1)} the ${pick(nouns, at + 3)} only once.`),
      {
        role: 'assistant',
        parts: [{ type: 'text', text: `I look at ${file} first.` }, call(`r${at}`, 'read_file', { path: file })],
      },
      result(`r${at}`, code(`${pick(nouns, at)}${at}`, 200)),
      calls({ [`e${at}`]: 'edit_file' }, { path: file, old: codeLine('old', at), new: codeLine('new', at + 1) }),
      result(`e${at}`, 'The file was changed.'),
      calls({ [`t${at}`]: 'bash' }, { command: `npm test -- ${file}` }),
      result(
        `t${at}`,
        at % 3 === 0 ? `Exit code 1\nError: expected ${at} rows, got ${at + 1}` : 'Exit code 0\n12 passed',
      ),
      assistant(
        `${file} ${pick(verbs, at + 1)} the ${pick(nouns, at + 3)} once now, because the ${pick(nouns, at)} kept ${at} of them. ${line(file, at)}`,
      ),
    ];
  }).flat();
}

const skills = (tokens: number): string => `<skills_instructions>\n${prose('a skill', tokens)}\n</skills_instructions>`;

/** Reads of a single step, all at once. */
const reads = (count: number, tokens: number): readonly Message[] => [
  {
    role: 'assistant',
    parts: Array.from({ length: count }, (_, at) => call(`p${at}`, 'read_file', { path: `src/part-${at}.ts` })),
  },
  ...Array.from({ length: count }, (_, at) => result(`p${at}`, code(`part${at}`, tokens))),
];

const longTurn = (count: number): readonly Message[] =>
  Array.from({ length: count }, (_, at) => [
    {
      role: 'assistant',
      parts: [
        ...(at % 5 === 0 ? [{ type: 'text' as const, text: `Now ${line(`step ${at}`, at)}` }] : []),
        call(
          `s${at}`,
          at % 3 === 0 ? 'bash' : 'read_file',
          at % 3 === 0 ? { command: `make ${at}` } : { path: `lib/s${at}.ts` },
        ),
      ],
    } satisfies Message,
    result(`s${at}`, code(`s${at}`, 150)),
  ]).flat();

const image = (at: number) =>
  ({ type: 'image', mediaType: 'image/png', data: `aGVsbG8${at}`.padEnd(4_000, 'QUJD') }) as const;

const ask = 'What is left to do for the release of version 2.4?';

type Shapes = Readonly<Record<string, (room: number) => LargeShape>>;

const largeWords: Shapes = {
  'a system prompt of twice the target': (room) => ({
    messages: [message('system', prose('the rules', room * 2)), ...work(12), user(ask)],
    request: ask,
    isPrompt: true,
  }),
  'a newest request of twice the target': (room) => {
    const request = `${prose('the order', room * 2)}\n${ask}`;
    return { messages: [system, ...work(12), user(request)], request, cannotFit: true };
  },
  'a newest request of nine tenths of the target': (room) => {
    const request = `${prose('the order', room * 0.9)}\n${ask}`;
    return { messages: [system, ...work(12), user(request)], request, cannotFit: true };
  },
  'an old request of twice the target': (room) => ({
    messages: [
      system,
      ...work(2),
      user(`Here is the log.\n${prose('the log', room * 2)}`),
      assistant('I have read the log.'),
      ...work(4),
      user(ask),
    ],
    request: ask,
  }),
  'a paste right before the newest request': (room) => ({
    messages: [system, ...work(6), user(prose('the paste', room * 2)), user(ask)],
    request: ask,
  }),
  'a list of skills as the newest user message': () => ({
    messages: [system, ...work(6), user(ask), user(skills(20_000))],
    request: ask,
  }),
  'a list of skills after an answered request': () => ({
    messages: [system, ...work(6), user(ask), assistant('Two things are left.'), user(skills(20_000))],
    request: ask,
  }),
  'a list of skills and nobody else who speaks': () => ({
    messages: [system, user(skills(20_000)), ...longTurn(10)],
  }),
};

const largeTurns: Shapes = {
  'a newest result of five times the target': (room) => ({
    messages: [
      system,
      ...work(6),
      user(ask),
      calls({ z: 'bash' }, { command: 'git log -p' }),
      result('z', code('log', room * 5)),
    ],
    request: ask,
  }),
  'a newest result of five times the target in a first turn': (room) => ({
    messages: [system, user(ask), calls({ z: 'bash' }, { command: 'git log -p' }), result('z', code('log', room * 5))],
    request: ask,
  }),
  'seventeen parallel reads in a single turn': () => ({
    messages: [system, user(ask), ...reads(17, 4_000)],
    request: ask,
  }),
  'seventeen parallel reads that were answered': () => ({
    messages: [system, user(ask), ...reads(17, 4_000), assistant(`Three things are left. ${prose('the answer', 100)}`)],
    request: ask,
  }),
  'a single turn of 200 calls': () => ({
    messages: [system, user(ask), ...longTurn(200)],
    request: ask,
  }),
  'a chat of four huge messages': (room) => ({
    messages: [
      user(prose('the book', room * 2)),
      assistant(prose('the review', room * 2)),
      user(ask),
      assistant(prose('the plan', room * 2)),
    ],
    request: ask,
  }),
  'a chat of four huge messages that ends with a short one': (room) => ({
    messages: [
      user(prose('the book', room * 2)),
      assistant(prose('the review', room * 2)),
      user(prose('the second book', room * 2)),
      assistant(prose('the plan', room * 2)),
      user(ask),
    ],
    request: ask,
  }),
  'a single huge message that was answered': (room) => {
    const request = prose('the book', room * 2);
    return { messages: [user(request), assistant('I have read it.')], request, cannotFit: true };
  },
  'images of the person': () => ({
    messages: [
      system,
      ...Array.from({ length: 12 }, (_, at) => [
        {
          role: 'user',
          parts: [{ type: 'text', text: `What is wrong in picture ${at}?` }, image(at)],
        } satisfies Message,
        assistant(`The ${pick(nouns, at)} in it is cut off at the ${pick(nouns, at + 1)}.`),
      ]).flat(),
      user(ask),
    ],
    request: ask,
    tellsLittle: true,
  }),
  'screenshots of a tool': () => ({
    messages: [
      system,
      user(ask),
      ...Array.from({ length: 12 }, (_, at) => [
        calls({ [`i${at}`]: 'screenshot' }),
        {
          role: 'tool',
          parts: [
            { ...resultPart(`i${at}`, `Screen ${at}`), content: [{ type: 'text', text: `Screen ${at}` }, image(at)] },
          ],
        } satisfies Message,
      ]).flat(),
    ],
    request: ask,
    tellsLittle: true,
  }),
};

/** Every shape for a room of so many tokens. */
export const largeShapes: Shapes = { ...largeWords, ...largeTurns };

export const tokensOf = (list: readonly Message[]): number =>
  list.reduce((sum, one) => sum + messageTokens(one, tokenizer), 0);
