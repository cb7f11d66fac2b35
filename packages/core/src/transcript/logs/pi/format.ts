/**
 * Sessions of the pi coding agent (`~/.pi/agent/sessions/…/*.jsonl`), versions 1 to 3.
 *
 * A header, then entries. Since version 2 the entries form a tree by `id` and `parentId`: the path from the last entry
 * to its root is the conversation, every branch off it a side transcript. In version 1 the file's order is the path.
 * `packages/coding-agent/docs/session.md` of pi-mono describes the format.
 */

import { defined } from '../../../shared/defined.ts';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import type { Format, SourceRecord } from '../../format.ts';
import type { Origin, ReportedUsage, Transcript } from '../../message.ts';
import { asName, asObject, asText, asTime, omit } from '../../wire/values.ts';
import * as log from '../log.ts';
import { type PiPieces, piecesOf, textPieces, writePi } from './content.ts';

const format = 'pi';

export const pi: Format = {
  name: format,
  title: 'pi coding agent sessions (JSONL)',
  detect,
  reader: (report) => {
    // Which entries are on the path is known when the last one is.
    const sources: SourceRecord[] = [];
    return { add: (source) => void sources.push(source), end: () => transcripts(sources, report) };
  },
  write: writePi,
};

/** Entries that are no messages: state of the program and of its extensions, kept in `extra`. */
const bookkeeping =
  /^(?:context_edit|custom|label|leaf|(?:mode|model|service_tier|thinking_level|title)_change|session|session_info|session_init|ttsr_injection|usage)$/;

const messageRoles = /^(?:assistant|bashExecution|branchSummary|compactionSummary|custom|hookMessage|toolResult|user)$/;

const otherEntries = /^(?:branch_summary|compaction|custom_message)$/;

function detect(records: readonly SourceRecord[]): number {
  const lines = log.objectsIn(records);
  const isEntry = (type: string): boolean => bookkeeping.test(type) || otherEntries.test(type);
  if (!lines.some((line) => isHeader(line) || isMessage(line))) return 0;
  return log.shareOf(lines, (line) => isHeader(line) || isMessage(line) || isEntry(asText(line.type) ?? ''));
}

const isHeader = (line: JsonObject): boolean =>
  line.type === 'session' && typeof line.id === 'string' && typeof line.cwd === 'string';

const isMessage = (line: JsonObject): boolean =>
  line.type === 'message' && messageRoles.test(asText(asObject(line.message).role) ?? '');

function transcripts(sources: readonly SourceRecord[], report: log.Report): readonly Transcript[] {
  const { main, branches } = branchesOf(sources);
  const about = aboutOf(main);
  const first = conversation(report, main);
  const sides = branches.map((branch) => {
    const root = asObject(branch[0]?.value);
    const sideOf = asName(root.parentId) ?? about.id ?? '';
    const id = asName(asObject(branch.at(-1)?.value).id);
    const described = defined({ ...about, title: undefined, id, sideOf });
    return log.finish(conversation(report, branch), described, { strays: strays(branch) });
  });
  return [log.finish(first, about, { strays: strays(main) }), ...sides];
}

/** The path to the last entry with everything that is not in the tree, and each branch beside it. */
function branchesOf(sources: readonly SourceRecord[]): { main: SourceRecord[]; branches: SourceRecord[][] } {
  const parents = new Map<string, string | undefined>();
  for (const { value } of sources) {
    const id = treeId(asObject(value));
    if (id !== undefined) parents.set(id, asName(asObject(value).parentId));
  }
  const path = pathTo([...parents.keys()].at(-1), parents);
  const owners = new Map<string, string>();
  const branches = new Map<string, SourceRecord[]>();
  const main: SourceRecord[] = [];
  for (const source of sources) {
    const id = treeId(asObject(source.value));
    if (id === undefined || path.has(id)) {
      main.push(source);
      continue;
    }
    // A branch begins where its parent is on the path or already continued by another entry.
    const parent = parents.get(id);
    const owner = parent === undefined ? undefined : owners.get(parent);
    const branch = owner === undefined ? undefined : branches.get(owner);
    const continues = branch && treeId(asObject(branch.at(-1)?.value)) === parent;
    owners.set(id, continues && owner !== undefined ? owner : id);
    if (continues) branch.push(source);
    else branches.set(id, [source]);
  }
  return withMessages(main, [...branches.values()]);
}

const treeId = (entry: JsonObject): string | undefined =>
  'parentId' in entry && entry.type !== 'session' ? asName(entry.id) : undefined;

function pathTo(leaf: string | undefined, parents: ReadonlyMap<string, string | undefined>): ReadonlySet<string> {
  const path = new Set<string>();
  for (let id = leaf; id !== undefined && !path.has(id); id = parents.get(id)) path.add(id);
  return path;
}

/** A branch of bookkeeping only, such as a label, is no conversation: it stays with the main one. */
function withMessages(main: SourceRecord[], all: readonly SourceRecord[][]): ReturnType<typeof branchesOf> {
  const isTalk = ({ value }: SourceRecord): boolean => !bookkeeping.test(asText(asObject(value).type) ?? '');
  const branches = all.filter((branch) => branch.some(isTalk));
  const rest = all.filter((branch) => !branch.some(isTalk)).flat();
  return { main: [...main, ...rest].sort((a, b) => a.span.start - b.span.start), branches };
}

/** Entries whose parent stands in another branch or nowhere: a writer leaves their links alone. */
function strays(sources: readonly SourceRecord[]): string[] {
  const ids = new Set(sources.flatMap(({ value }) => asName(asObject(value).id) ?? []));
  return sources.flatMap(({ value }) => {
    const entry = asObject(value);
    const parent = asName(entry.parentId);
    return parent === undefined || ids.has(parent) ? [] : (asName(entry.id) ?? []);
  });
}

function conversation(report: log.Report, sources: readonly SourceRecord[]): log.Conversation {
  const found = log.newConversation();
  for (const source of sources) {
    const reported = piReport(asObject(source.value));
    if (reported) log.noteReport(found.usage, reported);
    if (!addEntry(report, found, source)) log.keep(found, source);
  }
  return found;
}

/** Adds an entry that is a message; false for every other one. */
function addEntry(report: log.Report, found: log.Conversation, source: SourceRecord): boolean {
  const entry = asObject(source.value);
  const type = asText(entry.type) ?? '';
  if (bookkeeping.test(type)) return false;
  const message = asObject(entry.message);
  // `!!` runs a command that the model shall not see.
  if (type === 'message' && message.excludeFromContext === true) return false;
  const pieces = type === 'message' ? piecesOf(message) : entryPieces(entry);
  if (!pieces) return log.skip(report, source, `Unknown or incomplete entry of type ${JSON.stringify(type)}.`);
  if (type === 'compaction' || message.role === 'compactionSummary') log.markCompression(found);
  const about = defined({
    time: asTime(entry.timestamp) ?? asTime(message.timestamp),
    origin: originOf(type, message),
    model: asName(message.model),
    providerId: asName(message.responseId),
  });
  const rest = type === 'message' ? { entry: omit(entry, ['message']), message: pieces.rest } : { entry: pieces.rest };
  const draft = log.startDraft(found, { role: pieces.role, about }, { source, parts: pieces.parts, entry: rest });
  if (isJsonObject(message.usage)) draft.notes = { usage: message.usage };
  return true;
}

function entryPieces(entry: JsonObject): PiPieces | undefined {
  if (entry.type === 'compaction' || entry.type === 'branch_summary') return textPieces(entry, 'summary');
  return entry.type === 'custom_message' ? piecesOf({ ...entry, role: 'custom' }) : undefined;
}

function originOf(type: string, message: JsonObject): Origin | undefined {
  if (type === 'compaction' || type === 'branch_summary') return 'summary';
  if (type === 'custom_message') return 'host';
  const role = asText(message.role) ?? '';
  if (role === 'compactionSummary' || role === 'branchSummary') return 'summary';
  return role === 'bashExecution' || role === 'custom' || role === 'hookMessage' ? 'host' : undefined;
}

type Described = Pick<Transcript, 'format' | 'id' | 'title' | 'model' | 'workingDirectory'>;

function aboutOf(sources: readonly SourceRecord[]): Described {
  const entries = sources.map(({ value }) => asObject(value));
  const header = entries.find(isHeader) ?? {};
  const changed = entries.findLast((entry) => entry.type === 'model_change' && asName(entry.modelId) !== undefined);
  const spoke = entries.findLast((entry) => asObject(entry.message).role === 'assistant');
  return defined({
    format,
    id: asName(header.id),
    title: asName(entries.findLast((entry) => entry.type === 'session_info')?.name),
    model: asName(asObject(spoke?.message).model) ?? asName(changed?.modelId) ?? asName(header.modelId),
    workingDirectory: asName(header.cwd),
  });
}

// Usage in sessions of pi: on every message of the model.

/** The report in an entry; undefined where it has none, or only zeros, which stand for a call that was never answered. */
function piReport(entry: JsonObject): ReportedUsage | undefined {
  const message = asObject(entry.message);
  const { usage: report, provider, stopReason } = message;
  if (message.role !== 'assistant' || !isJsonObject(report)) return undefined;
  const tokens = [report.input, report.output, report.cacheRead, report.cacheWrite];
  if (!tokens.some((count) => typeof count === 'number' && count > 0)) return undefined;
  const time = asTime(message.timestamp) ?? asTime(entry.timestamp);
  const seller = asName(provider);
  const model = asName(message.model);
  return defined({
    // Copies of a session keep the ids and the times of its entries.
    id: `pi:${asName(message.responseId) ?? `${time ?? ''}+${asName(entry.id) ?? ''}+${tokens.join('/')}`}`,
    model: seller === undefined || model === undefined ? model : `${seller}/${model}`,
    time,
    report,
    isPartial: stopReason === 'aborted' || stopReason === 'error' ? true : undefined,
  });
}
