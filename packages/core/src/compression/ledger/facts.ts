/** The facts that the ledger knows about a conversation. Every fact names the message it comes from. */
import type { Ref } from '../result.ts';

/** Something a person asked for or said, word for word; without words where it is all attachments. */
export interface Ask {
  readonly ref: Ref;
  readonly text: string;
  /** Characters of the whole, where `text` is only its beginning and its end: a handoff that was made elsewhere has no more. */
  readonly length?: number;
  readonly type: 'request' | 'question' | 'constraint' | 'reversal';
  /** Sentences that lay down a rule among others. */
  readonly rules?: readonly string[];
  /** Set where a program wrote it in the user's place: the text of a slash command. */
  readonly by?: 'program';
  /** The last message of the agent before the next ask, when it ended the turn with words. */
  readonly answer?: { readonly ref: Ref; readonly text: string };
  /** Set when the person interrupted the turn before it ended. */
  readonly isStopped?: true;
}

/** A system message in the midst of a conversation. */
export interface Directive {
  readonly ref: Ref;
  readonly text: string;
}

/** What kind of thing a tool call does; the tool's own name stays beside it. */
export type ActionType =
  | 'read'
  | 'create'
  | 'change'
  | 'delete'
  | 'run'
  | 'search'
  | 'fetch'
  | 'delegate'
  | 'plan'
  | 'other';

/** One tool call and what came of it. */
export interface Action {
  readonly ref: Ref;
  readonly tool: string;
  readonly type: ActionType;
  /** File, command, query or address it was about. */
  readonly target: string;
  /** Undefined while the result is missing or does not tell. */
  readonly ok?: boolean;
  readonly exitCode?: number;
  readonly firstErrorLine?: string;
  /** Names that a change of a file brought in. */
  readonly names?: readonly string[];
}

/** The latest known state of a file. */
export interface FileFact {
  readonly path: string;
  readonly state: 'read' | 'created' | 'changed' | 'deleted';
  /** The action that made it so: the last change, or the last read of a file that nothing changed. */
  readonly ref: Ref;
  /** How many actions on it there were. */
  readonly touches: number;
  /** Where a handoff that was made elsewhere only names it, with nothing said of it: the first message that `ref` may be. */
  readonly since?: Ref;
}

/** Requests of which no more is told than that they were made. */
export interface LeftOut {
  /** The first and the last of them. */
  readonly first: Ref;
  readonly last: Ref;
  readonly count: number;
}

/** What a run may check. */
export type CheckKind = 'tests' | 'build' | 'lint' | 'types' | 'check';

/** The newest run of one or more kinds of check. */
export interface CheckFact {
  readonly ref: Ref;
  readonly tool: string;
  /** The commands that check. */
  readonly target: string;
  /** Those that no newer run has checked. */
  readonly kinds: readonly CheckKind[];
  readonly ok: boolean;
  /** True where it names files or single tests, and so says nothing of the whole. */
  readonly isNarrow: boolean;
  /** What a failed run says first, and the files in which it found faults. */
  readonly line: string;
  readonly files: readonly string[];
}

/** A failure, and what made it go away. */
export interface ErrorFact {
  readonly ref: Ref;
  readonly tool: string;
  readonly target: string;
  readonly line: string;
  /** Set where the person did not let it happen; `line` is then what the person said of it, if anything. */
  readonly isRefused?: true;
  /** The action after which the same thing succeeded, with the files changed in between. */
  readonly fixed?: { readonly ref: Ref; readonly by: readonly string[] };
}

/** Something that was settled, in the words in which it was said. */
export interface Decision {
  readonly ref: Ref;
  readonly by: 'user' | 'agent';
  readonly text: string;
}

/** An action with an effect outside the working copy, which must not be repeated: a push, a release, a sent message. */
export interface SideEffect {
  readonly ref: Ref;
  readonly tool: string;
  readonly target: string;
  readonly ok?: boolean;
}

/** An entry of the plan that the agent keeps with a to-do tool. */
export interface PlanEntry {
  /** By which the agent's tool knows it, where the tool said so. */
  readonly id?: string;
  readonly text: string;
  readonly state: 'done' | 'active' | 'open';
  /** The message that said its words, where that is another than the one that changed the plan last. */
  readonly ref?: Ref;
}

/** Everything the ledger extracted, each kind in the order in which it was said; every fact names its message. */
export interface LedgerFacts {
  readonly asks: readonly Ask[];
  /** Requests that a handoff which was made elsewhere had no room for. */
  readonly leftOut?: LeftOut | undefined;
  /** What a program laid down in system messages after the first words, the newest of equal ones. */
  readonly directives: readonly Directive[];
  readonly actions: readonly Action[];
  readonly files: readonly FileFact[];
  readonly errors: readonly ErrorFact[];
  readonly decisions: readonly Decision[];
  readonly sideEffects: readonly SideEffect[];
  /** The newest run of each kind of check, oldest first. */
  readonly checks: readonly CheckFact[];
  /** What the agent said last beside its calls, since it ended a turn. */
  readonly said: readonly { readonly ref: Ref; readonly text: string }[];
  /** What the agent said is not done yet, where nothing has settled it since; the most wanted last. */
  readonly outstanding: readonly { readonly ref: Ref; readonly text: string }[];
  /** Points of the plan that the agent announced in this turn and works through, which it has not come to yet. */
  readonly announced: readonly { readonly ref: Ref; readonly text: string }[];
  /** The plan as it stood last, and the message that set it. */
  readonly plan: { readonly ref: Ref; readonly entries: readonly PlanEntry[] } | undefined;
  /** The same of a plan that the agent keeps in a file with boxes, and the message that showed it whole. */
  readonly planFile: LedgerFacts['plan'];
}
