/**
 * Plays a scenario and writes the session, by default as OpenAI chat messages: every tool call is really run in a fresh scratch
 * folder and its true output recorded. The same scenario gives the same file, byte for byte.
 *
 *     node scripts/record-session.ts --out FILE [--format NAME] [--show N] SCENARIO...
 *
 * Several scenario files are parts of one session, in order. `--show N` prints the messages from number N on.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { contentHash } from '../packages/core/src/shared/hash.ts';
import type { JsonObject } from '../packages/core/src/shared/json.ts';
import { loadEncoding } from '../packages/core/src/tokens/encoding.ts';
import { formatNames } from '../packages/core/src/transcript/message.ts';
import { convertSession } from './recorder/convert.ts';
import { parseScenario, type ScenarioStep } from './recorder/scenario.ts';
import { runShell, runTool, toolDefinitions, type Workshop } from './recorder/tools.ts';

/** 2026-03-02 09:00 UTC; every step takes a minute and a half. */
const startSeconds = 1_772_442_000;
const stepSeconds = 90;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      format: { type: 'string', default: 'openai-chat' },
      show: { type: 'string' },
    },
  });
  if (!values.out || positionals.length === 0) {
    throw new Error('expected --out FILE and one or more scenario files');
  }
  const format = formatNames.find((known) => known === values.format);
  if (!format) throw new Error(`--format must be one of ${formatNames.join(', ')}, got "${values.format}"`);
  const steps = positionals.flatMap((file) => parseScenario(readFileSync(file, 'utf8'), file));
  const name = basename(values.out).replace(/\..*$/, '');
  const messages = record(steps, name);
  const text = sessionText(messages, steps);
  const isOurs = format === 'openai-chat';
  writeFileSync(values.out, isOurs ? text : await convertSession(text, { format, title: name, startSeconds }));
  if (values.show) show(messages, Number(values.show));
  const { count } = await loadEncoding('o200k_base');
  const tokens = messages.reduce((sum, message) => sum + count(JSON.stringify(message)), 0);
  console.error(`${values.out}: ${messages.length} messages, about ${tokens} o200k tokens with JSON around them`);
}

function record(steps: readonly ScenarioStep[], name: string): readonly JsonObject[] {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'session-')));
  let stepNumber = 0;
  const clock = (): number => startSeconds + stepNumber * stepSeconds;
  const workshop = { folder: join(root, 'repo'), home: join(root, 'home'), clock };
  mkdirSync(workshop.folder);
  mkdirSync(workshop.home);
  try {
    return steps.flatMap((step, index) => {
      stepNumber = index;
      return messagesOf(step, { workshop, prefix: `${name}:${index}` });
    });
  } finally {
    rmSync(root, { recursive: true });
  }
}

function messagesOf(step: ScenarioStep, place: { workshop: Workshop; prefix: string }): readonly JsonObject[] {
  if (step.type === 'setup') {
    const output = runShell(step.text, place.workshop);
    if (/\[(exit code|stopped after) .*\]$/.test(output)) throw new Error(`the setup failed:\n${output}`);
    return [];
  }
  const calls = step.calls.map((call, index) => ({ call, id: `call_${contentHash(`${place.prefix}:${index}`)}` }));
  const content = step.text || null;
  if (calls.length === 0) return [{ role: step.type, content: content ?? '' }];
  const wire = calls.map(({ call, id }) => ({
    id,
    type: 'function',
    function: { name: call.tool, arguments: JSON.stringify(call.input) },
  }));
  const results = calls.map(({ call, id }) => ({
    role: 'tool',
    tool_call_id: id,
    content: runTool(call, place.workshop),
  }));
  return [{ role: 'assistant', content, tool_calls: wire }, ...results];
}

/** One message a line, so that a change of the scenario reads well in a diff. A session without calls has no tools. */
function sessionText(messages: readonly JsonObject[], steps: readonly ScenarioStep[]): string {
  const tools = steps.some((step) => step.calls.length > 0) ? `"tools": ${JSON.stringify(toolDefinitions)},\n` : '';
  return `{\n${tools}"messages": [\n${messages.map((message) => JSON.stringify(message)).join(',\n')}\n]\n}\n`;
}

function show(messages: readonly JsonObject[], from: number): void {
  for (const [index, message] of messages.entries()) {
    if (index < from || message.role === 'user') continue;
    if (message.role === 'tool') console.log(`#${index} ${String(message.content)}`);
    else console.log(`#${index} ── ${String(message.content ?? '').slice(0, 100)}`);
  }
}

await main();
