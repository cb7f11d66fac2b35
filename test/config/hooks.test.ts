import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../packages/palimpsest/src/config/load.ts';

const load = (text: string, env: Readonly<Record<string, string>> = {}): ReturnType<typeof loadConfig> =>
  loadConfig({ cwd: '/app', env, readFile: async (path) => (path === '/app/palimpsest.yaml' ? text : undefined) });

test('E6 hook commands are lines or lists, with 5,000 ms unless they say otherwise', async () => {
  const text =
    'hooks:\n  session_end:\n    - command: echo done\n    - command: [notify-send, done]\n      timeout_ms: 900\n';
  const { config } = await load(text);
  assert.deepEqual(config.hooks.sessionEnd, [
    { command: 'echo done', timeoutMs: 5_000 },
    { command: ['notify-send', 'done'], timeoutMs: 900 },
  ]);
  assert.deepEqual(config.hooks.sessionStart, []);
});

test('E6 hook commands of the environment win', async () => {
  const env = { PALIMPSEST_HOOKS_SESSION_END: '[{"command":"true","timeout_ms":5}]' };
  const { config } = await load('hooks:\n  session_end: [{ command: false-one }]\n', env);
  assert.deepEqual(config.hooks.sessionEnd, [{ command: 'true', timeoutMs: 5 }]);
});

const wrong: readonly (readonly [string, RegExp])[] = [
  ['session_end: echo', /session_end expected a list/],
  ['session_end: [echo]', /session_end\[0\] expected an object with command/],
  ['session_end: [{ timeout_ms: 5 }]', /session_end\[0\]\.command is missing/],
  ['session_end: [{ command: "" }]', /command expected a line for the shell, or a list/],
  ['session_end: [{ command: [] }]', /command expected a list of at least 1/],
  ['session_end: [{ command: x, timeout_ms: 0 }]', /timeout_ms expected a whole number from 1 to 600000/],
  ['session_end: [{ command: x, timeout: 5 }]', /timeout is not a known key; did you mean "timeout_ms"/],
  ['session_ended: []', /session_ended is not a known key; did you mean "session_end"/],
];
for (const [text, expected] of wrong) {
  test(`E6 the hooks "${text}" are refused with what was expected`, async () => {
    await assert.rejects(load(`hooks:\n  ${text}\n`), { code: 'BAD_CONFIG', message: expected });
  });
}
