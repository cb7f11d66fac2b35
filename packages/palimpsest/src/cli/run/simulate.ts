/** `palimpsest simulate`: what conversations would have cost. */
import { type CacheLayout, PalimpsestError } from '@palimpsest/core';
import { type SimulationOptions, simulate } from '../../simulate/simulate.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { collectFiles } from '../import/collect-files.ts';
import { interruptible } from '../interruption.ts';
import { type InputFlags, type LoadedConversation, loadConversation } from '../load.ts';
import { loadSettings } from '../load-settings.ts';
import { progressCount } from '../progress.ts';
import { byModel, type PlayedConversation, simulationReport } from '../render/simulation-report.ts';
import { type Terminal, writeResult } from '../terminal.ts';
import { tokenCountOf } from '../token-count.ts';

export interface SimulateFlags extends InputFlags {
  readonly policy?: string;
  readonly model?: string;
  readonly contextLength?: string;
  readonly ttl?: '5m' | '1h';
  readonly layout?: CacheLayout;
  readonly summarizer?: string;
}

/** The model of a transcript that names none. */
const usualModel = 'claude-sonnet-5';

export async function runSimulate(
  paths: readonly string[],
  flags: SimulateFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const settings = await loadSettings(terminal);
  const { config } = settings;
  const { loaded, notes: unread } = await conversations(paths, flags, terminal);
  const options: Omit<SimulationOptions, 'model'> = {
    config: config.compression,
    ttl: flags.ttl ?? config.model.cacheTtl,
    ...(flags.contextLength === undefined
      ? {}
      : { contextLength: tokenCountOf('--context-length', flags.contextLength) }),
    ...(flags.policy === undefined ? {} : { policies: names('--policy', flags.policy) }),
    ...(flags.layout === undefined ? {} : { layout: flags.layout }),
    ...(flags.summarizer === undefined ? {} : { summarizer: flags.summarizer }),
  };
  const played = await playAll(loaded, { options, flags, terminal });
  const models = byModel(played, config.compression);
  const notes = [...new Set([...settings.notes, ...unread, ...notesOn(played, flags)])];
  const json = (): object => ({ command: 'simulate', ttl: options.ttl, models });
  await writeResult({ json, notes, lines: (screen) => simulationReport(models, screen) }, flags, terminal);
  return exitCodes.fine;
}

function names(flag: string, list: string): readonly string[] {
  const found = list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  if (found.length > 0) return found;
  const message = `expected names after ${flag}, separated by commas, got ${JSON.stringify(list)}: omit the option for the default`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { flag } });
}

interface Conversations {
  readonly loaded: readonly LoadedConversation[];
  readonly notes: readonly string[];
}

/** Every file that was named has to be a transcript; what lies in a folder may be anything. */
async function conversations(
  paths: readonly string[],
  flags: SimulateFlags,
  terminal: Terminal,
): Promise<Conversations> {
  if (flags.example || paths.length === 0)
    return { loaded: [await loadConversation(paths[0], flags, { terminal })], notes: [] };
  const { files, unreadable } = await collectFiles(paths, { cwd: terminal.cwd });
  const loaded: LoadedConversation[] = [];
  const notes = unreadable.map(({ label, reason }) => `${label}: ${reason}`);
  for (const { label } of files) {
    try {
      loaded.push(await loadConversation(label, flags, { terminal }));
    } catch (error) {
      if (paths.includes(label) || !PalimpsestError.isInstance(error)) throw error;
      notes.push(`skipped ${label}: ${error.message}`);
    }
  }
  if (loaded.length > 0) return { loaded, notes };
  throw new PalimpsestError('FILE_UNREADABLE', `expected a transcript, found none in ${paths.join(', ')}`);
}

interface Work {
  readonly options: Omit<SimulationOptions, 'model'>;
  readonly flags: SimulateFlags;
  readonly terminal: Terminal;
}

async function playAll(
  loaded: readonly LoadedConversation[],
  { options, flags, terminal }: Work,
): Promise<readonly PlayedConversation[]> {
  const work = loaded.flatMap((one) => modelsFor(one, flags).map((model) => ({ one, model })));
  const progress = progressCount(terminal, 'simulating', flags);
  const played: PlayedConversation[] = [];
  try {
    await interruptible(
      terminal,
      async (signal) => {
        for (const [at, { one, model }] of work.entries()) {
          const { tools = [] } = one.transcript;
          const onProgress = (done: number, all: number): void => progress.advance(at * all + done, work.length * all);
          const simulation = await simulate(
            { messages: one.messages, tools },
            { ...options, model, onProgress, signal },
          );
          played.push({ loaded: one, simulation });
        }
      },
      'interrupted: nothing was written',
    );
  } finally {
    progress.end();
  }
  return played;
}

function modelsFor({ transcript, messages }: LoadedConversation, { model }: SimulateFlags): readonly string[] {
  if (model !== undefined) return names('--model', model);
  return [transcript.model ?? messages.findLast((message) => message.model)?.model ?? usualModel];
}

function notesOn(played: readonly PlayedConversation[], { model }: SimulateFlags): readonly string[] {
  const isAssumed = model === undefined && played.some(({ loaded }) => modelsFor(loaded, {})[0] === usualModel);
  const many = new Set(played.map(({ loaded }) => loaded)).size > 1;
  const prefix = ({ loaded }: PlayedConversation): string => (many ? `${loaded.title}: ` : '');
  return [
    ...(isAssumed
      ? [
          `the transcript names no model: using the prices and cache rules of ${usualModel} (choose others with --model)`,
        ]
      : []),
    ...played
      .filter(({ simulation }) => simulation.calls === 0)
      .map((one) => `${prefix(one)}it has no answer of an assistant, so there is no call to replay`),
    ...played.flatMap((one) => one.loaded.notes.map((note) => prefix(one) + note)),
    ...played.flatMap((one) =>
      one.simulation.notes.map((note) => (note.startsWith('the transcript') ? prefix(one) : '') + note),
    ),
  ];
}
