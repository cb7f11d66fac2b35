/** `palimpsest connect` and `palimpsest disconnect`: point a client at the gateway by its own settings, and take it back. */
import { PalimpsestError, redact } from '@palimpsest/core';
import { nearest } from '@palimpsest/core/settings';
import { type ClientRow, clientRows, type FileClient, isHandClient } from '../../clients/client-list.ts';
import { type ConnectedText, connectText, type DoneEdit, disconnectText } from '../../clients/connection.ts';
import { keyName } from '../../clients/editor.ts';
import type { Call } from '../commands/build.ts';
import * as file from '../connect/client-file.ts';
import { gatewayOf } from '../connect/configured-gateway.ts';
import * as record from '../connect/record.ts';
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
  const { address: gateway, notes } = await gatewayOf(flags.gateway, terminal);
  if (isHandClient(row)) return tellSteps({ client: row.name, steps: row.steps(gateway), notes }, terminal);
  const told: Told = { command: 'connect', client: row, gateway, notes, flags, terminal };
  const plan = await planConnect(row, gateway, terminal);
  if (isSet(plan)) return tell(told, { state: 'already', plan });
  await file.requireWritable(plan.now.path);
  if (flags.dryRun) return tell(told, { state: 'planned', plan });
  if (!(await isWanted(told, plan))) return tell(told, { state: 'declined', plan });
  await using _lock = await record.lockClient(row.name, terminal);
  const again = await planConnect(row, gateway, terminal);
  if (isSet(again)) return tell(told, { state: 'already', plan: again });
  requireSame(plan, again);
  await carryOut(row, again, { gateway, terminal });
  return tell(told, { state: 'connected', plan: again });
}

export async function runDisconnect({ words: [name = ''], flags, terminal }: Call<ConnectFlags>): Promise<ExitCode> {
  const row = clientNamed(name);
  if (isHandClient(row))
    throw badOption(`${row.title} cannot be connected by palimpsest, so there is nothing to take back`);
  const told: Told = { command: 'disconnect', client: row, flags, terminal };
  const plan = await planDisconnect(row, terminal);
  if (plan === undefined) return tell(told, { state: 'already' });
  await file.requireWritable(plan.now.path);
  if (flags.dryRun) return tell(told, { state: 'planned', plan });
  if (!(await isWanted(told, plan))) return tell(told, { state: 'declined', plan });
  await using _lock = await record.lockClient(row.name, terminal);
  const again = await planDisconnect(row, terminal);
  if (again === undefined) return tell(told, { state: 'already' });
  requireSame(plan, again);
  await takeBack(row, again, terminal);
  return tell(told, { state: 'disconnected', plan: again });
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

// What would be done: read from the disk, and nothing is written.

interface Plan {
  readonly now: file.FileNow;
  /** The file as it is to be; undefined where it is to be none. */
  readonly text: string | undefined;
  /** What a person is shown of it. */
  readonly edits: readonly Pick<DoneEdit, 'path' | 'before' | 'after'>[];
  readonly notes: readonly string[];
}

interface ConnectPlan extends Plan {
  readonly edits: readonly DoneEdit[];
  readonly text: string;
  /** The file as `disconnect` will make it again; undefined for none. */
  readonly base: Uint8Array | undefined;
  readonly madeFolders: readonly string[];
}

async function planConnect(client: FileClient, gateway: string, terminal: Terminal): Promise<ConnectPlan> {
  const old = await record.readRecord(client.name, terminal);
  const now = await file.readClientFile(await file.clientPath(client, terminal));
  return inFile(now.path, async () => {
    const wanted = client.edits(gateway, now.text);
    if (wanted.length === 0) throw new PalimpsestError('BAD_CONFIG', `it names nothing that can be sent to a gateway`);
    const direct = connectText(now, wanted, client.editor);
    // What we set ourselves once is not what the person wants back.
    const before = old && old.file === now.path ? await textBefore(client, { old, now, terminal }) : undefined;
    const base = before ? before.bytes : now.bytes;
    const connected: ConnectedText =
      before && direct.edits.length > 0
        ? connectText({ text: before.text, standing: now.text }, wanted, client.editor)
        : direct;
    return {
      now,
      ...connected,
      base,
      madeFolders: before && old ? old.madeFolders : [],
      notes: [...client.notes, ...otherAddresses(connected.edits)],
    };
  });
}

const isSet = ({ now, text }: Plan): boolean => now.bytes !== undefined && text === now.text;

/** Requests went somewhere before, and from now on go where the gateway sends them. */
const otherAddresses = (edits: readonly DoneEdit[]): readonly string[] =>
  edits.flatMap(({ path, before }) =>
    before === null
      ? []
      : [
          `${keyName(path)} was ${shown(before)}: if requests should still go there, make it an upstream of the gateway`,
        ],
  );

async function planDisconnect(
  client: FileClient,
  terminal: Terminal,
): Promise<(Plan & { readonly old: record.ClientRecord }) | undefined> {
  const old = await record.readRecord(client.name, terminal);
  if (old === undefined) return undefined;
  const now = await file.readClientFile(old.file);
  return inFile(now.path, async () => {
    const before = await textBefore(client, { old, now, terminal });
    const edits = old.edits.map(({ path, before: was, after }) => ({
      path,
      before: after,
      after: was ?? '',
    }));
    return { now, text: before.bytes && before.text, edits, notes: before.notes, old };
  });
}

interface Before {
  readonly text: string;
  /** Undefined where there was no file. */
  readonly bytes: Uint8Array | undefined;
  readonly notes: readonly string[];
}

/** The file without what we set: as it was, byte for byte, or as somebody has changed it since. */
async function textBefore(
  { name, editor }: FileClient,
  {
    old,
    now,
    terminal,
  }: { readonly old: record.ClientRecord; readonly now: file.FileNow; readonly terminal: Terminal },
): Promise<Before> {
  if (now.bytes === undefined) return { text: '', bytes: undefined, notes: [`${now.path} is gone`] };
  if (record.sha256(now.bytes) === old.sha256) {
    if (!old.wasThere) return { text: '', bytes: undefined, notes: [] };
    return { ...(await file.readClientFile(record.backupPath(name, terminal))), notes: [] };
  }
  const { text, left } = disconnectText(now.text, old.edits, editor);
  const changed = `${now.path} was changed since: only what palimpsest set is taken out of it`;
  const notes = [changed, ...left.map((path) => `${keyName(path)} was set to something else since, and stays`)];
  return { text, bytes: Buffer.from(text), notes };
}

/** Says of an error in a text which file it is in. */
async function inFile<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (!PalimpsestError.isInstance(cause) || cause.code !== 'BAD_CONFIG') throw cause;
    const message = `${path} cannot be changed: ${cause.message}. Fix it first; nothing was changed.`;
    throw new PalimpsestError('BAD_CONFIG', message, { evidence: { ...cause.evidence, path }, cause });
  }
}

function requireSame(one: Plan, other: Plan): void {
  if (one.now.path === other.now.path && one.now.text === other.now.text) return;
  throw badOption(`${one.now.path} was changed meanwhile: run this again. Nothing was changed.`);
}

// Doing it: first what takes it back is on the disk, then the file is replaced.

async function carryOut(
  { name }: FileClient,
  { now, text, edits, base, madeFolders }: ConnectPlan,
  { gateway, terminal }: { readonly gateway: string; readonly terminal: Terminal },
): Promise<void> {
  const kept: record.ClientRecord = {
    version: 1,
    client: name,
    file: now.path,
    gateway,
    edits,
    sha256: record.sha256(text),
    wasThere: base !== undefined,
    madeFolders,
  };
  await record.writeRecord(kept, { before: base, terminal });
  const made = await file.writeClientFile(now.path, text, terminal);
  if (made.length > 0) await record.writeRecord({ ...kept, madeFolders: made }, { before: base, terminal });
}

async function takeBack(
  { name }: FileClient,
  { now, text, old }: Plan & { readonly old: record.ClientRecord },
  terminal: Terminal,
): Promise<void> {
  if (text === undefined) {
    await file.removeClientFile(now.path);
    await record.removeFolders(old.madeFolders);
  } else if (text !== now.text) await file.writeClientFile(now.path, text, terminal);
  await record.removeRecord(name, terminal);
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

type State = 'connected' | 'disconnected' | 'already' | 'planned' | 'declined';

async function isWanted({ command, flags, terminal }: Told, plan: Plan): Promise<boolean> {
  if (flags.yes) return true;
  await writeReport(terminal, changeLines(plan), terminal.json ? 'stderr' : 'stdout');
  return isAgreed(
    `${command === 'connect' ? 'Connect' : 'Disconnect'} it?`,
    'a file of another program would be changed',
    terminal,
  );
}

/** Key by key, and not as lines of the file: beside an address there may be a key of a provider. */
function changeLines({ now, text, edits }: Plan): readonly string[] {
  const about = now.bytes === undefined ? ' (new)' : text === undefined ? ' (removed: it was made by connect)' : '';
  const lines = edits.flatMap(({ path, before, after }) => [
    ...(before === null ? [] : [`- ${keyName(path)} = ${shown(before)}`]),
    ...(after === '' ? [] : [`+ ${keyName(path)} = ${shown(after)}`]),
  ]);
  return [`${oneLine(now.path)}${about}`, ...lines];
}

const shown = (value: string): string => JSON.stringify(redact(value.replace(/\/\/[^/@]*@/, '//[hidden]@')));

async function tell(
  { command, client, gateway, notes = [], flags, terminal }: Told,
  { state, plan }: { readonly state: State; readonly plan?: Plan },
): Promise<ExitCode> {
  const backup =
    state === 'connected' && plan?.now.bytes !== undefined ? record.backupPath(client.name, terminal) : null;
  const changes = plan?.edits.map(({ path, before, after }) => ({
    key: keyName(path),
    before: before === null ? null : shown(before).slice(1, -1),
    after: after === '' ? null : after,
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
  return exitCodes.fine;
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
