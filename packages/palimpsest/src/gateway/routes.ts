/** Which paths there are, and what each of them asks for. A path is compared as it came: nothing in it is resolved or decoded. */
import type { GatewayDialect } from '../config/gateway.ts';
import type { HeaderList, Received } from './middle.ts';

/** A path that an upstream answers. */
export interface Route extends Pick<Received, 'dialect' | 'act'> {
  /** How the route is named in metrics and errors. */
  readonly name: string;
  readonly methods: readonly string[];
  /** What follows the base URL of the upstream, with the query as it came. */
  readonly upstreamPath: string;
}

/** A path that the gateway answers itself. */
export type OwnRoute = '/' | '/healthz' | '/readyz' | '/metrics';

export const ownRoutes: readonly OwnRoute[] = ['/', '/healthz', '/readyz', '/metrics'];

/** What a 404 names. */
export const knownPaths: string =
  '/v1/chat/completions, /v1/responses, /v1/responses/compact, /v1/messages, /v1/messages/count_tokens, /v1/models, ' +
  '/v1beta/models and /v1beta/models/MODEL:generateContent, :streamGenerateContent or :countTokens; each also without its version';

/** Every path but those of Gemini, without `/v1`. */
const plainRoutes: Readonly<Record<string, readonly [GatewayDialect, Received['act']]>> = {
  '/chat/completions': ['openai-chat', 'answer'],
  '/responses': ['openai-responses', 'answer'],
  '/responses/compact': ['openai-responses', 'compact'],
  '/messages': ['anthropic', 'answer'],
  '/messages/count_tokens': ['anthropic', 'count'],
};

const geminiActs: Readonly<Record<string, Received['act']>> = {
  generateContent: 'answer',
  streamGenerateContent: 'answer',
  countTokens: 'count',
};

const post = ['POST'];
const read = ['GET', 'HEAD'];
/** The longest target that is looked at. */
const longestTarget = 8_192;

/** The route of a request target; undefined where there is none. `headers` tell whose list of models is meant. */
export function routeOf(target: string, headers: HeaderList): Route | undefined {
  if (target.length > longestTarget) return undefined;
  const at = target.indexOf('?');
  const [path, query] = at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at)];
  const [, version = '', rest = path] = /^\/(v1|v1beta|v1alpha)(\/.*)$/.exec(path) ?? [];
  const plain =
    Object.hasOwn(plainRoutes, rest) && (version === '' || version === 'v1') ? plainRoutes[rest] : undefined;
  if (plain) {
    const [dialect, act] = plain;
    const upstreamPath = `${dialect === 'anthropic' ? `/v1${rest}` : rest}${query}`;
    return { dialect, act, name: `/v1${rest}`, methods: post, upstreamPath };
  }
  return geminiRoute({ version, rest, query }) ?? modelsRoute({ version, rest, query }, headers);
}

interface PathParts {
  /** Empty where the path has none. */
  readonly version: string;
  readonly rest: string;
  /** With its question mark; empty where there is none. */
  readonly query: string;
}

/** `/models/M:generateContent` and its kin, also of tuned models. */
function geminiRoute({ version, rest, query }: PathParts): Route | undefined {
  const [, verb = ''] = /^\/(?:models|tunedModels)\/[\w.@~-]+:([A-Za-z]+)$/.exec(rest) ?? [];
  const act = Object.hasOwn(geminiActs, verb) ? geminiActs[verb] : undefined;
  if (act === undefined) return undefined;
  const upstreamPath = `/${version || 'v1beta'}${rest}${query}`;
  return { dialect: 'gemini', act, name: `/v1beta/models:${verb}`, methods: post, upstreamPath };
}

/** What Codex sends along where it is logged in with ChatGPT. */
const chatgptHeader = 'chatgpt-account-id';

/** True for a request whose token is that of a ChatGPT login. */
export const isOfChatgpt = (headers: HeaderList): boolean =>
  headers.some(([name]) => name.toLowerCase() === chatgptHeader);

/** The list of models, or one of them. Under `/v1` Anthropic's clients are told by the header that they all send. */
function modelsRoute({ version, rest, query }: PathParts, headers: HeaderList): Route | undefined {
  const [, model] = /^\/models(?:\/(.+))?$/.exec(rest) ?? [];
  if (rest !== '/models' && (model === undefined || !isModelName(model))) return undefined;
  const shared = { act: 'models', methods: read } as const;
  const has = (wanted: string): boolean => headers.some(([name]) => name.toLowerCase() === wanted);
  if (version === 'v1beta' || version === 'v1alpha' || has('x-goog-api-key')) {
    // What follows a colon is what is to be done, and that is a route of its own.
    if (rest.includes(':')) return undefined;
    const upstreamPath = `/${version || 'v1beta'}${rest}${query}`;
    return { ...shared, dialect: 'gemini', name: '/v1beta/models', upstreamPath };
  }
  if (has('anthropic-version'))
    return { ...shared, dialect: 'anthropic', name: '/v1/models', upstreamPath: `/v1${rest}${query}` };
  // The list goes where the answers come from.
  const dialect = isOfChatgpt(headers) ? 'openai-responses' : 'openai-chat';
  return { ...shared, dialect, name: '/v1/models', upstreamPath: `${rest}${query}` };
}

/** A name such as `org/model:tag`, also with `%2F` for its slash; no part of it may lead elsewhere. */
function isModelName(name: string): boolean {
  const parts = name.replaceAll(/%2f/gi, '/').replaceAll(/%3a/gi, ':').split('/');
  return parts.length <= 4 && parts.every((part) => /^[\w.:@~+-]+$/.test(part) && !/^\.+$/.test(part));
}

/** The address of an upstream; a version that base URL and route both name stands there once. */
export function joinPath(basePath: string, upstreamPath: string): string {
  const base = basePath.replace(/\/+$/, '');
  const [, version] = /^(\/v1(?:beta|alpha)?)\//.exec(upstreamPath) ?? [];
  return version !== undefined && base.endsWith(version)
    ? `${base}${upstreamPath.slice(version.length)}`
    : `${base}${upstreamPath}`;
}

/** The dialect that a path looks like, for the wording of an error where there is no route. */
export function likelyDialect(target: string): GatewayDialect | undefined {
  if (/\/messages\b/.test(target)) return 'anthropic';
  if (/\/v1(?:beta|alpha)\/|Content\b/.test(target)) return 'gemini';
  return /^\/v1\//.test(target) ? 'openai-chat' : undefined;
}
