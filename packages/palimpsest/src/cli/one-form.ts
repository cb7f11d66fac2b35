/** Of two forms of an answer only one can be on standard output. */
import { PalimpsestError } from '@palimpsest/core';

/** Throws `BAD_OPTION` for `--json` together with `--raw`. */
export function requireOneForm({ json, raw }: { readonly json?: boolean; readonly raw?: boolean }): void {
  if (!json || !raw) return;
  const message = 'expected --json or --raw, got both: omit one of them';
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: '--raw' } });
}
