/** Who is let in: the name that the gateway was called by, the page that calls, the key that is shown, and how often. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { GatewayConfig } from '../config/gateway.ts';
import type { Refusal } from './errors.ts';
import { credentialsIn, keyHeader, requestHeaders, valuesOf, withoutCredentials, withoutQueryKeys } from './headers.ts';
import type { KeyRing } from './keys.ts';
import type { HeaderList } from './middle.ts';

const loopback = /^(?:localhost|(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i;

/** True for an address that only this machine reaches. */
export const isLoopback = (host: string): boolean => loopback.test(host);

/**
 * Why the caller is not the one it should be; undefined when it is. A page in a browser may call anything that its user reaches: by
 * `Origin` where the browser tells, and by `Host` where a name was bent to this machine (DNS rebinding).
 */
export function refusedCaller(
  all: HeaderList,
  config: Pick<GatewayConfig, 'host' | 'hosts' | 'origins'>,
): Refusal | undefined {
  const hosts = valuesOf(all, 'host');
  const [host = ''] = hosts;
  const name = hosts.length === 1 ? hostName(host) : undefined;
  if (name === undefined) {
    const message = `expected one Host header with a name or an address, got ${hosts.length === 1 ? 'another text' : hosts.length}`;
    return { status: 400, code: 'bad-host', message };
  }
  if (!isOwnName(name, config)) {
    const message = `expected to be called by an address or as localhost, got ${shown(name)}. If that name is yours, add it to gateway.hosts.`;
    return { status: 403, code: 'bad-host', message };
  }
  const origin = valuesOf(all, 'origin').find((one) => !isOwnOrigin(one, config));
  if (origin === undefined) return undefined;
  const message = `expected a program, got a page of ${shown(origin)}. If you trust that page, add it to gateway.origins.`;
  return { status: 403, code: 'bad-origin', message };
}

/** The name without the port; undefined for what is none. */
function hostName(host: string): string | undefined {
  const [, inBrackets, plain] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(host) ?? [];
  return inBrackets ?? plain;
}

/** An address is not a name that anybody could bend; where only this machine is listened to, it must be its own all the same. */
function isOwnName(name: string, { host, hosts }: Pick<GatewayConfig, 'host' | 'hosts'>): boolean {
  const isKnown = isLoopback(name) || hosts.some((own) => own.toLowerCase() === name.toLowerCase());
  return isKnown || (!isLoopback(host) && (isIP(name) !== 0 || name.toLowerCase() === host.toLowerCase()));
}

function isOwnOrigin(origin: string, { origins, ...own }: Pick<GatewayConfig, 'host' | 'hosts' | 'origins'>): boolean {
  if (origins.includes(origin)) return true;
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  return isOwnName(new URL(origin).hostname.replace(/^\[|\]$/g, ''), own);
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 80));

/** What is asked of a request before it is let in. */
export interface KeyQuestion {
  readonly ring: KeyRing;
  readonly headers: HeaderList;
  readonly target: string;
  /** True where the usual place of a key is free for ours: what stands there is not sent on. */
  readonly isPlaceFree: boolean;
}

/** The name of the key that was shown, or why there is none. */
export function whoCalls({ ring, headers, target, isPlaceFree }: KeyQuestion): { readonly user?: string } | Refusal {
  const usual = credentialsIn(headers, target);
  const isSentOn = !isPlaceFree && ring.isLocked && usual.some((key) => ring.nameOf(key) !== undefined);
  if (isSentOn || sentOn({ headers, target, isPlaceFree }).some(ring.isIn)) {
    const message = `expected the key of the gateway in the header ${keyHeader}, got it in another place; it was not sent on`;
    return { status: 401, code: 'misplaced-key', message };
  }
  if (!ring.isLocked) return {};
  const keys = valuesOf(headers, keyHeader);
  const given = keys.length === 0 && isPlaceFree ? usual : keys;
  const user = given.map(ring.nameOf).find((name) => name !== undefined);
  if (user !== undefined) return { user };
  const came = given.length === 0 ? 'none' : 'one that is not known';
  return {
    status: 401,
    code: 'bad-key',
    message: `expected a key of the gateway in the header ${keyHeader}, got ${came}`,
  };
}

/** All texts of a request that an upstream would see, as they are and as they may be meant. */
function sentOn({ headers, target, isPlaceFree }: Omit<KeyQuestion, 'ring'>): readonly string[] {
  const values = requestHeaders(isPlaceFree ? withoutCredentials(headers) : headers).map(([, value]) => value);
  const basic = values.flatMap((value) => /^Basic\s+(\S+)/i.exec(value)?.[1] ?? []);
  const path = isPlaceFree ? withoutQueryKeys(target) : target;
  return [...values, ...basic.map((one) => Buffer.from(one, 'base64').toString('latin1')), path, unescaped(path)];
}

/** Without the escapes of ASCII, which is all that a key is made of. */
const unescaped = (path: string): string =>
  path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** How often each caller may come. */
export interface RateLimit {
  /** Seconds to wait; 0 when the request may go on. */
  readonly take: (caller: string) => number;
}

/** A bucket for each caller, filled at the pace of the limit; `now` is in milliseconds. */
export function openRateLimit(perMinute: number | null, now: () => number): RateLimit {
  if (perMinute === null) return { take: () => 0 };
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    take: (caller) => {
      const at = now();
      const bucket = buckets.get(caller) ?? { tokens: perMinute, at };
      const tokens = Math.min(perMinute, bucket.tokens + ((at - bucket.at) / 60_000) * perMinute);
      const isFull = tokens < 1;
      buckets.delete(caller);
      buckets.set(caller, { tokens: isFull ? tokens : tokens - 1, at });
      const [oldest] = buckets.keys();
      if (buckets.size > mostBuckets && oldest !== undefined) buckets.delete(oldest);
      return isFull ? Math.ceil(((1 - tokens) / perMinute) * 60) : 0;
    },
  };
}

/** Callers that are remembered. */
const mostBuckets = 10_000;

export const tooMany = (seconds: number): Refusal => ({
  status: 429,
  code: 'rate-limit',
  message: `expected fewer requests a minute (gateway.requests_per_minute). Try again in ${seconds} s.`,
  headers: { 'retry-after': String(seconds) },
});

/** Who a rate is counted for where there are no keys. */
export const addressOf = ({ socket }: Pick<IncomingMessage, 'socket'>): string => socket.remoteAddress ?? '';
