import { PalimpsestError } from '../../shared/errors.ts';

/** What every plugin that cannot be used throws. */
export const badPlugin = (message: string, cause?: unknown): PalimpsestError =>
  new PalimpsestError('BAD_PLUGIN', message, cause === undefined ? {} : { cause });
