/** Ctrl-C while something runs that can be given up in good order. */
import { PalimpsestError } from '@palimpsest/core';
import type { Terminal } from './terminal.ts';

/** Runs something that can be aborted; after a Ctrl-C its signal is, and the error `INTERRUPTED` with `message` is the reason. */
export async function interruptible<T>(
  terminal: Terminal,
  run: (signal: AbortSignal) => Promise<T>,
  message = 'interrupted: the call to the model was stopped, and nothing was changed',
): Promise<T> {
  const controller = new AbortController();
  const forget = terminal.onInterrupt?.(() => controller.abort(new PalimpsestError('INTERRUPTED', message)));
  try {
    return await run(controller.signal);
  } finally {
    forget?.();
  }
}
