/** Messages of the store, for a person: one below the other, each with its id. */
import type { Lineage, ShownMessage } from '@palimpsest/core/search';
import { untitled } from '../sessions/titles.ts';
import { glyph, type Screen, styled } from './screen.ts';
import { counted, oneLine, thousands, visible } from './text.ts';
import { timeText } from './time.ts';

export interface ReadReportOptions {
  readonly screen: Screen;
  /** The message that was asked for. */
  readonly named?: string;
}

/** The conversation that messages are from, and its title. */
interface ReadLineage {
  readonly lineage: Lineage;
  readonly title: string;
}

export function conversationLine({ lineage, title }: ReadLineage, screen: Screen): string {
  const about = [oneLine(title) || untitled, lineage.tip.id, counted(lineage.size, 'message')];
  return styled(about.join('  '), 'bold', screen);
}

export const readReport = (messages: readonly ShownMessage[], options: ReadReportOptions): readonly string[] =>
  messages.flatMap((message) => messageLines(message, options));

function messageLines(message: ShownMessage, { screen, named }: ReadReportOptions): readonly string[] {
  const { id, time, speaker, name, tools, text, to, characters } = message;
  const who = [speaker, name, ...tools].map((word) => oneLine(word ?? '')).filter(Boolean);
  const sign = id === named ? `${glyph(screen, '▶', '>')} ` : '';
  const rest = characters - to;
  return [
    '',
    `${sign}${styled(id, 'cyan', screen)}  ${styled(`${timeText(time)}  ${who.join(' ')}`, 'dim', screen)}`,
    ...visible(text).split('\n'),
    ...(rest > 0 ? [styled(`${thousands(rest)} more characters: palimpsest read ${id}`, 'dim', screen)] : []),
  ];
}

/** How many messages are not shown; nothing for none. */
export const betweenLine = (messages: number, screen: Screen): readonly string[] =>
  messages > 0
    ? ['', styled(`${glyph(screen, '…', '...')} ${counted(messages, 'message')} not shown`, 'dim', screen)]
    : [];
