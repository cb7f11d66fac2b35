/** Before a compression, what is worth keeping of the messages that it covers goes into the memory (L2). */

import { ofThemselves } from '../../language/remembering.ts';
import { worthKeeping } from '../../memory/commit/worth-keeping.ts';
import type { Memory } from '../../memory/entries/create-memory.ts';
import type { MemoryVerdict } from '../../memory/entries/files-over.ts';
import type { MemoryAbout } from '../../memory/entries/write.ts';
import { redact } from '../../redaction/redact.ts';
import type { MemoryTarget } from '../../store/memory-store.ts';
import type { Message } from '../../transcript/message.ts';
import { bounded, note } from '../call-hooks.ts';
import type { Snapshot, Step } from '../live.ts';
import { judgeOver, saidRecord } from './record.ts';

/** More than that is no longer what stands out in a conversation. */
const mostAtOnce = 20;

/** A conversation, and the smaller list that takes its place. */
interface Replaced {
  readonly snapshot: Snapshot;
  readonly list: readonly Message[];
}

/**
 * Keeps what the person wanted remembered, and rules they laid down, through the same gate as the tools. What is known already,
 * or was once and is no more, is left alone. A failure costs a notice, never the compression.
 */
export async function commitToMemory(step: Step, { snapshot, list }: Replaced): Promise<void> {
  const { memory } = step.runtime.settings;
  if (!memory) return;
  const stays = new Set(list);
  const covered = snapshot.list.filter((message) => !stays.has(message));
  const work = (): Promise<void> => keep(step, memory, covered);
  await bounded(step, { subject: 'Keeping what is worth it in the memory before the compression', work });
}

async function keep(step: Step, memory: Memory, covered: readonly Message[]): Promise<void> {
  const texts = await unknown(
    memory,
    worthKeeping(covered).map(({ text }) => redact(text)),
  );
  if (texts.length === 0) return;
  const { settings } = step.runtime;
  const sessionId = step.live.session.id;
  const judge = judgeOver(await saidRecord(settings, sessionId), settings);
  const judged = texts.slice(-mostAtOnce).map((text) => ({ text, target: targetOf(text), verdict: judge(text) }));
  for (const group of Map.groupBy(judged, ({ target, verdict }) => `${target} ${verdict.decision}`).values()) {
    const [first] = group;
    if (first) await write(step, memory, { ...first, group });
  }
}

/** What can be kept, and is not yet. What was taken out, or refused, is not put back behind the person's back. */
async function unknown(memory: Memory, texts: readonly string[]): Promise<readonly string[]> {
  const { check } = memory.files();
  const sound = texts.filter((text) => check(text) === undefined);
  if (sound.length === 0) return [];
  await memory.reconcile();
  const status = ['live', 'pending', 'retired', 'rejected'] as const;
  const entries = await memory.entries.list({ status, project: memory.project ?? null });
  const known = entries.map(({ text }) => wordsOf(text));
  return sound.filter((text) => !known.some((words) => words.includes(wordsOf(text))));
}

const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** What persons tell of themselves stands in the file about them. */
const targetOf = (text: string): MemoryTarget => (ofThemselves.test(text) ? 'user' : 'memory');

interface Group {
  readonly target: MemoryTarget;
  readonly verdict: MemoryVerdict;
  readonly group: readonly { readonly text: string; readonly verdict: MemoryVerdict }[];
}

const why = 'The person said so; it was kept before the conversation was compressed.';

async function write(step: Step, memory: Memory, { target, verdict, group }: Group): Promise<void> {
  const confirm = verdict.decision === 'confirm';
  const about: MemoryAbout = {
    actor: 'runtime',
    source: verdict.source,
    target,
    confirm,
    sessionId: step.live.session.id,
    messages: [...new Set(group.flatMap((one) => one.verdict.messages ?? []))],
    reason: confirm ? (verdict.reason ?? why) : why,
  };
  const operations = group.map(({ text }) => ({ action: 'add', content: text }) as const);
  const written = await memory.apply(operations, about);
  if (written.type === 'refused') {
    const reason = written.refusal.type === 'full' ? 'the file is full' : written.refusal.type;
    const message = `What was worth keeping of the compressed part is not in the memory (${operations.length} texts: ${reason}); the conversation still has it.`;
    note(step, { type: 'memory', level: 'warn', message });
  } else if (written.entries.length > 0) {
    const ids = written.entries.map(({ id }) => id).join(', ');
    const what = written.type === 'waits' ? 'waits for the person in' : 'was kept in';
    note(step, { type: 'memory', level: 'log', message: `Before the compression, ${ids} ${what} the memory.` });
  }
}
