/** What a system prompt is made of, and how much of it may be which. */
import {
  aNumber,
  anEnum,
  aText,
  checkKnownOptions,
  checkMembers,
  type KnownOptions,
  type OptionRule,
} from '../shared/options/known-options.ts';
import { isObject } from '../shared/options/schema.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';

/** A file that a prompt shows, read by the caller. */
export interface PromptFile {
  /** As the model is told it, so that it can read the rest there. */
  readonly path: string;
  readonly text: string;
  /** Bytes of the file behind `text`, which were not read. @default 0 */
  readonly unreadBytes?: number;
  /** The person vouches for the folder: nothing of the file is left out, and what the scan finds is marked. @default false */
  readonly isTrusted?: boolean;
  /** The person wrote it for themselves: it stands in no marked place, and only what nobody sees and credentials are taken out. @default false */
  readonly isOwn?: boolean;
}

/** The most tokens of each kind of part. Files, skills and texts of providers share those of their kind. */
export interface PromptBudgets {
  /** @default 2_000 */
  readonly identity: number;
  /** @default 4_000 */
  readonly system: number;
  /** Both files of a memory at their limits, in a language of many tokens. @default 4_000 */
  readonly memory: number;
  /** @default 1_000 */
  readonly provider: number;
  /** @default 2_000 */
  readonly skills: number;
  /** As much as other agents take of a file, which is 32 KB. @default 8_000 */
  readonly files: number;
  /** @default 100 */
  readonly date: number;
  /** @default 400 */
  readonly platform: number;
}

/** Every default of `PromptBudgets`: 21,500 tokens together, which is all that a prompt may have in any window. */
export const promptBudgets: PromptBudgets = {
  identity: 2_000,
  system: 4_000,
  memory: 4_000,
  provider: 1_000,
  skills: 2_000,
  files: 8_000,
  date: 100,
  platform: 400,
};

/** The part of the window that a prompt may have unless its options say otherwise. */
export const promptMaxShare = 0.25;

/** The parts of a system prompt; each may be left out but for the window. */
export interface PromptOptions {
  /** The model's window in tokens. */
  readonly contextLength: number;
  /** Counts the parts. @default an estimate with a margin */
  readonly tokenizer?: Tokenizer;
  /** The share of the window that the whole prompt may have, 0.01 to 0.9. @default 0.25 */
  readonly maxShare?: number;
  /** Budgets other than those of `promptBudgets`. */
  readonly budgets?: Partial<PromptBudgets>;
  /** The person's `SOUL.md`: who the agent is. What nobody sees and credentials are taken out; nothing else is scanned. @default a few sentences of ours */
  readonly identity?: PromptFile;
  /** What the program tells its model, as it stands. */
  readonly system?: string;
  /** What is remembered: the `text` of `memory.snapshot()`. */
  readonly memory?: string;
  /** What memory providers say of themselves. */
  readonly provider?: readonly string[];
  /** What the agent can do, by files of others. */
  readonly skills?: readonly PromptFile[];
  /** `AGENTS.md` and the like, from the outermost folder to the nearest one. */
  readonly files?: readonly PromptFile[];
  /** The day, such as `2026-01-31`; a clock would spoil the cache. */
  readonly date?: string;
  /** Where the agent works, in a line or two. */
  readonly platform?: string;
}

const aPromptFile = (value: unknown): boolean =>
  isObject(value) && typeof value.path === 'string' && typeof value.text === 'string';

const fileRules: KnownOptions<PromptFile> = {
  path: aText,
  text: aText,
  unreadBytes: aNumber(0),
  isTrusted: anEnum([true, false]),
  isOwn: anEnum([true, false]),
};

const aFile: OptionRule = {
  expected: 'an object with path and text',
  holds: aPromptFile,
  inside: (file, owner) => checkMembers<PromptFile>(owner, file, fileRules),
};

const files: OptionRule = {
  expected: 'a list of objects with path and text',
  holds: (list) => Array.isArray(list) && list.every(aPromptFile),
  inside: (list, owner) => {
    if (Array.isArray(list)) for (const file of list) checkMembers<PromptFile>(`a file of ${owner}`, file, fileRules);
  },
};

const budget = aNumber(0);

const known: KnownOptions<PromptOptions> = {
  contextLength: { ...aNumber(1), isNeeded: true },
  tokenizer: { expected: 'a tokenizer', holds: (value) => isObject(value) && typeof value.count === 'function' },
  maxShare: {
    expected: 'a number from 0.01 to 0.9',
    holds: (value) => Number.isFinite(value) && Number(value) >= 0.01 && Number(value) <= 0.9,
  },
  budgets: {
    expected: `an object with ${Object.keys(promptBudgets).join(', ')}`,
    holds: isObject,
    inside: (budgets, owner) =>
      checkMembers<PromptBudgets>(owner, budgets, {
        identity: budget,
        system: budget,
        memory: budget,
        provider: budget,
        skills: budget,
        files: budget,
        date: budget,
        platform: budget,
      }),
  },
  identity: aFile,
  system: aText,
  memory: aText,
  provider: {
    expected: 'a list of texts',
    holds: (list) => Array.isArray(list) && list.every((text) => typeof text === 'string'),
  },
  skills: files,
  files,
  date: {
    expected: 'a day such as 2026-01-31, without a time',
    holds: (day) => typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)),
  },
  platform: aText,
};

/** @throws BAD_OPTION */
export const checkPromptOptions = (options: PromptOptions): void => checkKnownOptions('assemblePrompt', options, known);
