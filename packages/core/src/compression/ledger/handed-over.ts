/** What a handoff that was made elsewhere tells of messages that are not here: their lines and requests, by speaker. */
import { unwrapHandoff } from '../handoff-block.ts';
import { type HandoffRow, headerRead, readRows } from '../handoff-rows.ts';
import type { Inherited } from '../numbering.ts';
import { contentOfHeading } from '../summary-lines.ts';
import { askType } from './asks.ts';
import type { StepHeader } from './body.ts';
import type { Ask } from './facts.ts';

/** A handoff, taken apart. */
export interface HandedOver {
  /** What is told of each message that is gone, under the row that stood above it. */
  readonly steps: readonly {
    readonly number: number;
    readonly header: StepHeader | undefined;
    readonly lines: readonly Pick<HandoffRow, 'speaker' | 'text'>[];
  }[];
  /** Lines that stem from no message: data of nobody. */
  readonly rest: readonly string[];
  /** Requests of persons, oldest first. */
  readonly asks: readonly Ask[];
}

/** Where a request is named that stands in full behind the handoff. */
const elsewhere = 'word for word below';

export function handedOver({ message, isGone }: Inherited): HandedOver {
  const rows = readRows(unwrapHandoff(message)?.body ?? '').filter(({ text }) => text !== elsewhere);
  const isKnown = ({ number }: HandoffRow): boolean => number !== undefined && isGone(number);
  const steps = Map.groupBy(rows.filter(isKnown), ({ number }) => number ?? 0);
  return {
    steps: [...steps].map(([number, told]) => {
      const header = told.find((row) => row.header !== undefined)?.header;
      const lines = told.filter(({ isAnswer }) => !isAnswer);
      return { number, header: header === undefined ? undefined : headerRead(header), lines };
    }),
    // A row about a message that is here says nothing new.
    rest: rows.filter(({ number }) => number === undefined).map(({ text }) => text),
    // A model that was led to print a handoff has not made anybody ask for anything.
    asks: message.role === 'user' ? asksIn(rows.filter(isKnown)) : [],
  };
}

function asksIn(rows: readonly HandoffRow[]): readonly Ask[] {
  const asks = new Map<number, Ask>();
  let above: number | undefined;
  for (const { number = 0, speaker, text, section, isAnswer } of rows) {
    if (isAnswer && above !== undefined) {
      const ask = asks.get(above);
      if (ask) asks.set(above, { ...ask, answer: { ref: `m${number}`, text } });
    }
    if (speaker !== 'person') continue;
    above = number;
    const known = asks.get(number);
    // What is open stands under a heading that says so; what else was asked was answered, whatever the words were.
    const isOpen = contentOfHeading(section) === 'asks';
    const said = known ? `${known.text}\n${text}` : text;
    const answer = known?.answer ?? (isOpen ? undefined : { ref: `m${number}` as const, text: '' });
    asks.set(number, { ref: `m${number}`, text: said, type: askType(said), ...(answer ? { answer } : {}) });
  }
  return [...asks.values()].sort((a, b) => Number(a.ref.slice(1)) - Number(b.ref.slice(1)));
}
