/** Who writes the summary: what was typed, else what the person configured, else the ledger. */
import type { AuxiliaryModel } from '../../config/config.ts';
import type { LoadedConfig, Setting } from '../../config/load.ts';
import { chooseSummarizer, knownProvider, type SummarizerChoice } from '../../models/resolve-model.ts';
import { badOption, bothGiven, given } from '../option-values.ts';
import { linesOf, shellWord } from '../render/text.ts';
import { type HeardSettings, isFromProject } from '../settings.ts';
import type { ModelFlags } from '../window.ts';

export interface WriterFlags {
  /** False after `--no-summarizer`. */
  readonly summarizer?: string | false;
  readonly baseUrl?: string;
  /** Its window, where nobody knows it. */
  readonly summarizerContextLength?: string;
}

export interface WritingFlags extends WriterFlags, ModelFlags {
  readonly target?: string;
}

export type Typed<Flags extends WritingFlags> = Omit<Flags, 'model'> & {
  /** False after `--no-model`, as `--no-summarizer` was written once. */
  readonly model?: string | false;
};

/** Whose tokens are counted, and who writes. Throws `BAD_OPTION` where `--model` names the writer, as it did once. */
export function modelFlags({
  model,
  summarizer,
  baseUrl,
}: Pick<Typed<WritingFlags>, 'model' | 'summarizer' | 'baseUrl'>): Pick<WritingFlags, 'model' | 'summarizer'> {
  if (model === false) return { summarizer: summarizer ?? false };
  const provider = model === undefined ? undefined : knownProvider(model);
  const isWriter = summarizer === undefined && (provider !== undefined || baseUrl !== undefined);
  if (model === undefined || !isWriter) return given({ model, summarizer });
  const plain = provider === undefined ? model : model.slice(model.indexOf('/') + 1);
  const beside = baseUrl === undefined ? '' : ' beside --summarizer';
  const message = `--model names the model of the conversation. To let ${model} write the summary, use --summarizer ${shellWord(model)}; to count its tokens, use --model ${shellWord(plain)}${beside}`;
  throw badOption(message, { option: '--model' });
}

/** A model to load; without a name it is the one that its address serves. */
export interface WantedModel {
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly contextLength?: number;
}

export interface WriterChoice {
  readonly first?: WantedModel | undefined;
  /** Asked once when the first one fails. */
  readonly fallback?: WantedModel | undefined;
  /** True when it was named on the command line: then it is an error when it cannot be used. */
  readonly isNamed: boolean;
  readonly notes: readonly string[];
}

/** The model that the flags name; null for none at all, undefined where they say nothing. */
export function namedModel({ summarizer: model, baseUrl }: WriterFlags): WantedModel | null | undefined {
  if (model === false && baseUrl !== undefined) throw bothGiven('--base-url', '--no-summarizer');
  if (model === false) return null;
  return model === undefined && baseUrl === undefined ? undefined : given({ model, baseUrl });
}

/**
 * Who writes. A model named by the flags goes before the configured one, which then steps in when it fails. A project's
 * file names no model by itself: whoever gets a project from somebody else would send the transcript, and a key, to an
 * address of their choice. Throws `BAD_OPTION` for flags that exclude each other.
 */
export function chooseWriter(flags: WriterFlags, { all, own }: Pick<HeardSettings, 'all' | 'own'>): WriterChoice {
  const first = namedModel(flags);
  if (first === null) return { isNamed: false, notes: [] };
  const configured = own.config.auxiliary.compression;
  if (first) return { first, fallback: fallbackOf(first, configured), isNamed: true, notes: [] };
  const refused = projectNote(all);
  if (!isOwnModel(configured)) return { isNamed: false, notes: linesOf(refused) };
  const { provider, model, baseUrl, contextLength } = configured;
  const choice: SummarizerChoice | { type: 'chosen'; first: WantedModel } =
    model === null && provider === 'auto' && baseUrl !== null
      ? { type: 'chosen', first: given({ baseUrl, contextLength: contextLength ?? undefined }) }
      : chooseSummarizer(configured);
  if (choice.type === 'none') return { isNamed: false, notes: linesOf(refused, choice.reason) };
  const note = `${wantedName(choice.first)} writes the summary, as ${sourceOf(own.settings)} says (--no-summarizer turns that off)`;
  return { ...choice, isNamed: false, notes: linesOf(refused, note) };
}

/** The configured model in the place of a session's main one. */
function fallbackOf({ model, baseUrl }: WantedModel, configured: AuxiliaryModel): WantedModel | undefined {
  if (model === undefined) return undefined;
  const main = isOwnModel(configured) ? chooseSummarizer(configured) : undefined;
  const choice = chooseSummarizer(
    { ...configured, provider: 'auto', model, baseUrl: baseUrl ?? null, contextLength: null },
    main?.type === 'chosen' ? { mainModel: main.first } : {},
  );
  return choice.type === 'chosen' ? choice.fallback : undefined;
}

/** `auto` and `main` are models of a session, which a file has not. */
const isOwnModel = ({ provider, model, baseUrl }: AuxiliaryModel): boolean =>
  (provider !== 'auto' && provider !== 'main') || model !== null || baseUrl !== null;

const section = 'auxiliary.compression';
const guarded = ['provider', 'model', 'base_url'];

/** Where the first of the settings that name a model is from. */
function sourceOf(settings: readonly Setting[]): string {
  const keys = guarded.map((key) => `${section}.${key}`);
  const found = settings.find(({ key, source }) => keys.includes(key) && source.type !== 'default')?.source;
  if (found?.type === 'file') return found.path;
  return found?.type === 'environment' ? found.name : section;
}

export function wantedName({ provider, model = 'the model', baseUrl }: WantedModel): string {
  const name = provider === undefined ? model : `${provider}/${model}`;
  return baseUrl === undefined ? name : `${name} at ${baseUrl}`;
}

const refusedIn = ({ settings }: LoadedConfig, of: string): readonly Setting[] =>
  settings.filter(({ key, source }) => guarded.some((one) => key === `${of}.${one}`) && isFromProject(source));

/** What a project's file says in a section of who is to write, and is not heard. */
export const refusedKeys = (config: LoadedConfig, of: string): readonly string[] =>
  refusedIn(config, of).map(({ key }) => key.slice(of.length + 1));

/** Why the model that a project's file names is not used; undefined where it names none. */
function projectNote(all: LoadedConfig): string | undefined {
  const [first, ...others] = refusedIn(all, section);
  if (first?.source.type !== 'file') return undefined;
  const { provider, model, baseUrl } = all.config.auxiliary.compression;
  const isSession = provider === 'auto' || provider === 'main';
  const name = model === null ? undefined : isSession || model.includes('/') ? model : `${provider}/${model}`;
  const flags = linesOf(
    name !== undefined && `--summarizer ${shellWord(name)}`,
    baseUrl !== null && `--base-url ${shellWord(baseUrl)}`,
  );
  const allow = flags.length > 0 ? `give ${flags.join(' ')}, or put` : 'put';
  const [are, them] = others.length === 0 ? ['is', 'it'] : ['are', 'them'];
  return (
    `the ${refusedKeys(all, section).join(', ')} of ${section} in ${first.source.path} ${are} ignored: a project's file must not ` +
    `decide where your transcript and your key go. To use ${them}, ${allow} ` +
    `${section} into your own configuration`
  );
}
