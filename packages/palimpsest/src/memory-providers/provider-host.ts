/** What a provider that ships with the command is made from: its answers, by what was configured and the environment. */
import { randomUUID } from 'node:crypto';
import { nearest, platformTimers, type Timers } from '@palimpsest/core/settings';
import { type ImportPackage, importFrom } from './optional-package.ts';
import type { Partitioning } from './partition.ts';

/** One thing that a provider has to know. */
export interface ProviderQuestion {
  /** In files of the configuration. */
  readonly key: string;
  /** For people, in a line. */
  readonly text: string;
  /** Goes before what is configured. */
  readonly variable?: string;
  readonly isSecret?: true;
  readonly default?: string;
  readonly choices?: readonly string[];
}

/** What a provider is made with. */
export interface ProviderBasis {
  /** The answers of `memory.providers.<name>`. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's folder for data, for providers that keep something on this machine. */
  readonly dataFolder?: string | undefined;
  /** Loads the official client of a service. @default from beside Palimpsest, then from `plugins` in the data folder */
  readonly importPackage?: ImportPackage;
  /** A new id that nobody else has. @default a random one */
  readonly newId?: () => string;
  /** @default those of the platform */
  readonly timers?: Timers;
}

export interface ProviderHost {
  readonly name: string;
  readonly env: ProviderBasis['env'];
  readonly dataFolder: string | undefined;
  readonly importPackage: ImportPackage;
  readonly newId: () => string;
  readonly timers: Timers;
  /** The answer to a question: of the environment, of the configuration, or its default. */
  value(key: string): string | undefined;
  /** What is missing of these, in a sentence that says how to set it. */
  missing(keys: readonly string[]): string | undefined;
  /** True where an address of one's own is set. */
  isOwnServer(): boolean;
  partitioning(): Partitioning;
}

/** What every service is asked. */
export const commonQuestions: readonly ProviderQuestion[] = [
  { key: 'user', text: 'Whose memory it is: a name that stays the same', default: 'default' },
  {
    key: 'scope',
    text: 'What is kept apart: each project, or nothing of one person',
    default: 'project',
    choices: ['project', 'person'],
  },
];

/** What is wrong with answers. Never names one: it may be a key in the wrong place. */
export function answerProblems(
  name: string,
  questions: readonly ProviderQuestion[],
  answers: Readonly<Record<string, unknown>>,
): readonly string[] {
  const keys = questions.map(({ key }) => key);
  return Object.entries(answers).flatMap(([key, answer]) => {
    const question = questions.find((one) => one.key === key);
    if (question) return problemOf(question, answer) ?? [];
    const near = nearest(key.slice(0, 40), keys);
    const meant = near === undefined ? `it asks for ${keys.join(', ')}` : `did you mean ${near}?`;
    return `${name} does not ask for ${key.slice(0, 40)}: ${meant}`;
  });
}

function problemOf({ key, choices }: ProviderQuestion, answer: unknown): string | undefined {
  if (typeof answer !== 'string') return `Expected as ${key} a text.`;
  const given = answer.trim();
  if (given === '') return undefined;
  if (choices && !choices.includes(given)) return `Expected as ${key} one of ${choices.join(', ')}.`;
  const isAddress = URL.canParse(given) && /^https?:$/.test(new URL(given).protocol);
  if (key === 'base_url' && !isAddress) return 'Expected as base_url an address with http:// or https://.';
  return given.length > 2_000 ? `Expected as ${key} at most 2000 characters.` : undefined;
}

export function hostFor(
  name: string,
  questions: readonly ProviderQuestion[],
  { settings, env, dataFolder, importPackage, newId = randomUUID, timers = platformTimers }: ProviderBasis,
): ProviderHost {
  const value = (key: string): string | undefined => {
    const question = questions.find((one) => one.key === key);
    const given: unknown = settings[key];
    const configured = typeof given === 'string' && given.trim() !== '' ? given.trim() : undefined;
    return variable(env, question?.variable) ?? configured ?? question?.default;
  };
  return {
    name,
    env,
    dataFolder,
    importPackage: importPackage ?? importFrom(dataFolder === undefined ? [] : [`${dataFolder}/plugins`]),
    newId,
    timers,
    value,
    missing: (keys) => {
      const key = keys.find((one) => value(one) === undefined);
      const question = questions.find((one) => one.key === key);
      if (key === undefined || !question) return undefined;
      const way =
        question.variable === undefined ? `memory.providers.${name}.${key}` : `the variable ${question.variable}`;
      return `${name} needs ${question.text}: set ${way}.`;
    },
    isOwnServer: () => {
      const [set, usual] = [value('base_url'), questions.find(({ key }) => key === 'base_url')?.default];
      return set !== undefined && set !== usual;
    },
    partitioning: () => ({
      user: value('user') ?? 'default',
      scope: value('scope') === 'person' ? 'person' : 'project',
    }),
  };
}

/** One that is set to nothing is not set. */
function variable(env: ProviderBasis['env'], name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : env[name]?.trim();
  return value === '' ? undefined : value;
}
