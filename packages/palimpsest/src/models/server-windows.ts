/**
 * How servers say which window a model has: where each is asked, and where in the answer it stands. Sources: docs.ollama.com
 * (api/show, api/ps, context-length), lmstudio.ai/docs (REST API v0), llama.cpp's tools/server/README, docs.vllm.ai
 * (OpenAI-compatible server), openrouter.ai/docs (list models). Read in November 2026.
 */
import { isJsonObject } from '@palimpsest/core/settings';
import type { ServerQuestion } from './ask-server.ts';
import { listedRows } from './served-models.ts';

/** Where a server is, and which of its models is meant. */
export interface ServerPlace {
  /** Without the version at its end. */
  readonly root: string;
  readonly baseUrl: string;
  readonly model: string;
}

/** What a server says; not yet checked. */
export interface Said {
  readonly tokens: unknown;
  /** Set where it has not loaded the model, and will give it a window of which it says nothing. */
  readonly isAssumed?: true;
  /** For people. */
  readonly note?: string;
}

/** One kind of server. */
export interface ServerKind {
  readonly questions: (place: ServerPlace) => readonly ServerQuestion[];
  /** From the answers in the order of the questions; undefined for one that did not come. */
  readonly read: (answers: readonly unknown[], model: string) => Said | undefined;
  /** What makes it load the model. */
  readonly loading?: (place: ServerPlace) => ServerQuestion;
}

const object = (value: unknown): Readonly<Record<string, unknown>> => (isJsonObject(value) ? value : {});

/** The smallest number of those that are there; what is no number is told, so that it can be named. */
function smallest(...values: readonly unknown[]): Said | undefined {
  const there = values.filter((value) => value !== undefined && value !== null);
  const numbers = there.filter((value) => typeof value === 'number' && value > 0);
  if (numbers.length > 0) return { tokens: Math.min(...numbers.map(Number)) };
  return there.length > 0 ? { tokens: there[0] } : undefined;
}

/** Since 2025 the window depends on the memory of the graphics card; this is what the smallest ones get. */
const ollamaLeast = 4_096;

/**
 * What Ollama has loaded says how much it was given; what it has not loaded gets `num_ctx` of its model file, else whatever the
 * server was started with, which it does not say. It cuts what does not fit without a word, so the least is assumed.
 */
const ollama: ServerKind = {
  questions: ({ root, model }) => [{ url: `${root}/api/ps` }, { url: `${root}/api/show`, body: { model } }],
  read([ps, show], model) {
    const { models } = object(ps);
    const loaded = (Array.isArray(models) ? models : []).map(object).find((row) => isNamed(row, model));
    const shown = object(show);
    const infos = Object.entries(object(shown.model_info));
    const trained: unknown = infos.find(([key]) => key.endsWith('.context_length'))?.[1];
    if (loaded?.context_length !== undefined) return { tokens: loaded.context_length };
    const set = typeof shown.parameters === 'string' ? /^\s*num_ctx\s+(\S+)/m.exec(shown.parameters)?.[1] : undefined;
    if (set !== undefined) return smallest(Number.isNaN(Number(set)) ? set : Number(set), trained);
    if (trained === undefined) return undefined;
    // Those that run elsewhere get all of their window.
    if (/[:-]cloud$/.test(model)) return { tokens: trained };
    if (typeof trained !== 'number' || trained <= 0) return { tokens: trained };
    const tokens = Math.min(trained, ollamaLeast);
    return {
      tokens,
      isAssumed: true,
      note: `Ollama has not loaded ${model} and does not say which window it will get: ${tokens} tokens are assumed (set OLLAMA_CONTEXT_LENGTH for Ollama, or model.context_length here)`,
    };
  },
  // Without a prompt it loads the model and writes nothing.
  loading: ({ root, model }) => ({ url: `${root}/api/generate`, body: { model, stream: false } }),
};

const isNamed = ({ name, model }: Readonly<Record<string, unknown>>, wanted: string): boolean =>
  [name, model].some((one) => one === wanted || one === `${wanted}:latest`);

/** What is not loaded gets the default of the program, which it does not say; it refuses what does not fit, and names it. */
const lmstudio: ServerKind = {
  questions: ({ root, model }) => [
    { url: `${root}/api/v0/models/${model.split('/').map(encodeURIComponent).join('/')}` },
  ],
  read([answer]) {
    const { loaded_context_length: loaded, max_context_length: most } = object(answer);
    if (loaded !== undefined && loaded !== null) return { tokens: loaded };
    return most === undefined ? undefined : { tokens: most, isAssumed: true };
  },
};

const llamacpp: ServerKind = {
  questions: ({ root }) => [{ url: `${root}/props` }],
  read([props]) {
    return smallest(object(object(props).default_generation_settings).n_ctx);
  },
};

/** vLLM, SGLang, Together, Groq and others say it in the list of their models, each by a name of its own. */
const listed: ServerKind = {
  questions: ({ baseUrl }) => [{ url: `${baseUrl}/models` }],
  read([answer], model) {
    const row = rowOf(answer, model);
    return (
      row &&
      smallest(row.max_model_len, row.context_length, row.context_window, row.max_context_length, row.max_input_tokens)
    );
  },
};

const openrouter: ServerKind = {
  questions: ({ baseUrl }) => [{ url: `${baseUrl}/models` }],
  read([answer], model) {
    const row = rowOf(answer, model.replace(/:(?!free$)\w+$/, ''));
    return row && smallest(row.context_length, object(row.top_provider).context_length);
  },
};

/** The row of the model; a server with one model may call it by another name than people do. */
function rowOf(answer: unknown, model: string): Readonly<Record<string, unknown>> | undefined {
  const rows = isJsonObject(answer) ? listedRows(answer) : [];
  return rows.find(({ id }) => id === model) ?? (rows.length === 1 ? rows[0] : undefined);
}

/** By the name of the provider. */
export const serverKinds: {
  readonly [provider: string]: ServerKind;
  readonly ollama: ServerKind;
  readonly lmstudio: ServerKind;
  readonly llamacpp: ServerKind;
  readonly vllm: ServerKind;
  readonly openrouter: ServerKind;
  readonly listed: ServerKind;
} = { ollama, lmstudio, llamacpp, vllm: listed, openrouter, listed };
