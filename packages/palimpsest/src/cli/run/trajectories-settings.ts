/** The settings of a run on the command line: defaults, a file, single settings, and options, each over the one before. */
import { resolve } from 'node:path';
import { parseJson } from '@palimpsest/core/settings';
import { readNamedConfig, readSmallFile } from '../../config/files.ts';
import {
  mergedSettings,
  resolveTrajectoryConfig,
  type Sections,
  type TrajectoryConfig,
  withOtherNames,
} from '../../trajectory/settings/config.ts';
import { badOption, bothGiven, given, numberOf, quoted, tokenCountOf } from '../option-values.ts';
import type { Terminal } from '../terminal.ts';

export interface SettingFlags {
  readonly config?: string;
  readonly set?: readonly string[];
  readonly targetTokens?: string;
  readonly summaryTokens?: string;
  readonly tokenizer?: string;
  readonly mode?: string;
  readonly format?: string;
  /** False after `--no-summarizer`. */
  readonly summarizer?: string | false;
  readonly baseUrl?: string;
  readonly maxCost?: string;
  readonly onCap?: string;
  readonly lossMask?: boolean;
  readonly samplePercent?: string;
  readonly seed?: string;
  readonly workers?: string;
}

/** Throws `BAD_CONFIG` for what a file says wrong, and `BAD_OPTION` for an option. */
export async function settingsFor(flags: SettingFlags, { cwd }: Terminal): Promise<TrajectoryConfig> {
  const file = flags.config === undefined ? {} : await readNamedConfig(readSmallFile, resolve(cwd, flags.config));
  // What is wrong with the file is said of the file.
  const keys = 'snake_case';
  if (flags.config !== undefined) resolveTrajectoryConfig(withOtherNames(file), { keys, source: flags.config });
  const single = (flags.set ?? []).map(sectionOf).reduce(mergedSettings, {});
  const all = [withOtherNames(file), withOtherNames(single), fromOptions(flags)].reduce(mergedSettings, {});
  return resolveTrajectoryConfig(all, { keys, source: 'options' });
}

function fromOptions(flags: SettingFlags): Sections {
  const { targetTokens, summaryTokens, samplePercent, seed, workers, tokenizer, mode, format, lossMask } = flags;
  const number = (text: string | undefined, read: (text: string) => number): number | undefined =>
    text === undefined ? undefined : read(text);
  return {
    tokenizer: given({ name: tokenizer }),
    compression: given({
      target_max_tokens: number(targetTokens, (text) => tokenCountOf('--target-tokens', text)),
      summary_target_tokens: number(summaryTokens, (text) => tokenCountOf('--summary-tokens', text)),
      mode,
      format,
    }),
    summarization: given({
      ...modelOf(flags),
      max_cost: number(flags.maxCost, dollarsOf),
      on_cap: flags.onCap,
    }),
    output: given({ loss_mask: lossMask }),
    processing: given({
      sample_percent: number(samplePercent, percentOf),
      seed: number(seed, (text) => numberOf(text, { option: '--seed', from: 0, to: 2 ** 32 - 1 })),
      num_workers: number(workers, (text) => numberOf(text, { option: '--workers', from: 1, to: 256 })),
    }),
  };
}

function modelOf({ summarizer, baseUrl }: SettingFlags): Readonly<Record<string, string | null | undefined>> {
  if (summarizer !== false) return { model: summarizer, base_url: baseUrl };
  if (baseUrl !== undefined) throw bothGiven('--base-url', '--no-summarizer');
  return { model: null, base_url: null };
}

function dollarsOf(text: string): number {
  const dollars = Number(text.replace(/^\$/, ''));
  if (/^\$?\d+(?:\.\d+)?$/.test(text)) return dollars;
  throw badOption(`expected --max-cost in US dollars, such as 2.50, got ${quoted(text)}`);
}

function percentOf(text: string): number {
  const percent = Number(text);
  if (/^[\d.]+$/.test(text) && percent > 0 && percent <= 100) return percent;
  throw badOption(`expected --sample-percent to be a number above 0 and up to 100, got ${quoted(text)}`);
}

/** `protected_turns.last_n_turns=6`. A value is read as JSON where it is any, else as a text. */
function sectionOf(word: string): Sections {
  const [, section, key, value] = /^([a-z_]+)\.([a-z_]+)=(.*)$/s.exec(word) ?? [];
  if (section === undefined || key === undefined || value === undefined)
    throw badOption(`expected --set as section.key=value, such as protected_turns.last_n_turns=6, got ${quoted(word)}`);
  return { [section]: { [key]: parseJson(value) ?? value } };
}
