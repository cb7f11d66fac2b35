/** Where clients find the gateway. */
import { PalimpsestError } from '@palimpsest/core/settings';

/** Where `palimpsest serve` listens unless it is told otherwise. */
const usualGateway = 'http://127.0.0.1:4780';

/** The address at which a program of this machine reaches what listens on a host: one that stands for all is no address to call. */
export function listeningAddress(host: string, port: number): string {
  const here = host === '0.0.0.0' || host === '' ? '127.0.0.1' : host === '::' || host === '[::]' ? '::1' : host;
  const isBare = here.includes(':') && !here.startsWith('[');
  return `http://${isBare ? `[${here}]` : here}:${port}`;
}

/** The address without a slash at its end. Throws `BAD_OPTION` for what is none, without showing a password that is in it. */
export function gatewayAddress(word: string): string {
  const url = URL.canParse(word) ? new URL(word) : undefined;
  const isPlain = url?.username === '' && url.password === '' && !/[?#]/.test(word);
  if (url && isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '');
  const message = `expected --gateway to be an address such as ${usualGateway}, without a query and without a password`;
  throw new PalimpsestError('BAD_OPTION', message);
}
