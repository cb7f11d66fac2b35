/** The provider of the week: two models behind one address, over real HTTP, with a prompt cache that counts what it would hold. */
import {
  type DialectName,
  type FakeProvider,
  type FakeRequest,
  type Reply,
  startFakeProvider,
} from '@palimpsest/core/testing';
import { createGate, type Gate } from './gate.ts';
import { createMind, createPromptCache, type MindReport } from './mind.ts';
import { monday } from './plans-first.ts';
import { later } from './plans-later.ts';

/** Two models by name. */
export interface WeekModels {
  readonly large: string;
  /** Its window is a quarter of the other one's. */
  readonly small: string;
}

/** The names decide how tokens are counted: each dialect has those of its own makers. */
export const modelsOf = (dialect: DialectName): WeekModels =>
  dialect === 'anthropic'
    ? { large: 'claude-large', small: 'claude-small' }
    : { large: 'gpt-large', small: 'gpt-small' };

/** In tokens. Claude counts about a quarter more of them for the same words. */
export const windows: Readonly<Record<string, number>> = {
  [modelsOf('openai-chat').large]: 18_000,
  [modelsOf('openai-chat').small]: 4_500,
  [modelsOf('anthropic').large]: 24_000,
  [modelsOf('anthropic').small]: 6_000,
};

export interface WeekProvider extends AsyncDisposable {
  readonly fake: FakeProvider;
  readonly gate: Gate;
  readonly report: MindReport;
}

/** Starts it on a free port. */
export async function startWeekProvider(): Promise<WeekProvider> {
  const gate = createGate();
  const { answer, report } = createMind({ plans: { ...monday, ...later }, gate });
  const cached = createPromptCache();
  const script = (request: FakeRequest): Reply => {
    const reply = answer(request);
    return { ...reply, usage: { cacheReadTokens: cached(request) } };
  };
  const fake = await startFakeProvider({ contextLength: windows, script, wait: gate.wait });
  return { fake, gate, report, [Symbol.asyncDispose]: () => fake.close() };
}
