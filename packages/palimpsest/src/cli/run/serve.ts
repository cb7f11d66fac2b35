/** `palimpsest serve`: the gateway, from the configuration of the person alone. */
import { nearest } from '@palimpsest/core/settings';
import {
  type GatewayConfig,
  type GatewayDialect,
  gatewayDialects,
  upstreamAddress,
  upstreamNames,
} from '../../config/gateway.ts';
import { hashOfKey, makeKey, shortestKey } from '../../gateway/keys.ts';
import { type ProxyFor, proxiesIn } from '../../gateway/proxies.ts';
import type { Gateway } from '../../gateway/server.ts';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { badOption, numberOf, quoted } from '../option-values.ts';
import { type Terminal, writeJson, writeNotes, writeReport, writeResult } from '../terminal.ts';
import { type AboutKept, type KeepFlags, keptLine, openKept } from './serve-conversations.ts';
import type { ServeSettings } from './serve-settings.ts';
import { startTraces } from './serve-traces.ts';

interface ServeFlags extends KeepFlags {
  readonly host?: string;
  readonly port?: string;
  readonly upstream?: readonly string[];
  readonly authToken?: string;
  readonly makeKey?: string;
}

/** Runs until it is told to stop; the open answers have ended then. */
export async function runServe({ flags, terminal }: Call<ServeFlags>): Promise<ExitCode> {
  if (flags.makeKey !== undefined) return printKey(flags.makeKey, terminal);
  const typed = typedSettings(flags);
  const authToken = tokenOf(flags.authToken, terminal);
  const note = (line: string): void => void writeNotes(terminal, [line]);
  const traces = await startTraces(terminal);
  // While the worker opens the store, what is needed to listen is loaded here.
  const [kept, { startGateway }] = await Promise.all([
    openKept(flags, { surroundings: terminal, note }),
    import('../../gateway/server.ts'),
  ]);
  try {
    const { gateway: settings, notes } = kept?.about ?? (await settingsHere(terminal));
    const config = withTyped(settings, typed);
    const proxyFor = proxiesIn(terminal.env);
    const door = { config, authToken, upstreamKeys: upstreamKeysOf(config, terminal), proxyFor, note };
    const told = [...notes, ...traces.notes, ...proxyNotes(config, proxyFor)];
    const gateway = await startGateway({ ...door, ...(kept ? { middle: kept } : {}) });
    await tellStart(gateway, { config, terminal, notes: told, about: kept?.about });
    await stopped(gateway, terminal);
  } finally {
    await kept?.stop();
    await traces.stop();
  }
  return exitCodes.fine;
}

/** Where there is no worker that has read them. */
async function settingsHere(terminal: Terminal): Promise<ServeSettings> {
  const [{ serveSettings }, { readSettings }] = await Promise.all([
    import('./serve-settings.ts'),
    import('../settings.ts'),
  ]);
  return serveSettings(await readSettings(terminal));
}

/** What was typed in place of the configuration. */
interface Typed extends Partial<Pick<GatewayConfig, 'host' | 'port'>> {
  readonly baseUrls: readonly (readonly [GatewayDialect, string])[];
}

function typedSettings({ host, port, upstream = [] }: ServeFlags): Typed {
  return {
    baseUrls: upstream.map(upstreamOf),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port: numberOf(port, { option: '--port', from: 0, to: 65_535 }) }),
  };
}

function withTyped(config: GatewayConfig, { baseUrls, ...typed }: Typed): GatewayConfig {
  const upstreams = { ...config.upstreams };
  for (const [dialect, baseUrl] of baseUrls) {
    const name = upstreamNames[dialect];
    upstreams[name] = { ...upstreams[name], baseUrl };
  }
  return { ...config, upstreams, ...typed };
}

function upstreamOf(word: string): readonly [GatewayDialect, string] {
  const at = word.indexOf('=');
  const [name, url] = [word.slice(0, Math.max(at, 0)), word.slice(at + 1)];
  const dialect = gatewayDialects.find((one) => one === name);
  if (dialect === undefined) {
    const near = nearest(name, gatewayDialects);
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    throw badOption(
      `expected --upstream DIALECT=URL with one of ${gatewayDialects.join(', ')}; got ${quoted(name)}.${hint}`,
    );
  }
  const problems: string[] = [];
  const report = ({ message }: { readonly message: string }): void => void problems.push(message);
  const parsed = upstreamAddress.parse(url, { at: '', keys: 'snake_case', report, note: () => undefined });
  if (parsed === undefined) throw badOption(`--upstream ${dialect}: ${problems.join('; ')}`);
  return [dialect, parsed];
}

function tokenOf(word: string | undefined, { env }: Terminal): string | undefined {
  if (word === undefined) return undefined;
  const [, variable] = /^env:(.+)$/.exec(word) ?? [];
  const token = variable === undefined ? word : env[variable];
  if (token === undefined || token === '') {
    throw badOption(`expected --auth-token to name a variable that is set, got ${quoted(variable)}, which is not`);
  }
  if (token.length >= shortestKey && /^[\x21-\x7e]+$/.test(token)) return token;
  throw badOption(
    `expected --auth-token to have at least ${shortestKey} characters of ASCII without spaces, got ${token.length}: take one that palimpsest serve --make-key prints`,
  );
}

function upstreamKeysOf({ upstreams }: GatewayConfig, { env }: Terminal): Partial<Record<GatewayDialect, string>> {
  const keys: Partial<Record<GatewayDialect, string>> = {};
  for (const dialect of gatewayDialects) {
    const { keyVariable } = upstreams[upstreamNames[dialect]];
    if (keyVariable === null) continue;
    const key = env[keyVariable]?.trim();
    if (!key) {
      const setting = `gateway.upstreams.${dialect.replaceAll('-', '_')}.key_variable`;
      throw badOption(`expected the variable ${keyVariable} to hold a key (${setting}), but it is not set`);
    }
    keys[dialect] = key;
  }
  return keys;
}

/** Who is not asked directly: a proxy of a machine is easily forgotten. */
function proxyNotes({ upstreams }: GatewayConfig, proxyFor: ProxyFor): readonly string[] {
  const urls = gatewayDialects.map((dialect) => new URL(upstreams[upstreamNames[dialect]].baseUrl));
  const lines = urls.flatMap((url) => {
    const proxy = proxyFor(url);
    return proxy === undefined ? [] : [`${url.host} is reached through the proxy ${proxy.origin}`];
  });
  return [...new Set(lines)];
}

async function printKey(name: string, terminal: Terminal): Promise<ExitCode> {
  if (!/^[\w.-]{1,40}$/.test(name)) {
    throw badOption(`expected --make-key to name the user in letters, digits, "-", "_" and ".", got ${quoted(name)}`);
  }
  const key = makeKey();
  const hash = hashOfKey(key);
  await writeResult(terminal, {
    json: () => ({ command: 'serve --make-key', name, key, hash }),
    notes: [],
    lines: () => [
      `key:  ${key}`,
      '      shown this once; clients send it as x-palimpsest-key',
      'for your configuration file:',
      '  gateway:',
      '    keys:',
      `      ${name}: ${hash}`,
    ],
  });
  return exitCodes.fine;
}

interface Started {
  readonly config: GatewayConfig;
  readonly terminal: Terminal;
  readonly notes: readonly string[];
  readonly about: AboutKept | undefined;
}

async function tellStart({ url }: Gateway, { config, terminal, notes, about }: Started): Promise<void> {
  const upstreams = Object.fromEntries(
    gatewayDialects.map((dialect) => [dialect, config.upstreams[upstreamNames[dialect]].baseUrl]),
  );
  if (terminal.json) {
    await writeJson(terminal, { command: 'serve', url, upstreams, store: about?.path ?? null, notes });
    return;
  }
  await writeNotes(terminal, notes);
  if (terminal.quiet) return;
  await writeReport(terminal, [
    `listening on ${url}`,
    keptLine(about),
    '',
    `  Claude Code   ANTHROPIC_BASE_URL=${url}`,
    `  OpenAI, Codex OPENAI_BASE_URL=${url}/v1`,
    `  Gemini CLI    GOOGLE_GEMINI_BASE_URL=${url}`,
    '',
    ...Object.entries(upstreams).map(([dialect, address]) => `  ${dialect.padEnd(16)} → ${address}`),
  ]);
}

/** Settles when the gateway was told to stop and has stopped. */
function stopped(gateway: Gateway, { onStop }: Terminal): Promise<void> {
  return new Promise((resolve, reject) => {
    onStop?.(() => void gateway.stop().then(resolve, reject));
  });
}
