/** Which key goes where: a key is sent to the provider it belongs to and to nobody else. */
import { ownKeyVariable, type ProviderRow } from './providers.data.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Key {
  readonly apiKey?: string;
  /** The variable that it came from. */
  readonly keyVariable?: string;
}

/**
 * The key for a provider: the one that was given, else the first of its variables that is set. An address that is not
 * the provider's own gets `PALIMPSEST_API_KEY` before the provider's key, which only goes there because somebody named
 * this provider together with that address.
 */
export function keyFor(
  { keys }: Pick<ProviderRow, 'keys'>,
  { apiKey, env, own }: { readonly apiKey: string | undefined; readonly env: Environment; readonly own: boolean },
): Key {
  if (apiKey !== undefined && apiKey.trim() !== '') return { apiKey: apiKey.trim() };
  for (const keyVariable of own ? keys : [ownKeyVariable, ...keys]) {
    const value = variable(env, keyVariable);
    if (value !== undefined) return { apiKey: value, keyVariable };
  }
  return {};
}

/** The value of a variable; one that is set to nothing is not set. */
export function variable(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}
