/** The commands that point clients at the gateway. */
import type { CommandRow, OptionRow } from './build.ts';

const gatewayOption: OptionRow = [
  '--gateway <url>',
  'address of the gateway; default: gateway.host and gateway.port, which are 127.0.0.1 and 4780',
];
const clientNames = 'claude-code, codex, opencode, pi, qwen, gemini, cline or continue';
const dryRun: OptionRow = ['--dry-run', 'show what would change, and change nothing'];
const yes: OptionRow = ['--yes', 'change it without a question'];

export const clientCommands: readonly CommandRow[] = [
  {
    name: 'connect',
    summary: "point a client at the gateway, in the client's own settings",
    about:
      "Point a client at the gateway, in the client's own settings: show what changes, ask, keep the file as it was, and set the " +
      'address and nothing else. Comments and layout stay. Exit code 2, with what to do, for a client that only a person can set.',
    arguments: [['<client>', clientNames]],
    options: [gatewayOption, dryRun, yes, '--json'],
    examples: [
      ['palimpsest connect claude-code'],
      ['palimpsest connect codex --dry-run', 'only show what would change'],
      ['palimpsest disconnect claude-code', 'put its settings back'],
    ],
    isPersons: true,
    run: async (call) => (await import('../run/connect.ts')).runConnect(call),
  },
  {
    name: 'disconnect',
    summary: 'take back what connect changed',
    about:
      'Take back what connect changed: byte for byte, or, where the file was changed since, only the address that connect set.',
    arguments: [['<client>', clientNames]],
    options: [dryRun, yes, '--json'],
    examples: [['palimpsest disconnect claude-code']],
    isPersons: true,
    run: async (call) => (await import('../run/connect.ts')).runDisconnect(call),
  },
  {
    name: 'run',
    summary: 'run a client through the gateway once, without changing its settings',
    about:
      'Run a client through the gateway once, without changing its settings: its environment says where to send requests. Uses the ' +
      'gateway that answers at the address, or starts one that ends with the client. Ends with the exit code of the client.',
    usage: '[options] -- <program> [arguments...]',
    arguments: [['<program...>', 'the client and its arguments, behind --']],
    options: [gatewayOption],
    examples: [
      ['palimpsest run -- claude'],
      ['palimpsest run -- codex exec "fix the test"'],
      ['palimpsest run -- node agent.js', 'any program on the SDK of a provider'],
    ],
    isPersons: true,
    run: async (call) => (await import('../run/run-program.ts')).runProgram(call),
  },
];
