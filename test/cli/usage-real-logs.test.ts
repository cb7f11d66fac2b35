/** What `palimpsest usage` says of real logs, against sums that are made here, without any of its code. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { inFolder, runHere } from '../support/command-line.ts';

const folder = new URL('../../../shared/data/transcripts/', import.meta.url);
const skip = existsSync(folder) ? false : 'no real logs beside the project';

/** What is looked at in the lines of logs. */
interface Line {
  readonly type?: string;
  readonly message?: LoggedMessage;
  readonly data?: { readonly message?: Line; readonly outputTokens?: number };
  readonly payload?: { readonly info?: { readonly total_token_usage: CodexTotal } | null };
}

/** Of Claude Code with the first members of `usage`, of pi with the last ones. */
interface LoggedMessage {
  readonly id?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly usage?: LoggedUsage;
}

interface LoggedUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation?: Readonly<Record<'ephemeral_5m_input_tokens' | 'ephemeral_1h_input_tokens', number>>;
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

interface CodexTotal {
  readonly total_tokens: number;
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
}

/** Calls, new input, output, cache reads, cache writes, and dollars where every price is known. */
type Sums = readonly [
  calls: number,
  input: number,
  output: number,
  read: number,
  write: number,
  dollars: number | null,
];
type ByModel = Readonly<Record<string, Sums>>;

/** Dollars for a million tokens: read, written; a tenth, 1.25 and 2 times the first for the cache. */
const claudePrices: Readonly<Record<string, readonly [number, number]>> = {
  'claude-opus-4-6': [5, 25],
  'claude-haiku-4-5-20251001': [1, 5],
  'anthropic/claude-sonnet-4-5': [3, 15],
};

/** The last line of each message that Claude Code wrote, of sub-agents too. */
function claudeCode(lines: readonly Line[]): ByModel {
  const calls = new Map<string | undefined, LoggedMessage>();
  for (const line of lines) {
    const told = line.type === 'progress' ? line.data?.message : line;
    const { type, message } = told ?? {};
    if (type === 'assistant' && message && message.model !== '<synthetic>') calls.set(message.id, message);
  }
  return summed([...calls.values()].map(claudeCall));
}

function claudeCall({ model = '', usage }: LoggedMessage): Call {
  const {
    input_tokens: input = 0,
    output_tokens: output = 0,
    cache_read_input_tokens: read = 0,
  }: LoggedUsage = usage ?? {};
  const { ephemeral_5m_input_tokens: short = 0, ephemeral_1h_input_tokens: hour = 0 } = usage?.cache_creation ?? {};
  return { model, input, output, read, write: short + hour, hour };
}

/** A call that was never answered has only zeros. */
function pi(lines: readonly Line[]): ByModel {
  const calls = lines.map(({ message }): Call => {
    const { input = 0, output = 0, cacheRead: read = 0, cacheWrite: write = 0 }: LoggedUsage = message?.usage ?? {};
    return { model: `${message?.provider}/${message?.model}`, input, output, read, write, hour: 0 };
  });
  return summed(calls.filter(({ input, output, read, write }) => input + output + read + write > 0));
}

interface Call {
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly read: number;
  readonly write: number;
  /** Of the writes, those for an hour. */
  readonly hour: number;
}

function summed(calls: readonly Call[]): ByModel {
  const sums: Record<string, Sums> = {};
  for (const { model, input, output, read, write, hour } of calls) {
    const [perInput = Number.NaN, perOutput = Number.NaN] = claudePrices[model] ?? [];
    const weighed = input + 0.1 * read + 1.25 * (write - hour) + 2 * hour;
    const price = (weighed * perInput + output * perOutput) / 1e6;
    const [count, inputs, outputs, reads, writes, dollars] = sums[model] ?? [0, 0, 0, 0, 0, 0];
    sums[model] = [count + 1, inputs + input, outputs + output, reads + read, writes + write, (dollars ?? 0) + price];
  }
  return sums;
}

/** The running sum of the whole session, as Codex itself shows it; calls are where it rises. */
function codex(lines: readonly Line[]): ByModel {
  const totals = lines.flatMap(({ payload }) => payload?.info?.total_token_usage ?? []);
  const calls = new Set(totals.map(({ total_tokens: total }) => total)).size;
  const { input_tokens: prompt = 0, cached_input_tokens: read = 0, output_tokens: output = 0 } = totals.at(-1) ?? {};
  const dollars = ((prompt - read) * 5 + read * 0.5 + output * 30) / 1e6;
  return { 'openai/gpt-5.5': [calls, prompt - read, output, read, 0, dollars] };
}

function copilot(lines: readonly Line[]): ByModel {
  const outputs = lines.flatMap(({ type, data }) => (type === 'assistant.message' ? (data?.outputTokens ?? []) : []));
  const output = outputs.reduce((sum, tokens) => sum + tokens, 0);
  return { 'github-copilot/claude-opus-4.8': [outputs.length, 0, output, 0, 0, null] };
}

const logs: readonly (readonly [path: string, sums: (lines: readonly Line[]) => ByModel])[] = [
  ['claude-code/cipher-box__c6-44f3afc869-1.jsonl', claudeCode],
  ['claude-code/repiq-ja__24-723c7a3c59-0.jsonl', claudeCode],
  ['codex/agentv__0b-9f2ac6f3aa-1.jsonl', codex],
  ['pi/pi-mono__large-session.jsonl', pi],
  ['copilot-cli/agentv__d8-8be769afd1-0.jsonl', copilot],
];

interface Row {
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd?: number;
}

/** What the command says, models added up over sub-agents. */
function toldBy(rows: readonly Row[]): ByModel {
  const told: Record<string, Sums> = {};
  for (const row of rows) {
    const [calls, input, output, read, write, dollars] = told[row.model] ?? [0, 0, 0, 0, 0, 0];
    const cost = row.costUsd === undefined || dollars === null ? null : dollars + row.costUsd;
    const sum = [calls + row.calls, input + row.inputTokens, output + row.outputTokens] as const;
    told[row.model] = [...sum, read + row.cacheReadTokens, write + row.cacheWriteTokens, cost];
  }
  return told;
}

const cents = (sums: ByModel): unknown =>
  Object.entries(sums)
    .map(([model, [calls, input, output, read, write, dollars]]) => [
      model,
      calls,
      input,
      output,
      read,
      write,
      dollars === null ? null : dollars.toFixed(6),
    ])
    .toSorted();

describe('palimpsest usage of real logs', () => {
  for (const [path, sums] of logs) {
    it(`U2 counts ${path} to the token, and prices it to the millionth of a dollar`, { skip }, () => {
      const text = gunzipSync(readFileSync(new URL(`${path}.gz`, folder)));
      const lines = text
        .toString()
        .trimEnd()
        .split('\n')
        .map((line): Line => JSON.parse(line));
      const half = lines.slice(0, lines.length / 2).map((line) => `${JSON.stringify(line)}\n`);
      return inFolder({ 'log.jsonl': half.join('') }, async (cwd) => {
        // The log grows, and a copy of it is imported too.
        await runHere(['import', 'log.jsonl', '--store', 's.db'], { cwd });
        const grown = await runHere(['import', '-', '--store', 's.db'], { cwd, input: text });
        assert.equal(grown.code, 0, grown.stderr);
        const { stdout } = await runHere(['usage', '--store', 's.db', '--json'], { cwd });
        assert.deepEqual(cents(toldBy(JSON.parse(stdout).calls)), cents(sums(lines)));
      });
    });
  }
});
