/** What a call says to us in `providerOptions.palimpsest`; no provider gets to see it. */
import { PalimpsestError } from '../shared/errors.ts';
import type { CallOptions } from './interface.ts';

/** What one call may say, under `providerOptions.palimpsest`. */
export interface CallSettings {
  /** The session that the call belongs to. */
  readonly sessionId?: string;
  /** A topic that gets most of the handoff if the context is compressed now. */
  readonly focusTopic?: string;
}

/** The settings, and the call without them. Throws `BAD_OPTION` for a setting that is none. */
export function ownOptions(options: CallOptions): { readonly own: CallSettings; readonly plain: CallOptions } {
  const { palimpsest, ...others } = options.providerOptions ?? {};
  if (palimpsest === undefined) return { own: {}, plain: options };
  const { providerOptions: _, ...call } = options;
  const plain = Object.keys(others).length === 0 ? call : { ...call, providerOptions: others };
  const { sessionId, focusTopic, ...strangers } = palimpsest;
  const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string';
  const [stranger] = Object.keys(strangers);
  if (stranger !== undefined || !isText(sessionId) || !isText(focusTopic)) {
    const came = stranger ?? 'another value';
    throw new PalimpsestError(
      'BAD_OPTION',
      `expected in providerOptions.palimpsest texts as sessionId or focusTopic, got ${came.slice(0, 40)}`,
    );
  }
  const own = {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(focusTopic === undefined ? {} : { focusTopic }),
  };
  return { own, plain };
}
