/** A conversation while a process follows it: what the client has said, what the model is shown, and the engine. */
import type { Compressor } from '../../compression/engine.ts';
import type { ConversationRecord } from '../../compression/record.ts';
import type { ContextEngine } from '../../context/engine.ts';
import { noRecovery, type RecoveryState } from '../../provider/errors/recovery-state.ts';
import type { MessageId, SessionId } from '../../store/ids.ts';
import type { Session } from '../../store/session-store.ts';
import type { Message } from '../../transcript/message.ts';
import type { Lane } from '../lanes.ts';
import type { Checked } from '../valid.ts';
import type { Ahead } from './ahead.ts';
import { type RollingHashes, rollingHashes } from './said.ts';
import type { ConversationState } from './state.ts';
import type { Shown } from './view.ts';

/** What the built-in engine works with. */
export interface BuiltIn {
  readonly compressor: Compressor<Message>;
  readonly record: ConversationRecord;
  /** The id of every message of the record, by its place, as far as they are known. */
  readonly ids: (MessageId | undefined)[];
}

/** What a process knows of a conversation; changed only by who is in its lane. */
export interface LiveConversation {
  readonly lane: Lane;
  readonly engine: ContextEngine<Message>;
  /** Absent for another engine. */
  readonly builtIn: BuiltIn | undefined;
  /** The newest session. */
  session: Session;
  /** The system prompts that the stored view opens with. */
  prompts: readonly Shown[];
  /** The stored view behind them. */
  view: Shown[];
  /** What the client has said, and its own objects in the newest form, system prompts left out. */
  hashes: RollingHashes;
  said: readonly Message[];
  /** The client's own system prompts of its newest request. */
  lastPrompts: readonly Message[];
  state: ConversationState;
  /** What was tried after failed calls of a turn. */
  recovery: { readonly turn: string; readonly state: RecoveryState };
  /** The newest context, if it was valid as it stood: what goes on from it is looked at from there on. */
  checked: Checked | undefined;
  /** The state as it was last written down. */
  savedState: string;
  /** A compression in the background. */
  ahead: Ahead | undefined;
  /** The session whose compression in the background a hook did not want. */
  vetoed: SessionId | undefined;
  /** What was recalled for a turn. */
  recalled: { readonly turn: string; readonly text: string | undefined } | undefined;
}

/** Of a conversation that nothing has been tried with. */
export const untouched: Pick<
  LiveConversation,
  'lastPrompts' | 'recovery' | 'checked' | 'ahead' | 'vetoed' | 'recalled'
> = {
  lastPrompts: [],
  recovery: { turn: '', state: noRecovery },
  checked: undefined,
  ahead: undefined,
  vetoed: undefined,
  recalled: undefined,
};

/** How many system prompts open a list. */
export function promptsIn(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system');
  return first < 0 ? messages.length : first;
}

/** What a list of system prompts says. */
export const promptsHash = (prompts: readonly Message[]): string => rollingHashes(prompts).at(-1) ?? '';

/** The system prompts of a request as an engine sees them, and as they are sent: with what an engine added to the same ones. */
export function promptsFor(
  { prompts, state }: LiveConversation,
  asked: readonly Message[],
): { readonly listed: readonly Message[]; readonly sent: readonly Message[] } {
  const kept = state.kept === null ? [] : [keptNote(state.kept)];
  if (state.prompts !== promptsHash(asked)) return { listed: asked, sent: [...asked, ...kept] };
  return { listed: prompts.map(({ message }) => message), sent: [...shownAs(prompts, asked), ...kept] };
}

/** The message that carries what a hook wants the context to begin with. */
export const keptNote = (text: string): Message => ({
  role: 'user',
  origin: 'host',
  parts: [{ type: 'text', text: `[System: kept by this program through the compression]\n${text}` }],
});

/**
 * The view as the client itself would send it now, behind what goes before it: its newest form of everything that stands
 * there as it was said.
 */
export function shownAs(
  view: readonly Shown[],
  said: readonly Message[],
  before: readonly Message[] = [],
): readonly Message[] {
  const start = Math.min(wholeStart(view), said.length);
  const rest = view.slice(start).map(({ at, message }) => said[at] ?? message);
  return before.concat(said.slice(0, start), rest);
}

const wholeStarts = new WeakMap<readonly Shown[], number>();

/** How many messages a view begins with that all stand where they were said. Views only grow: what is new is looked at. */
export function wholeStart(view: readonly Shown[]): number {
  let start = wholeStarts.get(view) ?? 0;
  if (start === view.length) return start;
  while (view[start]?.at === start) start++;
  wholeStarts.set(view, start);
  return start;
}

/** Everything that was said in a conversation that was read back, and where each message of the record stands in it. */
export function saidIn(record: ConversationRecord): { said: readonly Message[]; atOf: ReadonlyMap<number, number> } {
  const said: Message[] = [];
  const atOf = new Map<number, number>();
  for (const place of record.arrivals) {
    const message = record.prompts.has(place) ? undefined : record.at(place);
    if (message) atOf.set(place, said.push(message) - 1);
  }
  return { said, atOf };
}
