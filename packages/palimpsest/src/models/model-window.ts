/**
 * How large the window of a model is (O4): what the configuration says, else what its server says, else the model table. What a
 * server says is checked like anything from outside; where nobody knows, the runtime steps down the usual windows when a request
 * is refused.
 */
import { modelInfo } from '@palimpsest/core';
import { type AskLimits, askServer, isLoopback, type ServerAnswer } from './ask-server.ts';
import type { ModelAddress } from './resolve-model.ts';
import { type Said, serverKinds } from './server-windows.ts';

/** Which window is asked for. */
export interface WindowRequest extends Partial<AskLimits> {
  readonly address: ModelAddress;
  /** What the configuration says, in tokens. */
  readonly configured?: number | null | undefined;
  /**
   * True to have Ollama load a model that it has not loaded, which may take a minute: only then does it say what it gives
   * it. @default false
   */
  readonly load?: boolean;
}

/** A window, and who says so. */
export interface ModelWindow {
  /** Absent where nobody knows. */
  readonly tokens?: number;
  readonly from?: 'config' | 'server' | 'table';
  /** Set where the server has not loaded the model: ask again once it has. */
  readonly isAssumed?: true;
  /** For people: what was said and not believed, what is assumed. */
  readonly notes: readonly string[];
}

/** A server on this machine answers at once; others have the time that nobody notices at a start. */
const patienceMs = 1_500;

/** The window of the model at an address. Never throws, and takes no longer than its time limit where nothing is loaded. */
export async function modelWindow({ address, configured, ...limits }: WindowRequest): Promise<ModelWindow> {
  if (configured !== undefined && configured !== null) return { tokens: configured, from: 'config', notes: [] };
  const known = address.local ? undefined : modelInfo(address.model)?.contextWindow;
  const asked = isWorthAsking(address, known) ? await serverWindow(address, limits) : { notes: [] };
  if (asked.tokens !== undefined || known === undefined) return asked;
  return { tokens: known, from: 'table', notes: asked.notes };
}

/**
 * Makers serve their own models with the window of the table, and so do those who pass closed ones on; open weights have
 * whatever window their host gives them. Where the table knows nothing, the server may.
 */
function isWorthAsking({ api, provider, model, baseUrl, local }: ModelAddress, known: number | undefined): boolean {
  if (api === 'package' || api === 'anthropic' || baseUrl === undefined) return false;
  if (local || known === undefined || isLoopback(baseUrl)) return true;
  return provider === 'openai-compatible' || (provider === 'openrouter' && !isClosed(model));
}

function isClosed(model: string): boolean {
  const family = modelInfo(model)?.family ?? 'unknown';
  if (family.startsWith('claude')) return true;
  return (family === 'openai' || family === 'gemini') && !/gpt-oss|gemma/i.test(model);
}

type Asking = Omit<WindowRequest, 'address' | 'configured'>;

async function serverWindow(address: ModelAddress, { load = false, ...given }: Asking): Promise<ModelWindow> {
  const limits = { timeoutMs: patienceMs, ...given };
  const { model, baseUrl = '', apiKey } = address;
  const notes: string[] = [];
  // All at once: each of them may be the one that nobody answers.
  const said = await Promise.all(
    kindsFor(address).map(async ({ questions, read, loading }): Promise<Said | undefined> => {
      const all = async (): Promise<Said | undefined> => {
        const asked = questions({ root: rootOf(baseUrl), baseUrl, model });
        const answers = await Promise.all(asked.map((question) => askServer({ ...question, apiKey }, limits)));
        return read(answers.map(saidIn), model);
      };
      const first = await all();
      if (!load || !first?.isAssumed || !loading) return first;
      const question = loading({ root: rootOf(baseUrl), baseUrl, model });
      await askServer({ ...question, apiKey }, { ...limits, timeoutMs: loadingMs });
      return all();
    }),
  );
  for (const one of said) {
    if (!one) continue;
    if (isWindow(one.tokens)) return found(one, one.tokens, notes);
    notes.push(`${baseUrl} says that the window of ${model} is ${shown(one.tokens)}, which no window is: ignored`);
  }
  return { notes };
}

/** Weights of a large model are read from the disk. */
const loadingMs = 180_000;

const found = ({ isAssumed, note }: Said, tokens: number, notes: readonly string[]): ModelWindow => ({
  tokens,
  from: 'server',
  ...(isAssumed ? { isAssumed } : {}),
  notes: note === undefined ? notes : [...notes, note],
});

/** The servers that may stand at an address: the one that was named, else any where it is on this machine. */
function kindsFor({ provider, baseUrl = '' }: ModelAddress): readonly (typeof serverKinds)[string][] {
  const { ollama, lmstudio, llamacpp, listed, openrouter } = serverKinds;
  if (provider === 'openrouter') return [openrouter];
  const named = Object.hasOwn(serverKinds, provider) ? serverKinds[provider] : undefined;
  if (named) return provider === 'vllm' ? [listed] : [named, listed];
  return isLoopback(baseUrl) ? [listed, llamacpp, lmstudio, ollama] : [listed];
}

const saidIn = (answer: ServerAnswer): unknown => (answer.type === 'answered' ? answer.value : undefined);

/** The address without the version that Chat Completions have. */
const rootOf = (baseUrl: string): string => baseUrl.replace(/\/v\d+$/, '');

/** No window is smaller or larger; what is, is another number, or a trap. */
const isWindow = (tokens: unknown): tokens is number =>
  typeof tokens === 'number' && Number.isInteger(tokens) && tokens >= 1_024 && tokens <= 10_000_000;

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 40) ?? 'nothing';
