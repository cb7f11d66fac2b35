/** A whole text from a file or standard input. */
import { PalimpsestError } from '@palimpsest/core';
import { openInput } from './input.ts';
import { megabytes } from './render/text.ts';
import type { Terminal } from './terminal.ts';

export interface InputText {
  readonly text: string;
  /** The path as it was typed, or `-`. */
  readonly label: string;
  readonly notes: readonly string[];
}

/** Nobody writes longer notes. */
const mostBytes = 16e6;

/** Throws as `openInput` does, and `BAD_ENCODING` for what is no UTF-8; `FILE_UNREADABLE` for what is too large. */
export async function textFrom(file: string, terminal: Terminal): Promise<InputText> {
  const input = await openInput(file, terminal);
  const { label } = input;
  const name = label === '-' ? 'standard input' : label;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input.bytes) {
    size += chunk.length;
    if (size > mostBytes) {
      const message = `${name} has more than ${megabytes(mostBytes)}: split it, or name a smaller file.`;
      throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path: label } });
    }
    pieces.push(chunk);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
    return { text, label, notes: input.notes };
  } catch (cause) {
    const message = `${name} is not UTF-8 text: save it as UTF-8 first.`;
    throw new PalimpsestError('BAD_ENCODING', message, { evidence: { path: label }, cause });
  }
}
