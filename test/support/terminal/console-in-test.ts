/** A console over a terminal in memory, with a clock that only the test moves. */
import { EventEmitter } from 'node:events';
import type { Console, ConsoleEvent, ConsoleOptions } from '../../../packages/palimpsest/src/terminal/console.ts';
import { openConsole } from '../../../packages/palimpsest/src/terminal/open-console.ts';
import { type EmulatedScreen, screenEmulator } from './screen-emulator.ts';

/** Timers that fire when the test says how much time has gone by. */
export interface ManualClock {
  readonly after: (ms: number, fire: () => void) => () => void;
  readonly advance: (ms: number) => void;
}

export function manualClock(): ManualClock {
  let now = 0;
  let timers: { readonly at: number; readonly fire: () => void }[] = [];
  return {
    after: (ms, fire) => {
      const timer = { at: now + ms, fire };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance: (ms) => {
      const end = now + ms;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (!next) break;
        now = next.at;
        timers = timers.filter((other) => other !== next);
        next.fire();
      }
      now = end;
    },
  };
}

export class TestInput extends EventEmitter {
  readonly isTTY: boolean;
  readonly rawModes: boolean[] = [];
  constructor(isTTY = true) {
    super();
    this.isTTY = isTTY;
  }
  setRawMode(on: boolean): void {
    this.rawModes.push(on);
  }
  resume(): void {}
  pause(): void {}
}

export class TestOutput extends EventEmitter {
  columns: number;
  rows: number;
  readonly isTTY: boolean;
  writableNeedDrain = false;
  readonly writes: string[] = [];
  readonly screen: EmulatedScreen;
  constructor({ columns = 80, rows = 24, isTTY = true }: { columns?: number; rows?: number; isTTY?: boolean } = {}) {
    super();
    this.columns = columns;
    this.rows = rows;
    this.isTTY = isTTY;
    this.screen = screenEmulator(columns, rows);
  }
  write(text: string): boolean {
    this.writes.push(text);
    this.screen.write(text);
    return true;
  }
  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.screen.resize(columns, rows);
    this.emit('resize');
  }
}

export class TestHost extends EventEmitter {
  readonly pid = 42;
  readonly killed: string[] = [];
  kill(pid: number, signal: string): void {
    this.killed.push(`${pid} ${signal}`);
  }
}

export interface ConsoleInTest extends ManualClock {
  readonly console: Console;
  readonly events: ConsoleEvent[];
  readonly input: TestInput;
  readonly output: TestOutput;
  readonly host: TestHost;
  /** Sends characters as one read, and lets the times pass that tell a lone Esc and a burst. */
  readonly type: (...reads: readonly string[]) => void;
  /** The screen after all frames that are due. */
  readonly shown: () => string;
}

interface TestOptions extends Partial<Pick<ConsoleOptions, 'complete' | 'entries' | 'look' | 'env'>> {
  readonly columns?: number;
  readonly rows?: number;
  readonly isTTY?: boolean;
}

export function consoleInTest({ columns, rows, isTTY = true, env = {}, ...options }: TestOptions = {}): ConsoleInTest {
  const clock = manualClock();
  const events: ConsoleEvent[] = [];
  const input = new TestInput(isTTY);
  const output = new TestOutput({ ...(columns && { columns }), ...(rows && { rows }), isTTY });
  const host = new TestHost();
  const console = openConsole({
    look: { colour: false },
    ...options,
    input,
    output,
    host,
    env,
    after: clock.after,
    now: () => 0,
    onEvent: (event) => events.push(event),
  });
  return {
    ...clock,
    console,
    events,
    input,
    output,
    host,
    type: (...reads) => {
      for (const read of reads) {
        input.emit('data', Buffer.from(read));
        clock.advance(50);
      }
    },
    shown: () => {
      clock.advance(50);
      return output.screen.screen().join('\n');
    },
  };
}
