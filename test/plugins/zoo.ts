/** Engines that are broken in every way that we could think of, each with the word of the notice that it leads to. */
import type { Message } from '@palimpsest/core';
import type { ContextEngine, EngineState } from '@palimpsest/core/engine';
import { defineEngine } from '@palimpsest/core/engine';
import { groupsOf } from '@palimpsest/core/formats';

export interface Broken {
  readonly title: string;
  readonly make: () => ContextEngine<Message>;
  /** Set where nothing ends by itself. */
  readonly hangs?: true;
  /** What a person is told; absent where the engine is only useless. */
  readonly told?: RegExp;
}

type Parts = Partial<ContextEngine<Message>>;

/** Keeps the opening and the newest groups: an engine that works, but for what is given. */
export function working(broken: Parts = {}): ContextEngine<Message> {
  return defineEngine<Message>({
    name: 'broken',
    threshold: 0.5,
    compress: async (messages) => newest(messages),
    ...broken,
  });
}

const isOpening = ({ role }: Message, at: number): boolean => role === 'system' || at === 1;

function newest(messages: readonly Message[]): readonly Message[] {
  const start = groupsOf(messages).at(-4)?.start ?? 0;
  const smaller = messages.filter((message, at) => at >= start || isOpening(message, at));
  return smaller.length < messages.length ? smaller : messages;
}

const text = (words: string): Message => ({ role: 'user', parts: [{ type: 'text', text: words }] });

/** What no compiler would let through. */
const untyped = (value: unknown): never => value as never;
const makes = (list: (messages: readonly Message[]) => unknown): ContextEngine<Message> =>
  working({ compress: async (messages) => untyped(list(messages)) });

const never = (): Promise<never> => new Promise(() => undefined);
const fails = (): never => {
  throw new Error('I am broken');
};

/** A number that cannot be read. */
function withNumber(key: keyof EngineState, value: unknown): ContextEngine<Message> {
  return Object.create(working(), { [key]: { get: () => (value === fails ? fails() : value) } });
}

const cyclic = (): unknown => {
  const message: Record<string, unknown> = { role: 'user', parts: [] };
  message.extra = message;
  return message;
};

const unreadable = { toString: fails, [Symbol.toPrimitive]: fails };

const compressing: readonly (readonly [string, (messages: readonly Message[]) => unknown, RegExp])[] = [
  ['gives back nothing', () => undefined, /compress.*undefined instead of a list/],
  ['gives back a text', () => 'done', /string instead of a list/],
  ['gives back an empty list', () => [], /empty list/],
  ['gives back texts', () => ['a', 'b'], /message 0 of its list is a string/],
  [
    'gives back messages without parts',
    (list) => [...list.slice(0, 2), { role: 'user' }],
    /no role or no list of parts/,
  ],
  [
    'gives back parts that are none',
    (list) => [list[0], list[1], { role: 'user', parts: [{ type: 'text' }] }, ...list.slice(-2)],
    /invalid part/,
  ],
  ['leaves out the newest request', (list) => [list[0], text('Nothing to see.')], /removed the newest request/],
  ['leaves out the system prompt', (list) => newest(list).slice(1), /removed the system prompt/],
  ['gives back messages twice', (list) => [...newest(list), ...newest(list).slice(-1)], /twice or in another order/],
  ['gives back another order', (list) => [...newest(list)].reverse(), /twice or in another order/],
  ['makes the list longer', (list) => [...list, text('More!')], /not smaller/],
  ['makes the list no smaller', (list) => [...newest(list), text('x'.repeat(1_000_000))], /not smaller/],
  [
    'keeps results without their calls',
    (list) => list.filter((message, at) => isOpening(message, at) || message.role !== 'assistant'),
    /providers would refuse its list/,
  ],
  [
    'changes the list that it was given',
    (list) => (untyped(list) as Message[]).splice(2),
    /compress.*(?:read only|not extensible|Cannot)/,
  ],
  [
    'changes a message that it was given',
    (list) => {
      Object.assign(untyped(list[1]) as object, { parts: [] });
      return newest(list);
    },
    /read only/,
  ],
  ['gives back a message that holds itself', (list) => [list[0], list[1], cyclic(), ...list.slice(-2)], /circular/],
  [
    'gives back a number that JSON has not',
    (list) => [list[0], list[1], { role: 'user', parts: [], extra: 1n }],
    /BigInt/,
  ],
  [
    'gives back a message that cannot be read',
    (list) => [
      list[0],
      list[1],
      {
        get role(): string {
          return fails();
        },
        parts: [],
      },
    ],
    /I am broken/,
  ],
];

/** Every one of them. */
export const zoo: readonly Broken[] = [
  ...compressing.map(([title, list, told]): Broken => ({ title, told, make: () => makes(list) })),
  { title: 'throws', told: /compress \(I am broken\)/, make: () => working({ compress: fails }) },
  {
    title: 'throws nothing',
    told: /failed in compress/,
    make: () =>
      working({
        compress: () => {
          throw undefined;
        },
      }),
  },
  {
    title: 'throws what cannot be read',
    told: /cannot be read/,
    make: () =>
      working({
        compress: () => {
          throw unreadable;
        },
      }),
  },
  { title: 'never comes back', hangs: true, told: /took longer than/, make: () => working({ compress: never }) },
  { title: 'cannot say whether to compress', told: /shouldCompress/, make: () => working({ shouldCompress: fails }) },
  {
    title: 'says yes in words',
    told: /shouldCompress \(it returned yes/,
    make: () => working({ shouldCompress: () => untyped('yes') }),
  },
  {
    title: 'says later whether to compress, and then fails',
    told: /shouldCompress/,
    make: () => working({ shouldCompress: () => untyped(Promise.reject(new Error('too late'))) }),
  },
  {
    title: 'fails before every call',
    told: /shouldCompressPreflight/,
    make: () => working({ shouldCompressPreflight: fails }),
  },
  {
    title: 'cannot say what there is to do',
    told: /hasContentToCompress/,
    make: () => working({ hasContentToCompress: fails }),
  },
  {
    title: 'fails when it should say why it holds back',
    make: () => working({ shouldCompress: () => false, heldBack: fails }),
  },
  {
    title: 'cannot take what a call used',
    told: /updateFromResponse/,
    make: () => working({ updateFromResponse: fails }),
  },
  { title: 'cannot take a model', told: /updateModel/, make: () => working({ updateModel: fails }) },
  {
    title: 'has a threshold that is no number',
    told: /thresholdTokens/,
    make: () => withNumber('thresholdTokens', Number.NaN),
  },
  { title: 'has a window that cannot be read', told: /contextLength/, make: () => withNumber('contextLength', fails) },
  { title: 'counts in words', told: /compressionCount/, make: () => withNumber('compressionCount', 'three') },
  { title: 'fails where a session begins', told: /onSessionStart/, make: () => working({ onSessionStart: fails }) },
  {
    title: 'never lets a session begin',
    hangs: true,
    told: /onSessionStart/,
    make: () => working({ onSessionStart: never }),
  },
  { title: 'fails where a session ends', make: () => working({ onSessionEnd: fails }) },
  { title: 'has tools that are none', make: () => working({ toolSchemas: () => untyped([{ name: 'a b' }, null]) }) },
  { title: 'has a tool that fails', make: () => working({ handleToolCall: fails }) },
  { title: 'has a tool that never answers', hangs: true, make: () => working({ handleToolCall: never }) },
  { title: 'has a status that is none', make: () => working({ status: () => untyped(null) }) },
  { title: 'has no members at all', told: /compress/, make: () => untyped({ name: 'broken' }) },
  { title: 'fails when it is looked at', told: /nameless/, make: () => untyped(new Proxy({}, { get: fails })) },
];
