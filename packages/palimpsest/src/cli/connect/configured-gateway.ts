/** The gateway that a command means: the one that an option names, else the one that the person's own settings describe. */
import { gatewayAddress, listeningAddress } from '../../clients/gateway-address.ts';
import { badOption } from '../option-values.ts';
import { loadOwnSettings } from '../settings.ts';
import type { Terminal } from '../terminal.ts';

export interface ConfiguredGateway {
  readonly address: string;
  /** What the person has to know of it. */
  readonly notes: readonly string[];
}

/** Throws `BAD_OPTION` for an address that is none, and where the settings leave the port to chance. */
export async function gatewayOf(word: string | undefined, terminal: Terminal): Promise<ConfiguredGateway> {
  if (word !== undefined) return { address: gatewayAddress(word), notes: [] };
  const { host, port, keys } = (await loadOwnSettings(terminal)).config.gateway;
  if (port === 0)
    throw badOption(
      'gateway.port is 0, so the gateway has another port each time: set one in your configuration, or name the gateway with --gateway',
    );
  const needsKey =
    'the gateway wants a key (gateway.keys): let the client send it in the header x-palimpsest-key, as docs/guide/gateway.md tells';
  return {
    address: listeningAddress(host, port),
    notes: Object.keys(keys).length === 0 ? [] : [needsKey],
  };
}
