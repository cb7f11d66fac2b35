/** Where clients find the gateway. */
import { PalimpsestError } from '@palimpsest/core/settings';

/** Where `palimpsest serve` listens unless it is told otherwise. */
export const usualGateway = 'http://127.0.0.1:4780';

/** The address without a slash at its end. Throws `BAD_OPTION` for what is none, without showing a password that is in it. */
export function gatewayAddress(word: string): string {
  const url = URL.canParse(word) ? new URL(word) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url && isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '');
  const message = `expected --gateway to be an address such as ${usualGateway}, without a query and without a password`;
  throw new PalimpsestError('BAD_OPTION', message);
}
