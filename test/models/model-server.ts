/** A server of models on loopback that says of itself what a test wants: real HTTP, no model behind it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What a path answers: JSON, a text as it is, a status, nothing at all, or a text without an end. */
export type Answer =
  | { readonly json: unknown }
  | { readonly text: string }
  | { readonly status: number; readonly location?: string }
  | 'never'
  | 'endless';

export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  /** `METHOD path body` of every request, with the key that came along. */
  readonly asked: readonly { readonly line: string; readonly key: string | undefined }[];
}

/** Answers paths as the table says; a function is asked anew each time. Everything else is not found. */
export async function modelServer(routes: Readonly<Record<string, Answer | (() => Answer)>>): Promise<ModelServer> {
  const asked: { line: string; key: string | undefined }[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const part of request) body += part;
    const path = request.url ?? '';
    asked.push({
      line: `${request.method} ${path}${body === '' ? '' : ` ${body}`}`,
      key: request.headers.authorization,
    });
    const route = routes[path];
    send(response, typeof route === 'function' ? route() : route);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, answer: Answer | undefined): void {
  if (answer === 'never') return;
  if (answer === undefined) return void response.writeHead(404).end();
  if (answer === 'endless') {
    const more = (): void => {
      while (response.writable && response.write('['.repeat(65_536)));
      if (response.writable) response.once('drain', more);
    };
    more();
    return;
  }
  if ('status' in answer) {
    const { status, location } = answer;
    return void response.writeHead(status, location === undefined ? {} : { location }).end();
  }
  response.setHeader('content-type', 'application/json');
  response.end('text' in answer ? answer.text : JSON.stringify(answer.json));
}

/** An address where nobody listens. */
export async function nobody(): Promise<string> {
  const server = await modelServer({});
  await server[Symbol.asyncDispose]();
  return server.url;
}
