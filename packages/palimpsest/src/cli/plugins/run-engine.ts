/** The context engine that a name stands for, and the one that a command compresses with. */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { PalimpsestError } from '@palimpsest/core';
import { badPlugin, reasonOf } from '@palimpsest/core/engine';
import { nearest } from '@palimpsest/core/settings';
import {
  builtInEngines,
  type ChooseEngineOptions,
  type ChosenEngine,
  chooseEngine,
  loadLimit,
} from '../../plugins/choose-engine.ts';
import { findPlugin, findPlugins } from '../../plugins/load-plugin.ts';
import { visible } from '../../terminal/visible.ts';
import { exitCodes } from '../exit-codes.ts';
import { badOption, given } from '../option-values.ts';
import { linesOf } from '../render/text.ts';
import type { HeardSettings } from '../settings.ts';
import { type Terminal, writeNotes } from '../terminal.ts';
import type { Measure } from '../window.ts';
import type { WritingFlags } from '../writer/choose-writer.ts';
import type { Watch } from './watchdog-worker.ts';

const builtIn = 'compressor';

interface DoorOptions extends Pick<ChooseEngineOptions, 'compressor' | 'onFailure' | 'onNotice'> {
  readonly terminal: Terminal;
  readonly containment: Containment;
}

/** Never throws for what is wrong with a plugin: `warning` says it, and the built-in engine runs. */
export async function engineFor(
  { engine, plugins, places }: Pick<HeardSettings, 'engine' | 'plugins' | 'places'>,
  { terminal, containment, ...options }: DoorOptions,
): Promise<ChosenEngine> {
  const timeoutMs = plugins.timeoutSeconds * 1_000;
  const choose = (): Promise<ChosenEngine> =>
    chooseEngine({ ...options, timeoutMs, name: engine, places, options: plugins.options });
  const limitMs = builtInEngines.includes(engine) ? undefined : loadLimit(timeoutMs);
  const chosen = await containment
    .run({ name: engine, limitMs }, choose)
    .catch((error: unknown) => unloaded(engine, error));
  const isForeign = chosen.from !== 'built-in' || chosen.problem !== undefined;
  if (isForeign) terminal.onPluginRun?.();
  else containment[Symbol.dispose]();
  return chosen;
}

/** It failed behind the back of its loading. */
function unloaded(engine: string, error: unknown): ChosenEngine {
  if (!isPluginFailure(error)) throw error;
  const problem = `could not be loaded: it failed outside any call (${reasonOf(error.cause)})`;
  return { name: builtIn, from: 'built-in', problem, warning: insteadOf(engine, problem) };
}

const insteadOf = (engine: string, problem: string): string =>
  `The context engine "${engine}" ${problem}; "${builtIn}" is used instead.`;

/** True for what is thrown where the code of a plugin is to blame. */
export const isPluginFailure = (error: unknown): error is PalimpsestError =>
  PalimpsestError.isInstance(error) && error.code === 'BAD_PLUGIN';

/** What to say of an engine that a person has typed and that is not to be had. */
export async function missingEngine(name: string, problem: string, heard: HeardSettings): Promise<PalimpsestError> {
  const found = await findPlugins(heard.places);
  const names = [...builtInEngines, ...found.map((plugin) => plugin.name)];
  const near = nearest(name, names);
  const trust = heard.isTrusted ? '' : '; plugins of a project only if you trust it (palimpsest plugins trust)';
  const lists = ` palimpsest plugins lists the engines${trust}.`;
  const next = names.includes(name) ? '' : near === undefined ? lists : ` Did you mean ${near}?`;
  const message = `The context engine "${name}" ${problem}. Nothing was written.${next}`;
  return new PalimpsestError('BAD_PLUGIN', message, { evidence: { name } });
}

/** The engine that runs, and what to tell a person where it is not the one of the configuration. */
export interface EngineName {
  readonly engine: string;
  readonly warning?: string;
}

/**
 * Which engine would run, as far as that can be told without running code; one that only its own code can name, in a
 * package that was named, is taken at its word.
 */
export async function engineName({ engine, places }: Pick<HeardSettings, 'engine' | 'places'>): Promise<EngineName> {
  if (builtInEngines.includes(engine)) return { engine };
  const found = await findPlugin('context_engine', engine, places);
  if (found?.manifest) return { engine };
  const packages = await findPlugins({ ...places, folders: [] });
  const mayHaveIt = packages.some(
    ({ name, manifest }) => manifest?.kind === 'general' || (manifest?.kind === 'context_engine' && name === engine),
  );
  if (found === undefined && mayHaveIt) return { engine };
  const problem = found?.problem === undefined ? 'is not known' : `cannot be used: ${found.problem}`;
  return { engine: builtIn, warning: insteadOf(engine, problem) };
}

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

interface Known {
  readonly heard: HeardSettings;
  readonly measure: Measure;
  readonly terminal: Terminal;
  readonly containment: Containment;
}

export interface EngineFlags extends WritingFlags {
  readonly engine?: string;
  readonly focus?: string;
  readonly template?: 'handoff' | 'progress' | 'brief';
}

/**
 * The engine that was typed, else the configured one. Throws `BAD_PLUGIN` for a typed one that is not to be had, and
 * `BAD_OPTION` for an option beside another engine that only the built-in one hears.
 */
export async function runEngineFor(flags: EngineFlags, known: Known): Promise<RunEngine> {
  const { heard, measure, terminal, containment } = known;
  const { engine } = flags;
  const asked = engine ?? heard.engine;
  const notices: string[] = [];
  const { model, window, tokenizer } = measure;
  const config = heard.all.config.compression;
  const chosen = await engineFor(
    { ...heard, engine: asked },
    {
      compressor: { ...given({ model }), contextLength: window.tokens, tokenizer, config },
      onFailure: 'throw',
      onNotice: (notice) => void notices.push(notice),
      terminal,
      containment,
    },
  );
  if (engine !== undefined && chosen.problem !== undefined) throw await missingEngine(asked, chosen.problem, heard);
  if (chosen.engine) refuseUnheard(flags, chosen.name);
  const limitMs = heard.plugins.timeoutSeconds * 1_000;
  return { asked, isNamed: engine !== undefined, chosen, containment, limitMs, notices };
}

function refuseUnheard({ target, template, baseUrl, summarizer }: EngineFlags, engine: string): void {
  const unheard = linesOf(
    target !== undefined && '--target',
    template !== undefined && '--template',
    baseUrl !== undefined && '--base-url',
    baseUrl === undefined && typeof summarizer === 'string' && '--summarizer',
  );
  if (unheard.length === 0) return;
  const [are, them] = unheard.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const options = unheard.join(', ');
  const message = `${options} ${are} for the built-in engine only, but "${engine}" is chosen: omit ${them}, or use --engine compressor`;
  throw badOption(message, { engine, options });
}

export interface EngineFacts extends Pick<ChosenEngine, 'name' | 'from' | 'warning'> {
  readonly asked: string;
}

/** True where the work was done by what ships with Palimpsest. */
export const isBuiltIn = ({ from }: EngineFacts): boolean => from === 'built-in';

/** The work of the engine that was asked for. Throws `BAD_PLUGIN` where a typed one fails; for a configured one ours steps in. */
export function insteadOfFailed({ asked, isNamed, chosen }: RunEngine, error: unknown): EngineFacts {
  if (!isPluginFailure(error)) throw error;
  const { name } = chosen;
  if (!isNamed)
    return { name: builtIn, from: 'built-in', asked, warning: `${error.message}; "${builtIn}" compressed instead.` };
  const message = `${error.message}. Nothing was changed: fix it (palimpsest plugins check), or omit --engine.`;
  throw new PalimpsestError('BAD_PLUGIN', message, { evidence: { name }, cause: error });
}

// Keeps what the code of plugins does to the process within bounds while a command runs it.

/** A command that may run code of plugins; to be disposed of when it is done with them, as often as one likes. */
export interface Containment extends Disposable {
  /**
   * What the work gives. What the code prints meanwhile goes to standard error. Throws what the work throws, and
   * `BAD_PLUGIN` that names the engine where its code fails outside of every call. From then on, until it is disposed of,
   * nothing but the command itself ends the process: an exit fails, a failure is told. Code that does not let go of the
   * processor for longer than `limitMs` ends the command.
   */
  run<T>({ name, limitMs }: ContainedCode, work: () => Promise<T>): Promise<T>;
}

interface ContainedCode {
  /** Of the engine. */
  readonly name: string;
  /** How long the work itself waits for it, in milliseconds; undefined where its code is most likely ours. */
  readonly limitMs: number | undefined;
}

/** What the work needs beside to find out that it has waited long enough. */
const marginMs = 2_000;

export function containPlugins(terminal: Terminal): Containment {
  let fail: ((error: unknown) => void) | undefined;
  let release: (() => void) | undefined;
  const escaped = (error: unknown): void => {
    if (fail) fail(error);
    else void writeNotes({ ...terminal, quiet: false }, [`A plugin failed outside any call (${reasonOf(error)}).`]);
  };
  return {
    async run({ name, limitMs }, work) {
      // A worker of its own is only started where there is something to watch.
      using _watch = limitMs === undefined ? undefined : await watchPlugin(name, limitMs + marginMs, terminal);
      release ??= holdProcess(escaped);
      const { promise: failed, reject } = Promise.withResolvers<never>();
      fail = (error) =>
        reject(badPlugin(`The context engine "${name}" failed outside any call (${reasonOf(error)})`, error));
      const restore = printAside();
      try {
        return await Promise.race([work(), failed]);
      } finally {
        restore();
        fail = undefined;
      }
    },
    [Symbol.dispose]: () => {
      release?.();
      release = undefined;
    },
  };
}

/** Gives back what lets go of it. */
function holdProcess(escaped: (error: unknown) => void): () => void {
  const { exit } = process;
  process.exit = (code) => {
    throw new Error(`it called process.exit(${code ?? ''})`);
  };
  process.on('uncaughtException', escaped).on('unhandledRejection', escaped);
  return () => {
    process.exit = exit;
    process.off('uncaughtException', escaped).off('unhandledRejection', escaped);
  };
}

/** What a plugin prints is not what the command prints. Gives back what ends it. */
function printAside(): () => void {
  const { stdout, stderr } = process;
  const { write } = stdout;
  stdout.write = stderr.write.bind(stderr);
  return () => {
    stdout.write = write;
  };
}

// Ends a command where the code of a plugin never lets go of the processor: no time limit could.

const beatMs = 100;

/**
 * Watches until it is disposed of; the code is to be run when the promise is fulfilled. Meanwhile Ctrl-C ends the process
 * also where the code does not let go of the processor.
 */
async function watchPlugin(name: string, limitMs: number, { json }: Terminal): Promise<Disposable> {
  const beat = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const seconds = Math.round(limitMs / 1_000);
  const message = `The context engine "${name}" blocked the process for ${seconds} seconds, so the command was stopped. Nothing was changed: check the engine (palimpsest plugins check), or use another (palimpsest plugins use compressor).`;
  const document = { error: { code: 'BAD_PLUGIN', message, evidence: { name } } };
  const lastWords = {
    stderr: `palimpsest: ${visible(message)}\n`,
    stdout: json ? `${JSON.stringify(document, null, 2)}\n` : '',
  };
  const worker = new Worker(new URL(import.meta.resolve('#watchdog-worker')), {
    workerData: { beat, limitMs, lastWords, exitCode: exitCodes.input } satisfies Watch,
  });
  await once(worker, 'online');
  worker.unref();
  const listeners = process.listeners('SIGINT');
  const listen = (): void => {
    if (process.listenerCount('SIGINT') === 0) for (const listener of listeners) process.on('SIGINT', listener);
  };
  const timer = setInterval(() => {
    listen();
    Atomics.add(beat, 0, 1);
    Atomics.notify(beat, 0);
  }, beatMs);
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      listen();
      void worker.terminate();
    },
  };
}
