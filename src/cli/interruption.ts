/** Ctrl-C while something runs that can be given up in good order. */
import { PalimpsestError } from '../shared/errors.ts';
import type { Terminal } from './terminal.ts';

/** Runs something that can be aborted; after a Ctrl-C its signal is, and the error `INTERRUPTED` is the reason. */
export async function interruptible<T>(terminal: Terminal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const forget = terminal.onInterrupt?.(() => controller.abort(interrupted()));
  try {
    return await run(controller.signal);
  } finally {
    forget?.();
  }
}

const interrupted = (): PalimpsestError =>
  new PalimpsestError('INTERRUPTED', 'interrupted: the model was told to stop, and nothing was changed');
