/**
 * Measures what the conversation runtime itself takes for a step, from a prepared request to a settled answer, without any
 * model: in a context of 150,000 tokens, and in a session of 10,000 messages.
 *
 *   node bench/conversation.ts [--steps N] [--quick]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type ConversationRuntime,
  conversationTokens,
  createConversations,
  estimatingTokenizer,
  type Message,
} from '@palimpsest/core';
import { openStore } from '@palimpsest/core/store';
import { ms, stopwatch, type Time } from './stopwatch.ts';

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '200' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** JSON in, JSON out: a message holds nothing else. */
const anew = (messages: readonly Message[]): Message[] => JSON.parse(JSON.stringify(messages)) as Message[];

const tokenizer = estimatingTokenizer('claude');

/** What is measured. */
interface Case {
  readonly name: string;
  /** Messages that are there before, and characters in each result. */
  readonly messages: number;
  readonly characters: number;
  /** Whether the client sends the same objects again, or new ones with each request, as over HTTP. */
  readonly fresh: boolean;
}

const cases: readonly Case[] = [
  { name: '150K tokens, the client keeps its list', messages: 260, characters: 1_150, fresh: false },
  { name: '150K tokens, new objects with each request', messages: 260, characters: 1_150, fresh: true },
  { name: '10,000 messages, the client keeps its list', messages: 10_000, characters: 200, fresh: false },
  { name: '10,000 messages, new objects with each request', messages: 10_000, characters: 200, fresh: true },
];

if (values.help) console.log('node bench/conversation.ts [--steps N] [--quick]');
else await measureAll(values.quick ? 30 : Number(values.steps));

async function measureAll(steps: number): Promise<void> {
  console.log(`${'own time of a step in ms, wall (thread)'.padEnd(48)}             p50             p99    tokens`);
  for (const one of cases) await measure(one, steps);
}

async function measure(one: Case, steps: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
  const store = await openStore({ path: join(folder, 'store.db') });
  try {
    const runtime = createConversations({ store, model: 'claude-sonnet-4-5', tokenizer, contextLength: 4_000_000 });
    const list: Message[] = [{ role: 'system', parts: [{ type: 'text', text: 'You are an agent.' }] }, said('Begin.')];
    for (let at = 0; at < one.messages / 2; at++) list.push(...step(at, one.characters));
    let used = conversationTokens(list, tokenizer);
    const times: Time[] = [];
    for (let at = one.messages; at < one.messages + steps; at++) {
      const [called, result] = step(at, one.characters);
      // Reading the request is the door's own business.
      const sent = one.fresh ? anew(list) : list;
      const reply = one.fresh ? (anew([called])[0] ?? called) : called;
      const lap = stopwatch();
      await takeStep(runtime, { sent, reply, used });
      times.push(lap());
      list.push(called, result);
      used += conversationTokens([called, result], tokenizer);
    }
    console.log(row(one.name, times.slice(5), used));
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

interface Step {
  readonly sent: readonly Message[];
  readonly reply: Message;
  readonly used: number;
}

async function takeStep(runtime: ConversationRuntime, { sent, reply, used }: Step): Promise<void> {
  const prepared = await runtime.prepare({ messages: sent });
  if (prepared.compression) throw new Error('a step with a compression is not what is measured here');
  await runtime.settle(prepared, { type: 'answered', reply, usage: { inputTokens: used, outputTokens: 50 } });
}

/** Wall and thread of each figure: on a busy machine the wall clock also waits for others. */
function row(name: string, times: readonly Time[], tokens: number): string {
  const at = (share: number): string => {
    const of = (values: readonly number[]): number =>
      values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
    const [wall, thread] = [of(times.map(({ wallMs }) => wallMs)), of(times.map(({ threadMs }) => threadMs))];
    return `${ms(wall)} (${ms(thread)})`.padStart(16);
  };
  return `${name.padEnd(48)}${at(0.5)}${at(0.99)}${String(tokens).padStart(10)}`;
}

function said(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

function step(at: number, characters: number): readonly [Message, Message] {
  const callId = `call-${at}`;
  const line = `${at} src/region-${at % 97}.ts: moved ${at * 17} rows to ledger_${at}\n`;
  const text = line.repeat(Math.ceil(characters / line.length)).slice(0, characters);
  const input = JSON.stringify({ command: `node scripts/move-${at}.ts --region north-${at}` });
  return [
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: `Now region ${at}.` },
        { type: 'toolCall', callId, name: 'bash', input, inputType: 'json' },
      ],
    },
    { role: 'tool', parts: [{ type: 'toolResult', callId, content: [{ type: 'text', text }] }] },
  ];
}
