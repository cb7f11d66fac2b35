/** Lines of what was shortened, for the terminal of who runs the gateway: numbers and names, nothing that was said, and not too many. */
import type { Received, Told } from './middle.ts';

/** Lines in a minute; what is more is counted, and told with the next one. */
const mostLines = 12;
const minuteMs = 60_000;

/** Makes lines of what is told. */
export interface ToldLines {
  /** Undefined where there is nothing to say, or too much was said already. */
  readonly lineFor: (told: Told, received: Pick<Received, 'dialect'>) => string | undefined;
  /** What was not shown in the end. */
  readonly rest: () => string | undefined;
}

/** Counts from now on. `now`: milliseconds of a clock that only goes forward. */
export function openToldLines(now: () => number): ToldLines {
  let since = now();
  let shown = 0;
  let hidden = 0;
  const rest = (): string | undefined => {
    const line =
      hidden === 0 ? undefined : `${hidden} more compressions are not shown here; /metrics counts all of them`;
    hidden = 0;
    return line;
  };
  return {
    rest,
    lineFor(told, { dialect }) {
      const line = shortened(told, dialect);
      if (line === undefined) return undefined;
      if (now() - since >= minuteMs) {
        since = now();
        shown = 0;
      }
      if (shown >= mostLines) {
        hidden++;
        return undefined;
      }
      shown++;
      const before = rest();
      return before === undefined ? line : `${line} (${before})`;
    },
  };
}

function shortened(
  { compression, isRecovery, sessionId = '', model = 'unknown' }: Told,
  dialect: string,
): string | undefined {
  if (!compression) return undefined;
  const { tokensBefore, tokensAfter, writer } = compression;
  const sizes = `from about ${number(tokensBefore)} to about ${number(tokensAfter)} tokens`;
  const what = isRecovery
    ? `was too long for its upstream, and is sent again compressed ${sizes}`
    : `was compressed ${sizes}`;
  const by = writer === 'model' ? ', summary by a model' : '';
  return `conversation ${shortId(sessionId)} ${what} (${dialect}, ${model.slice(0, mostOfName)}${by})`;
}

/** So much of an id is its millisecond, and enough for every command. */
const shortId = (id: string): string => id.slice(0, 13);
/** A client may call its model anything. */
const mostOfName = 60;
const number = (value: number): string => value.toLocaleString('en-US');
