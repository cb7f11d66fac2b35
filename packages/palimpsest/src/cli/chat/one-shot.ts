/** `palimpsest chat -p`: one request, its answer on standard output, and the end of the program. */
import type { Agent } from '../../agent/agent-types.ts';
import type { AgentEvent, TurnEnd } from '../../agent/events.ts';
import { clippedLine } from '../../terminal/spans.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { shownText, stderrScreen, type Terminal, writeErrorLine, writeLines, writePieces } from '../terminal.ts';
import { createCallLines } from './call-lines.ts';
import { jsonEvent } from './json-event.ts';
import { noticeLines } from './show-event.ts';

/** Prints events as they come: the text of the answer on standard output, what is done for it on standard error. */
export function onePrinter(terminal: Terminal): (event: AgentEvent) => void {
  if (terminal.json) {
    return (event) => void writePieces(terminal.stdout, [`${JSON.stringify(jsonEvent(event))}\n`]);
  }
  let isOpen = false;
  const calls = createCallLines();
  return (event) => {
    if (event.agent === undefined && event.type === 'text') {
      terminal.stdout.write(shownText(terminal, event.text));
      isOpen = !event.text.endsWith('\n');
    }
    // A later text of the same turn begins on a line of its own.
    if (event.agent === undefined && (event.type === 'tool_call' || event.type === 'turn_end') && isOpen) {
      terminal.stdout.write('\n');
      isOpen = false;
    }
    if (terminal.quiet) return;
    const screen = stderrScreen(terminal);
    const lines = [...calls.of(event), ...noticeLines(event)].map((line) =>
      clippedLine(line, { screen, columns: screen.columns }),
    );
    if (lines.length > 0) void writeLines(terminal.stderr, lines);
  };
}

/** Sends the request, and says how it ended. Ctrl-C breaks it off; what was said until then is kept. */
export async function runOnce(agent: Agent, text: string, terminal: Terminal): Promise<ExitCode> {
  const leave = terminal.onInterrupt?.(() => agent.interrupt());
  try {
    const end = await agent.send(text);
    if (end && !terminal.json) await tellEnd(end, agent, terminal);
    return exitCodeOf(end);
  } finally {
    leave?.();
  }
}

async function tellEnd(end: TurnEnd, { sessionId }: Agent, terminal: Terminal): Promise<void> {
  if (end.reason === 'done') return;
  const said = end.reason === 'interrupted' ? 'interrupted: what was said until then is kept' : end.message;
  const advice = end.reason === 'failed' && end.advice !== undefined ? ` ${end.advice}` : '';
  const again = sessionId === undefined ? '' : ` To go on: palimpsest chat --resume ${sessionId}`;
  await writeErrorLine(terminal, `${said.replace(/[.]?$/, '.')}${advice}${again}`);
}

/** A turn that came to its end is fine, whatever its tools came to. */
function exitCodeOf(end: TurnEnd | undefined): ExitCode {
  switch (end?.reason) {
    case 'failed':
      return exitCodes.model;
    case 'interrupted':
      return exitCodes.interrupted;
    case 'loop':
    case 'limit':
      return exitCodes.finding;
    default:
      return exitCodes.fine;
  }
}
