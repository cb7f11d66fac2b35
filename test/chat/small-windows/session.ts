/**
 * Forty requests to the agent of `palimpsest chat` in a window of a few thousand tokens: with its tools, its system prompt, a memory
 * that has something to say to most requests, and a model that works.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createMemory, type Memory } from '@palimpsest/core/memory';
import { openStore } from '@palimpsest/core/store';
import { type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { readableText } from '../../../packages/core/src/transcript/text.ts';
import { createAgent } from '../../../packages/palimpsest/src/agent/agent.ts';
import { openProject } from '../../../packages/palimpsest/src/agent/approval/project.ts';
import type { AgentEvent, TurnEnd } from '../../../packages/palimpsest/src/agent/events.ts';
import { createAgentTools } from '../../../packages/palimpsest/src/agent/tools/create-agent-tools.ts';
import { makePrompt } from '../../../packages/palimpsest/src/cli/system-prompt.ts';
import { deafTerminal, quietEnv } from '../../support/command-line.ts';
import { newFolder } from '../../support/store-files.ts';

/** What is recorded of a session. */
export interface SmallSession {
  readonly requests: readonly FakeRequest[];
  readonly events: readonly AgentEvent[];
  readonly ends: readonly (TurnEnd | undefined)[];
  /** For each turn, how often the conversation was compressed in it. */
  readonly compressions: readonly number[];
}

const turns = 40;

/** Noon of a day, so that the prompt says the same whenever the test runs. */
const now = new Date(2026, 10, 23, 12);

const street = (at: number): string => `${['Amber', 'Birch', 'Cedar', 'Dover', 'Elm'][at % 5]} Road ${at}`;

/** What is asked: about something that was said long ago, a file to read, or a few words. */
export function requestOf(turn: number): string {
  if (turn % 4 === 3) return `What did we say about the kiln of ${street(turn - 3)}, and when is it fired?`;
  if (turn % 4 === 1) return `Read rows-${turn}.txt and tell me what is in its first rows, please.`;
  return `The kiln of ${street(turn)} is fired on ${['Mondays', 'Tuesdays', 'Fridays'][turn % 3]}, and its glaze is number ${turn * 17}. Keep that in mind; what would you check next?`;
}

/** It reads the file where it is asked to, and answers in some sentences. */
function work({ messages }: FakeRequest): Reply {
  const newest = messages.findLast(({ role }) => role !== 'assistant');
  const asked = messages.findLast(({ role }) => role === 'user');
  const text = asked ? readableText(asked) : '';
  const [file] = /rows-\d+\.txt/.exec(text.split('\n').findLast((line) => line.startsWith('Read rows-')) ?? '') ?? [];
  if (newest?.role === 'user' && file !== undefined)
    return { toolCalls: [{ name: 'read_file', input: { path: file } }] };
  const answer =
    'I looked at what there is, and the kilns are as they were: the glaze is even and the doors close well.';
  return {
    text: `${answer} ${'Next I would check the seals, the bricks of the floor and the list of firings. '.repeat(3)}`,
  };
}

/** Remembers something new now and then, so that there is something to recall that no prompt shows. */
async function remember(memory: Memory, turn: number): Promise<void> {
  if (turn % 4 !== 0) return;
  const content = `The kiln of ${street(turn)} was repaired by Brandt & Sons in 19${60 + turn} and takes glaze ${turn * 17}.`;
  await memory.apply([{ action: 'add', content }], { actor: 'person', source: 'person' });
}

/** Plays it; nothing of it depends on chance or time. */
export async function playSmall(t: TestContext, contextLength: number): Promise<SmallSession> {
  const home = await newFolder(t);
  const folder = join(home, 'kiln');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'AGENTS.md'),
    'Write in plain words.\nRun the tests before you say that something works.\n'.repeat(6),
  );
  for (let turn = 0; turn < turns; turn++) {
    const rows = Array.from({ length: 40 }, (_, row) => `row ${row} of ${turn}: ${row * 31 + turn} crates of clay`);
    writeFileSync(join(folder, `rows-${turn}.txt`), rows.join('\n'));
  }
  await using fake = await startFakeProvider({ contextLength, script: work });
  const inner = createOpenAICompatible({
    name: 'own',
    apiKey: 'none',
    includeUsage: true,
    baseURL: fake.baseUrl('openai-chat'),
  });
  const store = await openStore({ path: join(home, 'kiln.db'), clock: { now: () => now.getTime() } });
  const memory = createMemory({ store, folder: join(home, 'memories'), project: folder, clock: () => now.getTime() });
  const terminal = { ...deafTerminal, cwd: folder, env: { ...quietEnv, HOME: home }, platform: 'linux' };
  const project = openProject({ folder, home, ownFolders: [] });
  const tools = createAgentTools({
    project,
    approve: async () => ({ allowed: true, by: 'policy' }),
    env: terminal.env,
  });
  const events: AgentEvent[] = [];
  const agent = createAgent({
    store,
    project: folder,
    model: { model: inner.chatModel('some-model'), name: 'own/some-model', contextLength },
    memory: { memory, curate: false },
    async prompt({ memory: remembered }) {
      const { text } = await makePrompt({ project: folder }, terminal, { memory: remembered, contextLength, now });
      return text;
    },
    tools: tools.tools,
    onEvent: (event) => events.push(event),
  });
  const ends: (TurnEnd | undefined)[] = [];
  const compressions: number[] = [];
  const count = (): number => events.filter(({ type }) => type === 'compressed').length;
  for (let turn = 0; turn < turns; turn++) {
    const before = count();
    ends.push(await agent.send(requestOf(turn)));
    compressions.push(count() - before);
    await remember(memory, turn);
  }
  await agent.close();
  await tools.close();
  await store.close();
  return { requests: fake.requests, events, ends, compressions };
}
