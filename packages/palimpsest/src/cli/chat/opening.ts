/** What a conversation begins with: the model, its window, the prompt cache, and what a person should know. */
import { cacheLine } from '../../models/cache-line.ts';
import type { Line } from '../../terminal/spans.ts';
import { shortCount, shortPath } from '../render/text.ts';
import type { Chat } from './open-chat.ts';

/** Two lines, and one for each thing to know. */
export function openingLines({ agent, model, project, heard, notes }: Chat): readonly Line[] {
  const { name, contextLength } = agent.model;
  const from = { config: 'configured', server: 'as its server says', table: '' }[model.main.windowFrom ?? 'table'];
  const window = contextLength === undefined ? 'a window that nobody knows' : `${shortCount(contextLength)} tokens`;
  const { cacheTtl } = heard.all.config.model;
  return [
    [
      { text: 'Palimpsest', style: 'bold' },
      ` · ${name}, ${window}${from === '' ? '' : ` (${from})`} · ${shortPath(project)}`,
    ],
    [{ text: `${cacheLine(model.main.address, { cacheTtl })}. /help lists the commands.`, style: 'dim' }],
    ...notes.map((note): Line => [{ text: `! ${note}`, style: 'yellow' }]),
  ];
}
