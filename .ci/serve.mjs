// Uses the packed `palimpsest serve` in the folder that this is run in: a request is kept by its worker, and is in the store after the end.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';

const upstream = createServer((request, response) => {
  request.resume().once('end', () => {
    const content = [{ type: 'text', text: 'The heaviest is order 12.' }];
    const usage = { input_tokens: 9, output_tokens: 9 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content,
        stop_reason: 'end_turn',
        usage,
      }),
    );
  });
}).listen(0, '127.0.0.1');
await once(upstream, 'listening');

const palimpsest = (...words) =>
  spawn(process.execPath, ['node_modules/palimpsest/cli/main.js', ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HOME: process.cwd() },
  });
async function textOf(child, isEnough = () => false) {
  let text = '';
  for await (const piece of child.stdout) {
    text += piece;
    if (isEnough(text)) break;
  }
  return text;
}

const serve = palimpsest(
  'serve',
  '--port',
  '0',
  '--json',
  '--store',
  'kept.db',
  '--upstream',
  `anthropic=http://127.0.0.1:${upstream.address().port}`,
);
const ended = once(serve, 'close');
const { url } = JSON.parse(await textOf(serve, (text) => text.endsWith('}\n')));
const body = JSON.stringify({
  model: 'm',
  max_tokens: 9,
  messages: [{ role: 'user', content: 'Which order is the heaviest?' }],
});
const answer = await fetch(`${url}/v1/messages`, {
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json' },
});
assert.equal(answer.headers.get('x-palimpsest-action'), 'whole');
await answer.text();
serve.kill('SIGTERM');
assert.deepEqual(await ended, [0, null]);
upstream.close();

const found = await textOf(palimpsest('search', 'heaviest', '--store', 'kept.db', '--json'));
assert.match(found, /order 12/);
