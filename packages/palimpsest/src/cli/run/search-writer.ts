/** Who sums up what a search found: a model that was named, else the configured one, else nobody. */
import { PalimpsestError, type Summarizer } from '@palimpsest/core';
import type { SessionSearchConfig } from '../../config/config.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { chooseSummarizer } from '../../models/choose-summarizer.ts';
import { isFromProject, loadOwnSettings, loadSettings } from '../load-settings.ts';
import type { Terminal } from '../terminal.ts';
import type { WantedModel, WriterFlags } from '../writer/choose-writer.ts';
import { namesWriter, wantedName } from '../writer/choose-writer.ts';
import { loadWriter } from '../writer/load-writer.ts';

export interface SearchWriter {
  readonly config: SessionSearchConfig;
  /** Undefined where nobody is to write. */
  readonly model: Summarizer | undefined;
  readonly notes: readonly string[];
}

const section = 'auxiliary.session_search';
const guarded: readonly string[] = ['provider', 'model', 'base_url'].map((key) => `${section}.${key}`);

/**
 * The model of a search. A project's file names none: whoever gets a project from somebody else would send the
 * conversations of all other projects, and a key, to an address of their choice.
 * @throws SummarizerError `no_provider` when a model that was named cannot be used
 * @throws BAD_OPTION for flags that exclude each other, and for a base URL that is none
 */
export async function searchWriter(flags: WriterFlags, terminal: Terminal): Promise<SearchWriter> {
  const own = await loadOwnSettings(terminal);
  const config = own.config.auxiliary.sessionSearch;
  const notes = [...own.notes, ...refusedNotes(await loadSettings(terminal))];
  const wanted = wantedModel(flags, config);
  if (!wanted) return { config, model: undefined, notes };
  const { first } = await loadWriter(
    { type: 'model', first: wanted, isNamed: namesWriter(flags), notes: [] },
    { env: terminal.env, timeouts: config },
  );
  const note = `${wantedName(wanted)} writes a summary of each conversation, as ${section} says (--no-summarizer turns that off)`;
  return { config, model: first, notes: namesWriter(flags) ? notes : [...notes, note] };
}

function wantedModel(flags: WriterFlags, config: SessionSearchConfig): WantedModel | undefined {
  const { summarizer: model, baseUrl } = flags;
  if (model === false && baseUrl !== undefined) {
    throw new PalimpsestError('BAD_OPTION', 'expected --base-url or --no-summarizer, got both: omit one of them');
  }
  if (model === false) return undefined;
  if (namesWriter(flags)) {
    return { ...(model === undefined ? {} : { model }), ...(baseUrl === undefined ? {} : { baseUrl }) };
  }
  if (config.model === null && config.baseUrl !== null) return { baseUrl: config.baseUrl };
  const choice = chooseSummarizer(config);
  return choice.type === 'chosen' ? choice.first : undefined;
}

function refusedNotes({ settings }: LoadedConfig): readonly string[] {
  const given = settings.filter(({ key, source }) => guarded.includes(key) && isFromProject(source));
  if (given.length === 0) return [];
  const keys = given.map(({ key }) => key).join(', ');
  return [
    `${keys} in the project's configuration ${given.length === 1 ? 'is' : 'are'} ignored: set ${section} in your own.`,
  ];
}
