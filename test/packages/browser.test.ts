/** The front, the engine and the wire where there is no Node: bundled for a browser, and run with nothing but what browsers have. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import vm from 'node:vm';
import { build } from 'tsdown';

const root = join(import.meta.dirname, '..', '..');

/** What every current browser has beside the language itself. */
const web = {
  AbortController,
  AbortSignal,
  Blob,
  Event,
  EventTarget,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  btoa,
  clearTimeout,
  console,
  crypto,
  performance,
  queueMicrotask,
  setTimeout,
  structuredClone,
};

/** A door as one script that leaves its names in `door`. Fails on whatever could not be bundled. */
async function bundled(door: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-browser-'));
  try {
    await build({
      cwd: join(root, 'packages', 'core'),
      config: false,
      clean: false,
      logLevel: 'error',
      outDir: folder,
      entry: { [door]: `src/${door}.ts` },
      format: 'iife',
      globalName: 'door',
      platform: 'browser',
      dts: false,
      tsconfig: join(root, 'tsconfig.json'),
      failOnWarn: true,
      outputOptions: { codeSplitting: false },
    });
    return readFileSync(join(folder, `${door}.iife.js`), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program behind a door, without Node: no `process`, no `require`, no `Buffer`. */
async function run(door: string, program: string): Promise<unknown> {
  const context = vm.createContext({ ...web });
  vm.runInContext(await bundled(door), context);
  // JSON, because objects of another realm are not deeply equal to ours.
  return JSON.parse(await vm.runInContext(`(async () => JSON.stringify(await (${program})()))()`, context));
}

const list = `Array.from({ length: 60 }, (_, i) => ({
  role: i % 2 ? 'assistant' : 'user', content: \`message \${i}: \${'some words about the task at hand '.repeat(12)}\`,
}))`;

test('K2 the front compresses, verifies, expands and counts without Node', async () => {
  const program = `async () => {
    const messages = door.fromOpenAiChat(${list});
    const tokenizer = await door.tokenizerFor('gpt-4o');
    const { messages: short } = await door.compress(messages, { tokenizer, contextLength: 128_000, targetTokens: 2_000 });
    return {
      fewer: short.length < messages.length, tokens: door.conversationTokens(short, tokenizer),
      first: door.expand(messages, 'm2').length,
      masked: door.redact('password: hunter2hunter2').includes('hunter2'), problems: door.validate(short).length,
      verified: typeof door.verifySummary('## Active Task\\n- nothing', messages).text,
    };
  }`;
  const found = await run('index', program);
  // As the program above returns it.
  const { tokens, ...rest } = found as { tokens: number };
  assert.ok(tokens > 0 && tokens <= 2_000, `${tokens} tokens`);
  assert.deepEqual(rest, { fewer: true, first: 1, masked: false, problems: 0, verified: 'string' });
});

test('K2 the engine keeps a loop inside its window without Node', async () => {
  const program = `async () => {
    const engine = new door.ContextCompressor({ contextLength: 8_000 });
    const messages = ${list};
    engine.updateFromResponse({ inputTokens: 7_000, outputTokens: 10 });
    const short = await engine.compress(messages);
    return { fewer: short.length < messages.length, threshold: engine.thresholdTokens };
  }`;
  const found = await run('engine', program);
  // As the program above returns it.
  const { threshold, ...rest } = found as { threshold: number };
  assert.ok(threshold > 0 && threshold < 8_000, `${threshold}`);
  assert.deepEqual(rest, { fewer: true });
});

test('K2 a body is read and spliced without Node', async () => {
  const program = `async () => {
    const text = '{"model":"m", "max_tokens":1e3, "messages":[{"role":"user","content":"H\\u0069"}]}';
    const body = door.readBody('anthropic', new TextEncoder().encode(text));
    const said = { role: 'user', parts: [{ type: 'text', text: 'Bye' }] };
    const next = door.nextMessages(body, [said, ...body.messages]);
    return { same: door.spliceBody(body, door.nextMessages(body, body.messages)) === text, spliced: door.spliceBody(body, next) };
  }`;
  assert.deepEqual(await run('wire', program), {
    same: true,
    spliced:
      '{"model":"m", "max_tokens":1e3, "messages":[{"role":"user","content":"Bye"},{"role":"user","content":"H\\u0069"}]}',
  });
});
