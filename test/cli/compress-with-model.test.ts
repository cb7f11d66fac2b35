import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { faithfulSummary, misbehaving, promptText } from '@palimpsest/core/testing';
import { inFolder, runHere, runProcess } from '../support/command-line.ts';
import { at, base, chat, plain, withProvider } from './with-provider.ts';

describe('S7: a model of the command line writes the summary', () => {
  it('reads it over Chat Completions at any address, and the report says what it cost and what was checked', () =>
    withProvider(async ({ provider, run }) => {
      const outcome = await run([...at(provider), '--summarizer', 'some-model']);
      assert.equal(outcome.code, 0, outcome.stderr);
      assert.match(outcome.stdout, /<handoff /);
      const told = plain(outcome, provider);
      const flat = told.replaceAll(/\n +/g, ' ');
      assert.match(
        told,
        /^openai-compatible\/some-model at http:\/\/127\.0\.0\.1\/v1 writes the summary: about [\d,]+ tokens in 1 call, price unknown$/m,
      );
      assert.match(flat, /^summary written by openai-compatible\/some-model: [\d,]+ tokens in and [\d,]+ out/m);
      assert.match(flat, /read all \d+ messages; its window is not known: 128,000 tokens assumed/);
      assert.match(flat, /[\d,]+ claims checked/);
      assert.deepEqual(
        provider.requests.map(({ dialect, stream, model }) => [dialect, stream, model]),
        [['openai-chat', true, 'some-model']],
      );
    }));

  it('reads it over Anthropic Messages, with the price of the model', () =>
    withProvider(async ({ provider, run }) => {
      const words = ['--summarizer', 'anthropic/claude-sonnet-4-5', '--base-url', provider.url];
      const { code, stderr } = await run(words, { ANTHROPIC_API_KEY: 'test-key' });
      assert.equal(code, 0, stderr);
      assert.match(stderr, /in 1 call, ~\$0\.\d+$/m);
      assert.match(
        stderr.replaceAll(/\n +/g, ' '),
        /written by anthropic\/claude-sonnet-4-5: [^~]* in 1 call, ~\$0\.\d+/,
      );
      assert.equal(provider.requests[0]?.dialect, 'anthropic');
    }));

  it('reads it over OpenAI Responses at the address of OpenAI itself', () =>
    withProvider(async ({ provider, run }) => {
      // Only OpenAI's own address speaks that dialect, so its name is led to the provider of the test.
      const { fetch } = globalThis;
      globalThis.fetch = (input, init) => fetch(String(input).replace('https://api.openai.com', provider.url), init);
      try {
        const { code, stderr } = await run(['--summarizer', 'openai/gpt-5-mini'], { OPENAI_API_KEY: 'test-key' });
        assert.equal(code, 0, stderr);
        assert.match(stderr, /^openai\/gpt-5-mini writes the summary: about [\d,]+ tokens in 1 call, ~\$0\.\d+$/m);
        assert.equal(provider.requests[0]?.dialect, 'openai-responses');
      } finally {
        globalThis.fetch = fetch;
      }
    }));

  it('asks an address without a name which model it serves', () =>
    withProvider(
      async ({ provider, run }) => {
        const { code, stderr } = await run(at(provider));
        assert.equal(code, 0, stderr);
        assert.deepEqual(
          provider.requests.map(({ path, model }) => [path, model]),
          [
            ['/v1/models', ''],
            ['/v1/chat/completions', 'the-only-one'],
          ],
        );
      },
      { models: ['the-only-one'] },
    ));

  it('lists the models of an address that serves several, with exit code 2', () =>
    withProvider(
      async ({ provider, run }) => {
        const { code, stdout, stderr } = await run(at(provider));
        assert.equal(code, 2);
        assert.equal(stdout, '');
        assert.match(stderr, /serves 2 models: choose one with --summarizer: small, large/);
      },
      { models: ['small', 'large'] },
    ));

  it('gives programs the model, calls, price, coverage and verification', () =>
    withProvider(async ({ provider, run }) => {
      const words = [...at(provider), '--summarizer', 'openai/gpt-5-mini', '--json'];
      const { code, stdout, stderr } = await run(words);
      assert.equal(code, 0, stderr);
      assert.equal(stderr, '');
      const { summary, failure, handoff } = JSON.parse(stdout);
      assert.equal(handoff.writtenBy, 'model');
      assert.equal(failure, null);
      assert.equal(summary.model, 'openai/gpt-5-mini');
      assert.deepEqual(Object.keys(summary).sort(), [
        'calls',
        'coverage',
        'failures',
        'model',
        'price',
        'verification',
      ]);
      assert.equal(summary.price.status, 'estimated');
      assert.equal(summary.calls[0].purpose, 'whole');
      assert.ok(summary.calls[0].price.amount > 0);
      assert.equal(summary.coverage.messages.read, summary.coverage.messages.of);
      assert.ok(Array.isArray(summary.verification.changes));
    }));

  it('shows what was put right with --explain, each with its messages', () =>
    withProvider(
      async ({ provider, run }) => {
        const { stdout, stderr } = await run([...at(provider), '--summarizer', 'm', '--explain']);
        assert.match(stderr + stdout, /changes to the summary\n {2}(?:removed|corrected) +line \d+: /);
        assert.match(stderr + stdout, /[1-9]\d* lines? (?:removed|corrected)/);
      },
      { script: (request) => ({ text: `${faithfulSummary(request).text}\n- Edited \`src/parse-77.js\`` }) },
    ));

  it('a name without a provider only says whose tokens are counted', () =>
    withProvider(async ({ provider, run }) => {
      const { code, stderr } = await run(['--model', 'gpt-5-mini']);
      assert.equal(code, 0);
      assert.doesNotMatch(stderr, /writes the summary/);
      assert.equal(provider.requests.length, 0);
    }));

  it('reads a long text in parts and says so before', () =>
    withProvider(async ({ provider, run }) => {
      const { code, stderr } = await run([...at(provider), '--summarizer', 'm', '--summarizer-context-length', '12k']);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /tokens in [2-9] parts and 1 call or more to merge them/);
      assert.match(stderr.replaceAll(/\n +/g, ' '), /; in [2-9] parts/);
      assert.ok(provider.requests.length >= 3);
    }));

  it('S6: sends no credential', () =>
    withProvider(
      async ({ provider, cwd }) => {
        const args = ['compress', 'leak.json', '--target', '3000', ...at(provider), '--summarizer', 'm'];
        const { code, stderr } = await runHere(args, { cwd, env: { PALIMPSEST_API_KEY: 'test-key' } });
        assert.equal(code, 0, stderr);
        const sent = provider.requests.map(promptText).join('');
        assert.ok(sent.includes('empty row 7') && !sent.includes(secret));
      },
      { files: { 'leak.json': chat.replaceAll('empty row 7', `empty row 7 with ${secret}`) } },
    ));
});

const secret = `sk-proj-${'a1B2c3D4e5F6g7H8'.repeat(3)}`;

describe('what a person sees while a model writes', () => {
  it('is a line that moves on a terminal, and never the text', () =>
    withProvider(async ({ provider, cwd }) => {
      let time = 0;
      const now = (): number => {
        time += 40;
        return time;
      };
      const args = [...base, ...at(provider), '--summarizer', 'm', '--no-color'];
      const { stderr, stdout } = await runHere(args, {
        cwd,
        isTerminal: true,
        env: { PALIMPSEST_API_KEY: 'test-key' },
        now,
      });
      assert.match(stderr, /\r\u001b\[2Kopenai-compatible\/m reads, 0 s/);
      assert.match(stderr, /\r\u001b\[2Kopenai-compatible\/m writes, [\d,]+ characters, \d+ s/);
      assert.ok(stderr.trimEnd().endsWith('\u001b[2K') || /\u001b\[2K(?:note|$)/.test(stderr.split('\r').at(-1) ?? ''));
      assert.doesNotMatch(stderr, /empty row/);
      assert.match(stdout, /written by/);
    }));

  it('is nothing after --quiet', () =>
    withProvider(async ({ provider, cwd }) => {
      const args = [...base, ...at(provider), '--summarizer', 'm', '--quiet'];
      const { code, stderr } = await runHere(args, { cwd, isTerminal: true, env: { PALIMPSEST_API_KEY: 'test-key' } });
      assert.equal(code, 0);
      assert.equal(stderr, '');
    }));
});

describe('F1, F2, F5: a model that fails', () => {
  it('with a refused key leaves the conversation as it is: exit code 5, with what to do', () =>
    withProvider(async ({ provider, run }) => {
      const outcome = await run([...at(provider), '--summarizer', 'm'], { PALIMPSEST_API_KEY: 'wrong-key' });
      assert.equal(outcome.code, 5);
      assert.deepEqual(JSON.parse(outcome.stdout), JSON.parse(chat));
      const told = plain(outcome, provider).replaceAll(/\n +/g, ' ');
      assert.match(told, /no summary openai-compatible\/m refused the key \(401\).*Check PALIMPSEST_API_KEY/);
      assert.match(told, /The conversation was not changed.*--no-summarizer/);
      assert.doesNotMatch(told, /wrong-key/);
      const quiet = await run([...at(provider), '--summarizer', 'm', '--quiet'], { PALIMPSEST_API_KEY: 'wrong-key' });
      assert.match(quiet.stderr, /^palimpsest: openai-compatible\/m refused the key \(401\)[^\n]*\n$/);
    }));

  it('in any other way lets the ledger write, with a warning', () =>
    withProvider(
      async ({ provider, run }) => {
        const { code, stdout, stderr } = await run([...at(provider), '--summarizer', 'm']);
        assert.equal(code, 0);
        assert.match(stdout, /<handoff [^>]*written=.*mechanically/);
        assert.match(stderr, /^no summary\n {2}openai-compatible\/m failed on the server side \(500\)/m);
        assert.match(stderr.replaceAll(/\n +/g, ' '), /The handoff was written without a model/);
      },
      { script: misbehaving('status500') },
    ));

  it('is in the JSON document, with what its answers cost', () =>
    withProvider(
      async ({ provider, run }) => {
        const { code, stdout } = await run([...at(provider), '--summarizer', 'openai/gpt-5-mini', '--json']);
        const { failure, summary, handoff } = JSON.parse(stdout);
        assert.equal(code, 0);
        assert.equal(summary, null);
        assert.equal(handoff.writtenBy, 'ledger');
        assert.equal(failure.kind, 'bad_output');
        assert.equal(failure.calls.length, 1);
        assert.equal(failure.price.status, 'estimated');
      },
      { script: misbehaving('refusesInText') },
    ));

  it('gives way to the configured model, and both are told', () =>
    withProvider(async ({ provider, run }) => {
      provider.reply({ error: { status: 500 } });
      const words = [...at(provider), '--summarizer', 'first'];
      const env = {
        PALIMPSEST_AUXILIARY_COMPRESSION_MODEL: 'second',
        PALIMPSEST_AUXILIARY_COMPRESSION_BASE_URL: provider.baseUrl('openai-chat'),
      };
      const { code, stderr } = await run(words, env);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /warning: openai-compatible\/first failed .* Asking openai-compatible\/second\./);
      assert.match(stderr, /written by openai-compatible\/second: /);
      assert.match(stderr, /earlier: openai-compatible\/first failed/);
    }));

  it('without a key is an error before anything is read: exit code 5', () =>
    inFolder({}, async (cwd) => {
      const { code, stdout, stderr } = await runHere(['compress', 'none.json', '--summarizer', 'openai/gpt-5'], {
        cwd,
      });
      assert.equal(code, 5);
      assert.equal(stdout, '');
      assert.match(stderr, /^palimpsest: openai\/gpt-5 needs a key: set the environment variable OPENAI_API_KEY/);
    }));

  it('of an unknown provider names the nearest: exit code 5', () =>
    inFolder({ 'chat.json': chat }, async (cwd) => {
      const { code, stderr } = await runHere([...base, '--summarizer', 'opnai/gpt-5'], { cwd });
      assert.equal(code, 5);
      assert.match(stderr, /"opnai" is not a known provider.*Did you mean "openai"\?/);
    }));

  it('at an address that is none: exit code 2; where nobody answers: exit code 5', () =>
    inFolder({ 'chat.json': chat }, async (cwd) => {
      const wrong = await runHere([...base, '--base-url', 'localhost', '--summarizer', 'm'], { cwd });
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, /Expected a base URL with http/);
      const url = await closedAddress();
      const silent = await runHere([...base, '--base-url', url], { cwd });
      assert.equal(silent.code, 5);
      assert.match(silent.stderr, /cannot be reached/);
      const excluded = await runHere([...base, '--base-url', url, '--no-summarizer'], { cwd });
      assert.equal(excluded.code, 2);
    }));
});

/** An address at which nobody listens. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  assert.ok(address !== null && typeof address === 'object');
  return `http://127.0.0.1:${address.port}/v1`;
}

describe('--model', () => {
  it('names the model of the conversation: with a provider, the error says how that one is to write', () =>
    inFolder({ 'chat.json': chat }, async (cwd) => {
      for (const words of [
        ['compress', 'chat.json', '--model', 'openai/gpt-5'],
        ['compress', 'chat.json', '--model', 'm', '--base-url', 'http://127.0.0.1:9/v1'],
        ['sessions', 'compress', 'chat', '--model', 'openai/gpt-5'],
      ]) {
        const { code, stdout, stderr } = await runHere(words, { cwd });
        assert.deepEqual([code, stdout], [2, ''], words.join(' '));
        assert.match(
          stderr,
          /--model names the model of the conversation\..* write the summary, use --summarizer \S+;/,
        );
      }
    }));

  it('and beside a summarizer it counts, with a window of its own', () =>
    withProvider(async ({ provider, run }) => {
      const outcome = await run([...at(provider), '--summarizer', 'm', '--model', 'gpt-5', '--json']);
      assert.equal(outcome.code, 0, outcome.stderr);
      const { model, window } = JSON.parse(outcome.stdout);
      assert.deepEqual([model, window.tokens], ['gpt-5', 400_000]);
    }));

  it('--no-model is still heard', () =>
    withProvider(async ({ provider, run }) => {
      const env = { PALIMPSEST_AUXILIARY_COMPRESSION_BASE_URL: at(provider)[1] ?? '' };
      assert.equal((await run(['--no-model'], env)).code, 0);
      assert.equal(provider.requests.length, 0);
    }));
});

describe('the command line stays quick', () => {
  it('loads nothing of the AI SDK unless a model is used', () =>
    inFolder({ 'chat.json': chat }, async (cwd) => {
      const env = { NODE_DEBUG: 'esm' };
      const { code, stderr } = await runProcess([...base, '--quiet'], { cwd, env });
      assert.equal(code, 0);
      assert.doesNotMatch(stderr, /node_modules\/@ai-sdk\//);
      assert.ok(existsSync(join(cwd, 'chat.json')) && readFileSync(join(cwd, 'chat.json'), 'utf8') === chat);
    }));
});
