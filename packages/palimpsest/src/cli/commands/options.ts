/** Options that several commands have, in the same words everywhere, and the lists of words that an option takes. */

import { type FormatName, formatNames } from '@palimpsest/core';
import { templates } from '@palimpsest/core/engine';
import { nearest, whenForms } from '@palimpsest/core/settings';
import { InvalidArgumentError } from 'commander';

/** An option: how it is typed, what the help says of it, and what else there is to know. */
export type OptionRow = readonly [flags: string, about: string, details?: OptionDetails];

export interface OptionDetails {
  /** All the values there are; the help lists them. */
  readonly choices?: readonly string[];
  /** Checks the value. Throws `InvalidArgumentError`. */
  readonly parse?: (word: string) => unknown;
  /** True for how something was written once: it still works, and no help shows it. */
  readonly isHidden?: boolean;
}

/** What a row of the table names in place of saying it again. */
export type SharedOption =
  | `--${'json' | 'store' | 'example' | 'since-last-compression' | 'context-length' | 'target' | 'focus' | 'template'}`
  | `--${'engine' | 'base-url' | 'no-summarizer' | 'no-model' | 'force' | 'session' | 'source' | 'project'}`;

export const sharedOptions: Readonly<Record<SharedOption, OptionRow>> = {
  '--json': ['--json', 'print one JSON document instead of text'],
  '--store': ['--store <file>', 'store file; default: store.path of your configuration'],
  '--example': ['--example', 'use the recorded session that comes with Palimpsest'],
  '--since-last-compression': [
    '--since-last-compression',
    'only what the model still saw after the last compression in the log',
  ],
  '--context-length': [
    '--context-length <tokens>',
    'context window in tokens, such as 200k; default: that of the model',
  ],
  '--target': ['--target <tokens>', 'target size in tokens, such as 20k; default: the configured budgets'],
  '--focus': ['--focus <text>', 'topic that the handoff keeps in full detail'],
  '--template': [
    '--template <name>',
    'headings of the handoff; default: compression.summary.template',
    { choices: Object.keys(templates) },
  ],
  '--engine': ['--engine <name>', 'context engine to compress with; default: context.engine'],
  '--base-url': ['--base-url <url>', 'base URL of the summarizer; it must speak Chat Completions'],
  '--no-summarizer': ['--no-summarizer', 'use no summarizer, even if one is configured'],
  // How that was written once.
  '--no-model': ['--no-model', '', { isHidden: true }],
  // Beside an option that names a file to write.
  '--force': ['--force', 'replace the output file if it exists; inputs and stores are never replaced'],
  // In the commands that read the store.
  '--session': ['--session <id|title>', 'only this conversation, with all its sessions'],
  '--source': ['--source <name>', 'only conversations of this source, such as codex or cli'],
  '--project': ['--project <folder>', 'only conversations in this folder and below'],
};

/** Which conversation of a file, and how the file is read; `file` is the word of the command for it. */
export const conversationOptions = (
  file: string,
  session = `conversation in ${file}; default: the longest`,
): readonly OptionRow[] => [
  ['--from <format>', `format of ${file}; default: detected from the content`, { parse: formatName }],
  ['--session <n|id|title>', session],
  // How it was written once.
  ['--conversation <n|id|title>', '', { isHidden: true }],
];

/** What every command that takes a FILE has. */
export const inputOptions: readonly (OptionRow | SharedOption)[] = [
  ...conversationOptions('FILE'),
  '--since-last-compression',
];

/** The model of the conversation; `from` is what names it. */
export const modelOption = (from = 'FILE'): OptionRow => [
  '--model <name>',
  `model of the conversation, whose tokens are counted; default: the one in ${from}`,
];

/** Whose tokens are counted, and who writes the summary; `from` is what names the model of the conversation. */
export const writerOptions = (from: string): readonly (OptionRow | SharedOption)[] => [
  modelOption(from),
  '--context-length',
  ['--summarizer <provider/name>', 'model that writes the summary'],
  '--base-url',
  ['--summarizer-context-length <tokens>', 'context window of the summarizer in tokens, if it is not known'],
  '--no-summarizer',
  '--no-model',
];

/** `what` is what the time of a result is, such as `said`. */
export const timeOptions = (what: string): readonly OptionRow[] => [
  ['--since <time>', `${what} at or after: ${whenForms}`],
  ['--until <time>', `${what} before; a day, a month or a year is included as a whole`],
];

/** The name of a format. Not `choices`, which would fill every help text with the ten names. */
export function formatName(word: string): FormatName {
  const found = formatNames.find((name) => name === word);
  if (found) return found;
  const near = nearest(word, formatNames);
  throw new InvalidArgumentError(near ? `Did you mean ${near}?` : 'palimpsest formats lists the formats.');
}

/** The tables of `insights` that can be shown whole. */
export const insightGroups = ['model', 'source', 'project', 'task', 'day', 'tool'] as const;

export type InsightGroup = (typeof insightGroups)[number];

/** The shells that the command line can be completed in. */
export const shells = ['bash', 'zsh', 'fish'] as const;
