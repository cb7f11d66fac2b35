/** Connections to upstreams: straight, or through a tunnel that a proxy opens (`CONNECT`, RFC 9110, 9.3.6). */
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { buildConnector, errors } from 'undici';
import type { NamedProxy, ProxyFor } from './proxies.ts';

export interface Proxies {
  readonly proxyFor: ProxyFor;
  /** The proxies that are sent requests themselves: nobody goes to one of them through another. */
  readonly proxyOrigins: ReadonlySet<string>;
}

/**
 * Connects as undici does, with a tunnel below where there is a proxy for a host that speaks TLS. undici's own agent for proxies is
 * not used: it makes an object of the headers, which loses names that stand there twice.
 */
export function connectorFor({ proxyFor, proxyOrigins }: Proxies, timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false });
  return (given, callback) => {
    const { protocol, hostname, port } = given;
    const target = `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port || 443}`;
    const upstream = new URL(`https://${target}`);
    const isStraight = protocol !== 'https:' || proxyOrigins.has(upstream.origin);
    const proxy = isStraight ? undefined : proxyFor(upstream);
    // undici takes the name from the header `host`, which for a proxy over TLS is that of the upstream behind it.
    const options = { ...given, servername: nameForTls(hostname) };
    if (proxy === undefined) return connect(options, callback);
    openTunnel(proxy, { target, timeoutMs }).then(
      (httpSocket) => connect({ ...options, httpSocket }, callback),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

/** Addresses have none there (RFC 6066, 3); the certificate is compared with the host all the same. */
const nameForTls = (host: string): string => (isIP(host) === 0 ? host : '');

interface Tunnel {
  /** Host and port. */
  readonly target: string;
  readonly timeoutMs: number;
}

function openTunnel({ origin, authorization }: NamedProxy, { target, timeoutMs }: Tunnel): Promise<Socket> {
  const ask = origin.startsWith('https:') ? secureRequest : plainRequest;
  const { hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const place = { host, servername: nameForTls(host), ...(port === '' ? {} : { port }) };
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { host: target, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) };
  return new Promise((resolve, reject) => {
    const request = ask({ ...place, method: 'CONNECT', path: target, headers, agent: false, signal });
    request.once('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        // A request for CONNECT is never given anything but the socket of the connection itself.
        resolve(socket as Socket);
        return;
      }
      socket.destroy();
      reject(new ProxyRefusal(statusCode));
    });
    request.once('error', (error) =>
      reject(signal.aborted ? new errors.ConnectTimeoutError('no tunnel in time') : error),
    );
    request.end();
  });
}

/** Told by its code alone: the words of a proxy may name who sent what. */
class ProxyRefusal extends Error {
  readonly code: string;

  constructor(status: number) {
    super('a proxy opened no tunnel');
    this.code = `PROXY_ANSWERED_${status}`;
  }
}
