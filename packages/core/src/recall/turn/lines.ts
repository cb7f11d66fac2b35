/** The text that is recalled: the candidates that fit a budget, from the oldest to the newest, each on a line of its own. */
import type { Instant, SessionId } from '../../store/ids.ts';

/** Something that may be recalled. */
export interface RecallLine {
  /** Names it, for a tool that brings it back. */
  readonly ref: string;
  /** Absent for what is remembered. */
  readonly sessionId?: SessionId;
  readonly position?: number;
  /** It tells what the whole conversation was about. */
  readonly isEpisode?: true;
  readonly time: Instant;
  readonly speaker: string;
  /** On one line. */
  readonly text: string;
}

export interface TextBudget {
  readonly tokens: number;
  readonly count: (text: string) => number;
}

export interface TextOfLines<Line> {
  /** Empty where nothing fits. */
  readonly text: string;
  readonly tokens: number;
  readonly lines: readonly Line[];
}

const memoryHeading = 'Remembered:';
const episodesHeading = 'What earlier conversations were about; session_search with a [session_id] reads one:';
const recordHeading =
  'Said in earlier conversations, the oldest first. The dates are those of the messages; session_search with a [message_id] brings one back.';

/** As many of the lines, the best of which come first, as the budget holds. */
export function textWithin<Line extends RecallLine>(
  lines: readonly Line[],
  { tokens, count }: TextBudget,
): TextOfLines<Line> {
  const chosen: Line[] = [];
  const days = new Set<string>();
  let used = count(recordHeading) + 1;
  for (const line of lines) {
    const day = groupOf(line);
    const cost = count(lineOf(line)) + 1 + (days.has(day) ? 0 : count(dayOf(line.time)) + 1);
    if (used + cost > tokens) continue;
    used += cost;
    days.add(day);
    chosen.push(line);
  }
  // A count of lines is not quite the count of their text.
  for (;;) {
    const text = textOf(chosen);
    const size = text === '' ? 0 : count(text);
    if (size <= tokens) return { text, tokens: size, lines: chosen };
    chosen.pop();
  }
}

const dayOf = (time: Instant): string => new Date(time).toISOString().slice(0, 10);
const groupOf = ({ sessionId, time }: RecallLine): string => `${sessionId ?? ''} ${dayOf(time)}`;
const lineOf = ({ ref, speaker, text, isEpisode }: RecallLine): string =>
  isEpisode ? `[${ref}] ${text}` : `[${ref}] ${speaker}: ${text}`;

function textOf(lines: readonly RecallLine[]): string {
  const remembered = lines.filter(({ sessionId }) => sessionId === undefined).toSorted(inTime);
  const said = lines.filter(({ sessionId, isEpisode }) => sessionId !== undefined && !isEpisode).toSorted(inTime);
  const episodes = lines.filter(({ isEpisode }) => isEpisode).toSorted(inTime);
  const texts = remembered.map((line) => `${dayOf(line.time)} ${lineOf(line)}`);
  if (texts.length > 0) texts.unshift(memoryHeading);
  if (said.length > 0) texts.push(recordHeading);
  let last = '';
  for (const line of said) {
    const group = groupOf(line);
    if (group !== last) texts.push(dayOf(line.time));
    last = group;
    texts.push(lineOf(line));
  }
  if (episodes.length > 0) texts.push(episodesHeading);
  return [...texts, ...episodes.map((line) => `${dayOf(line.time)} ${lineOf(line)}`)].join('\n');
}

/** Sessions that began on one day stay apart. */
function inTime(a: RecallLine, b: RecallLine): number {
  const [dayA, dayB] = [dayOf(a.time), dayOf(b.time)];
  if (dayA !== dayB) return dayA < dayB ? -1 : 1;
  const [idA, idB] = [a.sessionId ?? '', b.sessionId ?? ''];
  if (idA !== idB) return idA < idB ? -1 : 1;
  return (a.position ?? 0) - (b.position ?? 0) || a.time - b.time || (a.ref < b.ref ? -1 : 1);
}
