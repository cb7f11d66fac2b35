/** What a session shows of the memory: taken once, kept with the session, and the same to the byte in all its requests. */
import { fence } from '../../memory/fence/fence.ts';
import type { SessionId } from '../../store/ids.ts';
import { shownMemoryPrefix } from '../../store/memory-store.ts';
import type { Store } from '../../store/store.ts';
import type { Message } from '../../transcript/message.ts';
import { bounded, note } from '../call-hooks.ts';
import type { LiveConversation, Step } from '../live.ts';
import { providerText } from './provider.ts';

type Showing = Pick<Step, 'runtime' | 'live' | 'asked'>;

const shownKey = (sessionId: SessionId): string => `${shownMemoryPrefix}${sessionId}`;

/**
 * Has the conversation show what its session shows: as it was kept, also by another process, else as the memory is now. A
 * memory that cannot be read costs no request: then the session shows what the one before it showed.
 */
export async function showMemory(showing: Showing): Promise<void> {
  const { runtime, live } = showing;
  const { store } = runtime.settings;
  const memory = runtime.settings.memory?.memory;
  const { id } = live.session;
  if (!memory || live.memory?.sessionId === id) return;
  const kept = await store.meta.get(shownKey(id));
  if (kept !== undefined) return show(live, kept);
  const work = async (): Promise<string> => {
    const { text } = await memory.snapshot();
    return fence([text, providerText(runtime, live)].join('\n\n'));
  };
  const text = await bounded(showing, { subject: 'Reading the memory', work, signal: showing.asked.call.signal });
  if (text === undefined) {
    showing.asked.call.signal?.throwIfAborted();
    live.memory = { sessionId: id, message: live.memory?.message };
    return;
  }
  await store.meta.set(shownKey(id), text);
  show(live, text);
  // What was reported of requests was reported without it.
  if (text !== '') live.state = { ...live.state, report: null };
}

/** A branch shows what the conversation shows that it goes off from: both begin with the same prompt. */
export async function shareMemory(showing: Showing, parent: LiveConversation): Promise<void> {
  const { runtime, live } = showing;
  const { memory, store } = runtime.settings;
  if (!memory) return;
  await showMemory({ ...showing, live: parent });
  const text = await store.meta.get(shownKey(parent.session.id));
  if (text === undefined) return;
  await store.meta.set(shownKey(live.session.id), text);
  show(live, text);
}

/** Another session shows the same. */
export async function keepShown({ meta }: Pick<Store, 'meta'>, from: SessionId, to: SessionId): Promise<void> {
  const text = await meta.get(shownKey(from));
  if (text !== undefined) await meta.set(shownKey(to), text);
}

/** There is no room for it: the session goes on without. */
export function dropMemory(step: Step): void {
  const { live } = step;
  live.memory = { sessionId: live.session.id, message: undefined };
  live.state = { ...live.state, report: null };
  const message = 'What is remembered is not shown to the model: there is no room for it.';
  note(step, { type: 'memory', level: 'warn', message });
}

function show(live: LiveConversation, text: string): void {
  const message: Message = { role: 'system', parts: [{ type: 'text', text }] };
  live.memory = { sessionId: live.session.id, message: text === '' ? undefined : message };
}
