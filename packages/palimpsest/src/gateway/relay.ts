/**
 * One request from its body to the end of its answer: asks the middle what to send, sends it, and passes on what comes back, untouched
 * and at the pace of the client.
 */
import type { CallTokens } from '@palimpsest/core/tracing';
import { Attempt, type Exchange } from './attempt.ts';
import type { AnswerEnd, LocalAnswer, Prepared, Told } from './middle.ts';

/** The most tries for one request, the first included. */
const mostTries = 4;

/** What came of a request. */
export interface Relayed {
  /** How often it was sent. */
  readonly tries: number;
  /** What the middle did, before each try. */
  readonly told: readonly Told[];
  readonly end: AnswerEnd;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly endedAt: number;
  /** What the answer cost, where somebody has read that. */
  readonly usage?: Promise<CallTokens | undefined> | undefined;
}

/** Settles when the answer has ended, however it did. */
export async function relay(exchange: Exchange): Promise<Relayed> {
  const startedAt = exchange.now();
  const told: Told[] = [];
  const take = (prepared: Prepared): Prepared => {
    if (prepared.told) {
      told.push(prepared.told);
      exchange.tell(prepared.told);
    }
    return prepared;
  };
  let prepared = take(await preparedOrPlain(exchange));
  const sentAt = Date.now();
  let tries = 0;
  while (!exchange.received.signal.aborted) {
    if (prepared.answer) {
      await sendLocal(exchange, prepared, prepared.answer);
      return { tries, told, end: 'whole', sentAt, endedAt: Date.now() };
    }
    tries++;
    const tried = await new Attempt({ exchange, prepared, triesLeft: mostTries - tries, startedAt }).run();
    if (tried.type === 'over') return { tries, told, end: tried.how, sentAt, endedAt: Date.now(), usage: tried.usage };
    prepared = take(tried.next);
  }
  return { tries, told, end: 'left', sentAt, endedAt: Date.now() };
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
