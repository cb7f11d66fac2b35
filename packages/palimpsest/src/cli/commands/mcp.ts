/** The command that serves other agents. */
import type { CommandRow } from './build.ts';

export const mcpCommands: readonly CommandRow[] = [
  {
    name: 'mcp',
    summary: 'serve search, originals and memory to other agents over MCP',
    about:
      'Serve MCP clients such as Claude Code, Codex and opencode: they search and read the conversations of this project, ' +
      'bring originals back, read what is remembered, and propose what to remember, which waits for you. Without --port, ' +
      'the client starts this command and speaks over its standard input and output.',
    options: [
      ['--project <folder>', 'project whose conversations and memory are served; default: this folder'],
      ['--all-projects', 'find the conversations of all projects; the memory stays that of the project'],
      ['--read-only', 'change nothing: propose nothing for the memory, and open the store for reading'],
      ['--port <n>', 'serve over streamable HTTP at this port; 0 takes a free one'],
      ['--host <address>', 'address to listen at, with --port; default: 127.0.0.1'],
      ['--auth-token <token>', 'token that clients have to send; default: PALIMPSEST_MCP_TOKEN in the environment'],
      ['--allow-host <names>', 'other names by which clients call this server, separated by commas'],
      '--store',
    ],
    examples: [
      ['claude mcp add palimpsest -- palimpsest mcp', 'for Claude Code, in this project'],
      ['codex mcp add palimpsest -- palimpsest mcp', 'for Codex'],
      ['palimpsest mcp --read-only --all-projects'],
      ['palimpsest mcp --port 7411', 'over HTTP, for programs on this machine'],
    ],
    run: async (call) => (await import('../run/mcp.ts')).runMcp(call),
  },
];
