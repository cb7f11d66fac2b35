/** What a stream can show: decided once from the environment, then plain data for everything that draws. */
import { styleText } from 'node:util';

export interface Screen {
  /** Characters a line may have. */
  readonly columns: number;
  readonly colour: boolean;
  /** False where only ASCII is safe. */
  readonly unicode: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Wider lines are hard to read; narrower ones cannot hold a table. */
const widest = 120;
const narrowest = 40;
const usual = 80;

export interface ScreenInput {
  readonly stream: { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Environment;
  /** False after `--no-color`. */
  readonly colourWanted: boolean;
}

/** The screen behind a stream. `NO_COLOR` and `FORCE_COLOR` as on no-color.org and force-color.org; a flag beats both. */
export function screenOf({ stream, env, colourWanted }: ScreenInput): Screen {
  const columns = stream.columns ?? (Number(env.COLUMNS) || usual);
  return {
    columns: Math.max(narrowest, Math.min(widest, Math.floor(columns))),
    colour: colourWanted && hasColour(stream.isTTY ?? false, env),
    unicode: hasUnicode(env),
  };
}

function hasColour(isTerminal: boolean, env: Environment): boolean {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return !['0', 'false'].includes(env.FORCE_COLOR);
  if (env.NO_COLOR) return false;
  return isTerminal && env.TERM !== 'dumb';
}

/** A locale that names another character set, or a console without fonts, gets ASCII; silence means UTF-8 today. */
function hasUnicode(env: Environment): boolean {
  if (env.TERM === 'linux' || env.TERM === 'dumb') return false;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return !locale || /utf-?8/i.test(locale);
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

/** The text in a style where the screen has colours. */
export function styled(text: string, style: Style | undefined, screen: Screen): string {
  return style && screen.colour && text ? styleText(style, text, { validateStream: false }) : text;
}

/** The second text where only ASCII is safe. */
export const glyph = (screen: Screen, unicode: string, ascii: string): string => (screen.unicode ? unicode : ascii);
