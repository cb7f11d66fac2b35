/** What a tool asks for before it acts, and what comes of that. */

/**
 * What is to be done: run a command, change a file of the project, and the three things that no rule for the project covers:
 * change a file elsewhere, read one elsewhere, and read one that holds credentials.
 */
export type ApprovalKind = 'run' | 'write' | 'write-outside' | 'read-outside' | 'read-secret';

export interface ApprovalRequest {
  /** The name of the tool. */
  readonly tool: string;
  readonly kind: ApprovalKind;
  /** The real path of the file or folder; for a command the folder that it runs in. */
  readonly target: string;
  /** The line for the shell, where one is to be run. */
  readonly command?: string;
  /** What would be changed, as lines of a diff. */
  readonly preview?: string;
}

/** Who decided. */
export type DecidedBy = 'rule' | 'person' | 'policy' | 'harmless';

export type ApprovalResult =
  | { readonly allowed: true; readonly by: DecidedBy }
  | {
      readonly allowed: false;
      readonly by: DecidedBy;
      /** What to tell the model, in a sentence: of a person their own words. */
      readonly reason: string;
    };

/** Asks for one act. @throws the reason of the signal, where the act is called off meanwhile */
export type Approve = (request: ApprovalRequest, signal?: AbortSignal) => Promise<ApprovalResult>;

/**
 * What is done without a question: `ask` nothing but what is harmless or covered by a rule; `read-only` the same, and changes
 * are refused; `auto-edit` changes to plain files of the project too; `yes` everything but what is dangerous; `no` is `ask`
 * where nobody can be asked.
 */
export type ApprovalPolicy = 'ask' | 'read-only' | 'auto-edit' | 'yes' | 'no';

/** What is put before the person. */
export interface ApprovalQuestion {
  readonly request: ApprovalRequest;
  /** What is dangerous about it, as the end of "it …"; undefined for nothing. */
  readonly danger: string | undefined;
  /** What "don't ask again" may mean, narrowest first, each with what exactly it covers; none where there is no such rule. */
  readonly rules: readonly OfferedRule[];
  /** Why there is no rule, as the end of "it …"; undefined where there are rules. */
  readonly noRule: string | undefined;
}

export interface OfferedRule {
  readonly rule: AllowRule;
  /** What it covers, as `ruleText` says it. */
  readonly text: string;
}

export type ApprovalAnswer =
  /** With a rule of the question: from now on without asking. */
  | { readonly type: 'yes'; readonly rule?: AllowRule }
  /** The person's words go to the model. */
  | { readonly type: 'no'; readonly reason?: string };

/**
 * What a person has allowed for a project, once and for all. Paths in the project are kept relative to it, with `/`; all others are whole.
 */
export type AllowRule =
  /** This line and no other. */
  | { readonly type: 'command'; readonly text: string }
  /** Commands that begin with these words and go on with plain ones. */
  | { readonly type: 'commands'; readonly words: readonly string[] }
  | { readonly type: 'write'; readonly path: string }
  /** `.` is the project. */
  | { readonly type: 'write-below'; readonly path: string }
  | { readonly type: 'read'; readonly path: string }
  | { readonly type: 'read-below'; readonly path: string };
