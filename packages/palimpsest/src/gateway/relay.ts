/**
 * One request from its body to the end of its answer: asks the middle what to send, sends it, and passes on what comes back, untouched
 * and at the pace of the client.
 */
import { Attempt, type Exchange } from './attempt.ts';
import type { LocalAnswer, Prepared } from './middle.ts';

/** The most tries for one request, the first included. */
const mostTries = 4;

/** Settles when the answer has ended, however it did. */
export async function relay(exchange: Exchange): Promise<void> {
  const startedAt = exchange.now();
  let prepared = await preparedOrPlain(exchange);
  for (let triesLeft = mostTries - 1; !exchange.received.signal.aborted; triesLeft--) {
    if (prepared.answer) return sendLocal(exchange, prepared, prepared.answer);
    const next = await new Attempt({ exchange, prepared, triesLeft, startedAt }).run();
    if (!next) return;
    prepared = next;
  }
}

/** What the middle wants sent. A request must not be lost because something beside it went wrong. */
async function preparedOrPlain({ middle, received, metrics }: Exchange): Promise<Prepared> {
  try {
    return await middle.prepare(received);
  } catch {
    // For a client that is gone nothing was prepared, and nothing is sent.
    if (!received.signal.aborted) metrics.middleFailed();
    return { body: received.body };
  }
}

async function sendLocal(
  { client, received, metrics }: Exchange,
  prepared: Prepared,
  answer: LocalAnswer,
): Promise<void> {
  const isWhole = answer.body instanceof Uint8Array;
  try {
    client.begin({ status: answer.status, headers: [...answer.headers, ...(prepared.responseHeaders ?? [])] });
    for await (const bytes of isWhole ? [answer.body] : answer.body) {
      if (received.signal.aborted) return;
      metrics.bytes('answer', bytes.length);
      if (!client.write(bytes)) await new Promise<void>((go) => client.onRoom(go));
    }
    client.end();
  } catch {
    metrics.middleFailed();
    client.breakOff();
  }
}
