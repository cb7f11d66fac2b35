/**
 * One process of the measure of the gateway: `upstream` sends streams, `plain` passes them on with nothing but Node's own server and
 * client, `gateway` is ours, and `kept` is ours with conversations over a store. Says its address to its parent, and its memory when
 * it is asked.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKept } from '../../packages/palimpsest/src/cli/run/serve-conversations.ts';
import { gatewayDefaults } from '../../packages/palimpsest/src/config/gateway.ts';
import { startGateway } from '../../packages/palimpsest/src/gateway/server.ts';
import { answerText } from './bodies.ts';

const eventOf = (data: { readonly type: string; readonly [member: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** An answer of Anthropic: what begins it, a piece of its text, and what ends it. */
const usage = { input_tokens: 1_000, output_tokens: 1 };
const begin = [
  eventOf({
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage },
  }),
  eventOf({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
].join('');
const piece = eventOf({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: answerText(1) } });
const end = [
  eventOf({ type: 'content_block_stop', index: 0 }),
  eventOf({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 20 } }),
  eventOf({ type: 'message_stop' }),
].join('');

/** `x-events` and `x-gap-ms` say how many events, and what lies between them; 0 for as fast as they are taken. */
function upstream(): Server {
  // Nobody's idle connection ends while the others are measured.
  return createServer({ keepAliveTimeout: 600_000 }, (incoming, response) => {
    const { 'x-events': events, 'x-gap-ms': gap } = incoming.headers;
    incoming.resume().once('end', () => send(response, { events: Number(events), gapMs: Number(gap) }));
  });
}

function send(response: ServerResponse, { events, gapMs }: { readonly events: number; readonly gapMs: number }): void {
  let left = events;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const next = (): void => {
    if (response.destroyed) return;
    if (left-- === 0) {
      response.end(end);
      return;
    }
    const hasRoom = response.write(left === events - 1 ? begin + piece : piece);
    if (gapMs > 0) setTimeout(next, gapMs);
    else if (hasRoom) setImmediate(next);
    else response.once('drain', next);
  };
  next();
}

function plain(to: string): Server {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  return createServer({ keepAliveTimeout: 600_000 }, (incoming, response) => {
    const { method, headers, url } = incoming;
    const asked = request(`${to}${url}`, { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      response.flushHeaders();
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    incoming.pipe(asked);
  });
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

async function start(role: string, to: string): Promise<string> {
  if (role === 'upstream') return listen(upstream());
  if (role === 'plain') return listen(plain(to));
  const at = { baseUrl: to, keyVariable: null };
  const upstreams = { openaiChat: at, openaiResponses: at, anthropic: at, gemini: at };
  const config = { ...gatewayDefaults, port: 0, upstreams };
  if (role === 'gateway') return (await startGateway({ config })).url;
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const surroundings = { env: { HOME: folder }, cwd: folder, platform: process.platform };
  const flags = { store: join(folder, 'kept.db'), contextLength: process.argv[4] ?? '200000' };
  const kept = await openKept(flags, { surroundings, note: (line) => console.error(line) });
  return (await startGateway({ config, ...(kept ? { middle: kept } : {}) })).url;
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ rssMb: process.memoryUsage.rss() / 2 ** 20, cpuMs: (user + system) / 1_000 });
});
process.on('disconnect', () => process.exit());
const [, , role = '', to = ''] = process.argv;
process.send?.({ url: await start(role, to) });
