/** A model on this machine, for whoever has named none and has no key: the usual servers are asked which models they have. */
import { type AskLimits, askServer } from './ask-server.ts';
import { providerRows } from './providers.data.ts';
import { firstThatTalks, listedIds } from './served-models.ts';

/** A server that may be there. */
export interface LocalServer {
  /** In the table of providers. */
  readonly provider: string;
  /** As people call it. */
  readonly title: string;
  readonly baseUrl: string;
}

const address = (provider: string): string => providerRows.find(({ name }) => name === provider)?.baseUrl ?? '';

/** In the order in which they are preferred: the ports of the last two are those of many other programs. */
export const localServers: readonly LocalServer[] = [
  { provider: 'ollama', title: 'Ollama', baseUrl: address('ollama') },
  { provider: 'lmstudio', title: 'LM Studio', baseUrl: address('lmstudio') },
  { provider: 'llamacpp', title: 'llama.cpp', baseUrl: 'http://localhost:8080/v1' },
  { provider: 'vllm', title: 'vLLM', baseUrl: 'http://localhost:8000/v1' },
];

/** A model that a server on this machine has. */
export interface LocalModel extends LocalServer {
  readonly model: string;
}

/**
 * A server on the same machine needs a hundredth of it, and where there is none the connection is refused at once. The start of this
 * very program may hold an answer up that is there already, on a busy machine for more than a second.
 */
const patienceMs = 2_000;

/** The first model that can talk, of the first server that has one; all are asked at once, and no later one is waited for. */
export async function findLocalModel(
  servers: readonly LocalServer[],
  { timeoutMs = patienceMs, ...limits }: Partial<AskLimits> = {},
): Promise<LocalModel | undefined> {
  const asked = servers.map(async (server) => {
    const answer = await askServer({ url: `${server.baseUrl}/models` }, { ...limits, timeoutMs });
    const model = answer.type === 'answered' ? firstThatTalks(listedIds(answer.value)) : undefined;
    return model === undefined ? undefined : { ...server, model };
  });
  for (const server of asked) {
    const found = await server;
    if (found) return found;
  }
  return undefined;
}
