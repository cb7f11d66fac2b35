/** `palimpsest memory status`: whether the memory provider really keeps what it is given. */
import { randomUUID } from 'node:crypto';
import { PalimpsestError, redact } from '@palimpsest/core';
import { inTime } from '@palimpsest/core/engine';
import { type MemoryProvider, type ProbeResult, probeProvider } from '@palimpsest/core/memory';
import { platformTimers } from '@palimpsest/core/settings';
import { glyph, type Screen, styled } from '../../terminal/screen.ts';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import {
  addressOf,
  clientOf,
  makeProvider,
  type NamedProvider,
  type ProviderClient,
  questionsOf,
} from '../memory-provider.ts';
import { given } from '../option-values.ts';
import { linesOf, oneLine, wrap } from '../render/text.ts';
import { type HeardSettings, heardSettings, providerNotes } from '../settings.ts';
import { type Terminal, writeResult } from '../terminal.ts';

type FailedStep = Extract<ProbeResult, { type: 'failed' }>['step'];

/** What became of the check; `load` and `client` are before the probe. */
type Outcome =
  | Exclude<ProbeResult, { type: 'failed' }>
  | {
      readonly type: 'failed';
      readonly step: FailedStep | 'load' | 'client';
      readonly reason: string;
      /** What to do. */
      readonly advice: string;
    };

interface Checked {
  readonly from?: string;
  readonly client?: ProviderClient;
  readonly outcome: Outcome;
}

export async function runMemoryStatus({ terminal }: Call<object>): Promise<ExitCode> {
  const heard = await heardSettings(terminal);
  const { provider: name, providers } = heard.memory;
  const named = name === null ? undefined : { name, settings: providers[name] ?? {} };
  const checked = named && (await checkProvider(named, heard, terminal));
  const address = named && addressOf(named, terminal);
  await writeResult(terminal, {
    // docs/guide/memory-providers.md describes it.
    json: () => ({
      command: 'memory status',
      provider: name,
      from: checked?.from ?? null,
      address: address ?? null,
      client: checked?.client ?? null,
      result: checked?.outcome ?? null,
    }),
    notes: linesOf(heard.all.notes, heard.notes, providerNotes(heard)),
    lines: (screen) =>
      named && checked
        ? checkedLines(named.name, { ...checked, ...given({ address }) }, screen)
        : ['no memory provider is set: the built-in memory works alone. To add one: palimpsest memory setup'],
  });
  return checked?.outcome.type === 'failed' ? exitCodes.finding : exitCodes.fine;
}

async function checkProvider(named: NamedProvider, heard: HeardSettings, terminal: Terminal): Promise<Checked> {
  let made: Awaited<ReturnType<typeof makeProvider>>;
  try {
    made = await makeProvider(named, heard, terminal);
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error;
    const advice = 'Correct it, or choose another one: palimpsest memory setup NAME';
    return { outcome: { type: 'failed', step: 'load', reason: oneLine(redact(error.message)), advice } };
  }
  const { provider, from } = made;
  const client = await clientOf(named.name, terminal);
  if (client?.installed === false) {
    const reason = `its client, the package ${client.package}, is not installed`;
    return {
      from,
      client,
      outcome: { type: 'failed', step: 'client', reason, advice: `Install it: ${client.install}` },
    };
  }
  const marker = `palimpsest-probe-${randomUUID()}`;
  const session = { sessionId: 'palimpsest-status', project: terminal.cwd };
  const result = await probeProvider(provider, { marker, session });
  await stop(provider);
  const outcome = result.type === 'failed' ? { ...result, advice: adviceFor(result.step, named.name, marker) } : result;
  return { from, ...given({ client }), outcome };
}

/** What was found stands, however the provider ends. */
async function stop(provider: MemoryProvider): Promise<void> {
  await inTime({ timers: platformTimers, timeoutMs: 5_000 }, async (signal) => provider.stop?.({ signal })).catch(
    () => undefined,
  );
}

function adviceFor(step: FailedStep, name: string, marker: string): string {
  const settings = questionsOf(name).flatMap(({ key, variable }) =>
    ['api_key', 'base_url', 'command'].includes(key)
      ? [`memory.providers.${name}.${key}${variable === undefined ? '' : ` or ${variable}`}`]
      : [],
  );
  const check = settings.length === 0 ? 'Check its settings' : `Check ${settings.join(', ')}`;
  switch (step) {
    case 'settings':
      return `Set what is missing, or run: palimpsest memory setup ${name}`;
    case 'start':
    case 'write':
      return `${check}, and whether it runs. Until then it saves nothing; the built-in memory is not affected`;
    case 'read':
      return 'It took a note and did not give it back: what it is given may be lost. Look at its own log or dashboard';
    case 'remove':
      return `It keeps what it is given, but the note of this check may still be there: remove ${marker}`;
    default:
      return step satisfies never;
  }
}

const stepWords: Readonly<Record<FailedStep | 'load' | 'client', string>> = {
  load: 'it cannot be used',
  client: 'its client is missing',
  settings: 'its settings are not complete',
  start: 'it could not be started',
  write: 'it could not write a note',
  read: 'it could not read a note back',
  remove: 'it could not remove a note',
};

function checkedLines(
  name: string,
  { from, client, outcome, address }: Checked & { readonly address?: string },
  screen: Screen,
): readonly string[] {
  const about = linesOf(from, address, client && `client ${client.package}`).join(', ');
  return linesOf(
    `${styled(oneLine(name), 'bold', screen)}${about === '' ? '' : `  ${styled(oneLine(about), 'dim', screen)}`}`,
    outcomeLines(outcome, screen),
  );
}

function outcomeLines(outcome: Outcome, screen: Screen): readonly string[] {
  const indented = (text: string): readonly string[] =>
    wrap(oneLine(text), screen.columns - 6).map((line) => `    ${line}`);
  switch (outcome.type) {
    case 'works':
      return [
        `  ${styled(glyph(screen, '✓', 'ok'), 'green', screen)} works: wrote a note, read it back and removed it`,
      ];
    case 'unknown':
      return [
        `  ${styled(glyph(screen, '·', '--'), 'yellow', screen)} started, but nothing shows whether it keeps anything`,
        ...indented(outcome.reason),
      ];
    case 'failed':
      return [
        `  ${styled(glyph(screen, '✗', 'no'), 'red', screen)} does NOT work: ${stepWords[outcome.step]}`,
        ...indented(outcome.reason),
        // A command in it is for copying: no line breaks within.
        ...(outcome.step === 'client' ? [`    ${outcome.advice}`] : indented(outcome.advice)),
      ];
    default:
      return outcome satisfies never;
  }
}
