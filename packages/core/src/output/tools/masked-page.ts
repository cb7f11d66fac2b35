/** A page of an output that belongs to another conversation: without the credentials in it. */
import { redactPiece } from '../../redaction/redact.ts';
import type { OutputStore, SavedOutput } from '../../store/output-store.ts';
import type { TextPlace } from '../preview.ts';
import type { Page } from './read-page.ts';

/** What stands before and behind may tell that a line belongs to a credential. */
const linesAround = 400;

interface PageOf {
  readonly from: TextPlace;
  readonly page: Page;
}

/** The page masked as the whole output would be; it goes on where the page went on. */
export async function maskedPage(outputs: OutputStore, output: SavedOutput, { from, page }: PageOf): Promise<Page> {
  const first = Math.max(1, from.line - linesAround);
  const lead = first === from.line ? '' : (await outputs.read(output.id, { from: first, to: from.line - 1 })).text;
  const last = Math.min(output.lines, (page.next?.line ?? output.lines) + linesAround);
  const { text } = await outputs.read(output.id, { from: from.line, to: last });
  const start = lead.length + from.char - 1;
  const piece = redactPiece(lead + text, { start, end: start + page.text.length });
  return { text: piece.start > start ? `[REDACTED:…]${piece.text}` : piece.text, next: page.next };
}
