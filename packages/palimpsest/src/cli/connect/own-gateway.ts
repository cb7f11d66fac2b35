/** The gateway of one run: the one that answers already, or one of this process that ends with the run. */
import { PalimpsestError } from '@palimpsest/core';
import { upstreamsIn } from '../../clients/run-settings.ts';
import { isLoopback } from '../../gateway/admit.ts';
import type { Output, Terminal } from '../terminal.ts';

export interface RunGateway extends AsyncDisposable {
  readonly url: string;
  readonly isOwn: boolean;
  /** False only for one of this process that nobody has sent a request. */
  readonly wasUsed: () => Promise<boolean>;
}

/**
 * The gateway at the address if one is there. One of this process where none answers, where something else does, and where the
 * environment names other providers: a gateway that runs already would send their keys somewhere else.
 */
export async function gatewayFor(address: string, terminal: Terminal): Promise<RunGateway> {
  const upstreams = upstreamsIn(terminal.env).filter(([, url]) => !isSameServer(url, address));
  if (upstreams.length === 0 && (await isGateway(address)))
    return { url: address, isOwn: false, wasUsed: async () => true, [Symbol.asyncDispose]: async () => undefined };
  const words = upstreams.flatMap(([dialect, url]) => ['--upstream', `${dialect}=${url}`]);
  // It is there for one program of this machine, which has none of the keys that others show.
  const env = { ...terminal.env, PALIMPSEST_GATEWAY_KEYS: '{}' };
  return startOwn(['serve', '--host', '127.0.0.1', '--port', '0', '--json', ...words], { ...terminal, env });
}

/** True for one scheme, host and port; all names of this machine are one. */
export const isSameServer = (one: string, other: string): boolean => originOf(one) === originOf(other);

function originOf(word: string): string {
  if (!URL.canParse(word)) return word;
  const { protocol, hostname, port } = new URL(word);
  return `${protocol}//${isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')) ? 'localhost' : hostname}:${port}`;
}

/** Long for an answer of this machine, and short for a person. */
const answerMs = 1_000;

async function isGateway(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/`, { signal: AbortSignal.timeout(answerMs), redirect: 'error' });
    const text = await answer.text();
    // One that asks for a key answers nobody else.
    return text.startsWith('Palimpsest gateway') || answer.headers.get('x-palimpsest-error') === 'bad-key';
  } catch {
    // Nobody is there, or not in time.
    return false;
  }
}

/** Runs `palimpsest serve` in this process: nothing of it can outlive the run. Throws `BAD_OPTION` where it does not start. */
async function startOwn(words: readonly string[], terminal: Terminal): Promise<RunGateway> {
  const said = { out: '', err: '' };
  let stop = (): void => undefined;
  const started = Promise.withResolvers<string>();
  const ended = terminal.runCommand?.(words, {
    ...terminal,
    json: true,
    stdout: heard((text) => {
      said.out += text;
      const url = /"url": "([^"]+)"/.exec(said.out)?.[1];
      if (url !== undefined) started.resolve(url);
    }),
    stderr: heard((text) => {
      said.err += text;
    }),
    onStop: (listener) => {
      stop = listener;
      return () => undefined;
    },
  });
  const failed = Promise.resolve(ended).then((): never => {
    const reason = said.err.trim() || said.out.trim() || 'it said nothing';
    throw new PalimpsestError('BAD_OPTION', `expected palimpsest serve to start for this run: ${reason}`);
  });
  const url = await Promise.race([started.promise, failed]);
  // From here on its end is no failure.
  failed.catch(() => undefined);
  return {
    url,
    isOwn: true,
    wasUsed: () => wasUsed(url),
    [Symbol.asyncDispose]: async () => {
      stop();
      await ended;
    },
  };
}

/** By what it counts; what it is asked about itself is not counted. */
async function wasUsed(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(answerMs) });
  return /^palimpsest_gateway_(?:requests_total\{.*|open) [1-9]/m.test(await answer.text());
}

const heard = (listen: (text: string) => void): Output => ({
  writableNeedDrain: false,
  write: (text) => {
    listen(typeof text === 'string' ? text : Buffer.from(text).toString());
    return true;
  },
  once: () => undefined,
});
