/** The settings of the gateway: where it listens, whom it lets in, whom it passes requests on to, and its limits. */
import {
  count,
  type Field,
  type Fields,
  group,
  listOf,
  mapOf,
  nullable,
  numberFrom,
  text,
  wrong,
} from '@palimpsest/core/settings';

/** What providers speak, by the names that the rest of the project has for it. */
export const gatewayDialects = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const;

export type GatewayDialect = (typeof gatewayDialects)[number];

/** In files under `gateway`. */
export interface GatewayConfig {
  /** Address to listen on. One that other machines reach needs a key. @default '127.0.0.1' */
  readonly host: string;
  /** Port to listen on; 0 for any that is free. @default 4780 */
  readonly port: number;
  /** Where requests go, by dialect. */
  readonly upstreams: GatewayUpstreams;
  /** Who may use the gateway: the hash of a key by a name, as palimpsest serve --make-key prints it. @default {} */
  readonly keys: Readonly<Record<string, string>>;
  /** Names, beside addresses and localhost, under which clients may call the gateway. @default [] */
  readonly hosts: readonly string[];
  /** Origins of pages that may call the gateway, beside those of this machine. @default [] */
  readonly origins: readonly string[];
  /** The largest body of a request, in megabytes. @default 64 */
  readonly maxBodyMb: number;
  /** Requests that are answered at the same time; one more is told to wait. @default 512 */
  readonly maxRequests: number;
  /** Requests a minute for each key, or for each address where there are no keys; null for no limit. @default null */
  readonly requestsPerMinute: number | null;
  /** Seconds in which a client has to send a whole head, and within which each piece of a body has to follow. @default 30 */
  readonly receiveTimeoutSeconds: number;
  /** Seconds in which a connection to an upstream has to stand. @default 10 */
  readonly connectTimeoutSeconds: number;
  /** Seconds in which an answer has to begin. @default 600 */
  readonly firstByteTimeoutSeconds: number;
  /** Seconds that an answer may be silent once it began, and that a client may leave it unread. @default 600 */
  readonly silenceTimeoutSeconds: number;
  /** Seconds that open answers have to end when the gateway is told to stop. @default 30 */
  readonly drainSeconds: number;
}

export interface GatewayUpstreams {
  /** For Chat Completions, and for the list of models. */
  readonly openaiChat: GatewayUpstream;
  /** For Responses. */
  readonly openaiResponses: GatewayUpstream;
  /** For Messages. */
  readonly anthropic: GatewayUpstream;
  /** For Gemini. */
  readonly gemini: GatewayUpstream;
}

export interface GatewayUpstream {
  /** Base URL as a client of the dialect is given it: with the version for OpenAI, without for Anthropic and Gemini. */
  readonly baseUrl: string;
  /** Name of the environment variable with the key that is sent in place of the client's; null to pass on the client's. @default null */
  readonly keyVariable: string | null;
}

/** The name of a dialect as settings have it. */
export const upstreamNames: Readonly<Record<GatewayDialect, keyof GatewayUpstreams>> = {
  'openai-chat': 'openaiChat',
  'openai-responses': 'openaiResponses',
  anthropic: 'anthropic',
  gemini: 'gemini',
};

const upstreamAt = (baseUrl: string): GatewayUpstream => ({ baseUrl, keyVariable: null });

/** Every default of the gateway. */
export const gatewayDefaults: GatewayConfig = {
  host: '127.0.0.1',
  port: 4780,
  upstreams: {
    openaiChat: upstreamAt('https://api.openai.com/v1'),
    openaiResponses: upstreamAt('https://api.openai.com/v1'),
    anthropic: upstreamAt('https://api.anthropic.com'),
    gemini: upstreamAt('https://generativelanguage.googleapis.com'),
  },
  keys: {},
  hosts: [],
  origins: [],
  maxBodyMb: 64,
  maxRequests: 512,
  requestsPerMinute: null,
  receiveTimeoutSeconds: 30,
  connectTimeoutSeconds: 10,
  firstByteTimeoutSeconds: 600,
  silenceTimeoutSeconds: 600,
  drainSeconds: 30,
};

/** Never says what it got where that holds a password. */
export const upstreamAddress: Field<string> = {
  expected: 'an address such as https://api.example.com/v1, without a query and without a password',
  parse(value, place) {
    const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined) return wrong(value, { expected: upstreamAddress.expected, place });
    const isPlain = url.search === '' && url.hash === '' && url.username === '' && url.password === '';
    if (/^https?:$/.test(url.protocol) && isPlain) return String(value);
    place.report({ at: place.at, message: `expected ${upstreamAddress.expected}` });
    return undefined;
  },
};

/** A hash as `--make-key` prints it. What came is not shown: it may be the key itself. */
const keyHash: Field<string> = {
  expected:
    'sha256: and 64 hexadecimal digits, as palimpsest serve --make-key prints it; a key itself is never written here',
  parse(value, place) {
    if (typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value)) return value;
    place.report({ at: place.at, message: `expected ${keyHash.expected}` });
    return undefined;
  },
};

const seconds = numberFrom(0.001, 86_400);
const upstream: Fields<GatewayUpstream> = { baseUrl: upstreamAddress, keyVariable: nullable(text) };
const { upstreams: defaultUpstreams } = gatewayDefaults;

/** The field of the whole section. */
export const gatewayField: Field<GatewayConfig> = group<GatewayConfig>(
  {
    host: text,
    port: numberFrom(0, 65_535, 'whole'),
    upstreams: group<GatewayUpstreams>(
      {
        openaiChat: group(upstream, defaultUpstreams.openaiChat),
        openaiResponses: group(upstream, defaultUpstreams.openaiResponses),
        anthropic: group(upstream, defaultUpstreams.anthropic),
        gemini: group(upstream, defaultUpstreams.gemini),
      },
      defaultUpstreams,
    ),
    keys: mapOf(keyHash),
    hosts: listOf(text),
    origins: listOf(text),
    maxBodyMb: numberFrom(0.001, 1_024),
    maxRequests: count(1),
    requestsPerMinute: nullable(count(1)),
    receiveTimeoutSeconds: seconds,
    connectTimeoutSeconds: seconds,
    firstByteTimeoutSeconds: seconds,
    silenceTimeoutSeconds: seconds,
    drainSeconds: seconds,
  },
  gatewayDefaults,
);
