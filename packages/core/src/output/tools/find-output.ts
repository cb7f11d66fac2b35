/** The saved results that a model means: one by its id or the start of it, or all that its session has. */

import { PalimpsestError } from '../../shared/errors.ts';
import { describe, isObject } from '../../shared/options/schema.ts';
import type { SessionId } from '../../store/ids.ts';
import type { OutputStore, SavedOutput } from '../../store/output-store.ts';
import { grouped, oneLine } from '../words.ts';

/** Where outputs are looked for. */
export interface OutputScope {
  readonly outputs: OutputStore;
  /** Sessions whose outputs are listed, and found by the start of an id; without it those of all. */
  readonly sessionIds?: readonly SessionId[];
}

/** @throws BAD_OPTION where there is no store of outputs */
export function requireOutputs(owner: string, { outputs }: OutputScope): void {
  const given: unknown = outputs;
  if (isObject(given) && typeof given.save === 'function' && typeof given.read === 'function') return;
  const message = `expected as outputs of ${owner} the outputs of a store (store.outputs), got ${describe(given)}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: 'outputs' } });
}

export type FoundOutput =
  | { readonly type: 'found'; readonly output: SavedOutput }
  /** What to tell the model instead. */
  | { readonly type: 'none'; readonly text: string };

/** What an id, or the start of one, may stand for. */
export type Meant =
  | { readonly type: 'found'; readonly output: SavedOutput }
  | {
      readonly type: 'several' | 'none';
      /** Those that it may stand for; of none, all that were looked at. Newest first. */
      readonly outputs: readonly SavedOutput[];
      readonly wanted: string;
    };

const wholeId = /^[0-9a-f]{16}$/;
const shortestStart = 4;
const shownIds = 5;

/**
 * An output by its id, in any session: an id can only be known by who has seen it. By the start of an id it is found
 * among the outputs in scope only.
 *
 * @example
 * import { outputMeant } from '@palimpsest/core/store';
 * import { openStore } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'agent.db' });
 * const meant = await outputMeant('3f9c2a10', { outputs: store.outputs });
 * if (meant.type === 'found') console.log(meant.output.lines);
 */
export async function outputMeant(id: string, scope: OutputScope): Promise<Meant> {
  const wanted = id
    .trim()
    .toLowerCase()
    .replace(/^output\s+/, '');
  if (wholeId.test(wanted)) {
    const output = await scope.outputs.get(wanted);
    if (output) return { type: 'found', output };
  }
  const outputs = await outputsIn(scope);
  const isStart = wanted.length >= shortestStart && /^[0-9a-f]+$/.test(wanted);
  const fitting = isStart ? outputs.filter((one) => one.id.startsWith(wanted)) : [];
  const [only, ...more] = fitting;
  if (only === undefined) return { type: 'none', outputs, wanted };
  return more.length === 0 ? { type: 'found', output: only } : { type: 'several', outputs: fitting, wanted };
}

/** The same in words for a model. */
export async function findOutput(id: string, scope: OutputScope): Promise<FoundOutput> {
  const meant = await outputMeant(id, scope);
  if (meant.type === 'found') return meant;
  const { type, outputs, wanted } = meant;
  return { type: 'none', text: type === 'several' ? severalText(wanted, outputs) : noneText(id, outputs) };
}

/**
 * True for an output of another conversation, known by its id alone: credentials in it were never shown to who asks. A
 * scope without sessions has no others.
 */
export async function isForeign(output: SavedOutput, scope: OutputScope): Promise<boolean> {
  if (scope.sessionIds === undefined) return false;
  return !(await outputsIn(scope)).some(({ id }) => id === output.id);
}

/**
 * The outputs of the sessions in scope, newest first.
 *
 * @example
 * import { outputsIn } from '@palimpsest/core/store';
 * import { openStore } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'agent.db' });
 * const outputs = await outputsIn({ outputs: store.outputs });
 */
export async function outputsIn({ outputs, sessionIds }: OutputScope): Promise<readonly SavedOutput[]> {
  const lists = sessionIds
    ? await Promise.all(sessionIds.map((sessionId) => listOf(outputs, sessionId)))
    : [await outputs.list()];
  const distinct = new Map(lists.flat().map((output) => [output.id, output]));
  return [...distinct.values()].sort((one, other) => other.savedAt - one.savedAt || (one.id < other.id ? -1 : 1));
}

/** A session that the store does not know yet has no outputs. */
async function listOf(outputs: OutputStore, sessionId: SessionId): Promise<readonly SavedOutput[]> {
  try {
    return await outputs.list(sessionId);
  } catch (error) {
    if (PalimpsestError.isInstance(error) && error.code === 'ID_UNKNOWN') return [];
    throw error;
  }
}

const severalText = (id: string, fitting: readonly SavedOutput[]): string =>
  `Several saved outputs begin with ${id}: ${named(fitting)}. Give more of the id.`;

function noneText(id: string, listed: readonly SavedOutput[]): string {
  const rest = listed.length === 0 ? 'There are none yet.' : `The newest are: ${named(listed)}.`;
  return `There is no saved output ${oneLine(id, 40)}. ${rest}`;
}

const named = (outputs: readonly SavedOutput[]): string =>
  outputs
    .slice(0, shownIds)
    .map(({ id, tool, characters }) => `${id} (${oneLine(tool ?? 'tool', 40)}, ${grouped(characters)} characters)`)
    .join(', ');
