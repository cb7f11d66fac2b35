import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type FakeProvider, startFakeProvider } from '@palimpsest/core/testing';
import { entry, inFolder, quietEnv, runHere } from '../support/command-line.ts';
import { at, base, chat, withProvider } from './with-provider.ts';

describe('S7: auxiliary.compression in the configuration', () => {
  const yaml = ({ baseUrl }: FakeProvider, model = 'configured'): string =>
    `auxiliary:\n  compression:\n    model: ${model}\n    base_url: ${baseUrl('openai-chat')}\n`;

  function userFile(cwd: string, text: string): Readonly<Record<string, string>> {
    mkdirSync(join(cwd, 'user', 'palimpsest'), { recursive: true });
    writeFileSync(join(cwd, 'user', 'palimpsest', 'config.yaml'), text);
    return { XDG_CONFIG_HOME: join(cwd, 'user') };
  }

  it("of the person's own file lets that model write, and a note says so", () =>
    withProvider(async ({ provider, cwd, run }) => {
      const env = userFile(cwd, yaml(provider));
      const { code, stderr } = await run([], env);
      assert.equal(code, 0, stderr);
      assert.match(
        stderr,
        /note: configured at http:\S+ writes the summary, as \S+config\.yaml says \(--no-summarizer/,
      );
      assert.match(stderr, /written by openai-compatible\/configured: /);
      const off = await run(['--no-summarizer'], env);
      assert.equal(off.code, 0);
      assert.doesNotMatch(off.stderr, /writes the summary/);
      assert.equal(provider.requests.length, 1);
    }));

  it("of a project's file sends nothing anywhere, and a note says how to allow it", () =>
    withProvider(async ({ provider, cwd, run }) => {
      writeFileSync(join(cwd, 'palimpsest.yaml'), yaml(provider));
      const { code, stderr } = await run([]);
      assert.equal(code, 0, stderr);
      assert.equal(provider.requests.length, 0);
      assert.match(stderr, /note: the model, base_url of auxiliary\.compression in \S+palimpsest\.yaml are ignored/);
      assert.match(stderr, /give --summarizer configured --base-url http:\S+\/v1, or put/);
      const allowed = await run(['--summarizer', 'configured', ...at(provider)]);
      assert.equal(allowed.code, 0);
      assert.equal(provider.requests.length, 1);
    }));

  it("of a project's file never moves a model that the person named or configured", () =>
    withProvider(async ({ provider, cwd, run }) => {
      await using foreign = await startFakeProvider();
      writeFileSync(join(cwd, 'palimpsest.yaml'), yaml(foreign, 'openai/gpt-5'));
      const named = await run(['--summarizer', 'openai/gpt-5'], {
        OPENAI_API_KEY: '',
        OPENAI_BASE_URL: provider.baseUrl('openai-chat'),
      });
      assert.equal(named.code, 0, named.stderr);
      const configured = await run([], userFile(cwd, yaml(provider)));
      assert.match(configured.stderr, /written by openai-compatible\/configured: /);
      assert.match(configured.stderr, /are ignored/);
      assert.equal(foreign.requests.length, 0);
      assert.equal(provider.requests.length, 2);
    }));

  it('that cannot be used is no reason to fail: the ledger writes, with a warning', () =>
    inFolder({ 'chat.json': chat }, async (cwd) => {
      const env = { PALIMPSEST_AUXILIARY_COMPRESSION_MODEL: 'openai/gpt-5' };
      const { code, stdout, stderr } = await runHere(base, { cwd, env });
      assert.equal(code, 0, stderr);
      assert.match(stdout, /<handoff /);
      assert.match(stderr, /^no summary\n {2}openai\/gpt-5 needs a key: set the environment variable/m);
    }));
});

describe('F3: Ctrl-C while a model writes', () => {
  it(
    'gives up the call and leaves no file: exit code 130',
    { skip: process.platform === 'win32' && 'needs POSIX signals' },
    () =>
      withProvider(
        async ({ provider, cwd }) => {
          const args = [...base, '-o', 'short.json', ...at(provider), '--summarizer', 'm'];
          const env = { ...quietEnv, PALIMPSEST_API_KEY: 'test-key', HOME: cwd };
          const child = spawn(process.execPath, [entry, ...args], { cwd, env });
          const err: Buffer[] = [];
          child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
          const ended = new Promise((resolve) => child.on('close', resolve));
          const request = await provider.received(1);
          child.kill('SIGINT');
          assert.equal(await ended, 130);
          await request.ended;
          assert.equal(request.aborted, true);
          assert.deepEqual(readdirSync(cwd), ['chat.json']);
          assert.match(Buffer.concat(err).toString(), /palimpsest: interrupted/);
        },
        { script: { hang: true } },
      ),
  );
});
