/** `palimpsest connect` and `palimpsest disconnect`: point a client at the gateway by its own settings, and take it back. */
import { nearest } from '@palimpsest/core/settings';
import { type ClientRow, clientRows, type FileClient, isHandClient } from '../../clients/client-list.ts';
import { keyName } from '../../clients/editor.ts';
import { detourVariable } from '../../clients/no-proxy.ts';
import type { Call } from '../commands/build.ts';
import * as file from '../connect/client-file.ts';
import { gatewayOf } from '../connect/configured-gateway.ts';
import * as plans from '../connect/plan.ts';
import * as record from '../connect/record.ts';
import { masked, shown } from '../connect/shown.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { badOption, quoted } from '../option-values.ts';
import { oneLine } from '../render/text.ts';
import { type Terminal, writeJson, writeReport, writeResult } from '../terminal.ts';
import { isAgreed } from '../terminal-question.ts';

interface ConnectFlags {
  readonly gateway?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export async function runConnect({ words: [name = ''], flags, terminal }: Call<ConnectFlags>): Promise<ExitCode> {
  const row = clientNamed(name);
  const { address: gateway, notes: ofGateway } = await gatewayOf(flags.gateway, terminal);
  const notes = [...ofGateway, ...detourNotes(gateway, terminal)];
  if (isHandClient(row)) return tellSteps({ client: row.name, steps: row.steps(gateway), notes }, terminal);
  const told: Told = { command: 'connect', client: row, gateway, notes, flags, terminal };
  const plan = await plans.planConnect(row, gateway, terminal);
  if (plans.isSet(plan)) return tell(told, { state: 'already', plan });
  await file.requireWritable(plan.now.path);
  if (flags.dryRun) return tell(told, { state: 'planned', plan });
  if (!(await isWanted(told, plan))) return tell(told, { state: 'declined', plan });
  await using _lock = await record.lockClient(row.name, terminal);
  const again = await plans.planConnect(row, gateway, terminal);
  if (plans.isSet(again)) return tell(told, { state: 'already', plan: again });
  plans.requireSame(plan, again);
  await carryOut(row, again, { gateway, terminal });
  return tell(told, { state: 'connected', plan: again });
}

export async function runDisconnect({ words: [name = ''], flags, terminal }: Call<ConnectFlags>): Promise<ExitCode> {
  const row = clientNamed(name);
  if (isHandClient(row))
    throw badOption(`${row.title} cannot be connected by palimpsest, so there is nothing to take back`);
  const told: Told = { command: 'disconnect', client: row, flags, terminal };
  const plan = await plans.planDisconnect(row, terminal);
  if (plan === undefined) return tell(told, { state: 'already' });
  await file.requireWritable(plan.now.path);
  if (flags.dryRun) return tell(told, { state: 'planned', plan });
  if (!(await isWanted(told, plan))) return tell(told, { state: 'declined', plan });
  await using _lock = await record.lockClient(row.name, terminal);
  const again = await plans.planDisconnect(row, terminal);
  if (again === undefined) return tell(told, { state: 'already' });
  plans.requireSame(plan, again);
  await takeBack(again, terminal);
  return tell(told, { state: again.lost.length === 0 ? 'disconnected' : 'partly', plan: again });
}

function clientNamed(name: string): ClientRow {
  const found = clientRows.find((row) => row.name === name);
  if (found) return found;
  const names = clientRows.map((row) => row.name);
  const near = nearest(name, names);
  throw badOption(
    `expected a client, one of ${names.join(', ')}; got ${quoted(name)}.${near ? ` Did you mean ${near}?` : ''}`,
  );
}

/** The client would ask the proxy for the gateway, which the proxy cannot reach. */
function detourNotes(gateway: string, { env }: Terminal): readonly string[] {
  const name = detourVariable(gateway, env);
  if (name === undefined) return [];
  const { hostname } = new URL(gateway);
  return [`${name} is set: add ${hostname} to NO_PROXY, or the client may ask the proxy for the gateway`];
}

// Doing it: first what takes it back is on the disk, then the file is replaced.

async function carryOut(
  { name }: FileClient,
  { now, text, edits, base, madeFolders, lost }: plans.ConnectPlan,
  { gateway, terminal }: { readonly gateway: string; readonly terminal: Terminal },
): Promise<void> {
  const kept: record.ClientRecord = {
    version: 1,
    client: name,
    file: now.path,
    gateway,
    edits: [...lost.map((edit) => ({ ...edit, isLost: true })), ...edits],
    sha256: record.sha256(text),
    wasThere: base !== undefined,
    madeFolders,
  };
  await record.writeRecord(kept, { before: base, terminal });
  const made = await file.writeClientFile(now.path, text, terminal);
  if (made.length > 0) await record.writeRecord({ ...kept, madeFolders: made }, { before: base, terminal });
}

async function takeBack({ now, text, old, lost }: plans.DisconnectPlan, terminal: Terminal): Promise<void> {
  if (text === undefined) {
    await file.removeClientFile(now.path);
    await record.removeFolders(old.madeFolders);
  } else if (text !== now.text) await file.writeClientFile(now.path, text, terminal);
  if (lost.length === 0) await record.removeRecord(old.place);
  else await record.keepEdits(old, lost);
}

// What a person reads.

interface Told {
  readonly command: 'connect' | 'disconnect';
  readonly client: FileClient;
  /** Of the gateway, for `connect`. */
  readonly gateway?: string;
  readonly notes?: readonly string[];
  readonly flags: ConnectFlags;
  readonly terminal: Terminal;
}

type State = 'connected' | 'disconnected' | 'partly' | 'already' | 'planned' | 'declined';

async function isWanted({ command, flags, terminal }: Told, plan: plans.Plan): Promise<boolean> {
  if (flags.yes) return true;
  await writeReport(terminal, changeLines(plan), terminal.json ? 'stderr' : 'stdout');
  return isAgreed(
    `${command === 'connect' ? 'Connect' : 'Disconnect'} it?`,
    'a file of another program would be changed',
    terminal,
  );
}

/** Key by key, and not as lines of the file: beside an address there may be a key of a provider. */
function changeLines({ now, text, edits }: plans.Plan): readonly string[] {
  const about = now.bytes === undefined ? ' (new)' : text === undefined ? ' (removed: it was made by connect)' : '';
  const lines = edits.flatMap(({ path, before, after }) => [
    ...(before === null ? [] : [`- ${keyName(path)} = ${shown(before)}`]),
    ...(after === '' ? [] : [`+ ${keyName(path)} = ${shown(after)}`]),
  ]);
  return [`${oneLine(now.path)}${about}`, ...lines];
}

async function tell(
  { command, client, gateway, notes = [], flags, terminal }: Told,
  { state, plan }: { readonly state: State; readonly plan?: plans.Plan },
): Promise<ExitCode> {
  const backup =
    state === 'connected' && plan?.now.bytes !== undefined
      ? record.placeOf({ client: client.name, file: plan.now.path }, terminal).backup
      : null;
  const changes = plan?.edits.map(({ path, before, after }) => ({
    key: keyName(path),
    before: before === null ? null : masked(before),
    after: after === '' ? null : masked(after),
  }));
  const isTold = state === 'planned' || (flags.yes === true && state !== 'already');
  await writeResult(terminal, {
    json: () => ({
      command,
      client: client.name,
      ...(gateway === undefined ? {} : { gateway }),
      state,
      file: plan?.now.path ?? null,
      changes: changes ?? [],
      backup,
    }),
    notes: state === 'already' || state === 'declined' ? [] : [...(plan?.notes ?? []), ...notes],
    lines: () => (plan && isTold ? changeLines(plan) : []),
    done: doneLine(client, { command, gateway: gateway ?? '', state, backup }),
  });
  return state === 'partly' ? exitCodes.finding : exitCodes.fine;
}

function doneLine(
  { title, name }: FileClient,
  {
    command,
    gateway,
    state,
    backup,
  }: {
    readonly command: Told['command'];
    readonly gateway: string;
    readonly state: State;
    readonly backup: string | null;
  },
): string {
  switch (state) {
    case 'connected':
      return `${title} is connected to ${gateway}${backup === null ? '' : `; its file as it was: ${oneLine(backup)}`}. Take it back with palimpsest disconnect ${name}`;
    case 'disconnected':
      return `${title} is disconnected`;
    case 'partly':
      return `${title} is disconnected but for what stays: palimpsest disconnect ${name} looks for it again`;
    case 'already':
      return command === 'connect'
        ? `${title} is connected already to ${gateway}`
        : `${title} is not connected by palimpsest: nothing to take back`;
    case 'planned':
      return 'nothing was changed (--dry-run)';
    case 'declined':
      return 'nothing was changed';
  }
}

interface Steps {
  readonly client: string;
  readonly steps: readonly string[];
  readonly notes: readonly string[];
}

async function tellSteps({ client, steps, notes }: Steps, terminal: Terminal): Promise<ExitCode> {
  if (terminal.json) await writeJson(terminal, { command: 'connect', client, state: 'by-hand', steps, notes });
  else await writeReport(terminal, [...steps, ...notes], 'stderr');
  return exitCodes.usage;
}
