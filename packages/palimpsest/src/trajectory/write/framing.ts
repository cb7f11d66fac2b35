/** What stands before, between and behind the results of jobs in a file. */

import type { Packing } from '../read/unpack.ts';
import { type Framing, packed } from '../work/job.ts';

/** How a file is written. */
export interface FileForm {
  readonly framing: Framing;
  readonly packing: Packing;
}

const bytesOf = (text: string, { packing }: FileForm): Uint8Array =>
  packed(Uint8Array.from(Buffer.from(text)), packing);

/** What stands before records, when so many were written before. */
export const leadOf = (written: number, form: FileForm): Uint8Array =>
  form.framing === 'lines' ? new Uint8Array(0) : bytesOf(written === 0 ? '[\n' : ',\n', form);

/** The end of a file. An empty one is a valid one. */
export function trailOf(written: number, form: FileForm): Uint8Array {
  if (form.framing === 'lines') return new Uint8Array(0);
  return bytesOf(written === 0 ? '[]\n' : '\n]\n', form);
}
