/** What a session shows of the memory: taken once, kept with the session, and the same to the byte in all its requests. */
import { fence } from '../../memory/fence/fence.ts';
import type { SessionId } from '../../store/ids.ts';
import { shownMemoryKey } from '../../store/memory-store.ts';
import type { Store } from '../../store/store.ts';
import type { Message } from '../../transcript/message.ts';
import { messageText } from '../../transcript/text.ts';
import { bounded, note } from '../call-hooks.ts';
import type { LiveConversation, Step } from '../live.ts';
import { providerText } from './provider.ts';

type Showing = Pick<Step, 'runtime' | 'live' | 'asked'>;

/**
 * Has the conversation show what its session shows: as it was kept, also by another process, else as the memory is now. A
 * memory that cannot be read costs no request: then the session shows what the one before it showed.
 */
export async function showMemory(showing: Showing): Promise<void> {
  const { runtime, live } = showing;
  const { store } = runtime.settings;
  const { memory, show: wanted } = runtime.settings.memory ?? {};
  const { id } = live.session;
  if (!memory || wanted === false || live.memory?.sessionId === id) return;
  const kept = await store.meta.get(shownMemoryKey(id));
  if (kept !== undefined) return show(live, kept);
  const work = async (): Promise<string> => {
    const { text } = await memory.snapshot();
    const provider = providerText(runtime, live);
    return wanted ? wanted({ sessionId: id, memory: text, provider }) : fence([text, provider].join('\n\n'));
  };
  const text = await bounded(showing, { subject: 'Reading the memory', work, signal: showing.asked.call.signal });
  if (text === undefined) {
    showing.asked.call.signal?.throwIfAborted();
    live.memory = { sessionId: id, message: live.memory?.message };
    return;
  }
  await store.meta.set(shownMemoryKey(id), text);
  show(live, text);
  // What was reported of requests was reported without it.
  if (text !== '') live.state = { ...live.state, report: null };
}

/** A branch shows what the conversation shows that it goes off from: both begin with the same prompt. */
export async function shareMemory(showing: Showing, parent: LiveConversation): Promise<void> {
  const { runtime, live } = showing;
  const { memory, store } = runtime.settings;
  if (!memory || memory.show === false) return;
  await showMemory({ ...showing, live: parent });
  const text = await store.meta.get(shownMemoryKey(parent.session.id));
  if (text === undefined) return;
  await store.meta.set(shownMemoryKey(live.session.id), text);
  show(live, text);
}

/** Another session shows the same. */
export async function keepShown({ meta }: Pick<Store, 'meta'>, from: SessionId, to: SessionId): Promise<void> {
  const text = await meta.get(shownMemoryKey(from));
  if (text !== undefined) await meta.set(shownMemoryKey(to), text);
}

/**
 * There is no room for what is remembered: the session goes on with the prompt that the program makes without it, in every process.
 * False where there is no such prompt, or it is no shorter.
 */
export async function forgetMemory(showing: Showing): Promise<boolean> {
  const { runtime, live, asked } = showing;
  const { show: wanted } = runtime.settings.memory ?? {};
  const { message } = live.memory ?? {};
  const { id } = live.session;
  if (!wanted || !message) return false;
  const work = async (): Promise<string> => wanted({ sessionId: id, memory: '', provider: '' });
  const text = await bounded(showing, { subject: 'Making the prompt', work, signal: asked.call.signal });
  asked.call.signal?.throwIfAborted();
  if (typeof text !== 'string' || text === '' || text.length >= messageText(message).length) return false;
  await runtime.settings.store.meta.set(shownMemoryKey(id), text);
  show(live, text);
  live.state = { ...live.state, report: null };
  note(showing, { type: 'memory', level: 'warn', message: notShown });
  return true;
}

const notShown = 'What is remembered is not shown to the model: there is no room for it.';

/** There is no room for it: the session goes on without. */
export function dropMemory(step: Step): void {
  const { live } = step;
  live.memory = { sessionId: live.session.id, message: undefined };
  live.state = { ...live.state, report: null };
  note(step, { type: 'memory', level: 'warn', message: notShown });
}

function show(live: LiveConversation, text: string): void {
  const message: Message = { role: 'system', parts: [{ type: 'text', text }] };
  live.memory = { sessionId: live.session.id, message: text === '' ? undefined : message };
}
