/** The proxies that the environment names for connections to upstreams, as other programs of a machine read them. Pure. */
import { isIP } from 'node:net';
import { PalimpsestError } from '@palimpsest/core/settings';

/** A proxy to go through. */
export interface NamedProxy {
  /** `http://host:port`, without a password. */
  readonly origin: string;
  /** The value of `proxy-authorization`; undefined where it wants none. */
  readonly authorization: string | undefined;
}

/** The proxy for an upstream; undefined to go straight. */
export type ProxyFor = (upstream: URL) => NamedProxy | undefined;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; the names in lower case go before. What is on this machine is never looked for
 * behind a proxy.
 *
 * @throws BAD_OPTION for a proxy that is no address, or of a kind that is not spoken here
 */
export function proxiesIn(env: Environment): ProxyFor {
  const named = (name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined;
  const secure = proxyOf('HTTPS_PROXY', named('HTTPS_PROXY'));
  const plain = proxyOf('HTTP_PROXY', named('HTTP_PROXY'));
  const exempt = exemptions(named('NO_PROXY') ?? '');
  return (upstream) => {
    const proxy = upstream.protocol === 'https:' ? secure : plain;
    return proxy === undefined || isHere(upstream) || exempt(upstream) ? undefined : proxy;
  };
}

function proxyOf(variable: string, word: string | undefined): NamedProxy | undefined {
  if (word === undefined) return undefined;
  const text = word.includes('://') ? word : `http://${word}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new PalimpsestError(
      'BAD_OPTION',
      `expected ${variable} to name a proxy such as http://proxy.example:3128; it names none, or one of another kind than http and https`,
    );
  const { origin, username, password } = url;
  const given = `${unescaped(username)}:${unescaped(password)}`;
  return { origin, authorization: username === '' ? undefined : `Basic ${Buffer.from(given).toString('base64')}` };
}

/** A name or password as it was meant: a `%` that begins no escape stands for itself. */
const unescaped = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

function isHere(url: URL): boolean {
  const host = hostOf(url);
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '::1' || (isIP(host) === 4 && /^127\./.test(host))
  );
}

/** `*`, or names, each with all below it: `example.com`, `.example.com`, `*.example.com`, `10.0.0.7`, `[::1]`; each may have a port. */
function exemptions(list: string): (url: URL) => boolean {
  const all = list
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean)
    .map((entry) => {
      const [, bracketed, bare = entry, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
      return { host: (bracketed ?? bare).replace(/^\*?\./, '').replace(/\.$/, ''), port };
    });
  return (url) => {
    const host = hostOf(url);
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    return all.some(
      (one) =>
        (one.port === undefined || one.port === port) &&
        (one.host === '*' || host === one.host || host.endsWith(`.${one.host}`)),
    );
  };
}
