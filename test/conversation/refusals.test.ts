/** Providers that refuse again and again, in every way: each chain of failures ends, and the conversation lives on. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConversationRuntime, type Message, type PreparedContext, validate } from '@palimpsest/core';
import type { Store } from '@palimpsest/core/store';
import { anew, listOf, runtimeOver, sessionsOf, user, withStore } from './agent.ts';
import { requireWhole } from './whole.ts';

interface Refusing {
  /** What the provider says to its call number `call`, from 0. */
  readonly says: (prepared: PreparedContext, call: number) => Error;
  /** Whether it is a matter of length: only then anything is compressed. */
  readonly compresses: boolean;
  /** Whether it names a window that is smaller than the one known. @default false */
  readonly names?: boolean;
}

const failure = (status: number | undefined, message: string): Error =>
  Object.assign(new Error(message), status === undefined ? {} : { status });

const outputOf = ({ maxTokens = 64_000 }: PreparedContext): number => maxTokens;

const providers: Readonly<Record<string, Refusing>> = {
  'that the prompt is too long': { says: () => failure(400, 'prompt is too long'), compresses: true },
  'with a window that is smaller each time': {
    says: (_, call) =>
      failure(400, `This model's maximum context length is ${7_900 - 300 * call} tokens. You requested 9000 tokens.`),
    compresses: true,
    names: true,
  },
  'with a window far larger than the request': {
    says: () => failure(400, `This model's maximum context length is 1000000 tokens. You requested 900 tokens.`),
    compresses: true,
  },
  'with 413': { says: () => failure(413, 'Request Entity Too Large'), compresses: true },
  'with a 400 that says nothing, of a large session': { says: () => failure(400, 'Error'), compresses: true },
  'with a server error about length': {
    says: () => failure(500, 'input is too long for requested model'),
    compresses: true,
  },
  'by closing the connection': { says: () => failure(undefined, 'socket hang up'), compresses: true },
  'the output cap, whatever it is': {
    says: (prepared) =>
      failure(400, `max_tokens: ${outputOf(prepared)} > 8192, which is the maximum allowed number of output tokens`),
    compresses: false,
  },
  'half of the output each time': {
    says: (prepared) =>
      failure(
        400,
        `max_tokens: ${outputOf(prepared)} > ${outputOf(prepared) >> 1}, which is the maximum allowed number of output tokens`,
      ),
    compresses: false,
  },
  'the form of the body': {
    says: () => failure(400, 'messages.3: all messages must have non-empty content'),
    compresses: false,
  },
  'the key': { says: () => failure(401, 'invalid x-api-key'), compresses: false },
};

/** A client of a provider, and what became of all its requests. */
interface Client {
  readonly provider: Refusing;
  readonly list: Message[];
  calls: number;
  compressions: number;
}

/** One request of a client that does what it is told until it is told to stop. */
async function ask(runtime: ConversationRuntime, client: Client): Promise<void> {
  let prepared = await runtime.prepare({ messages: anew(client.list), maxTokens: 64_000 });
  if (prepared.compression) client.compressions++;
  for (let tries = 0; tries < 12; tries++) {
    assert.deepEqual(validate(prepared.messages), []);
    const error = client.provider.says(prepared, client.calls++);
    const next = await runtime.settle(prepared, { type: 'failed', error });
    if (next.type !== 'retry') {
      assert.ok(next.type === 'give_up');
      assert.equal(next.error, error);
      assert.ok(next.advice.length > 20);
      return;
    }
    assert.ok(next.waitMs <= 120_000);
    prepared = next.prepared;
    if (prepared.compression) client.compressions++;
  }
  assert.fail('retried for ever');
}

/** A client that sends the same request again and again, to a process that is started anew in between. */
async function insist(store: Store, client: Client): Promise<void> {
  const runtime = runtimeOver(store);
  for (let times = 0; times < 3; times++) await ask(runtime, client);
  await ask(runtimeOver(store), client);
}

describe('O2 a provider that refuses', () => {
  for (const [how, provider] of Object.entries(providers)) {
    test(`O2 ${how}: at most three compressions in a turn, and the conversation lives on`, () =>
      withStore(async (store) => {
        const list = listOf(14);
        const client: Client = { provider, list, calls: 0, compressions: 0 };
        await insist(store, client);
        const before = client.compressions;
        assert.ok(before <= 3 && before > 0 === provider.compresses, `${before} compressions`);
        list.push(user('Another question.'));
        await insist(store, client);
        assert.ok(client.compressions - before <= 3);
        // Four requests in each of two turns, with what is tried for each answer.
        assert.ok(client.calls <= 8 * 5, `${client.calls} calls`);
        const known = await store.meta.get('context_length:claude-sonnet-4-5');
        assert.equal(known !== undefined, provider.names === true);
        await requireWhole(store, list, how);
        if (!provider.compresses) assert.equal((await sessionsOf(store)).length, 1);
        const next = await runtimeOver(store).prepare({ messages: [...list, user('Are you well again?')] });
        assert.deepEqual(next.messages.at(-1), user('Are you well again?'));
      }));
  }
});
