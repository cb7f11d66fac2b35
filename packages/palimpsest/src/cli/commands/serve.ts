/** The command that runs the gateway. */
import type { CommandRow } from './build.ts';
import { added } from './trajectory-tasks.ts';

export const serveCommands: readonly CommandRow[] = [
  {
    name: 'serve',
    summary: 'run the HTTP gateway for existing agents',
    about:
      'Run a gateway that agents reach by their base URL. It passes their requests on to the provider byte for byte, and keeps ' +
      'what was said. A conversation that would not fit the window is sent with a handoff in place of its older messages; ' +
      'nothing else in it changes, and nothing in the answers. Speaks OpenAI Chat Completions and Responses, Anthropic Messages and Gemini. It ' +
      'listens on this machine only, unless it has a key. Ctrl-C and SIGTERM let open answers end; a second one does not wait.',
    options: [
      ['--host <address>', 'address to listen on; default: gateway.host, which is 127.0.0.1'],
      ['--port <n>', 'port to listen on, 0 for any that is free; default: gateway.port, which is 4780'],
      [
        '--upstream <dialect=url>',
        'base URL for openai-chat, openai-responses, anthropic or gemini; may be repeated; default: gateway.upstreams',
        { parse: added },
      ],
      [
        '--auth-token <token>',
        'one more key, which clients send as x-palimpsest-key; env:NAME takes it from a variable',
      ],
      ['--make-key <name>', 'print a new key and the line for gateway.keys of the configuration, and end'],
      '--store',
      '--context-length',
      ['--summarizer <provider/name>', 'model that writes the summaries; default: auxiliary.compression, else none'],
      '--base-url',
      '--no-summarizer',
      ['--dry-run', 'change and keep nothing; headers of the answers tell what would be done'],
      ['--relay', 'pass everything on as it comes; keep and compress nothing'],
      '--json',
    ],
    examples: [
      ['palimpsest serve', 'then: ANTHROPIC_BASE_URL=http://127.0.0.1:4780 claude'],
      ['palimpsest serve --upstream openai-chat=http://localhost:11434/v1', 'in front of a local server'],
      ['palimpsest serve --make-key laptop', 'a key for one user'],
    ],
    isPersons: true,
    run: async (call) => (await import('../run/serve.ts')).runServe(call),
  },
];
