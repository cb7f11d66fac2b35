/**
 * One process of the measure of the gateway: `upstream` sends streams, `plain` passes them on with nothing but Node's own server and
 * client, `gateway` is ours. Says its address to its parent, and its memory when it is asked.
 */
import { Agent, createServer, request, type Server } from 'node:http';
import { gatewayDefaults } from '../../packages/palimpsest/src/config/gateway.ts';
import { startGateway } from '../../packages/palimpsest/src/gateway/server.ts';

const event = `data: ${JSON.stringify({ type: 'delta', text: 'x'.repeat(160) })}\n\n`;

/** `x-events` and `x-gap-ms` say how many events, and what lies between them; 0 for as fast as they are taken. */
function upstream(): Server {
  // Nobody's idle connection ends while the others are measured.
  return createServer({ keepAliveTimeout: 600_000 }, (incoming, response) => {
    const left = { events: Number(incoming.headers['x-events']) };
    const gap = Number(incoming.headers['x-gap-ms']);
    incoming.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const next = (): void => {
        if (response.destroyed) return;
        if (left.events-- === 0) {
          response.end();
          return;
        }
        const hasRoom = response.write(event);
        if (gap > 0) setTimeout(next, gap);
        else if (hasRoom) setImmediate(next);
        else response.once('drain', next);
      };
      next();
    });
  });
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
  return (await startGateway({ config: { ...gatewayDefaults, port: 0, upstreams } })).url;
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ rssMb: process.memoryUsage.rss() / 2 ** 20, cpuMs: (user + system) / 1_000 });
});
process.on('disconnect', () => process.exit());
const [, , role = '', to = ''] = process.argv;
process.send?.({ url: await start(role, to) });
