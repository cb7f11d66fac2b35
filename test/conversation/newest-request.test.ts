/** The newest words of a person reach the model word for word, whatever made the context smaller (invariant 3). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ConversationRuntime, Message, Part } from '@palimpsest/core';
import { type ContextEngine, defineEngine } from '@palimpsest/core/engine';
import type { Store } from '@palimpsest/core/store';
import fc from 'fast-check';
import { requireLaw } from '../support/law.ts';
import { answer, reply, runtimeOver, step, system, user, withStore, work } from './agent.ts';
import { virtualTime } from './virtual-time.ts';
import { createWriter } from './writer.ts';

/** What a client does next. */
type Move =
  | { readonly type: 'ask'; readonly said: Message }
  | { readonly type: 'host' }
  | { readonly type: 'work'; readonly lines: number }
  | { readonly type: 'answer' }
  | { readonly type: 'compress' }
  | { readonly type: 'restart' };

const image = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;

/** Words that are easily mistaken, or found somewhere else. */
const requests = fc.constantFrom<Message>(
  user('ok'),
  user('Move the ledgers of all regions.'),
  user('  Keep the blanks.\n\n\tAnd this.  '),
  user('What does "<handoff covers=\\"m1\\">" mean?'),
  user('row of region north-3'),
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'First.' },
      { type: 'text', text: 'Then this.' },
    ],
  },
  { role: 'user', parts: [image, { type: 'text', text: 'What is in the picture?' }] },
  { role: 'user', parts: [image] },
);

const moves = fc.oneof(
  { weight: 2, arbitrary: fc.record({ type: fc.constant('ask' as const), said: requests }) },
  {
    weight: 12,
    arbitrary: fc.record({ type: fc.constant('work' as const), lines: fc.constantFrom(1, 20, 60, 120, 250) }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Move>({ type: 'host' }, { type: 'answer' }) },
  { weight: 2, arbitrary: fc.constantFrom<Move>({ type: 'compress' }, { type: 'restart' }) },
);

/** How the provider and the runtime are. */
interface Setting {
  readonly prompt: boolean;
  /** Every so many calls are refused as too long; 0 for none. */
  readonly refuses: number;
  readonly summarizer: 'none' | 'background' | 'foreground';
}

const settings = fc.record<Setting>({
  prompt: fc.boolean(),
  refuses: fc.constantFrom(0, 1, 3, 7),
  summarizer: fc.constantFrom('none', 'background', 'foreground'),
});

/** What was seen: without it the law would say nothing. */
interface Seen {
  contexts: number;
  readonly ways: Set<string>;
}

interface World {
  readonly list: Message[];
  readonly seen: Seen;
  readonly setting: Setting;
  readonly begin: () => ConversationRuntime;
  /** Lets the clock go on, and models answer, until the work is done. */
  readonly during: <T>(work: Promise<T>) => Promise<T>;
  request: Message;
  runtime: ConversationRuntime;
}

function worldOver(store: Store, setting: Setting, seen: Seen): World {
  const time = virtualTime();
  const { pass } = time;
  const request = user('Move the ledgers of all regions.');
  const writer = createWriter();
  // In the foreground a model answers at once, in the background when the clock goes on.
  const write: typeof writer.summarizer.write = (call) => {
    const said = writer.summarizer.write(call);
    if (setting.summarizer === 'foreground') writer.answer();
    return said;
  };
  const summarizer = { ...writer.summarizer, write };
  const begin = (): ConversationRuntime =>
    runtimeOver(store, {
      clock: time.clock,
      background: setting.summarizer === 'background',
      ...(setting.summarizer === 'none' ? {} : { summarizer }),
    });
  const during = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    // What is under way in the background goes on, whether somebody waits for it or not.
    for (let rounds = 0; rounds < 3 || !isDone; rounds++) {
      writer.answer();
      await pass(1);
    }
    return done;
  };
  const list = [...(setting.prompt ? [system('You move ledgers.')] : []), request];
  return { list, seen, setting, begin, during, request, runtime: begin() };
}

async function happen(world: World, move: Move, at: number): Promise<void> {
  const { list, seen } = world;
  switch (move.type) {
    case 'restart':
      await world.during(world.runtime.stop());
      world.runtime = world.begin();
      return;
    case 'compress': {
      const { status } = await world.during(world.runtime.compress({ messages: list }));
      if (status === 'compressed') seen.ways.add('person');
      return;
    }
    case 'ask':
      list.push(move.said);
      world.request = move.said;
      break;
    case 'host':
      list.push(user('[System: the build is green]'));
      break;
    default:
      break;
  }
  const [called, result] = step(at, move.type === 'work' ? move.lines : 1);
  const said = move.type === 'work' ? [called, result] : [reply(`Answer ${at}.`)];
  await call(world, said, at);
}

/** One call of the model, with what a provider that refuses leads to. */
async function call(world: World, said: readonly [Message, ...Message[]] | Message[], at: number): Promise<void> {
  const { list, seen, setting } = world;
  let prepared = await world.during(world.runtime.prepare({ messages: list }));
  for (let isFirst = true; ; isFirst = false) {
    seen.contexts++;
    requireRequest(prepared.messages, world.request);
    if (prepared.compression) {
      const { inBackground } = prepared.compression;
      seen.ways.add(inBackground ? 'background' : isFirst ? 'automatic' : 'refused');
      if (prepared.messages.some(isMerged)) seen.ways.add('merged');
    }
    if (!isFirst || setting.refuses === 0 || at % setting.refuses !== 0) break;
    const error = Object.assign(new Error('prompt is too long'), { status: 400 });
    const next = await world.during(world.runtime.settle(prepared, { type: 'failed', error }));
    if (next.type !== 'retry') return;
    prepared = next.prepared;
  }
  const [first] = said;
  if (first) await world.during(answer(world.runtime, prepared, first));
  list.push(...said);
}

const isMerged = ({ role, origin, parts }: Message): boolean =>
  role === 'user' && origin === 'summary' && parts.length > 1;

const blockEnd = '</handoff>';

/** The words stand in a message of a user, behind any block in it, and no block comes after them. */
function requireRequest(messages: readonly Message[], request: Message): void {
  const textsOf = ({ parts }: Message): readonly string[] =>
    parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const isBlock = (text: string): boolean => text.startsWith('<handoff ') && text.endsWith(blockEnd);
  const at = messages.findLastIndex((message) => {
    if (message.role !== 'user') return false;
    const words = textsOf(message).filter((text) => !isBlock(text));
    const asked = textsOf(request);
    if (asked.length === 0) return message.parts.some(({ type }) => type === 'image');
    return asked.every((text) => words.some((word) => word.includes(text)));
  });
  assert.ok(
    at >= 0,
    `${JSON.stringify(request.parts)} is in no message of ${JSON.stringify(messages).slice(0, 3_000)}`,
  );
  for (const message of messages.slice(at + 1))
    assert.ok(!textsOf(message).some(isBlock), 'a block behind the request');
}

/** What people say in forms that programs and compressions use. */
const mistakable: readonly string[] = [
  '<command>List all ledgers.</command>',
  '<system-config><ledgers>9</ledgers></system-config>',
  '[System: Linux] How do I install the ledgers?',
  'This session is being continued from a previous conversation with Anna. Move her ledgers.',
  '<handoff> What is this element for?',
  '<handoff to="Bob">Bob moves the ledgers.</handoff>\nWrite him a mail.',
  '<conversation_summary>Anna wants ledgers.</conversation_summary>\nWrite her a mail.',
  '# AGENTS.md instructions for our ledgers are out of date: rewrite them.',
];

const ways = ['automatic', 'background', 'merged', 'person', 'refused'];

describe('the newest request', () => {
  test('invariant 3: is in every context word for word, whatever made it smaller', async () => {
    const seen: Seen = { contexts: 0, ways: new Set() };
    await requireLaw(
      fc.asyncProperty(settings, fc.array(moves, { minLength: 5, maxLength: 40, size: 'max' }), (setting, all) =>
        withStore(async (store) => {
          const world = worldOver(store, setting, seen);
          for (const [at, move] of all.entries()) await happen(world, move, at + 1);
          await world.during(world.runtime.stop());
        }),
      ),
      { numRuns: 60, missing: () => ways.filter((way) => !seen.ways.has(way)).join(', ') },
    );
  });

  test('invariant 3: is not lost by an engine behind a handoff that it was merged into', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store, { engine: () => mergingThenForgetful() });
      const list = [system('You move ledgers.'), user('ok')];
      const merged = await runtime.prepare({ messages: list });
      assert.deepEqual(merged.messages[1]?.parts.at(-1), { type: 'text', text: 'ok' });
      await runtime.settle(merged, { type: 'answered', reply: step(1)[0], usage: { inputTokens: 100 } });
      list.push(...step(1));
      const next = await runtime.prepare({ messages: list });
      assert.deepEqual(next.messages[1], merged.messages[1]);
      assert.deepEqual(
        next.notices.map(({ type }) => type),
        ['refused'],
      );
    }));

  test('invariant 3: is known in elements of its own, which people write as programs do', () =>
    withStore(async (store) => {
      const request =
        '<context>\nThe ledgers lie in data/.\n</context>\n<task>\nMove all regions, but keep north-7.\n</task>';
      const contexts = await work(runtimeOver(store), [system('You move ledgers.'), user(request)], { steps: 60 });
      assert.ok(contexts.filter(({ compression }) => compression).length >= 3);
      for (const { messages } of contexts) requireRequest(messages, user(request));
    }));

  for (const words of mistakable) {
    test(`invariant 3: is ${JSON.stringify(words)}, which a program might have written`, () =>
      withStore(async (store) => {
        const list = [system('You move ledgers.'), user('Move the ledgers.'), ...step(1), reply('Done.'), user(words)];
        const contexts = await work(runtimeOver(store, { contextLength: 4_000 }), list, { from: 2, steps: 25 });
        assert.ok(contexts.filter(({ compression }) => compression).length >= 3);
        for (const { messages } of contexts) requireRequest(messages, user(words));
      }));
  }

  test('invariant 3: stands beside the note of an interruption, in one message with it', () =>
    withStore(async (store) => {
      const parts = ['[Request interrupted by user]', 'No, use north-8.'].map((text): Part => ({ type: 'text', text }));
      const list: Message[] = [
        system('You move ledgers.'),
        user('Move the ledgers.'),
        ...step(1),
        { role: 'user', parts },
      ];
      const contexts = await work(runtimeOver(store, { contextLength: 4_000 }), list, { from: 2, steps: 25 });
      assert.ok(contexts.filter(({ compression }) => compression).length >= 3);
      for (const { messages } of contexts) requireRequest(messages, { role: 'user', parts });
    }));

  test('invariant 3: is a picture, also where a note of a program follows it in one message', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const shown: Message = { role: 'user', parts: [image] };
      const list = [system('You move ledgers.'), user('Move the ledgers.'), ...step(1), shown];
      list.push(reply('I see.'), user('[System: the build is green]'));
      const contexts = await work(runtime, list, { from: 2, steps: 60 });
      assert.ok(contexts.filter(({ compression }) => compression).length >= 3);
      for (const { messages } of contexts) requireRequest(messages, shown);
    }));

  test('invariant 3: is what a program said in plain words where no person speaks', () =>
    withStore(async (store) => {
      const job: Message = { ...user('Look for dead links in all pages.'), origin: 'host' };
      const list = [
        system('You look after pages.'),
        job,
        ...step(1),
        user('<system-reminder>Be brief.</system-reminder>'),
      ];
      const contexts = await work(runtimeOver(store), list, { from: 2, steps: 60 });
      assert.ok(contexts.filter(({ compression }) => compression).length >= 3);
      for (const { messages } of contexts) requireRequest(messages, job);
    }));

  test('T7 opens one turn, in a handoff or behind it', () =>
    withStore(async (store) => {
      let passes = 0;
      const request = user('Move the ledgers of all regions.');
      const engine = defineEngine<Message>({
        name: 'merging and not',
        shouldCompress: () => true,
        compress: async ([prompt, ...rest]) => {
          const handoff: Message = { role: 'user', origin: 'summary', parts: [block(`Pass ${++passes}.`)] };
          const merged = { ...handoff, parts: [...handoff.parts, ...request.parts] };
          const steps = rest.filter(({ role }) => role !== 'user');
          return prompt ? [prompt, ...(passes % 2 ? [merged] : [handoff, request]), ...steps] : [];
        },
      });
      const runtime = runtimeOver(store, { engine: () => engine });
      const list = [system('You move ledgers.'), request];
      for (let at = 1; at <= 6; at++) {
        const prepared = await runtime.prepare({ messages: list });
        const [called, result] = step(at, 1);
        // A report above the threshold arms nothing.
        await runtime.settle(prepared, { type: 'answered', reply: called, usage: { inputTokens: 6_900 } });
        list.push(called, result);
      }
      assert.equal(passes, 3);
    }));
});

const block = (notes: string): Part => ({
  type: 'text',
  text: `<handoff covers="m1" messages="1">\nReference only: notes.\n\n${notes}\n${blockEnd}`,
});

/** Merges the request into its handoff at first; then keeps nothing of it but a handoff that has the same letters. */
function mergingThenForgetful(): ContextEngine<Message> {
  let passes = 0;
  return defineEngine<Message>({
    name: 'forgetful',
    shouldCompress: () => true,
    compress: async ([prompt, first, ...rest]) => {
      const words = ++passes === 1 ? (first?.parts ?? []) : [];
      return prompt ? [prompt, { role: 'user', parts: [block('The user looked at it.'), ...words] }, ...rest] : [];
    },
  });
}
