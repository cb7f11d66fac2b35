/** Where a compressed conversation and the report about it go. */

export interface DestinationFlags {
  readonly output?: string;
  readonly json?: boolean;
  readonly explain?: boolean;
  readonly example?: boolean;
  readonly quiet?: boolean;
}

export interface Destinations {
  readonly conversation:
    | { readonly type: 'file'; readonly path: string }
    | { readonly type: 'stdout' }
    /** Inside the JSON document. */
    | { readonly type: 'json' }
    | { readonly type: 'nowhere' };
  readonly report: 'stdout' | 'stderr' | 'json' | 'nowhere';
}

/**
 * The conversation goes where `-o` says, else to a pipe. The report goes to standard output unless the conversation is
 * there. Whoever asks for an explanation or the example wants to read: then only `-o` writes a conversation.
 */
export function destinationsOf(flags: DestinationFlags, isTerminal: boolean): Destinations {
  const { output, json, quiet } = flags;
  const toFile = output !== undefined && output !== '-';
  if (json) return { conversation: toFile ? { type: 'file', path: output } : { type: 'json' }, report: 'json' };
  const report = (place: 'stdout' | 'stderr'): Destinations['report'] => (quiet ? 'nowhere' : place);
  if (toFile) return { conversation: { type: 'file', path: output }, report: report('stdout') };
  const wantsToRead = flags.explain || flags.example || isTerminal;
  if (output === '-' || !wantsToRead) return { conversation: { type: 'stdout' }, report: report('stderr') };
  return { conversation: { type: 'nowhere' }, report: report('stdout') };
}
