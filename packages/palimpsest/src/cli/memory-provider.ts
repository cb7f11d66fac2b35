/** The memory provider of a command: made as the configuration says, with what it needs on this machine. */
import { join } from 'node:path';
import { dataFolder } from '../config/folders.ts';
import { type ChosenProvider, chooseMemoryProvider } from '../memory-providers/choose-provider.ts';
import { importFrom, isInstalled } from '../memory-providers/optional-package.ts';
import { hostFor, type ProviderQuestion } from '../memory-providers/provider-host.ts';
import { memoryProviderNames, rowOf } from '../memory-providers/provider-list.ts';
import { shellWord } from './render/text.ts';
import type { HeardSettings } from './settings.ts';
import type { Terminal } from './terminal.ts';

type Settings = Readonly<Record<string, unknown>>;

/** A provider by its name, and what it is told. */
export interface NamedProvider {
  readonly name: string;
  readonly settings: Settings;
}

/** Makes the provider and starts nothing. Throws as `chooseMemoryProvider` does. */
export async function makeProvider(
  { name, settings }: NamedProvider,
  { places }: Pick<HeardSettings, 'places'>,
  { env, platform, onPluginRun }: Terminal,
): Promise<ChosenProvider> {
  const isOurs = memoryProviderNames.includes(name);
  if (!isOurs) onPluginRun?.();
  return chooseMemoryProvider({ name, settings, env, dataFolder: dataFolder(env, platform), places });
}

/** What one of ours has to know; nothing is known of a plugin. */
export const questionsOf = (name: string): readonly ProviderQuestion[] =>
  memoryProviderNames.includes(name) ? rowOf(name).questions : [];

/** The official client that a provider needs. */
export interface ProviderClient {
  readonly package: string;
  readonly installed: boolean;
  /** The command that installs it where it is looked for. */
  readonly install: string;
}

export async function clientOf(name: string, { env, platform }: Terminal): Promise<ProviderClient | undefined> {
  const packageName = memoryProviderNames.includes(name) ? rowOf(name).packageName : undefined;
  if (packageName === undefined) return undefined;
  const data = dataFolder(env, platform);
  const folder = data === undefined ? undefined : join(data, 'plugins');
  const where = folder === undefined ? '' : `--prefix ${shellWord(folder)} `;
  const installed = await isInstalled(importFrom(folder === undefined ? [] : [folder]), packageName);
  return { package: packageName, installed, install: `npm install ${where}${packageName}` };
}

/** Where a provider sends things, without a name and password in it; undefined for one that has no address. */
export function addressOf({ name, settings }: NamedProvider, { env }: Terminal): string | undefined {
  const value = hostFor(name, questionsOf(name), { settings, env }).value('base_url');
  if (value === undefined || !URL.canParse(value)) return undefined;
  const { origin, pathname } = new URL(value);
  return `${origin}${pathname}`.replace(/\/$/, '');
}
