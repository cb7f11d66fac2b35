/** Who writes the summary: what was typed, else what the person configured, else the ledger. */

import { PalimpsestError } from '@palimpsest/core';
import type { AuxiliaryModel } from '../../config/config.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Setting } from '../../config/settings.ts';
import { chooseSummarizer, type SummarizerChoice } from '../../models/choose-summarizer.ts';
import { isFromProject } from '../load-settings.ts';
import { shellWord } from '../render/text.ts';

/** The options that name a model. */
export interface WriterFlags {
  /** The model that writes summaries. False after `--no-summarizer`. */
  readonly summarizer?: string | false;
  readonly baseUrl?: string;
  /** Its window, where nobody knows it. */
  readonly summarizerContextLength?: string;
}

/** A model to load; without a name it is the one that its address serves. */
export interface WantedModel {
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly contextLength?: number;
}

/** Who is to write. */
export type WriterChoice =
  | { readonly type: 'ledger'; readonly notes: readonly string[] }
  | {
      readonly type: 'model';
      readonly first: WantedModel;
      /** Asked once when the first one fails. */
      readonly fallback?: WantedModel;
      /** True when it was named on the command line: then it is an error when it cannot be used. */
      readonly isNamed: boolean;
      readonly notes: readonly string[];
    };

export interface WriterSettings {
  /** The configuration as it is. */
  readonly settings: LoadedConfig;
  /** The same without the project's file. */
  readonly own: LoadedConfig;
}

/**
 * Who writes. A model named by the flags goes before the configured one, which then steps in when it fails. A project's
 * file names no model by itself: whoever gets a project from somebody else would send the transcript, and a key, to an
 * address of their choice. Throws `BAD_OPTION` for flags that exclude each other.
 */
export function chooseWriter(flags: WriterFlags, { settings, own }: WriterSettings): WriterChoice {
  const { summarizer: model, baseUrl } = flags;
  if (model === false && baseUrl !== undefined) throw contradiction();
  if (model === false) return { type: 'ledger', notes: [] };
  const configured = own.config.auxiliary.compression;
  if (namesWriter(flags)) {
    return named(
      { ...(model === undefined ? {} : { model }), ...(baseUrl === undefined ? {} : { baseUrl }) },
      configured,
    );
  }
  const refused = projectNote(settings);
  const notes = refused === undefined ? [] : [refused];
  if (!isOwnModel(configured)) return { type: 'ledger', notes };
  const source = sourceOf(own.settings);
  if (configured.model === null && configured.provider === 'auto' && configured.baseUrl !== null) {
    const { baseUrl: address, contextLength } = configured;
    const first = { baseUrl: address, ...(contextLength === null ? {} : { contextLength }) };
    return { type: 'model', first, isNamed: false, notes: [...notes, configuredNote(first, source)] };
  }
  return configuredChoice(chooseSummarizer(configured), { notes, source });
}

/** True when the flags name a model that is to write: by its name, or by its address. */
export const namesWriter = ({ summarizer, baseUrl }: WriterFlags): boolean =>
  baseUrl !== undefined || typeof summarizer === 'string';

function named(first: WantedModel, configured: AuxiliaryModel): WriterChoice {
  if (first.model === undefined) return { type: 'model', first, isNamed: true, notes: [] };
  const { model, baseUrl } = first;
  const choice = chooseSummarizer(
    { ...configured, provider: 'auto', model, baseUrl: baseUrl ?? null, contextLength: null },
    fallbackOf(configured),
  );
  const fallback = choice.type === 'chosen' ? choice.fallback : undefined;
  return { type: 'model', first, ...(fallback ? { fallback } : {}), isNamed: true, notes: [] };
}

/** The configured model in the place of a session's main one. */
function fallbackOf(configured: AuxiliaryModel): NonNullable<Parameters<typeof chooseSummarizer>[1]> {
  const choice = isOwnModel(configured) ? chooseSummarizer(configured) : undefined;
  return choice?.type === 'chosen' ? { mainModel: choice.first } : {};
}

function configuredChoice(
  choice: SummarizerChoice,
  { notes, source }: { readonly notes: readonly string[]; readonly source: string },
): WriterChoice {
  if (choice.type === 'none') return { type: 'ledger', notes: [...notes, choice.reason] };
  const { first, fallback } = choice;
  return {
    type: 'model',
    first,
    ...(fallback ? { fallback } : {}),
    isNamed: false,
    notes: [...notes, configuredNote(first, source)],
  };
}

/** `auto` and `main` are models of a session, which a file has not. */
const isOwnModel = ({ provider, model, baseUrl }: AuxiliaryModel): boolean =>
  (provider !== 'auto' && provider !== 'main') || model !== null || baseUrl !== null;

const section = 'auxiliary.compression';
const guarded: readonly string[] = ['provider', 'model', 'base_url'].map((key) => `${section}.${key}`);

/** Where the first of the settings that name a model is from. */
function sourceOf(settings: readonly Setting[]): string {
  const found = settings.find(({ key, source }) => guarded.includes(key) && source.type !== 'default')?.source;
  if (found?.type === 'file') return found.path;
  return found?.type === 'environment' ? found.name : section;
}

/** As a person names it. */
export function wantedName({ provider, model = 'the model', baseUrl }: WantedModel): string {
  const name = provider === undefined ? model : `${provider}/${model}`;
  return baseUrl === undefined ? name : `${name} at ${baseUrl}`;
}

const configuredNote = (wanted: WantedModel, source: string): string =>
  `${wantedName(wanted)} writes the summary, as ${source} says (--no-summarizer turns that off)`;

/** Why the model that a project's file names is not used; undefined where it names none. */
function projectNote({ config, settings }: LoadedConfig): string | undefined {
  const given = settings.filter(({ key, source }) => guarded.includes(key) && isFromProject(source));
  const path = given[0]?.source.type === 'file' ? given[0].source.path : undefined;
  if (path === undefined) return undefined;
  const { provider, model, baseUrl } = config.auxiliary.compression;
  const isSession = provider === 'auto' || provider === 'main';
  const name = model === null ? undefined : isSession || model.includes('/') ? model : `${provider}/${model}`;
  const flags = [
    ...(name === undefined ? [] : [`--summarizer ${shellWord(name)}`]),
    ...(baseUrl === null ? [] : [`--base-url ${shellWord(baseUrl)}`]),
  ];
  const allow = flags.length > 0 ? `give ${flags.join(' ')}, or put` : 'put';
  const named = given.map(({ key }) => key.slice(section.length + 1)).join(', ');
  return (
    `the ${named} of ${section} in ${path} ${given.length === 1 ? 'is' : 'are'} ignored: a project's file must not ` +
    `decide where your transcript and your key go. To use ${given.length === 1 ? 'it' : 'them'}, ${allow} ` +
    `${section} into your own configuration`
  );
}

function contradiction(): PalimpsestError {
  return new PalimpsestError('BAD_OPTION', 'expected --base-url or --no-summarizer, got both: omit one of them');
}
