/** Throws bodies that went wrong at a gateway with conversations, and looks at what became of each. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { openStore } from '@palimpsest/core/store';
import { openConversations } from '../../../packages/palimpsest/src/gateway/conversations/open-conversations.ts';
import { type ClientBody, clientBodies } from '../../support/client-bodies.ts';
import { chanceOf, oddJson } from '../../support/odd-json.ts';
import { mutated, torn } from '../../support/wrong-bodies.ts';
import { gatewayBefore } from '../support/gateway.ts';

export interface Thrown {
  /** By what the answers say was done; `refused` for what nothing makes short enough. */
  readonly actions: Readonly<Record<string, number>>;
  /** What must never be, with the number of the body. */
  readonly faults: readonly string[];
  /** The longest time that one of them took to be answered, in milliseconds. */
  readonly slowestMs: number;
}

/** The bodies of these numbers, through a window that some of them do not fit. Every number gives the same body each time. */
export async function throwBodies(from: number, to: number): Promise<Thrown> {
  const sent = new Map<string, Buffer[]>();
  await using upstream = await upstreamOf(sent);
  await using store = await openStore({ path: ':memory:' });
  const middle = openConversations({ store, contextLength: 1_500 });
  await using gateway = await gatewayBefore(upstream.url, {}, { middle });
  const actions: Record<string, number> = {};
  const faults: string[] = [];
  let slowestMs = 0;
  let next = from;
  const lane = async (): Promise<void> => {
    for (let number = next++; number < to; number = next++) {
      const { client, bytes } = bodyOf(number);
      const start = performance.now();
      const response = await fetch(`${gateway.url}${client.path}`, {
        method: 'POST',
        headers: { ...client.headers, 'x-number': String(number) },
        body: bytes,
      });
      const answer = await response.text();
      slowestMs = Math.max(slowestMs, performance.now() - start);
      const isRefused = response.headers.get('x-palimpsest-error') === 'context-overflow';
      const action = response.headers.get('x-palimpsest-action') ?? (isRefused ? 'refused' : 'none');
      actions[action] = (actions[action] ?? 0) + 1;
      const fault = faultIn({ action, status: response.status, bytes, sent: sent.get(String(number)) ?? [] });
      if (fault !== undefined) faults.push(`${number} (${client.client}, ${action}): ${fault} ${answer.slice(0, 200)}`);
      sent.delete(String(number));
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  const page = await (await fetch(`${gateway.url}/metrics`)).text();
  const failed = /^palimpsest_gateway_middle_errors_total (\d+)/m.exec(page)?.[1];
  if (failed !== '0') faults.push(`the middle failed ${failed} times`);
  await middle.stop();
  return { actions, faults, slowestMs };
}

/** The body of a number: one of a real client, with a few places changed, torn, or with bytes of chance in it. */
function bodyOf(number: number): { readonly client: ClientBody; readonly bytes: Uint8Array<ArrayBuffer> } {
  const chance = chanceOf(number);
  const client = clientBodies[number % clientBodies.length] as ClientBody; // there are six
  let value = client.value as Parameters<typeof mutated>[0];
  for (let count = Math.floor(chance() * 4); count > 0; count--) value = mutated(value, chance);
  const text = oddJson(value, chance);
  const way = number % 5;
  const bytes = new TextEncoder().encode(way === 0 ? torn(text, chance) : text);
  for (let count = way === 1 ? 3 : 0; count > 0; count--)
    bytes[Math.floor(chance() * bytes.length)] = Math.floor(chance() * 256);
  return { client, bytes };
}

interface Treated {
  readonly action: string;
  readonly status: number;
  readonly bytes: Uint8Array;
  readonly sent: readonly Buffer[];
}

/** What went out changed, though nothing was to be changed in it, or is no JSON any more; undefined for neither. */
function faultIn({ action, status, bytes, sent: [sent, ...more] }: Treated): string | undefined {
  if (action === 'refused') return status === 400 && !sent ? undefined : `refused with ${status}`;
  if (status !== 200 || !sent || more.length > 0) return `status ${status}, sent ${more.length + (sent ? 1 : 0)} times`;
  if (action === 'compressed' || action === 'view') return isJson(sent) ? undefined : 'no JSON was sent';
  return sent.equals(bytes) ? undefined : 'other bytes were sent';
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}

/** Answers everything with a few words in the dialect of its path, and keeps what came by its number. */
async function upstreamOf(sent: Map<string, Buffer[]>): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece) => pieces.push(piece));
    incoming.on('end', () => {
      const number = String(incoming.headers['x-number']);
      sent.set(number, [...(sent.get(number) ?? []), Buffer.concat(pieces)]);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(wordsFor(incoming.url ?? '')));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function wordsFor(path: string): object {
  const text = 'Done.';
  if (path.startsWith('/v1/messages'))
    return { type: 'message', role: 'assistant', content: [{ type: 'text', text }], stop_reason: 'end_turn' };
  if (path.startsWith('/v1/chat'))
    return { choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }] };
  if (path.startsWith('/v1/responses'))
    return {
      status: 'completed',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
    };
  return { candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }] };
}
