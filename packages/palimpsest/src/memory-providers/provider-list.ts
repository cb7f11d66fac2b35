/** ★ Start here: the memory providers by name, what each has to know, and how one is made. */
import { PalimpsestError } from '@palimpsest/core';
import type { MemoryProvider } from '@palimpsest/core/memory';
import { nearest } from '@palimpsest/core/settings';
import {
  answerProblems,
  commonQuestions,
  hostFor,
  type ProviderBasis,
  type ProviderHost,
  type ProviderQuestion,
} from './provider-host.ts';

/** A provider that ships with the command. */
export interface ProviderRow {
  readonly name: string;
  /** One line for lists. */
  readonly text: string;
  /** Its official client, which has to be installed. */
  readonly packageName?: string;
  readonly questions: readonly ProviderQuestion[];
  /** Loads its code: nothing of a provider runs that nobody named. */
  readonly load: () => Promise<(host: ProviderHost) => MemoryProvider>;
}

const apiKey = (text: string, variable: string): ProviderQuestion => ({
  key: 'api_key',
  text,
  variable,
  isSecret: true,
});
const address = (variable: string, usual: string): ProviderQuestion => ({
  key: 'base_url',
  text: 'The address of the service',
  variable,
  default: usual,
});

export const providerRows: readonly ProviderRow[] = [
  {
    name: 'supermemory',
    text: 'Supermemory: a hosted service, or your own server',
    packageName: 'supermemory',
    questions: [
      apiKey('a key of Supermemory', 'SUPERMEMORY_API_KEY'),
      address('SUPERMEMORY_BASE_URL', 'https://api.supermemory.ai'),
      ...commonQuestions,
    ],
    load: async () => (await import('./services/supermemory.ts')).supermemoryProvider,
  },
  {
    name: 'mem0',
    text: 'Mem0: its platform, or your own server',
    questions: [
      apiKey('a key of Mem0', 'MEM0_API_KEY'),
      address('MEM0_BASE_URL', 'https://api.mem0.ai'),
      {
        key: 'server',
        text: 'Whose server that is; without an answer, another address is your own',
        choices: ['platform', 'own'],
      },
      ...commonQuestions,
    ],
    load: async () => (await import('./services/mem0.ts')).mem0Provider,
  },
  {
    name: 'hindsight',
    text: 'Hindsight: a server of your own, or its cloud',
    packageName: '@vectorize-io/hindsight-client',
    questions: [
      apiKey('a key of Hindsight', 'HINDSIGHT_API_KEY'),
      address('HINDSIGHT_API_URL', 'http://localhost:8888'),
      ...commonQuestions,
    ],
    load: async () => (await import('./services/hindsight.ts')).hindsightProvider,
  },
  {
    name: 'honcho',
    text: 'Honcho: a hosted service, or your own server',
    packageName: '@honcho-ai/sdk',
    questions: [
      apiKey('a key of Honcho', 'HONCHO_API_KEY'),
      address('HONCHO_URL', 'https://api.honcho.dev'),
      { key: 'workspace', text: 'The workspace', variable: 'HONCHO_WORKSPACE_ID', default: 'palimpsest' },
      ...commonQuestions,
    ],
    load: async () => (await import('./services/honcho.ts')).honchoProvider,
  },
  {
    name: 'openviking',
    text: 'OpenViking: a server of your own',
    questions: [
      apiKey('a key of OpenViking', 'OPENVIKING_API_KEY'),
      address('OPENVIKING_ENDPOINT', 'http://localhost:1933'),
      { key: 'account', text: 'The account, where a key stands for several', variable: 'OPENVIKING_ACCOUNT' },
      { key: 'account_user', text: 'The user of the account', variable: 'OPENVIKING_USER' },
      ...commonQuestions,
    ],
    load: async () => (await import('./services/openviking.ts')).openvikingProvider,
  },
  {
    name: 'retaindb',
    text: 'RetainDB: a hosted service',
    questions: [
      apiKey('a key of RetainDB', 'RETAINDB_API_KEY'),
      address('RETAINDB_BASE_URL', 'https://api.retaindb.com'),
      { key: 'project', text: 'The project of RetainDB', variable: 'RETAINDB_PROJECT', default: 'default' },
      ...commonQuestions,
    ],
    load: async () => (await import('./services/retaindb.ts')).retaindbProvider,
  },
  {
    name: 'byterover',
    text: 'ByteRover: its command brv on this machine',
    questions: [{ key: 'command', text: 'The command', default: 'brv' }, ...commonQuestions],
    load: async () => (await import('./services/byterover.ts')).byteroverProvider,
  },
  {
    name: 'holographic',
    text: 'Facts with a trust that grows and falls, in a file on this machine',
    questions: [...commonQuestions],
    load: async () => (await import('./services/holographic.ts')).holographicProvider,
  },
];

/** The names of the memory providers that ship with Palimpsest. */
export const memoryProviderNames: readonly string[] = providerRows.map(({ name }) => name);

/** @throws BAD_OPTION for a name that nobody has */
export function rowOf(name: string): ProviderRow {
  const row = providerRows.find((one) => one.name === name);
  if (row) return row;
  const near = nearest(name, memoryProviderNames);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  const message = `Expected a memory provider (${memoryProviderNames.join(', ')}), got ${JSON.stringify(name.slice(0, 60))}.${meant}`;
  throw new PalimpsestError('BAD_OPTION', message);
}

/**
 * A provider that ships with Palimpsest. What is missing, it says itself.
 *
 * @throws BAD_OPTION for a name that nobody has, and for settings that it cannot take, all of them listed
 */
export async function shippedProvider(name: string, basis: ProviderBasis): Promise<MemoryProvider> {
  const { questions, load } = rowOf(name);
  const problems = answerProblems(name, questions, basis.settings);
  if (problems.length > 0) throw new PalimpsestError('BAD_OPTION', `memory.providers.${name}: ${problems.join(' ')}`);
  return (await load())(hostFor(name, questions, basis));
}
