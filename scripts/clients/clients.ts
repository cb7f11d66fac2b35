/** The clients that the harness runs. */
import { join } from 'node:path';
import { type Client, offeredCall } from './client.ts';

/** What every client is told: none of it is a key, and nobody outside this machine is asked for anything. */
export const quiet: Readonly<Record<string, string>> = {
  CI: '1',
  NO_COLOR: '1',
  TERM: 'dumb',
  LANG: 'C.UTF-8',
  DO_NOT_TRACK: '1',
  NO_UPDATE_NOTIFIER: '1',
  // Nobody listens there: what does not go to this machine fails at once.
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
};

const key = 'made-up-key-for-tests';

export const clients: readonly Client[] = [
  {
    name: 'claude-code',
    command: 'claude',
    package: '@anthropic-ai/claude-code',
    version: '2.1.330',
    // What its install script would put in its place; without scripts this starts the binary.
    program: (modules) => join(modules, '@anthropic-ai/claude-code/cli-wrapper.cjs'),
    args: (prompt) => ['-p', prompt, '--model', 'claude-haiku-4-5', '--allowedTools', 'Read'],
    env: { ANTHROPIC_API_KEY: key, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
    readFile: (request, path) => offeredCall(request, [{ name: 'Read', input: { file_path: path } }]),
  },
  {
    name: 'codex',
    command: 'codex',
    package: '@openai/codex',
    version: '0.169.0',
    program: (modules) => join(modules, '@openai/codex/bin/codex.js'),
    args: (prompt) => [
      ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
      ...['-m', 'gpt-5.2', prompt],
    ],
    env: { CODEX_API_KEY: key },
    files: { '.codex/config.toml': '# the file of a person\n[analytics]\nenabled = false\n' },
    readFile: (request, path) =>
      offeredCall(request, [
        { name: 'exec_command', input: { cmd: `cat ${path}` } },
        { name: 'shell_command', input: { command: `cat ${path}` } },
        { name: 'shell', input: { command: ['cat', path] } },
      ]),
    mcp: {
      files: (command, args) => ({
        '.codex/config.toml': `[mcp_servers.palimpsest]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
      }),
      tool: (name) => ({ name, namespace: 'mcp__palimpsest' }),
    },
  },
  {
    name: 'qwen',
    command: 'qwen',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    program: (modules) => join(modules, '@qwen-code/qwen-code/cli.js'),
    args: (prompt) => ['--approval-mode', 'yolo', '--model', 'qwen3-coder-plus', '-p', prompt],
    env: { OPENAI_API_KEY: key, OPENAI_MODEL: 'qwen3-coder-plus' },
    files: {
      '.qwen/settings.json':
        '{\n  // of a person\n  "security": { "auth": { "selectedType": "openai" } },\n  "privacy": { "usageStatisticsEnabled": false },\n  "general": { "enableAutoUpdate": false }\n}\n',
    },
    readFile: (request, path) =>
      offeredCall(request, [
        { name: 'read_file', input: { file_path: path } },
        { name: 'run_shell_command', input: { command: `cat ${path}`, is_background: false } },
      ]),
  },
  {
    name: 'opencode',
    command: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    program: (modules) => join(modules, `opencode-${process.platform}-${process.arch}/bin/opencode`),
    args: (prompt) => ['run', '--auto', '--model', 'anthropic/claude-haiku-4-5', prompt],
    env: { ANTHROPIC_API_KEY: key, OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    files: {
      '.config/opencode/opencode.jsonc':
        '{\n  // of a person\n  "share": "disabled",\n  "provider": { "anthropic": { "models": { "claude-haiku-4-5": {} } } },\n}\n',
    },
    readFile: (request, path) => offeredCall(request, [{ name: 'read', input: { filePath: path } }]),
  },
  {
    name: 'pi',
    package: '@mariozechner/pi-coding-agent',
    version: '0.73.1',
    program: (modules) => join(modules, '@mariozechner/pi-coding-agent/dist/cli.js'),
    args: (prompt) => ['--offline', '--model', 'anthropic/claude-haiku-4-5', '-p', prompt],
    env: { ANTHROPIC_API_KEY: key, PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' },
    readFile: (request, path) => offeredCall(request, [{ name: 'read', input: { path } }]),
  },
  {
    name: 'gemini',
    command: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    program: (modules) => join(modules, '@google/gemini-cli/bundle/gemini.js'),
    args: (prompt) => ['--approval-mode', 'yolo', '--skip-trust', '--model', 'gemini-2.5-pro', '-p', prompt],
    env: { GEMINI_API_KEY: key, GEMINI_TELEMETRY_ENABLED: 'false' },
    files: {
      '.gemini/settings.json':
        '{ "security": { "auth": { "selectedType": "gemini-api-key" } }, "privacy": { "usageStatisticsEnabled": false }, "general": { "disableAutoUpdate": true } }\n',
    },
    readFile: (request, path) => offeredCall(request, [{ name: 'read_file', input: { file_path: path } }]),
  },
  {
    name: 'continue',
    package: '@continuedev/cli',
    version: '1.5.47',
    program: (modules) => join(modules, '@continuedev/cli/dist/cn.js'),
    args: (prompt) => ['--auto', '-p', prompt],
    env: { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_CLI_ENABLE_TELEMETRY: '0', OTEL_SDK_DISABLED: 'true' },
    files: {
      '.continue/config.yaml': [
        '# of a person',
        ...['name: Mine', 'version: 1.0.0', 'schema: v1', 'models:', '  - name: Haiku', '    provider: anthropic'],
        ...['    model: claude-haiku-4-5', `    apiKey: ${key}`, '    roles:', '      - chat', ''],
      ].join('\n'),
    },
    readFile: (request, path) => offeredCall(request, [{ name: 'Read', input: { filepath: path } }]),
  },
  {
    name: 'cline',
    package: 'cline',
    version: '3.0.65',
    program: (modules) => join(modules, 'cline/bin/cline'),
    args: (prompt) => ['-P', 'anthropic', '-m', 'claude-haiku-4-5', '--retries', '2', prompt],
    // Without a process of its own in the background, which would outlive the run.
    env: { CLINE_TELEMETRY_DISABLED: '1', CLINE_SESSION_BACKEND_MODE: 'local', AI_SDK_LOG_WARNINGS: 'false' },
    // What `cline auth` writes. It puts /messages behind the address.
    byHand: (gateway) => ({
      '.cline/data/settings/providers.json': JSON.stringify({
        ...{ version: 1, lastUsedProvider: 'anthropic', modes: {} },
        providers: {
          anthropic: {
            settings: { provider: 'anthropic', apiKey: key, model: 'claude-haiku-4-5', baseUrl: `${gateway}/v1` },
            ...{ updatedAt: '2026-01-01T00:00:00.000Z', tokenSource: 'manual' },
          },
        },
      }),
    }),
    readFile: (request, path) => offeredCall(request, [{ name: 'read_files', input: { files: [{ path }] } }]),
  },
];
