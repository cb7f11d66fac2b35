/** Which engine a command compresses with, and what is done where it fails. */
import { PalimpsestError } from '@palimpsest/core';
import type { ChosenEngine } from '../../plugins/choose-engine.ts';
import type { Terminal } from '../terminal.ts';
import type { Measure } from '../window.ts';
import { namesWriter, type WriterChoice } from '../writer/choose-writer.ts';
import type { WritingFlags } from '../writer/writer-for.ts';
import type { Containment } from './containment.ts';
import { engineFor, isPluginFailure, missingEngine } from './engine-for.ts';
import type { HeardSettings } from './heard-settings.ts';

/** The option that names an engine for one run. */
export interface EngineFlags {
  readonly engine?: string;
}

/** The engine of a run. */
export interface RunEngine {
  /** As it was typed or configured. */
  readonly asked: string;
  /** True when it was typed: then it is an error when it cannot be used. */
  readonly isNamed: boolean;
  readonly chosen: ChosenEngine;
  readonly containment: Containment;
  /** How long it may take, in milliseconds. */
  readonly limitMs: number;
  /** What went wrong with it, in lines for people. */
  readonly notices: string[];
}

/** Which engine has done the work. */
export interface EngineFacts {
  readonly name: string;
  /** `built-in`, or where it was found. */
  readonly from: string;
  readonly asked: string;
  /** Set where another one was asked for: what to tell the person. */
  readonly warning?: string;
}

interface Known {
  readonly heard: HeardSettings;
  readonly measure: Measure;
  readonly terminal: Terminal;
  readonly containment: Containment;
}

/** The engine that was typed, else the configured one. Throws `BAD_PLUGIN` for a typed one that is not to be had. */
export async function runEngineFor(
  { engine }: EngineFlags,
  { heard, measure, terminal, containment }: Known,
): Promise<RunEngine> {
  const asked = engine ?? heard.engine;
  const notices: string[] = [];
  const { model, window, tokenizer } = measure;
  const chosen = await engineFor(
    { ...heard, engine: asked },
    {
      compressor: {
        ...(model === undefined ? {} : { model }),
        contextLength: window.tokens,
        tokenizer,
        config: heard.all.config.compression,
      },
      onFailure: 'throw',
      onNotice: (notice) => void notices.push(notice),
      terminal,
      containment,
    },
  );
  if (engine !== undefined && chosen.problem !== undefined) throw await missingEngine(asked, chosen.problem, heard);
  return {
    asked,
    isNamed: engine !== undefined,
    chosen,
    containment,
    limitMs: heard.plugins.timeoutSeconds * 1_000,
    notices,
  };
}

/** Throws `BAD_OPTION` for an option beside another engine that only the built-in one hears. */
export function refuseUnheard(flags: WritingFlags & { readonly template?: string }, { chosen }: RunEngine): void {
  if (!chosen.engine) return;
  const given = [
    ...(flags.target === undefined ? [] : ['--target']),
    ...(flags.template === undefined ? [] : ['--template']),
    ...(flags.baseUrl === undefined ? [] : ['--base-url']),
    ...(namesWriter(flags) && flags.baseUrl === undefined ? ['--summarizer'] : []),
  ];
  if (given.length === 0) return;
  const [verb, it] = given.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const message = `${given.join(', ')} ${verb} for the built-in engine only, but "${chosen.name}" is chosen: omit ${it}, or use --engine compressor`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { engine: chosen.name, options: given.join(', ') } });
}

/** The engine as it was chosen. */
export const engineFacts = ({ asked, chosen: { name, from, warning } }: RunEngine): EngineFacts => ({
  name,
  from,
  asked,
  ...(warning === undefined ? {} : { warning }),
});

/** What a person is told of it. */
export const warningOf = ({ warning }: EngineFacts): readonly string[] => (warning === undefined ? [] : [warning]);

/** What makes an engine for a session. */
export type EngineMaker = NonNullable<ChosenEngine['engine']>;

/** The two ways to compress. */
export interface Ways<T> {
  /** With an engine of others; to change nothing where it throws. */
  readonly theirs: (make: EngineMaker) => Promise<T>;
  readonly ours: () => Promise<T>;
}

/** What was made, and by which engine. */
export interface MadeBy<T> {
  readonly made: T;
  readonly engine: EngineFacts;
}

/**
 * The work of the engine. Where a configured one fails the built-in one does the work, as without a plugin, and the facts
 * say so; where one was typed, `BAD_PLUGIN` is thrown with its name and the reason.
 */
export async function madeBy<T>(run: RunEngine, { theirs, ours }: Ways<T>): Promise<MadeBy<T>> {
  const { asked, isNamed, chosen } = run;
  const { engine: make, name } = chosen;
  if (!make) return { made: await ours(), engine: engineFacts(run) };
  try {
    return { made: await theirs(make), engine: engineFacts(run) };
  } catch (error) {
    if (!isPluginFailure(error)) throw error;
    if (isNamed) throw failed(error, name);
    const facts = { name: builtIn, from: 'built-in', asked };
    return {
      made: await ours(),
      engine: { ...facts, warning: `${error.message}; "${builtIn}" compressed instead.` },
    };
  }
}

const builtIn = 'compressor';

function failed(error: PalimpsestError, name: string): PalimpsestError {
  const message = `${error.message}. Nothing was changed: fix it (palimpsest plugins check), or omit --engine.`;
  return new PalimpsestError('BAD_PLUGIN', message, { evidence: { name }, cause: error });
}

/** True where the work was done by what ships with Palimpsest. */
export const isBuiltIn = ({ from }: EngineFacts): boolean => from === 'built-in';

/** The engine in a JSON document. */
export const engineDocument = ({
  name,
  from,
  asked,
  warning,
}: EngineFacts): Readonly<Record<string, string | null>> => ({
  name,
  from,
  asked,
  warning: warning ?? null,
});

/** What is said about the model that is to write: another engine than ours has none of it. */
export function writerNotes({ type, notes }: WriterChoice, engine: EngineFacts): readonly string[] {
  if (isBuiltIn(engine)) return notes;
  if (type === 'ledger') return [];
  return [`No model writes the summary: the engine "${engine.name}" does not use the configured one.`];
}
