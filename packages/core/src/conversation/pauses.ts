/**
 * Long pauses: a model is told once that the person came back after days. The words stand before those of the person in the message
 * that ended the pause, as it is sent, and stay there to the byte until the conversation is compressed, so that what a cache holds
 * stays good. The record of what was said has none of it: it is kept beside, for other processes. Like the fence of recalled text
 * (`recall-fence.ts`), the words carry a check, so that what comes back is told from what a person typed.
 */
import { isHandoff, personMessage } from '../compression/handoff-block.ts';
import { contentHash } from '../shared/hash.ts';
import type { SessionId } from '../store/ids.ts';
import { pausePrefix } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';
import { messageCounter } from '../tokens/measure.ts';
import type { Message, Part, TextPart } from '../transcript/message.ts';
import type { PauseMark } from './beside.ts';
import { bounded } from './call-hooks.ts';
import { type LiveConversation, type Step, turnOf } from './live.ts';

const keyOf = (sessionId: SessionId, turn: string): string => `${pausePrefix}${sessionId}:${turn}`;

type Growing = Pick<Step, 'runtime' | 'live' | 'asked'>;

/** How long nobody had said anything when the person wrote what is new, where that is to be marked; to be asked before it is kept. */
export function pauseBefore({ runtime, live, asked }: Growing): number | undefined {
  const { markPauses, now } = runtime.settings;
  const known = live.hashes.length;
  if (markPauses === undefined || known === 0 || newestPerson(asked.said) < known) return undefined;
  const pause = now() - live.activeAt;
  return pause >= markPauses ? pause : undefined;
}

/** Has the message that opened this turn carry the pause. What cannot be kept is not sent: the next process would send other bytes. */
export async function markPause(step: Step, pause: number): Promise<void> {
  const { runtime, live } = step;
  const one: PauseMark = { turn: turnOf(live), at: newestPerson(live.said), text: pauseWords(pause) };
  const work = async (): Promise<true> => {
    await runtime.settings.store.meta.set(keyOf(live.session.id, one.turn), one.text);
    return true;
  };
  const isKept = await bounded(step, { subject: 'Keeping the mark of a pause', work });
  if (isKept) live.pauses = [...live.pauses, one];
}

const newestPerson = (said: readonly Message[]): number =>
  said.findLastIndex((message) => personMessage(message) !== undefined);

const hour = 3_600_000;
const day = 24 * hour;

/** Of each unit the pauses that are told in it, up to so many milliseconds. */
const units: readonly (readonly [name: string, length: number, most: number])[] = [
  ['minute', 60_000, 1.5 * hour],
  ['hour', hour, 1.5 * day],
  ['day', day, 14 * day],
  ['week', 7 * day, 60 * day],
  ['month', 30 * day, 730 * day],
  ['year', 365 * day, Number.POSITIVE_INFINITY],
];

/** `3 days later`: rounded, and without any time of day. */
export function pauseWords(pause: number): string {
  const [name = '', length = 1] = units.find(([, , most]) => pause < most) ?? [];
  const count = Math.max(1, Math.round(pause / length));
  return `${count} ${name}${count === 1 ? '' : 's'} later`;
}

// The marks of a session, as they go from process to process and from session to session.

/** What another process has marked in the session of a conversation that is read back. */
export async function readPauses(
  { meta }: Store,
  { session, said, hashes, view }: Pick<LiveConversation, 'session' | 'said' | 'hashes' | 'view'>,
): Promise<readonly PauseMark[]> {
  const shown = new Set(view.map(({ at }) => at)).add(newestPerson(said));
  const found: PauseMark[] = [];
  for (const [at, message] of said.entries()) {
    if (!shown.has(at) || personMessage(message) === undefined) continue;
    const turn = hashes[at] ?? '';
    const text = await meta.get(keyOf(session.id, turn));
    if (text) found.push({ turn, at, text });
  }
  return found;
}

/** Another session shows the same. */
export async function keepPauses(
  { meta }: Pick<Store, 'meta'>,
  pauses: readonly PauseMark[],
  to: SessionId,
): Promise<void> {
  for (const { turn, text } of pauses) await meta.set(keyOf(to, turn), text);
}

/** A compression writes the whole context anew: only that of this turn goes on. */
export async function carryPauses({ runtime, live }: Pick<Step, 'runtime' | 'live'>): Promise<void> {
  if (live.pauses.length === 0) return;
  const turn = turnOf(live);
  live.pauses = live.pauses.filter((one) => one.turn === turn);
  await keepPauses(runtime.settings.store, live.pauses, live.session.id);
}

/** A branch shows what the conversation shows that it goes off from, as far as both say the same. */
export async function sharePauses({ runtime, live, asked }: Growing, parent: LiveConversation): Promise<void> {
  live.pauses = parent.pauses.filter(({ turn, at }) => asked.hashes[at] === turn);
  await keepPauses(runtime.settings.store, live.pauses, live.session.id);
}

/** There is no room for them. */
export async function dropPauses({ runtime, live }: Pick<Step, 'runtime' | 'live'>): Promise<void> {
  const { meta } = runtime.settings.store;
  for (const { turn } of live.pauses) await meta.set(keyOf(live.session.id, turn), undefined);
  live.pauses = [];
  live.state = { ...live.state, report: null };
}

/** Tokens of the marks that stand in the view from a message on. */
export function pauseTokens({ basis, live, asked }: Pick<Step, 'basis' | 'live' | 'asked'>, from = 0): number {
  if (live.pauses.length === 0) return 0;
  const shown = new Set(live.view.slice(from).map(({ at }) => at));
  const current = from === 0 ? turnOf(live) : undefined;
  const count = messageCounter(basis.tokenizer);
  return live.pauses.reduce((sum, { turn, at, text }) => {
    const message = asked.said[at] ?? live.said[at];
    if (!message || !(shown.has(at) || turn === current)) return sum;
    return sum + count(withPause(message, text)) - count(message);
  }, 0);
}

// The mark in a message.

const opening = '<pause check="';
const marked = /^<pause check="([0-9a-f]{16})">([^<\n]{1,80})<\/pause>\n*/;

const carriers = new WeakMap<Message, { readonly text: string; readonly carrier: Message }>();

/** The message with the mark as the first of its words: the same object each time. */
export function withPause(message: Message, text: string): Message {
  const known = carriers.get(message);
  if (known?.text === text) return known.carrier;
  // A handoff that shares the message with the words comes first.
  const start = isHandoff(message) ? 1 : 0;
  const [before, words] = [message.parts.slice(0, start), message.parts.slice(start)];
  const mark: Part = { type: 'text', text: `${opening}${checkOf(text, words)}">${text}</pause>` };
  const carrier: Message = { ...message, parts: [...before, mark, ...words] };
  carriers.set(message, { text, carrier });
  return carrier;
}

/** What a mark is bound to. Where a client joins the parts of a message, only blanks change. */
const checkOf = (text: string, parts: readonly Part[]): string =>
  contentHash(
    `${text}\n${parts
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join('')
      .replace(/\s+/g, '')}`,
  );

const unmarked = new WeakMap<Message, Message>();

/**
 * A message of a user without the mark that this program put before it; the same object for the same message, and the very
 * message where there is none.
 */
export function unpaused(message: Message): Message {
  const [part] = message.parts;
  if (message.role !== 'user' || part?.type !== 'text' || !part.text.startsWith(opening)) return message;
  const known = unmarked.get(message) ?? withoutMark(message, part);
  unmarked.set(message, known);
  return known;
}

function withoutMark(message: Message, part: TextPart): Message {
  const rest = message.parts.slice(1);
  const [all = '', check, text = ''] = marked.exec(part.text) ?? [];
  const said = part.text.slice(all.length);
  const left = [...(said.trim() === '' ? [] : [{ ...part, text: said }]), ...rest];
  if (check === undefined || left.length === 0 || checkOf(text, left) !== check) return message;
  return { ...message, parts: left };
}
