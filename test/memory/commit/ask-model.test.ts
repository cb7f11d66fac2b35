/** What a model may say of a conversation, and what of it counts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Summarizer, SummaryCall } from '../../../packages/core/src/compression/summarize/summarizer.ts';
import { askWhatToKeep, proposalLimits } from '../../../packages/core/src/memory/commit/ask-model.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const assistant = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });
const result = (text: string): Message => ({
  role: 'tool',
  parts: [{ type: 'toolResult', callId: 'c', content: [{ type: 'text', text }] }],
});

const talk: readonly Message[] = [
  user('I take the train at 7:14. We never deploy on Fridays.'),
  assistant('The staging database is harbor-db-2.'),
  result('The admin password of the printer is lemon.'),
  user('Should we move to Rust? I think the office closes at four.'),
];

interface Said {
  readonly message: number;
  readonly quote: string;
  readonly text: string;
}

const line = (message: number, quote: string, text = quote): Said => ({ message, quote, text });

function modelOf(answer: string, calls: SummaryCall[] = []): Summarizer {
  return {
    name: 'fake/writer',
    write: async (call) => {
      calls.push(call);
      return { text: answer, finish: 'stop', usage: { inputTokens: 9, outputTokens: 3 } };
    },
  };
}

async function kept(...said: readonly (Said | string)[]): Promise<readonly string[]> {
  const answer = said.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
  const { signal } = new AbortController();
  const { proposals } = await askWhatToKeep(talk, { model: modelOf(answer), signal });
  return proposals.map(({ text, at }) => `${at}: ${text}`);
}

describe('L2: what a model finds worth keeping', () => {
  it('counts where a message bears it out', async () => {
    assert.deepEqual(
      await kept(
        line(0, 'I take the train at 7:14.', 'Takes the train at 7:14.'),
        line(0, 'We never deploy on Fridays.'),
        line(1, 'The staging database is harbor-db-2.'),
      ),
      ['0: Takes the train at 7:14.', '0: We never deploy on Fridays.', '1: The staging database is harbor-db-2.'],
    );
  });

  for (const [what, said] of [
    ['words that the message does not have', line(0, 'I take the bus at 7:14.')],
    ['the words of another message', line(1, 'I take the train at 7:14.')],
    ['a message that is not there', line(17, 'I take the train at 7:14.')],
    ['another number', line(0, 'I take the train at 7:14.', 'Takes the train at 8:14.')],
    ['something more', line(0, 'I take the train at 7:14.', 'Takes the train at 7:14 to Geneva.')],
    ['the contrary', line(0, 'We never deploy on Fridays.', 'We deploy on Fridays.')],
    ['the part of a sentence that leaves out what denies it', line(0, 'deploy on Fridays', 'Deploy on Fridays.')],
    ['a question', line(3, 'move to Rust', 'We move to Rust.')],
    ['a guess', line(3, 'the office closes at four', 'The office closes at four.')],
    ['what a tool said', line(2, 'The admin password of the printer is lemon.')],
    ['nothing', line(0, 'I take the train at 7:14.', ' ')],
    ['no JSON', 'I take the train at 7:14.'],
    ['JSON of another shape', '{"message":"0","quote":[],"text":7}'],
  ] as const) {
    it(`does not count: ${what}`, async () => {
      assert.deepEqual(await kept(said), []);
    });
  }

  it('is no more than a few things, however much it says', async () => {
    const many = Array.from({ length: 20 }, (_, at) =>
      line(0, 'I take the train at 7:14.', `Train ${'at 7:14 '.repeat(at + 1)}`),
    );
    assert.equal((await kept(...many)).length, proposalLimits.entries);
  });

  it('is asked for once, with what was said and not what tools gave, inside a bound', async () => {
    const calls: SummaryCall[] = [];
    const long = Array.from({ length: 400 }, (_, at) => user(`Point ${at}: ${'word '.repeat(300)}`));
    const { signal } = new AbortController();
    await askWhatToKeep([...long, ...talk], { model: modelOf('', calls), signal });
    const [call, ...others] = calls;
    assert.deepEqual(others, []);
    assert.match(call?.prompt ?? '', /"message":400,"by":"person","text":"I take the train/);
    assert.doesNotMatch(call?.prompt ?? '', /lemon|Point 5:/);
    assert.ok((call?.prompt.length ?? 0) < proposalLimits.question + 1_000);
  });

  it('is not asked for where no person said anything', async () => {
    const calls: SummaryCall[] = [];
    const { signal } = new AbortController();
    const { proposals } = await askWhatToKeep(talk.slice(1, 3), { model: modelOf('', calls), signal });
    assert.deepEqual([proposals, calls], [[], []]);
  });

  it('is cut off where it does not end, and what is whole counts', async () => {
    const first = JSON.stringify(line(0, 'I take the train at 7:14.'));
    const model: Summarizer = {
      name: 'fake/writer',
      write: ({ onText, signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
          onText?.(`${first}\n`);
          while (!signal?.aborted) onText?.('and so on, '.repeat(20));
        }),
    };
    const { signal } = new AbortController();
    const { proposals } = await askWhatToKeep(talk, { model, signal });
    assert.deepEqual(proposals, [{ text: 'I take the train at 7:14.', at: 0 }]);
  });
});
