import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Outcome, outcomeOf } from '../../packages/core/src/compression/outcome.ts';
import { toolReply } from '../../packages/core/src/compression/tool-reply.ts';
import type { ToolCallPart, ToolResultPart } from '../../packages/core/src/transcript/message.ts';
import { growsInProportion } from '../support/growth.ts';

const call = (name: string, input: unknown): ToolCallPart => ({
  type: 'toolCall',
  callId: 'c1',
  name,
  input: typeof input === 'string' ? input : JSON.stringify(input),
  inputType: typeof input === 'string' ? 'text' : 'json',
});
const result = (text: string, isError?: boolean): ToolResultPart => ({
  type: 'toolResult',
  callId: 'c1',
  content: [{ type: 'text', text }],
  ...(isError === undefined ? {} : { isError }),
});
const shell = (command: string, text: string, isError?: boolean): Outcome =>
  outcomeOf(call('Bash', { command }), result(text, isError));

test('P2: reads the exit code in the forms of many tools', () => {
  const forms: readonly [string, number][] = [
    ['Exit code 1\nboom', 1],
    ['Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.', 0],
    ['Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 2\nOriginal token count: 1\nOutput:\nboom', 2],
    ['boom\n\nCommand exited with code 127', 127],
    ['fine\n<shellId: 3 completed with exit code 0>', 0],
    ['{"output": "boom", "exit_code": 3, "error": null}', 3],
    ['{"output":"boom","metadata":{"exit_code":4,"duration_seconds":0.1}}', 4],
    ['boom\nexit status 5', 5],
    ['boom\n(exit code: 6)', 6],
    ['<returncode>7</returncode>\n<output>boom</output>', 7],
  ];
  for (const [text, exitCode] of forms) {
    const outcome = shell('./run', text);
    assert.equal(outcome.exitCode, exitCode, text);
    assert.equal(outcome.ok, exitCode === 0, text);
  }
});

test('P2: names the line a person would look at first', () => {
  const lineOf = (text: string): string | undefined => shell('make', text, true).firstErrorLine;
  assert.equal(
    lineOf('Exit code 2\n> build\n\nsrc/a.ts(3,7): error TS2322: wrong type'),
    'src/a.ts(3,7): error TS2322: wrong type',
  );
  assert.equal(
    lineOf('Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nKeyError: \'id\''),
    "KeyError: 'id'",
  );
  assert.equal(lineOf('FAIL\n--- FAIL: TestSum (0.00s)\n'), '--- FAIL: TestSum (0.00s)');
  assert.equal(lineOf('\u001b[31mnpm ERR!\u001b[0m code ELIFECYCLE'), 'npm ERR! code ELIFECYCLE');
  assert.equal(lineOf('Exit code 1\nnothing that looks like a reason'), 'nothing that looks like a reason');
  assert.equal(
    lineOf('[lint] $ golint .\na/b.go:3:5: unused variable x\n[lint] ERROR task failed'),
    '[lint] ERROR task failed',
  );
  assert.equal(
    lineOf('> demo@1.0.0 lint\n> golint .\n\na/b.go:3:5: unused variable x'),
    'a/b.go:3:5: unused variable x',
  );
  assert.equal(lineOf('Exit code 1'), undefined);
  assert.equal((lineOf(`error: ${'x'.repeat(500)}`) ?? '').length, 160);
});

test('P2: recognises failures without any flag or exit code', () => {
  const failures = [
    'Tests:       3 failed, 10 passed, 13 total',
    '=== 2 failed, 5 passed in 0.31s ===',
    'FAIL src/a.test.ts',
    '  4 passing (20ms)\n  2 failing',
    'npm ERR! missing script: biuld',
    'error: could not compile `demo`',
    'Traceback (most recent call last):\n  File "x"\nValueError: bad',
    'BUILD FAILED in 3s',
    '[ERROR] Failed to execute goal',
    'bash: fooo: command not found',
    'fatal: not a git repository (or any of the parent directories): .git',
    "thread 'main' panicked at src/main.rs:2:5:",
    'Found 3 errors in 2 files.',
    '# fail 1',
    'make: *** [all] Error 2',
    'ls: 无法访问 x: 没有那个文件或目录',
    'エラー: 接続できません',
    'Fehler: Datei fehlt',
    'Ошибка: нет доступа',
    '错误：找不到模块',
    '오류: 실패했습니다',
  ];
  for (const text of failures) assert.equal(shell('./run', text).ok, false, text);
});

test('P2: does not take talk about errors for a failure', () => {
  const fine = [
    'Tests: 0 failed, 12 passed',
    '12 passed, 0 failed',
    'no errors',
    '0 errors, 0 warnings',
    'error handling was improved',
    'Added error-codes.md',
    'test result: ok. 3 passed; 0 failed; 0 ignored',
    '# fail 0',
    'errors: 0',
    'Found 0 errors.',
  ];
  for (const text of fine) assert.notEqual(shell('./run', text).ok, false, text);
});

test('P2: a file, a log or a diff that is shown may hold errors without being one', () => {
  const log = `${'2026-01-01 INFO started\n'.repeat(3)}ERROR: disk full\nFAIL\nTraceback (most recent call last):\n`;
  assert.equal(shell('cat server.log | tail -20', log, false).ok, true);
  assert.equal(shell('grep -n "error\\|FAIL" server.log | head', log, false).ok, true);
  assert.equal(shell('git diff HEAD~1 && git log -3', log, false).ok, true);
  assert.equal(outcomeOf(call('Read', { file_path: 'a.log' }), result(log)).ok, true);
  assert.equal(outcomeOf(call('read', { path: 'a.ts' }), result('throw new Error("x");\n'.repeat(200))).ok, true);
});

test('P2: a failing test run behind a pipe or `|| true` is a failure although the exit code is 0', () => {
  const output = '--- FAIL: TestA (0.01s)\nFAIL\nFAIL\texample/pkg\t0.2s';
  assert.deepEqual(shell('go test ./... 2>&1 | tail -5', output, false), {
    ok: false,
    firstErrorLine: '--- FAIL: TestA (0.01s)',
  });
  assert.equal(shell('npm test || true', 'Tests: 1 failed, 3 passed', false).ok, false);
  assert.equal(shell('npm test', 'Tests: 1 failed, 3 passed', false).ok, true, 'an honest exit code 0 wins');
});

test('P2: a search that found nothing is not a failure', () => {
  assert.deepEqual(shell('grep -rn foo src', 'Exit code 1', true), { ok: undefined, exitCode: 1 });
  assert.equal(shell('grep -rn foo nowhere', 'Exit code 2\ngrep: nowhere: No such file or directory', true).ok, false);
});

test('P2: a flag, an error field or an error wrapping makes every tool a failure', () => {
  assert.equal(
    outcomeOf(call('Edit', {}), result('<tool_use_error>String to replace not found</tool_use_error>')).ok,
    false,
  );
  assert.deepEqual(outcomeOf(call('get_user', {}), result('{"error": "no such user"}')), {
    ok: false,
    firstErrorLine: 'no such user',
  });
  assert.equal(outcomeOf(call('mcp__web__browser_click', {}), result('### Error\nTimeoutError: waited 5 s')).ok, false);
  assert.equal(outcomeOf(call('book', {}), result('Error: not enough berths')).ok, false);
  assert.equal(outcomeOf(call('Read', {}), result('File does not exist.')).ok, false);
  assert.equal(
    outcomeOf(call('Write', {}), result("The user doesn't want to proceed with this tool use.", true)).ok,
    false,
  );
  assert.equal(outcomeOf(call('x', {}), result('{"success": false, "message": "quota"}')).ok, false);
  assert.equal(outcomeOf(undefined, { ...result('nope', true), name: 'bash' }).ok, false);
});

test('P2: says unknown rather than success when nothing tells', () => {
  assert.equal(shell('./run', 'hello').ok, undefined);
  assert.equal(outcomeOf(call('frobnicate', {}), result('{"a": 1}')).ok, undefined);
  assert.equal(
    outcomeOf(call('exec_command', { cmd: 'sleep 99' }), result('Process running with session ID 7\nOutput:\n')).ok,
    undefined,
  );
});

test('P2: reading an outcome takes time linear in the length of the result', () => {
  const work = (text: string): void => {
    outcomeOf(call('bash', { command: './run' }), result(text));
    outcomeOf(call('other', {}), result(text));
  };
  // A quadratic pattern would need minutes for these; the test runner's own limit is the assertion.
  for (const unit of ['a', ' ', '1 ', '\n', 'a: ', '=', '\u001b[', '"\\', '::1:1', 'error', '失敗'])
    work(unit.repeat(400_000));
});

const tool = (name: string, input: unknown, text: string): Outcome => outcomeOf(call(name, input), result(text));

test('P2: what a search or a print command found is content, whatever it says', () => {
  const found: readonly Outcome[] = [
    tool('Grep', { pattern: 'Error:' }, 'Error: disk full\nError: x'),
    tool('grep', { pattern: 'Error:' }, 'Error: cannot open config'),
    tool('web_search', { query: 'element not found selenium' }, 'Element not found in Selenium - Q&A'),
    tool('Read', { file_path: 'a.log' }, '     1\tError: boom\n     2\tFAIL'),
    tool('read_file', { path: 'app.log' }, '[ERROR] payment failed\n[FATAL] exited with code 1'),
    tool('read_file', { path: 'de.json' }, '{"error": "Fehler", "success": false, "title": "x"}'),
    tool('list_dir', { path: 'x' }, 'failed'),
    tool('browser_console_messages', {}, '[ERROR] Uncaught TypeError: x is undefined'),
    tool('Grep', { pattern: 'x' }, 'No files found'),
    shell('grep -rn "Error:" src', 'Error: boom'),
    shell('grep FAIL log.txt', 'FAIL src/a.test.ts'),
    shell("bash -lc 'rg -n panic: .'", 'panic: boom'),
    shell('kubectl logs deploy/web', 'Error: listen EADDRINUSE'),
    shell('env | grep -i fail', 'FAIL_FAST=1'),
    shell('cat ci.log | tail -2', 'npm ERR! code 1\nProcess finished with exit code 1 after 3s'),
    shell('wc -l errors.csv failed.csv', '  120 errors.csv\n   14 failed.csv'),
    tool('powershell', { command: 'Get-Content log.txt' }, 'ERROR: x'),
  ];
  assert.deepEqual(new Set(found.map(({ ok }) => ok)), new Set([true]));
});

test('P2: a search or a print command that complains has failed', () => {
  const complaints: readonly Outcome[] = [
    shell('grep foo missing.txt', 'grep: missing.txt: No such file or directory'),
    shell('cd nowhere && ls', 'bash: cd: nowhere: No such file or directory'),
    shell('git log nope', "fatal: ambiguous argument 'nope': unknown revision"),
    tool('powershell', { command: 'Get-Item nope' }, "Get-Item : Cannot find path 'nope' because it does not exist."),
    tool('Grep', { pattern: 'x' }, 'Path does not exist: /nowhere'),
    tool('web_search', { query: 'rust' }, 'Search API error: rate limit exceeded (429)'),
    tool('WebFetch', { url: 'x' }, '404 Not Found'),
    tool('read_file', { path: 'package.json' }, '{"error": "File not found: package.json"}'),
    tool('list_dir', { path: 'x' }, 'Error listing directory: ENOENT'),
  ];
  assert.deepEqual(new Set(complaints.map(({ ok }) => ok)), new Set([false]));
  assert.equal(shell('cat a b', 'hello\ncat: b: No such file or directory').ok, undefined, 'one of two files');
});

test('P2: a browser says in a sentence that it failed', () => {
  const failures = [
    'Element not found',
    'Ref e12 not found in the current page snapshot. Try capturing new snapshot.',
    'net::ERR_NAME_NOT_RESOLVED at http://x',
    'Navigation timeout of 30000 ms exceeded',
    'locator.click: Timeout 30000ms exceeded.',
    'No tab with index 6',
    'Navigation blocked by security policy',
    '### Result\nError: locator.click: Target closed',
    'Element nicht gefunden',
  ];
  for (const text of failures) assert.equal(tool('browser_click', { ref: 'e12' }, text).ok, false, text);
  assert.equal(tool('mcp__playwright__click', {}, 'Element not found').ok, false);
  const fine = ['Clicked "Cannot log in?"', 'Typed "Error" into element', '- Page URL: http://x\n- text: Not found'];
  for (const text of fine) assert.equal(tool('browser_click', { ref: 'e12' }, text).ok, true, text);
  assert.equal(tool('browser_snapshot', {}, '- heading "Login failed"\n- text: Element not found').ok, true);
});

test('P2: the summary of a test runner, a checker or a build counts where no exit code tells', () => {
  const fine = [
    '12 passed in 1.02s',
    'Error: expected in a test\nTests:       9 passed, 9 total',
    'test result: ok. 3 passed; 0 failed; 0 ignored',
    '# tests 5\n# fail 0',
    'ok  \texample/pkg\t0.2s',
    'Ran 3 tests in 0.001s\n\nOK',
    '61 examples, 0 failures, 1 pending',
    '✖ 3 problems (0 errors, 3 warnings)',
    'Success: no issues found in 31 source files',
    'All checks passed!',
    'BUILD SUCCESSFUL in 3s',
    'Passed!  - Failed:     0, Passed:    58',
    '测试通过：27，失败：0',
    'Alle 18 Tests bestanden, 0 fehlgeschlagen.',
  ];
  for (const text of fine) assert.equal(shell('make check', text).ok, true, text);
  const failures = [
    '75% tests passed, 1 tests failed out of 4',
    'FAILED tests/a.py::t - AssertionError: expected 0 errors',
    '测试通过：24，失败：3',
    'store/put.go:12:9: cannot use x as string value',
    'epoch 2/30 loss 1.90\nKilled',
    'zsh: command not found: foo',
    'curl: (7) Failed to connect to localhost port 3000',
    'x.c:3:5: エラー: ‘y’ が宣言されていません',
  ];
  for (const text of failures) assert.equal(shell('make check', text).ok, false, text);
});

test('P2: fields of the tool come before its words', () => {
  const failures = [
    '{"status": 500, "message": "ok"}',
    '{"status_code": 422, "body": "done"}',
    '{"message": "Pull Request is not mergeable", "status": "405"}',
    '{"errors": [{"message": "relation does not exist"}]}',
    '{"error": true, "message": "done"}',
    '{"isError": true, "content": [{"type": "text", "text": "done"}]}',
    '[{"type": "text", "text": "Error: boom"}]',
    '<returncode>1</returncode>\n<output>done</output>',
    'done\n[exit status: 2]',
    'HTTP/1.1 503 Service Unavailable',
  ];
  for (const text of failures) assert.equal(tool('deploy', {}, text).ok, false, text);
  const fine = [
    '{"status": "ok", "logs": "Error: x"}',
    '{"error": null, "text": "the system crashed"}',
    '{"error": "none", "text": "failed"}',
    '{"exitCode": 0, "stdout": "Error: printed", "stderr": ""}',
    '{"jsonrpc": "2.0", "id": 5, "result": "0x1 failed"}',
    '{"isError": false, "content": [{"type": "text", "text": "Error: boom"}]}',
  ];
  for (const text of fine) assert.equal(tool('deploy', {}, text).ok, true, text);
  assert.equal(
    tool('get_deploy', { id: 1 }, '{"id": 1, "status": "failed"}').ok,
    true,
    'what was looked up has failed',
  );
  assert.equal(outcomeOf(call('translate', { text: 'x' }), result('command not found', false)).ok, true);
  assert.equal(outcomeOf(call('backup', {}), result('Backup complete', true)).ok, false);
});

test('P2: exit 1 of a comparison or a search is an answer, whatever was compared', () => {
  const shown = 'Exit code 1\n1c1\n< error: x\n---\n> FAIL';
  assert.deepEqual(shell('diff a b', shown, true), { ok: undefined, exitCode: 1 });
  assert.deepEqual(shell('which foo', 'Exit code 1', true), { ok: undefined, exitCode: 1 });
  assert.equal(shell('npm test && grep x log', 'Exit code 1\nFAIL a.test.ts', true).ok, false);
});

test('P2: what a tool is called for is no failure of it, and a host that stops a program is one', () => {
  const fine: readonly Outcome[] = [
    tool('cancel_order', { id: 1 }, 'Order 1 cancelled'),
    tool('reject_pr', { id: 1 }, 'Pull request rejected'),
    tool('delete_user', { id: 1 }, 'User 1 deleted'),
    tool('write_file', { path: 'x' }, 'Datei erfolgreich gespeichert.'),
    tool('write_file', { path: 'x' }, '文件已成功写入'),
  ];
  assert.deepEqual(new Set(fine.map(({ ok }) => ok)), new Set([true]));
  const failures: readonly Outcome[] = [
    tool('ship_order', { id: 1 }, 'Order 1 cancelled'),
    tool('write_file', { path: 'x' }, '写入失败：磁盘已满'),
    tool('read_file', { path: 'x' }, '文件不存在：x'),
    tool('browser_click', { ref: 'x' }, '要素が見つかりません'),
    shell('cat x', 'Command timed out after 2m 0.0s'),
    shell('./run', 'The tool call was rejected by the user.'),
    shell('./run', 'working\n[Timeout after 30s]'),
  ];
  assert.deepEqual(new Set(failures.map(({ ok }) => ok)), new Set([false]));
});

describe('S9: the line by which a tool is judged', () => {
  for (const sign of ['“', '"', '[', 'a', '請', '/']) {
    test(`is looked at sign by sign, though none of its thousand ends what the last one began: ${sign}`, async () => {
      const judged = (length: number) => (): void => {
        const body = sign.repeat(length);
        for (let times = 0; times < 3_000; times++) toolReply(body);
      };
      await growsInProportion({ small: judged(250), large: judged(1_000) }, 4);
    });
  }
});
