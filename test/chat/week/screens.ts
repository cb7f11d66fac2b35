/**
 * Everything of the week that depends on what the screen looks like: its signs, the words of its commands, what changes from run to
 * run, and what may never be on it. When the screen changes, this file does.
 */
import assert from 'node:assert/strict';

/** What is waited for on the screen. */
export const signs: Readonly<
  Record<'opening' | 'emptyEditor' | 'activity' | 'queued' | 'pasted' | 'heldTable', RegExp>
> = {
  /** The first line that the program prints once it knows its model and its conversation. */
  opening: /^Palimpsest · /m,
  /** The line of the editor, where it is empty. */
  emptyEditor: /^[❯>]$/m,
  /** The sign beside what goes on. */
  activity: /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /m,
  /** What waits in the queue. */
  queued: /^↳ /m,
  /** The last row of the table where it is held. */
  heldTable: /Tuesday .*vases/,
  /** A paste that is shown by its size. */
  pasted: /\[pasted\s\d+\slines\]/,
};

/** A line that is typed for an act, and what shows that it was done. */
export interface TypedCommand {
  readonly line: string;
  readonly shows: RegExp;
}

export const pinCommand: TypedCommand = { line: '/pin', shows: /pinned/i };

export const compressCommand = (topic: string): TypedCommand => ({
  line: `/compress ${topic}`,
  shows: /\d+ (?:→|->) \d+ messages|compressed/i,
});

export const approveCommand = (id: string): TypedCommand => ({ line: `/memory approve ${id}`, shows: /\S/ });

export const titleCommand = (title: string): TypedCommand => ({ line: `/title ${title}`, shows: new RegExp(title) });

export const modelCommand = (name: string): TypedCommand => ({
  line: `/model openai-compatible/${name}`,
  shows: new RegExp(name),
});

/** Commands that only show something. */
export const lookCommands: Readonly<Record<'usage' | 'memory' | 'search' | 'conversations', TypedCommand>> = {
  usage: { line: '/usage', shows: /cache/i },
  memory: { line: '/memory', shows: /9:30/ },
  search: { line: '/search coolingMinutes', shows: /cooling/i },
  conversations: { line: '/resume', shows: /Kiln week/ },
};

/** What was printed behind the newest line that repeats a command as it was typed; nothing of the editor and what is below it. */
export function behindEcho(screen: string, line: string): string {
  const lines = screen.split('\n');
  const end = lines.findLastIndex((one, at) => rule.test(one) && rule.test(lines[at + 2] ?? ''));
  const printed = lines.slice(0, end < 0 ? lines.length : end);
  const at = printed.findLastIndex((one) => one.endsWith(line) && one.length <= line.length + 4);
  return at < 0 ? '' : printed.slice(at + 1).join('\n');
}

/** The lines above and below the editor. */
const rule = /^[─-]{20,}$/;

/** An answer to the question on the screen. */
export interface ScreenQuestion {
  /** False until it listens. */
  readonly isReady: boolean;
  /** The key that says yes and asks for nothing else of the kind, where that is offered; else the one that says yes. */
  readonly yes: 'a' | 'y';
}

/** The question on the screen, if there is one: its choices stand one a line, a letter before each. */
export function questionOn(screen: string): ScreenQuestion | undefined {
  const choices = [...screen.matchAll(/^([❯>] | {2})([yna]) {2}\S/gm)];
  if (!choices.some(([, , key]) => key === 'y')) return undefined;
  return {
    isReady: choices.some(([, mark]) => mark?.trim() !== ''),
    yes: choices.some(([, , key]) => key === 'a') ? 'a' : 'y',
  };
}

/** True where nothing goes on, nothing is asked, and a person may type. */
export function isIdle(screen: string): boolean {
  return /^[❯>](?: |$)/m.test(screen) && !signs.activity.test(screen) && questionOn(screen) === undefined;
}

/** Letters and digits alone: what is left of a text however it is wrapped, framed and marked up. */
const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/** True where the screen shows the end of a text, in whatever form. */
export const showsEndOf = (screen: string, text: string): boolean => bare(screen).includes(bare(text).slice(-24));

const masked = (path: string): string => `/${'~'.repeat(path.length - 1)}`;

/** What is volatile becomes as many signs of another kind, so that nothing moves. */
export function normalised(screen: string, { home, now }: { readonly home: string; readonly now: number }): string {
  const zeros = (found: string): string => found.replace(/[0-9A-Za-z]/g, '0');
  const days = [now, now - 86_400_000].map((time) => new Date(time).toISOString().slice(0, 10));
  const undated = days.reduce((text, day) => text.replaceAll(day, '0000-00-00'), screen);
  return (
    undated
      .replaceAll(home, masked)
      // Where it is cut off.
      .replace(/[\w/-]*\/palimpsest-week-\d+/g, masked)
      .replace(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /gm, '⠋ ')
      .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{1,12})+\b/g, zeros)
      .replace(/\b[0-9a-f]{16}\b|(?<=kiln-)[0-9a-f]{8}\b/g, zeros)
      .replace(/\b127\.0\.0\.1:\d+/g, zeros)
      .replace(/(?<=0000-00-00[T ])\d{2}:\d{2}(?::\d{2})?/g, zeros)
      .replace(/\b(?:just now|\d+(?:\.\d+)? ?(?:ms|s|m|min|h)(?: ago)?)(?![\p{L}\p{N}])/gu, zeros)
      .replace(/[$€] ?\d[\d,.]*/g, zeros)
      .replace(/\b\d{1,3}(?:,\d{3})+\b/g, zeros)
      .replace(/\b\d+(?:\.\d+)?[kKM]?(?= ?(?:%|tokens\b))/g, zeros)
  );
}

/** Remains of escapes, of pastes that nobody took apart, and of keys that nobody read. */
const junk: readonly RegExp[] = [
  /\u001b/,
  /\[\?\d+[hlu]/,
  /\[<?\d*u\b/,
  /\[20[01]~/,
  /\^\[/,
  /\[\d+;\d+[Hu]/,
  /\ufffd/,
];

/** Nothing on the screen was meant for the terminal, and no line was so long that the terminal had to break it. */
export function judgeScreen(text: string, broken: readonly string[]): void {
  for (const sign of junk) assert.doesNotMatch(text, sign, 'the remains of an escape are on the screen');
  assert.deepEqual(broken, [], 'the terminal had to break lines');
}
