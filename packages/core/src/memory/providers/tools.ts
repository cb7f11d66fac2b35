/** The tools of memory providers: which of them a model may see, and what comes of a call. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import { fence } from '../fence/fence.ts';
import { scanMemory } from '../scan/scan-memory.ts';
import { cleaned, sendableArgs } from './cleaning.ts';
import type { GuardedProvider } from './guarded-provider.ts';
import type { MemoryProvider, ProviderTool } from './provider.ts';

/** A tool, and whose it is. */
export interface OfferedTool {
  readonly tool: ProviderTool;
  readonly owner: GuardedProvider;
  readonly isExternal: boolean;
}

const mostTools = 24;
const mostToolChars = 20_000;
const toolName = /^[a-zA-Z0-9_-]{1,64}$/;

/** How tools are looked at. */
interface Admission {
  /** Names that are taken. */
  readonly taken: Iterable<string>;
  /** False for the memory that comes with Palimpsest, whose words are ours. */
  readonly isExternal: boolean;
  /** Hears of every tool that is left out. */
  readonly refuse: (reason: string) => void;
}

/** The tools of a provider that a model may see. */
export function admittedTools(
  provider: MemoryProvider,
  { taken, isExternal, refuse }: Admission,
): readonly ProviderTool[] {
  const names = new Set(taken);
  const orders = (tool: unknown): string | undefined =>
    isExternal && isOrder(JSON.stringify(tool)) ? 'its definition reads like an order' : undefined;
  return toolsOf(provider, refuse).filter((tool, at) => {
    const reason = at < mostTools ? (problemOf(tool, names) ?? orders(tool)) : `${mostTools} are enough`;
    if (reason !== undefined) refuse(`its tool ${nameOf(tool)} is left out: ${reason}`);
    else names.add(tool.name);
    return reason === undefined;
  });
}

/** As they are now: what a provider changes in them later is not heard. */
function toolsOf(provider: MemoryProvider, refuse: (reason: string) => void): readonly ProviderTool[] {
  try {
    const tools: unknown = structuredClone(provider.tools ?? []);
    // Each is looked at before it is used.
    if (Array.isArray(tools)) return tools as readonly ProviderTool[];
    refuse('its tools are left out: they are not a list');
  } catch {
    refuse('its tools are left out: they cannot be read');
  }
  return [];
}

const nameOf = (tool: unknown): string => (isJsonObject(tool) ? String(tool.name).slice(0, 64) : 'without a name');

/** Every definition says what is to be done: only what the scan is sure of tells one that is planted. */
const isOrder = (text: string): boolean => scanMemory(text).some(({ grade }) => grade === 'blocked');

function problemOf(tool: unknown, taken: ReadonlySet<string>): string | undefined {
  if (!isJsonObject(tool) || typeof tool.name !== 'string' || !toolName.test(tool.name)) return 'it has no valid name';
  if (taken.has(tool.name)) return 'another tool has this name';
  if (typeof tool.description !== 'string' || !isJsonObject(tool.parameters)) {
    return 'it has no description, or its parameters are no JSON Schema';
  }
  return JSON.stringify(tool).length > mostToolChars ? 'its definition is too long' : undefined;
}

export interface ToolRun {
  readonly args: unknown;
  readonly maxChars: number;
  /** Why a text may not be written; undefined for one that may. */
  readonly mayWrite: (text: string) => string | undefined | Promise<string | undefined>;
  readonly note: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The answer for the model. Never throws. */
export async function answerOf({ tool, owner, isExternal }: OfferedTool, run: ToolRun): Promise<string> {
  const given = typeof run.args === 'string' ? parseJson(run.args) : run.args;
  if (!isJsonObject(given)) return failureAnswer('Expected the arguments as a JSON object.');
  const args = isExternal ? sendableArgs(given) : given;
  const refusal = isExternal ? await refusalOf(tool, args, run) : undefined;
  if (refusal !== undefined) return failureAnswer(`This may not be remembered: ${refusal}. Nothing was saved.`);
  const outcome = await owner.call('tool', (call) => owner.provider.runTool?.(tool.name, args, call), run.signal);
  switch (outcome.type) {
    case 'aborted':
      return failureAnswer('The call was called off.');
    case 'down':
      return failureAnswer(`${owner.name} does not work now: go on without it.`);
    case 'failed':
      return failureAnswer(
        `${owner.name} failed (${outcome.reason}). Nothing is known of what it did: do not say that it worked.`,
      );
    case 'done':
      return isExternal ? shownAnswer(outcome.value, owner, run) : String(outcome.value ?? '');
  }
}

const failureAnswer = (error: string): string => JSON.stringify({ success: false, error });

/** Whatever the shape of the argument: all of its texts are to be remembered. */
async function refusalOf(tool: ProviderTool, args: JsonObject, { mayWrite }: ToolRun): Promise<string | undefined> {
  for (const text of textsIn(tool.writes === undefined ? undefined : args[tool.writes])) {
    const refusal = scanMemory(text)[0]?.what ?? (await forbidden(text, mayWrite));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

async function forbidden(text: string, mayWrite: ToolRun['mayWrite']): Promise<string | undefined> {
  try {
    return await mayWrite(text);
  } catch {
    return 'it cannot be told now who said it';
  }
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Inside the fence: whatever a service says is nothing that the person has said. */
function shownAnswer(answer: unknown, owner: GuardedProvider, { maxChars, note }: ToolRun): string {
  if (typeof answer !== 'string') {
    owner.fail('tool', `its tool gave ${answer === null ? 'null' : typeof answer} instead of a text`);
    return failureAnswer(`${owner.name} gave no answer.`);
  }
  const { text, threats, isCut } = cleaned(answer, maxChars);
  if (threats.length > 0) note(leftOut(threats));
  const rest = [
    ...(threats.length > 0 ? ['[Lines that read like orders were left out.]'] : []),
    ...(isCut ? ['[The rest was cut.]'] : []),
  ];
  return fence([text, ...rest].join('\n')) || 'Nothing was found.';
}

export const leftOut = (threats: readonly string[]): string =>
  `left out what is no memory (${threats.slice(0, 3).join('; ')})`;
