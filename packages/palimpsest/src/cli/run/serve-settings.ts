/** What the configuration says of `palimpsest serve`: that of the person alone. */
import type { GatewayConfig } from '../../config/gateway.ts';
import { isFromProject, type LoadedSettings } from '../settings.ts';

/** Plain data, for a worker may have read it. */
export interface ServeSettings {
  readonly gateway: GatewayConfig;
  readonly notes: readonly string[];
}

export const serveSettings = ({ own, all }: Pick<LoadedSettings, 'own' | 'all'>): ServeSettings => ({
  gateway: own.config.gateway,
  notes: [...own.notes, ...projectNotes(all)],
});

/** What the file of a project says about the gateway is not heard: it would say where conversations and keys go. */
function projectNotes({ settings }: LoadedSettings['all']): readonly string[] {
  const unheard = settings.filter(({ key, source }) => key.startsWith('gateway.') && isFromProject(source));
  if (unheard.length === 0) return [];
  const keys = unheard.map(({ key }) => key).join(', ');
  return [`${keys} in the project's configuration is ignored: only your own says where requests and keys go.`];
}
