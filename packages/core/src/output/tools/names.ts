/** What the tools over saved results are called, how they are called, and how large their answers are. */
import type { OutputId } from '../../store/output-store.ts';
import type { TextPlace } from '../preview.ts';

export const readOutputName = 'read_output';
export const searchOutputName = 'search_output';

/** True for a tool of ours, also where a client puts the name of a server before it, as in `mcp__palimpsest__read_output`. */
export const isOwnTool = (name: string): boolean => /(?:^|[^0-9A-Za-z])(?:read|search)_output$/.test(name);

/** The largest that an answer is beside the page in it. */
export const pageFrameChars = 2_000;

/** Arguments of `read_output` that read from a place on. */
export const callText = (id: OutputId, { line, char }: TextPlace): string =>
  JSON.stringify({ id, from: line, ...(char > 1 ? { char } : {}) });
