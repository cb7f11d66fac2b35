/** Before a compression, what is worth keeping of the messages that it covers goes into the memory (L2). */

import { ofThemselves } from '../../language/remembering.ts';
import { worthKeeping } from '../../memory/commit/worth-keeping.ts';
import type { Memory } from '../../memory/entries/create-memory.ts';
import type { MemoryVerdict } from '../../memory/entries/files-over.ts';
import type { MemoryAbout } from '../../memory/entries/write.ts';
import { redact } from '../../redaction/redact.ts';
import type { MemoryEntry, MemoryTarget } from '../../store/memory-store.ts';
import type { Session } from '../../store/session-store.ts';
import type { Message } from '../../transcript/message.ts';
import { bounded, type Host, note } from '../call-hooks.ts';
import type { Runtime } from '../live.ts';
import type { ConversationSettings } from '../options.ts';
import { tellProvider } from './provider.ts';
import { judgeOver, saidRecord } from './record.ts';

/** More than that is no longer what stands out in a conversation. */
const mostAtOnce = 20;

/** For whom it is kept: a request at work, or one compression outside of any runtime. */
export interface KeepingHost extends Host {
  readonly runtime: {
    readonly settings: Host['runtime']['settings'] & Pick<ConversationSettings, 'store' | 'memory'>;
    /** Memory providers that are told what is written. */
    readonly hosted?: Runtime['hosted'];
  };
}

/** What a compression covers. */
export interface Covered {
  readonly session: Session;
  readonly covered: readonly Message[];
}

interface Kept extends Covered {
  /** What a model found worth keeping. */
  readonly proposed: readonly string[];
}

/**
 * Keeps what the person wanted remembered, and rules they laid down, through the same gate as the tools. What is known already,
 * or was once and is no more, is left alone. A failure costs a notice, never the compression.
 */
export async function commitToMemory(host: KeepingHost, { session, covered, proposed }: Kept): Promise<void> {
  const memory = host.runtime.settings.memory?.memory;
  if (!memory) return;
  const said = worthKeeping(covered).map(({ text }) => text);
  const work = (): Promise<void> => keep({ host, memory, session }, [...proposed, ...said]);
  await bounded(host, { subject: 'Keeping what is worth it in the memory before the compression', work });
}

/** What of a list does not stand in the smaller one as it is. */
export function coveredBy(list: readonly Message[], smaller: readonly Message[]): readonly Message[] {
  const stays = new Set(smaller);
  return list.filter((message) => !stays.has(message));
}

interface Keeping {
  readonly host: KeepingHost;
  readonly memory: Memory;
  readonly session: Session;
}

async function keep(keeping: Keeping, found: readonly string[]): Promise<void> {
  const { host, memory, session } = keeping;
  const { texts, gone } = await unknown(memory, distinct(found.map(redact)));
  if (texts.length === 0) return;
  const { settings } = host.runtime;
  const judgeSaid = judgeOver(await saidRecord(settings, session.id), settings);
  const isForeign = await isImported(settings, session);
  const judge = (text: string): MemoryVerdict => {
    const verdict = judgeSaid(text);
    return isForeign && verdict.decision === 'write' ? { ...verdict, decision: 'confirm', reason: imported } : verdict;
  };
  const judged = texts
    .slice(-mostAtOnce)
    .map((text) => ({ text, target: targetOf(text), verdict: judge(text) }))
    .filter(({ text, verdict }) => !isTakenOut(text, verdict, gone));
  for (const group of Map.groupBy(judged, ({ target, verdict }) => `${target} ${verdict.decision}`).values()) {
    const [first] = group;
    if (first) await write(keeping, { ...first, group });
  }
}

const imported = 'It was said in a conversation that was imported from a file: the person has to confirm it.';

/** Nobody knows who wrote a file. */
async function isImported({ store }: Pick<ConversationSettings, 'store'>, { rootId }: Session): Promise<boolean> {
  const root = await store.sessions.get(rootId);
  return root?.sourcePath !== undefined || root?.sourceId !== undefined;
}

/** What can be kept, and is not yet, and what is no more. What was taken out, or refused, is not put back behind the person's back. */
async function unknown(
  memory: Memory,
  texts: readonly string[],
): Promise<{ readonly texts: readonly string[]; readonly gone: readonly MemoryEntry[] }> {
  const { check } = memory.files();
  // What is in doubt waits for the person like the rest that does.
  const sound = texts.filter((text) => check(text)?.unlessConfirmed ?? check(text) === undefined);
  if (sound.length === 0) return { texts: [], gone: [] };
  await memory.reconcile();
  const status = ['live', 'pending', 'retired', 'rejected'] as const;
  const entries = await memory.entries.list({ status, project: memory.project ?? null });
  const known = entries.map(({ text }) => wordsOf(text));
  return {
    texts: sound.filter((text) => !sayings(text).some((saying) => known.some((words) => words.includes(saying)))),
    gone: entries.filter((entry) => entry.status === 'retired' || entry.status === 'rejected'),
  };
}

/** The words of a text, and what stands behind its first colon: "For later: the port is 4000" says what "The port is 4000" says. */
function sayings(text: string): readonly string[] {
  const [, rest = ''] = /^[^:：]{1,80}(?::\s+|：\s*)(.+)$/s.exec(text) ?? [];
  return rest.trim().includes(' ') ? [wordsOf(text), wordsOf(rest)] : [wordsOf(text)];
}

/**
 * True where an entry that is no more was made of the same message in fewer words: the person's own ones say again what a model had
 * kept more briefly, and what was corrected since.
 */
function isTakenOut(text: string, { messages = [] }: MemoryVerdict, gone: readonly MemoryEntry[]): boolean {
  const words = wordsOf(text);
  return gone.some(
    (entry) => words.includes(wordsOf(entry.text)) && entry.messages.some((id) => messages.includes(id)),
  );
}

/** Each once: what says the same in more words stays. */
function distinct(texts: readonly string[]): readonly string[] {
  const words = texts.map(wordsOf);
  return texts.filter((_, at) => {
    const mine = words[at] ?? '';
    return !words.some((other, i) => i !== at && other.includes(mine) && (other !== mine || i < at));
  });
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

const why: Readonly<Record<'person' | 'others', string>> = {
  person: 'The person said so; it was kept before the conversation was compressed.',
  others: 'It was worth keeping before the conversation was compressed.',
};

async function write({ host, memory, session }: Keeping, { target, verdict, group }: Group): Promise<void> {
  const confirm = verdict.decision === 'confirm';
  const about: MemoryAbout = {
    actor: 'runtime',
    source: verdict.source,
    target,
    confirm,
    sessionId: session.id,
    messages: [...new Set(group.flatMap((one) => one.verdict.messages ?? []))],
    reason: confirm && verdict.reason ? verdict.reason : why[verdict.source === 'person' ? 'person' : 'others'],
  };
  const operations = group.map(({ text }) => ({ action: 'add', content: text }) as const);
  const written = await memory.apply(operations, about);
  const { hosted } = host.runtime;
  if (hosted) tellProvider({ hosted }, session.rootId, written);
  if (written.type === 'refused') {
    const reason = written.refusal.type === 'full' ? 'the file is full' : written.refusal.type;
    const message = `What was worth keeping of the compressed part is not in the memory (${operations.length} texts: ${reason}); the conversation still has it.`;
    note(host, { type: 'memory', level: 'warn', message });
  } else if (written.entries.length > 0) {
    const ids = written.entries.map(({ id }) => id).join(', ');
    const what = written.type === 'waits' ? 'waits for the person in' : 'was kept in';
    note(host, { type: 'memory', level: 'log', message: `Before the compression, ${ids} ${what} the memory.` });
  }
}
