/** What `connect` and `disconnect` would do: read from the disk, and nothing is written. */
import { PalimpsestError } from '@palimpsest/core';
import type { FileClient } from '../../clients/client-list.ts';
import { type ConnectedText, connectText, type DoneEdit, disconnectText } from '../../clients/connection.ts';
import { keyName } from '../../clients/editor.ts';
import { badOption } from '../option-values.ts';
import { oneLine } from '../render/text.ts';
import type { Terminal } from '../terminal.ts';
import * as file from './client-file.ts';
import * as record from './record.ts';
import { shown } from './shown.ts';

export interface Plan {
  readonly now: file.FileNow;
  /** The file as it is to be; undefined where it is to be none. */
  readonly text: string | undefined;
  /** What a person is shown of it. */
  readonly edits: readonly Pick<DoneEdit, 'path' | 'before' | 'after'>[];
  readonly notes: readonly string[];
}

export interface ConnectPlan extends Plan {
  readonly edits: readonly DoneEdit[];
  readonly text: string;
  /** The file as `disconnect` will make it again; undefined for none. */
  readonly base: Uint8Array | undefined;
  readonly madeFolders: readonly string[];
  /** Of an earlier connection, and not found again. */
  readonly lost: readonly DoneEdit[];
}

export interface DisconnectPlan extends Plan {
  readonly old: record.FoundRecord;
  /** What stays as it is, and known. */
  readonly lost: readonly DoneEdit[];
}

export async function planConnect(client: FileClient, gateway: string, terminal: Terminal): Promise<ConnectPlan> {
  const [path] = await file.clientPaths(client, terminal);
  const old = await record.readRecord({ client: client.name, file: path }, terminal);
  const now = await file.readClientFile(path);
  return inFile(now.path, async () => {
    // What we set ourselves once is not what the person wants back.
    const before = old && (await textBefore(client, { old, now }));
    const wanted = client.edits(gateway, before?.text ?? now.text);
    if (wanted.length === 0) throw new PalimpsestError('BAD_CONFIG', `it names nothing that can be sent to a gateway`);
    const direct = connectText(now, wanted, client.editor);
    const base = before ? before.bytes : now.bytes;
    const connected: ConnectedText =
      before && direct.edits.length > 0
        ? connectText({ text: before.text, standing: now.text }, wanted, client.editor)
        : direct;
    return {
      now,
      ...connected,
      base,
      madeFolders: old?.madeFolders ?? [],
      lost: before?.lost ?? [],
      notes: [...client.notes, ...otherAddresses(connected.edits), ...(before?.lost ?? []).map(lostNote)],
    };
  });
}

export const isSet = ({ now, text }: Plan): boolean => now.bytes !== undefined && text === now.text;

/** Requests went somewhere before, and from now on go where the gateway sends them. */
const otherAddresses = (edits: readonly DoneEdit[]): readonly string[] =>
  edits.flatMap(({ path, before }) =>
    before === null
      ? []
      : [
          `${keyName(path)} was ${shown(before)}: if requests should still go there, make it an upstream of the gateway`,
        ],
  );

/** Undefined where nothing is connected. Throws `BAD_OPTION` where that is another file than the one of this environment. */
export async function planDisconnect(client: FileClient, terminal: Terminal): Promise<DisconnectPlan | undefined> {
  const { name } = client;
  const paths = await file.clientPaths(client, terminal);
  const records = await Promise.all(paths.map((path) => record.readRecord({ client: name, file: path }, terminal)));
  const old = records.find((found) => found !== undefined);
  const others = (await record.connectedFiles(name, terminal)).filter((path) => path !== old?.file);
  if (old === undefined) {
    if (others.length === 0) return undefined;
    throw badOption(
      `${client.title} is not connected in ${paths[0]}, but in ${others.join(', ')}: run this again with the variable set that names that folder`,
    );
  }
  const now = await file.readClientFile(old.file);
  return inFile(now.path, async () => {
    const before = await textBefore(client, { old, now });
    const edits = old.edits
      .filter((edit) => !before.lost.includes(edit))
      .map(({ path, before: was, after }) => ({ path, before: after, after: was ?? '' }));
    const notes = [...before.notes, ...others.map((path) => `${path} is connected, too, and stays so`)];
    return { now, text: before.bytes && before.text, edits, notes: notes.map(oneLine), old, lost: before.lost };
  });
}

interface Before {
  readonly text: string;
  /** Undefined where there was no file. */
  readonly bytes: Uint8Array | undefined;
  readonly notes: readonly string[];
  readonly lost: readonly DoneEdit[];
}

/** The file without what we set: as it was, byte for byte, or as somebody has changed it since. */
async function textBefore(
  { editor }: FileClient,
  { old, now }: { readonly old: record.FoundRecord; readonly now: file.FileNow },
): Promise<Before> {
  const lostAdvice = (edit: DoneEdit): string =>
    `${lostNote(edit)}. Set it by hand and remove ${old.place.record}, which still knows it`;
  if (now.bytes === undefined) return { text: '', bytes: undefined, notes: [`${now.path} is gone`], lost: [] };
  if (record.sha256(now.bytes) === old.sha256) {
    if (!old.wasThere) return { text: '', bytes: undefined, notes: [], lost: [] };
    const lost = old.edits.filter(({ isLost }) => isLost);
    return { ...(await file.readClientFile(old.place.backup)), notes: lost.map(lostAdvice), lost };
  }
  const { text, left, lost } = disconnectText(now.text, old.edits, editor);
  const notes = [
    `${now.path} was changed since: only what palimpsest set is taken out of it`,
    ...left.map((path) => `${keyName(path)} was set to something else since, and stays`),
    ...lost.map(lostAdvice),
  ];
  return { text, bytes: Buffer.from(text), notes, lost };
}

function lostNote({ path, entry = {}, before, after }: DoneEdit): string {
  const marks = Object.entries(entry).flatMap(([key, value]) => (value === null ? [] : [`${key} ${shown(value)}`]));
  const listAt = path.findIndex((key) => typeof key === 'number');
  const which = marks.length === 0 ? `number ${Number(path[listAt]) + 1}` : `with ${marks.join(', ')}`;
  const what = `entry of ${keyName(path.slice(0, listAt))} ${which}`;
  const was = before === null ? 'was not set' : `was ${shown(before)}`;
  return `the ${what} is not there once as it was then, so its ${path.at(-1)} stays; it ${was} before it became ${shown(after)}`;
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

export function requireSame(one: Plan, other: Plan): void {
  if (one.now.path === other.now.path && one.now.text === other.now.text) return;
  throw badOption(`${one.now.path} was changed meanwhile: run this again. Nothing was changed.`);
}
