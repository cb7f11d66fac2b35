/**
 * Tool loops many times longer than the window, over the real packages of the AI SDK and a provider on this machine: what the
 * provider refused, how facts from long ago were found again, and what a step takes of this program.
 *
 *   node bench/ai-sdk.ts [--steps N] [--context-length N] [--provider NAME] [--stream]
 */
import { parseArgs } from 'node:util';
import { type AnyModel, type Notice, type RecallTools, tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, type LanguageModelMiddleware, streamText, wrapLanguageModel } from 'ai';
import { type Provider, providers } from '../test/ai-sdk/providers.ts';
import { type Plan, type Question, worker, workTools } from '../test/ai-sdk/worker.ts';
import { ms, stopwatch } from './stopwatch.ts';

const usage = 'node bench/ai-sdk.ts [--steps N] [--context-length N] [--provider NAME] [--stream]';
const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '1000' },
    'context-length': { type: 'string', default: '32000' },
    provider: { type: 'string', default: '' },
    stream: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(usage);
else for (const provider of providers) if (isAsked(provider)) await measure(provider);

/** The name of one, or a part of several names. */
function isAsked({ name }: Provider): boolean {
  const isName = providers.some((one) => one.name === values.provider);
  return isName ? name === values.provider : name.includes(values.provider);
}

async function measure(provider: Provider): Promise<void> {
  const contextLength = Number(values['context-length']);
  const plan: Plan = { steps: Number(values.steps), askEvery: 10, askBack: 60, hugeEvery: 15 };
  const questions: Question[] = [];
  const notices: Notice[] = [];
  await using fake = await startFakeProvider({ contextLength, script: worker(plan, questions) });
  const [inner, outer]: [number[], number[]] = [[], []];
  const plain = wrapLanguageModel({ model: provider.model(fake), middleware: timed(inner) });
  const kept = withPalimpsest(plain, { contextLength, onNotice: (notice) => notices.push(notice) });
  const model = wrapLanguageModel({ model: kept, middleware: timed(outer) });
  const lap = stopwatch();
  const text = await answerOf(model, plan, tools(kept));
  const { wallMs, threadMs } = lap();
  const refused = fake.requests.filter(({ status }) => status !== 200).length;
  console.log(`${provider.name}${values.stream ? ', streamed' : ''}: ${text}`);
  console.log(`  ${fake.requests.length} requests, ${refused} refused; ${counted(notices.map(({ type }) => type))}`);
  console.log(`  ${questions.length} questions: ${counted(questions.map(({ found }) => found))}`);
  const all = [wallMs, threadMs].map((time) => ms(time / fake.requests.length));
  console.log(`  a step with SDK and provider: ${all[0]} ms, of the thread ${all[1]} ms`);
  if (values.stream || outer.length !== inner.length) return;
  const own = outer.map((time, i) => time - (inner[i] ?? 0));
  console.log(`  own time of a step: p50 ${ms(at(own, 0.5))} ms, p99 ${ms(at(own, 0.99))} ms`);
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
}

/** Notes how long every whole answer took. */
function timed(times: number[]): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    wrapGenerate: async ({ doGenerate }) => {
      const start = performance.now();
      const answer = await doGenerate();
      times.push(performance.now() - start);
      return answer;
    },
  };
}

async function answerOf(model: AnyModel, plan: Plan, recall: RecallTools): Promise<string> {
  const call = {
    model,
    maxRetries: 0,
    stopWhen: isStepCount(plan.steps + 1),
    system: 'You visit depots.',
    prompt: 'Visit all depots, and remember their access codes.',
    tools: { ...workTools(plan), ...recall },
  };
  return values.stream ? await streamText(call).text : (await generateText(call)).text;
}

function counted(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${word} ${count}`).join(', ') || 'none';
}
