/** Who may speak to a server over HTTP: by the name that it is called by, the page that calls, and a token. Pure. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';

export interface GuardOptions {
  /** The address that is listened at. */
  readonly host: string;
  /** Names by which others may call it, beside its own. */
  readonly allowedHosts: readonly string[];
  /** Demanded of everybody where it is set. */
  readonly token: string | undefined;
}

/** What is looked at of a request. */
export interface KnockingRequest {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
}

export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True for an address that only programs of this machine reach. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d+){3}$/.test(host);

/** Undefined for who may come in. */
export function refusalOf(request: KnockingRequest, options: GuardOptions): Refusal | undefined {
  const name = nameIn(`http://${request.host ?? ''}`);
  if (name === undefined || !isAllowed(name, options))
    return {
      status: 403,
      message: `expected a Host that this server is called by, got ${shown(request.host)}: add it with --allow-host`,
    };
  const page = request.origin === undefined ? undefined : (nameIn(request.origin) ?? '');
  if (page !== undefined && !isAllowed(page, options))
    return {
      status: 403,
      message: `expected no Origin, or one of this server, got ${shown(request.origin)}: add its host with --allow-host`,
    };
  if (options.token === undefined || isToken(request.authorization, options.token)) return undefined;
  return { status: 401, message: 'expected the header Authorization: Bearer with the token of this server' };
}

/**
 * A page that makes its own name lead to this machine still sends that name (DNS rebinding): so a name has to be known, and
 * where more than this machine is served, an address is as good as a name.
 */
function isAllowed(name: string, { host, allowedHosts }: GuardOptions): boolean {
  if (loopbackNames.has(name) || allowedHosts.includes(name) || name === host.toLowerCase()) return true;
  return !isLoopback(host) && isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

/** The host in an address, without its port; undefined where there is none. */
function nameIn(address: string): string | undefined {
  const url = URL.parse(address);
  // `http://` and a Host with a path or a user in it are no name.
  if (!url || url.hostname === '' || url.pathname.length > 1 || url.username !== '' || url.search !== '')
    return undefined;
  return url.hostname.toLowerCase();
}

function isToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? '';
  // Hashes are of one length, and the time to compare them tells nothing.
  return timingSafeEqual(hashOf(given), hashOf(token));
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const shown = (text: string | undefined): string => (text === undefined ? 'none' : JSON.stringify(text.slice(0, 80)));
