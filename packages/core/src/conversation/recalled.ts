/**
 * What was recalled in a session. Each text stays in the message that it was sent with until the conversation is compressed, so
 * that what a cache holds of it stays good. The record of what was said has none of it: it is kept beside, for other processes.
 */
import { personMessage } from '../compression/handoff-block.ts';
import { defined } from '../shared/defined.ts';
import type { SessionId } from '../store/ids.ts';
import { recalledPrefix } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { messageCounter } from '../tokens/measure.ts';
import type { Message } from '../transcript/message.ts';
import type { RecalledText } from './beside.ts';
import { bounded } from './call-hooks.ts';
import { type LiveConversation, type Step, turnOf } from './live.ts';
import { withFence } from './recall-fence.ts';

const keyOf = (sessionId: SessionId, turn: string): string => `${recalledPrefix}${sessionId}:${turn}`;

/** What this turn has; undefined where nobody has looked yet. */
export function recalledInTurn(live: LiveConversation): RecalledText | undefined {
  if (live.recalled.length === 0) return undefined;
  const turn = turnOf(live);
  return live.recalled.find((one) => one.turn === turn);
}

/** Everything that stands in the session, for who judges what is said in it; undefined for nothing. */
export const recalledTexts = ({ recalled }: Pick<LiveConversation, 'recalled'>): string | undefined =>
  recalled
    .map(({ text }) => text)
    .filter(Boolean)
    .join('\n\n') || undefined;

/** Has the turn carry a text, or none. What cannot be kept is not sent: the next process would send other bytes. */
export async function setRecalled(step: Step, { text, given }: Pick<RecalledText, 'text' | 'given'>): Promise<void> {
  const { runtime, live } = step;
  const { store } = runtime.settings;
  const one: RecalledText = { turn: turnOf(live), at: newestPerson(live.said), text, ...defined({ given }) };
  const work = async (): Promise<true> => {
    await store.meta.set(keyOf(live.session.id, one.turn), text);
    return true;
  };
  const isKept = await bounded(step, { subject: 'Keeping what was recalled', work });
  const kept = isKept ? one : { ...one, text: '' };
  live.recalled = [...live.recalled.filter(({ turn }) => turn !== one.turn), kept];
}

const newestPerson = (said: readonly Message[]): number =>
  said.findLastIndex((message) => personMessage(message) !== undefined);

/** What another process has recalled in the session of a conversation that is read back. */
export async function readRecalled(
  { meta }: Store,
  { session, said, hashes, view }: Pick<LiveConversation, 'session' | 'said' | 'hashes' | 'view'>,
): Promise<readonly RecalledText[]> {
  const shown = new Set(view.map(({ at }) => at)).add(newestPerson(said));
  const found: RecalledText[] = [];
  for (const [at, message] of said.entries()) {
    if (!shown.has(at) || personMessage(message) === undefined) continue;
    const turn = hashes[at] ?? '';
    const text = await meta.get(keyOf(session.id, turn));
    if (text !== undefined) found.push({ turn, at, text });
  }
  return found;
}

/** A compression writes the whole context anew: only what this turn asked for goes on. */
export async function carryRecalled(step: Step): Promise<void> {
  const { live } = step;
  const current = recalledInTurn(live);
  live.recalled = [];
  if (current) await setRecalled(step, current);
}

/** A branch shows what the conversation shows that it goes off from, as far as both say the same. */
export async function shareRecalled(
  { runtime, live, asked }: Pick<Step, 'runtime' | 'live' | 'asked'>,
  parent: LiveConversation,
): Promise<void> {
  live.recalled = parent.recalled.filter(({ turn, at }) => asked.hashes[at] === turn);
  for (const { turn, text } of live.recalled) await runtime.settings.store.meta.set(keyOf(live.session.id, turn), text);
}

/** Another session shows the same. */
export async function keepRecalled(
  { meta }: Pick<Store, 'meta'>,
  recalled: readonly RecalledText[],
  to: SessionId,
): Promise<void> {
  for (const { turn, text } of recalled) await meta.set(keyOf(to, turn), text);
}

/** There is no room for those that are meant. */
export async function dropRecalled(step: Step, isMeant: (one: RecalledText) => boolean): Promise<void> {
  const { runtime, live } = step;
  const dropped = live.recalled.filter(isMeant);
  for (const { turn } of dropped) await runtime.settings.store.meta.set(keyOf(live.session.id, turn), '');
  live.recalled = live.recalled.map((one) => (dropped.includes(one) ? { ...one, text: '' } : one));
  live.state = { ...live.state, report: null };
}

type Sized = Pick<Step, 'basis' | 'live' | 'asked'>;

/** Tokens of what stands in the view from a message on; all of it where that is the first. */
export function recalledTokens(step: Sized, from = 0): number {
  const { live } = step;
  const texts = live.recalled.filter(({ text }) => text !== '');
  if (texts.length === 0) return 0;
  const shown = new Set(live.view.slice(from).map(({ at }) => at));
  // Behind a compression the newest words may stand in a handoff.
  const current = from === 0 ? turnOf(live) : undefined;
  const standing = texts.filter(({ turn, at }) => shown.has(at) || turn === current);
  return standing.reduce((sum, one) => sum + textTokens(step, one), 0);
}

/** What a text adds to its message. */
export function textTokens({ basis, live, asked }: Sized, one: RecalledText | undefined): number {
  const message = one && (asked.said[one.at] ?? live.said[one.at]);
  if (!message || one.text === '') return 0;
  const count = messageCounter(basis.tokenizer);
  return count(carrierOf(message, one.text)) - count(message);
}

const carriers = new WeakMap<Message, { readonly text: string; readonly carrier: Message }>();

/** The message with the text in its fence: the same object each time. */
export function carrierOf(message: Message, text: string): Message {
  const known = carriers.get(message);
  if (known?.text === text) return known.carrier;
  const carrier = withFence(message, text);
  carriers.set(message, { text, carrier });
  return carrier;
}
