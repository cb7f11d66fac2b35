/** The files of a memory for a tool that knows files alone: what it writes becomes entries, and what waits is told. */
import type { MemoryEntryId, MemorySource } from '../../store/memory-store.ts';
import type { MemoryFiles, MemoryOutcome } from '../files/memory-files.ts';
import type { MemoryOperation, Refusal } from '../files/operations.ts';
import type { MemorySnapshot } from '../files/snapshot.ts';
import { lowestSource } from './drafts.ts';
import { fileAt, type MemoryAbout, type MemoryWritten, placeFor, type Writing } from './write.ts';

/** What the conversation says of a text that is to be remembered. */
export interface MemoryVerdict {
  /** The least trusted of whom it came from. */
  readonly source: MemorySource;
  /** `confirm` for what waits until the person says yes. */
  readonly decision: 'write' | 'confirm';
  /** Ids of the messages that it rests on. */
  readonly messages?: readonly string[];
  /** In a sentence for a person. */
  readonly reason?: string;
}

/** Who writes by a tool. */
export interface WriterOptions {
  /** Judges each text by the conversation. @default everything is the model's own and is written */
  readonly judge?: (text: string) => MemoryVerdict;
  /** True where everything waits for the person, removals too: the conversation is not known. @default false */
  readonly confirm?: boolean;
  /** The session in which it is learned. */
  readonly sessionId?: string;
  /** Told of each write, whatever became of it. */
  readonly onWritten?: (written: MemoryWritten) => void;
}

/** What is known of a write by a model. The least trusted text decides for all of them. */
export function judged(texts: readonly string[], { judge, confirm = false, sessionId }: WriterOptions): MemoryAbout {
  const verdicts = judge ? texts.map(judge) : [];
  const reason = verdicts.find((verdict) => verdict.decision === 'confirm')?.reason ?? verdicts[0]?.reason;
  return {
    actor: 'model',
    source: verdicts.length === 0 ? 'model' : lowestSource(verdicts.map(({ source }) => source)),
    confirm: confirm || verdicts.some(({ decision }) => decision === 'confirm'),
    messages: [...new Set(verdicts.flatMap(({ messages = [] }) => messages))],
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** For the model: what it may say of a write. */
export function noteOf(written: Exclude<MemoryWritten, { type: 'refused' }>): string {
  const { entries } = written;
  const ids = namesOf(entries.map(({ id }) => id));
  if (written.type === 'waits')
    return `Not saved: it waits for the person's confirmation as ${ids}. Tell them so, and do not say that it is saved.`;
  if (!written.act)
    return entries.length > 0 ? `It was there already as ${ids}.` : 'It was there already: nothing to change.';
  const removed = namesOf(written.removed.map(({ id }) => id));
  const what = [entries.length > 0 && `Saved as ${ids}`, removed && `${removed} is remembered no more`].filter(Boolean);
  return `${what.join('; ')}. It stands in the system prompt from the next conversation on.`;
}

const namesOf = (ids: readonly MemoryEntryId[]): string => ids.join(', ');

interface Over {
  readonly folder: string;
  readonly check: (text: string) => Refusal | undefined;
  readonly apply: (operations: readonly MemoryOperation[], about: MemoryAbout) => Promise<MemoryWritten>;
  readonly snapshot: () => Promise<MemorySnapshot>;
  readonly writing: Writing;
}

export function filesOver({ folder, check, apply, snapshot, writing }: Over, options: WriterOptions): MemoryFiles {
  return {
    folder,
    check,
    snapshot,
    read: (target) => fileAt(writing, placeFor(writing.acting, { actor: 'model', source: 'model', target })),
    apply: async (target, operations) => {
      const texts = operations.flatMap((one) => (one.action === 'remove' ? [] : [one.content]));
      const written = await apply(operations, { ...judged(texts, options), target });
      options.onWritten?.(written);
      return outcomeOf(written);
    },
  };
}

function outcomeOf(written: MemoryWritten): MemoryOutcome {
  const { file } = written;
  switch (written.type) {
    case 'refused':
      return { type: 'refused', refusal: written.refusal, file };
    case 'waits': {
      const waiting = written.entries.map(({ id }) => id);
      return {
        type: 'done',
        file,
        isChanged: false,
        removed: [],
        archived: [],
        returned: [],
        note: noteOf(written),
        waiting,
      };
    }
    case 'saved': {
      const removed = written.removed.map(({ text }) => text);
      const { archived, act } = written;
      return {
        type: 'done',
        file,
        isChanged: act !== undefined,
        removed,
        archived,
        returned: [],
        note: noteOf(written),
      };
    }
  }
}
