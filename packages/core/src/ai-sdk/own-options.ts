/** What a call says to us in `providerOptions.palimpsest`; no provider gets to see it. */
import { PalimpsestError } from '../shared/errors.ts';
import type { CallOptions } from './interface.ts';

/** What one call may say, under `providerOptions.palimpsest`. */
export interface CallSettings {
  /** The session that the call belongs to. */
  readonly sessionId?: string;
  /** A topic that gets most of the handoff if the context is compressed now. */
  readonly focusTopic?: string;
  /**
   * Text that was recalled for this call: it stands fenced in the newest message of the person, and is not kept. A loop of tools
   * says it with every step, and so keeps what a cache holds. @default what the option `recall` finds, once a turn
   */
  readonly recall?: string;
}

/** The settings, and the call without them. Throws `BAD_OPTION` for a setting that is none. */
export function ownOptions(options: CallOptions): { readonly own: CallSettings; readonly plain: CallOptions } {
  const { palimpsest, ...others } = options.providerOptions ?? {};
  if (palimpsest === undefined) return { own: {}, plain: options };
  const { providerOptions: _, ...call } = options;
  const plain = Object.keys(others).length === 0 ? call : { ...call, providerOptions: others };
  const stranger = Object.entries(palimpsest ?? {}).find(([name, value]) => !known.has(name) || !isText(value));
  if (stranger) {
    const [name, value] = stranger;
    const came = known.has(name) ? `${value === null ? 'null' : typeof value} as ${name}` : name.slice(0, 40);
    throw new PalimpsestError(
      'BAD_OPTION',
      `expected in providerOptions.palimpsest texts as ${[...known].join(', ')}, got ${came}`,
    );
  }
  const own: CallSettings = Object.fromEntries(
    Object.entries(palimpsest ?? {}).filter(([, value]) => value !== undefined),
  );
  return { own, plain };
}

const known: ReadonlySet<string> = new Set<keyof CallSettings>(['sessionId', 'focusTopic', 'recall']);

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
