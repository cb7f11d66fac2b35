/**
 * One request from its body to the end of its answer: asks the middle what to send, sends it, and passes on what comes back, untouched
 * and at the pace of the client.
 */
import type { CallTokens } from '@palimpsest/core/tracing';
import { mostOfStart, startShows } from './answers/look.ts';
import { Attempt, type Exchange } from './attempt.ts';
import type { ClientAnswer } from './client.ts';
import type { AnswerEnd, HeaderList, LocalAnswer, Prepared, Told } from './middle.ts';

/** The most tries for one request, the first included. */
const mostTries = 4;

/** What came of a request. */
export interface Relayed {
  /** How often it was sent. */
  readonly tries: number;
  /** What the middle did, try by try. */
  readonly told: readonly Told[];
  /** Settles when `told` is whole; never rejects. A request may be read later than it is answered. */
  readonly read: Promise<void>;
  readonly end: AnswerEnd;
  /** True where it was refused as too long and sent again, and an answer came: no refusal, and no error in place of one. */
  readonly isRecovered: boolean;
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
  const hear = (one: Told | undefined): void => {
    if (!one) return;
    told.push(one);
    exchange.tell(one);
  };
  let read: Promise<void> = Promise.resolve();
  const take = (prepared: Prepared): Prepared => {
    hear(prepared.told);
    if (prepared.read) read = prepared.read.then(hear).catch(() => noteFailed(exchange));
    return prepared;
  };
  let prepared = take(await preparedOrPlain(exchange));
  const sentAt = Date.now();
  let tries = 0;
  const over = (end: AnswerEnd, how: Partial<Relayed> = {}): Relayed => ({
    tries,
    told,
    read,
    end,
    isRecovered: false,
    sentAt,
    endedAt: Date.now(),
    ...how,
  });
  while (!exchange.received.signal.aborted) {
    if (prepared.answer) {
      await sendLocal(exchange, prepared, prepared.answer);
      return over('whole');
    }
    tries++;
    const seen = prepared.told?.isRecovery ? seenAnswer(exchange.client) : undefined;
    const parts = { prepared, triesLeft: mostTries - tries, startedAt };
    const tried = await new Attempt({
      ...parts,
      exchange: seen ? { ...exchange, client: seen.client } : exchange,
    }).run();
    if (tried.type === 'over') {
      return over(tried.how, { isRecovered: seen?.isAnswer() ?? false, usage: tried.usage });
    }
    prepared = take(tried.next);
  }
  return over('left');
}

/** The same client, and whether it was sent an answer: with a good status, and with no error where its first words should stand. */
function seenAnswer(client: ClientAnswer): { readonly client: ClientAnswer; readonly isAnswer: () => boolean } {
  let answer: { readonly headers: HeaderList; start: Buffer; shows: ReturnType<typeof startShows> } | undefined;
  const look = (bytes: Uint8Array, isWhole: boolean): void => {
    if (answer?.shows !== 'open' || answer.start.length > mostOfStart) return;
    answer.start = Buffer.concat([answer.start, bytes]);
    answer.shows = startShows(answer.headers, answer.start, isWhole);
  };
  return {
    client: {
      ...client,
      begin: (head) => {
        answer = head.status < 300 ? { headers: head.headers, start: Buffer.alloc(0), shows: 'open' } : undefined;
        return client.begin(head);
      },
      write: (bytes) => {
        look(bytes, false);
        return client.write(bytes);
      },
      end: () => {
        look(Buffer.alloc(0), true);
        client.end();
      },
    },
    isAnswer: () => answer !== undefined && answer.shows !== 'error',
  };
}

/** What the middle wants sent. A request must not be lost because something beside it went wrong. */
async function preparedOrPlain(exchange: Exchange): Promise<Prepared> {
  const { middle, received } = exchange;
  try {
    return await middle.prepare(received);
  } catch {
    noteFailed(exchange);
    return { body: received.body };
  }
}

/** For a client that is gone nothing was prepared, and nothing is sent. */
function noteFailed({ received, metrics }: Exchange): void {
  if (!received.signal.aborted) metrics.middleFailed();
}

async function sendLocal(
  { client, received, metrics }: Exchange,
  prepared: Prepared,
  answer: LocalAnswer,
): Promise<void> {
  const isWhole = answer.body instanceof Uint8Array;
  try {
    const headers = [...answer.headers, ...(prepared.responseHeaders ?? [])];
    if (!client.begin({ status: answer.status, headers })) return;
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
