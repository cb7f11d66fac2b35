/** `palimpsest prompt show`: the system prompt of the agent, part by part. */
import type { PromptBlock } from '@palimpsest/core/prompt';
import type { Screen } from '../../terminal/screen.ts';
import type { Call } from '../commands/build.ts';
import { gives, right, tableOf } from '../render/table.ts';
import { oneLine, percent, shortPath, thousands } from '../render/text.ts';
import { type MadePrompt, makePrompt, type PromptFlags } from '../system-prompt.ts';
import { shownText, writeNotes, writePieces, writeResult } from '../terminal.ts';

interface ShowFlags extends PromptFlags {
  readonly text?: boolean;
}

export async function runPromptShow({ flags, terminal }: Call<ShowFlags>): Promise<void> {
  const made = await makePrompt(flags, terminal);
  const { text, blocks, tokens, maxTokens, project, window, notes } = made;
  if (flags.text && !terminal.json) {
    await writeNotes(terminal, notes);
    return writePieces(terminal.stdout, [shownText(terminal, text), '\n']);
  }
  await writeResult(terminal, {
    json: () => ({ command: 'prompt show', project, window, tokens, maxTokens, blocks: blocks.map(blockRow), text }),
    notes,
    lines: (screen) => [...blockLines(blocks, screen), '', `  ${totalLine(made)}`],
  });
}

const blockRow = ({ text: _, source, ...part }: PromptBlock): object => ({ ...part, source: source ?? null });

const blockLines = (parts: readonly PromptBlock[], screen: Screen): readonly string[] =>
  tableOf(
    parts,
    [
      ['part', ({ name }) => name],
      ['tokens', ({ tokens }) => thousands(tokens), right],
      ['at most', ({ maxTokens }) => thousands(maxTokens), right],
      ['', ({ state }) => state],
      ['from', ({ title, source }) => oneLine(source === undefined ? title : shortPath(source)), gives],
    ],
    { screen },
  );

function totalLine({ tokens, maxTokens, window }: MadePrompt): string {
  const share = percent(tokens, window.tokens);
  return `${thousands(tokens)} of at most ${thousands(maxTokens)} tokens: ${share} of a window of ${thousands(window.tokens)} (${window.from})`;
}
