/**
 * The rules of all projects, in one file of the person's own folder: a project is told by its real path, and nothing that
 * lies in it has a say. A person may edit the file at any time; it is read anew for every question.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { checkKnownOptions, isObject, platformTimers, type Timers } from '@palimpsest/core/settings';
import type { AllowRule } from './request.ts';
import { isSameRule } from './rules.ts';

export interface ApprovalRulesOptions {
  /** The folder that the file lies in; made where it is missing. */
  readonly folder: string;
  /** The real path of the project. */
  readonly project: string;
  /** @default those of the platform */
  readonly timers?: Timers;
}

/** A rule, and when it was allowed. */
export interface KeptRule {
  readonly rule: AllowRule;
  /** An ISO time; undefined where a person wrote the rule by hand and gave none. */
  readonly added: string | undefined;
}

/** The rules of a project. Every call reads the file. @throws BAD_CONFIG for a file that is not what it should be: it is left as it is @throws FILE_UNREADABLE */
export interface ApprovalRules {
  readonly path: string;
  list(): Promise<readonly KeptRule[]>;
  /** Keeps a rule; one that is there already stays as it is. */
  add(rule: AllowRule): Promise<void>;
  /** Takes rules away by their numbers in `list`, counted from 1, and gives them back. @throws ID_UNKNOWN for a number that none has; nothing is removed then */
  remove(numbers: readonly number[]): Promise<readonly KeptRule[]>;
}

/** The name of the file. */
export const approvalsFileName = 'approvals.json';

export function openApprovalRules(options: ApprovalRulesOptions): ApprovalRules {
  checkKnownOptions('openApprovalRules', options, { folder: true, project: true, timers: true });
  const { folder, project, timers = platformTimers } = options;
  const path = join(folder, approvalsFileName);
  const change = <T>(
    act: (kept: readonly KeptRule[]) => { readonly kept: readonly KeptRule[]; readonly result: T },
  ): Promise<T> =>
    locked(path, timers, () => {
      const all = readProjects(path);
      const { kept, result } = act(all.get(project) ?? []);
      const rest = new Map(all);
      if (kept.length === 0) rest.delete(project);
      else rest.set(project, kept);
      writeProjects(path, rest);
      return result;
    });
  return {
    path,
    list: async () => readProjects(path).get(project) ?? [],
    add: (rule) =>
      change((kept) => {
        const isThere = kept.some((one) => isSameRule(one.rule, rule));
        return { kept: isThere ? kept : [...kept, { rule, added: new Date().toISOString() }], result: undefined };
      }),
    remove: (numbers) =>
      change((kept) => {
        const unknown = numbers.find((number) => kept[number - 1] === undefined);
        if (unknown !== undefined) throw noSuchRule(unknown, kept.length);
        const gone = new Set(numbers.map((number) => number - 1));
        return { kept: kept.filter((_, i) => !gone.has(i)), result: kept.filter((_, i) => gone.has(i)) };
      }),
  };
}

function noSuchRule(number: number, count: number): PalimpsestError {
  const known = count === 0 ? 'this project has no rules' : `the rules of this project are 1 to ${count}`;
  const message = `expected the number of a rule, got ${number}: ${known}. Nothing was removed`;
  return new PalimpsestError('ID_UNKNOWN', message, { evidence: { number } });
}

/** The rules of every project, by its real path. @throws as `list` of `ApprovalRules` does */
export const allApprovalRules = (folder: string): ReadonlyMap<string, readonly KeptRule[]> =>
  readProjects(join(folder, approvalsFileName));

/** Nobody allows so much by hand. */
const mostBytes = 4 * 1024 * 1024;

function readProjects(path: string): ReadonlyMap<string, readonly KeptRule[]> {
  const text = readText(path);
  if (text === undefined || text.trim() === '') return new Map();
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw broken(path, `it is not valid JSON (${cause instanceof Error ? cause.message : String(cause)})`, cause);
  }
  const projects = isObject(value) && !Array.isArray(value) ? value.projects : undefined;
  if (!isObject(projects) || Array.isArray(projects)) throw broken(path, 'expected {"projects": {…}}');
  return new Map(Object.entries(projects).map(([project, rules]) => [project, rulesOf(rules, { path, project })]));
}

function readText(path: string): string | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return readFileSync(file, 'utf8').slice(0, mostBytes);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unusable(path, 'cannot be read', error);
  }
}

interface Where {
  readonly path: string;
  readonly project: string;
}

function rulesOf(value: unknown, { path, project }: Where): readonly KeptRule[] {
  if (!Array.isArray(value)) throw broken(path, `expected the rules of ${project} as a list`);
  return value.map((one: unknown, i) => {
    const kept = ruleOf(one);
    if (kept) return kept;
    throw broken(path, `rule ${i + 1} of ${project} is none: docs/guide/approvals.md shows what a rule looks like`);
  });
}

function ruleOf(value: unknown): KeptRule | undefined {
  if (!isObject(value) || Array.isArray(value)) return undefined;
  const { added, type, text, words, path, ...others } = value;
  if (Object.keys(others).length > 0 || (added !== undefined && typeof added !== 'string')) return undefined;
  const given = { text, words, path };
  const only = (name: keyof typeof given): boolean =>
    Object.entries(given).every(([key, one]) => key === name || one === undefined);
  switch (type) {
    case 'command':
      return typeof text === 'string' && text !== '' && only('text') ? { rule: { type, text }, added } : undefined;
    case 'commands':
      return isWords(words) && only('words') ? { rule: { type, words }, added } : undefined;
    case 'write':
    case 'write-below':
    case 'read':
    case 'read-below':
      return typeof path === 'string' && path !== '' && only('path') ? { rule: { type, path }, added } : undefined;
    default:
      return undefined;
  }
}

const isWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string' && word !== '');

/** Whole or not at all, for the person alone. */
function writeProjects(path: string, projects: ReadonlyMap<string, readonly KeptRule[]>): void {
  const rows = [...projects].map(
    ([project, kept]) => [project, kept.map(({ rule, added }) => ({ ...rule, added }))] as const,
  );
  const text = `${JSON.stringify({ projects: Object.fromEntries(rows) }, null, 2)}\n`;
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    throw unusable(path, 'cannot be written', error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Whoever changes the file is done in a moment: an older lock was left behind by a process that is gone. */
const staleMs = 10_000;
const pauseMs = 20;
const mostTries = 1_000;

/** One process after the other: who holds the lock has made a file that only one can make. */
async function locked<T>(path: string, timers: Timers, act: () => T): Promise<T> {
  const lock = `${path}.lock`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(path, 'cannot be written', error);
  }
  for (let tries = 0; tries < mostTries; tries++) {
    if (isMade(lock)) {
      try {
        return act();
      } finally {
        rmSync(lock, { force: true });
      }
    }
    if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN) > staleMs)
      rmSync(lock, { force: true });
    else await new Promise<void>((resolve) => timers.after(pauseMs, resolve));
  }
  throw unusable(path, `is locked by another process (${lock})`, undefined);
}

function isMade(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw unusable(lock, 'cannot be made', error);
  }
}

const broken = (path: string, what: string, cause?: unknown): PalimpsestError =>
  new PalimpsestError(
    'BAD_CONFIG',
    `The approvals in ${path} cannot be read: ${what}. Correct the file or delete it; nothing was changed.`,
    {
      evidence: { path },
      cause,
    },
  );

const unusable = (path: string, what: string, cause: unknown): PalimpsestError =>
  new PalimpsestError(
    'FILE_UNREADABLE',
    `The approvals ${path} ${what}${cause === undefined ? '' : ` (${codeOf(cause)})`}: expected a plain file in a folder that you may write to. It is as it was.`,
    { evidence: { path }, cause },
  );

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown reason';
