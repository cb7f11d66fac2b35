/** What a person has allowed for a project, once and for all: what a rule covers, and how that is said. */
import { join, sep } from 'node:path';
import { isPlainFollower } from './commands/followers.ts';
import { isReading, placedCommands } from './commands/reading-command.ts';
import { isBelow, type Project } from './project.ts';
import type { AllowRule, ApprovalRequest } from './request.ts';
import { readCommand } from './shell/read-command.ts';

/** True where one of the rules covers a request; of a line for the shell each part must be covered, or harmless. Danger is judged elsewhere. */
export function isCovered(request: ApprovalRequest, rules: readonly AllowRule[], project: Project): boolean {
  if (request.kind === 'run') return request.command !== undefined && isCommandCovered(request.command, rules, project);
  return rules.some((rule) => coversPath(rule, request, project));
}

function isCommandCovered(line: string, rules: readonly AllowRule[], project: Project): boolean {
  if (rules.some((rule) => rule.type === 'command' && rule.text === line)) return true;
  const reading = readCommand(line);
  if (reading.unclear !== undefined) return false;
  const placed = placedCommands(reading, project);
  if (!placed || reading.commands.length === 0) return false;
  return placed.every(
    (one) => isReading(one, project) || rules.some((rule) => rule.type === 'commands' && coversWords(rule.words, one)),
  );
  function coversWords(words: readonly string[], { command, folder }: (typeof placed & object)[number]): boolean {
    const given = command.words.map(({ text }) => text);
    if (!words.every((word, i) => given[i] === word)) return false;
    return isPlainFollower(command.words.slice(words.length), { words, folder, project });
  }
}

function coversPath(rule: AllowRule, { kind, target }: ApprovalRequest, project: Project): boolean {
  const place = project.look(target);
  switch (rule.type) {
    case 'write':
      return (kind === 'write' || kind === 'write-outside') && wholePath(rule.path, project) === target;
    case 'write-below':
      return kind === 'write' && !place.isSecret && !place.isGuarded && isBelow(target, wholePath(rule.path, project));
    case 'read':
      return (kind === 'read-outside' || kind === 'read-secret') && wholePath(rule.path, project) === target;
    case 'read-below':
      return kind === 'read-outside' && !place.isSecret && isBelow(target, wholePath(rule.path, project));
    default:
      return false;
  }
}

const wholePath = (path: string, { folder }: Pick<Project, 'folder'>): string =>
  path === '.' ? folder : join(path.startsWith(sep) || /^[A-Za-z]:/.test(path) ? '' : folder, path);

/** What a rule covers, as a noun phrase: exactly that, and where. */
export function ruleText(rule: AllowRule, project: Pick<Project, 'folder'>): string {
  const { folder } = project;
  switch (rule.type) {
    case 'command':
      return `the command \`${rule.text}\`, in ${folder}`;
    case 'commands':
      return `commands that begin with \`${rule.words.join(' ')}\` and go on with nothing but paths in the project, plain words and harmless options, in ${folder} and below`;
    case 'write':
      return `changes to the file ${wholePath(rule.path, project)}`;
    case 'write-below':
      return `changes to all files in ${wholePath(rule.path, project)} and below, but for files with credentials and files that run by themselves (such as .git and .envrc)`;
    case 'read':
      return `reading the file ${wholePath(rule.path, project)}`;
    case 'read-below':
      return `reading all files in ${wholePath(rule.path, project)} and below, but for files with credentials`;
  }
}

export const isSameRule = (a: AllowRule, b: AllowRule): boolean =>
  JSON.stringify(parts(a)) === JSON.stringify(parts(b));

const parts = (rule: AllowRule): readonly unknown[] => [
  rule.type,
  rule.type === 'command' ? rule.text : rule.type === 'commands' ? rule.words : rule.path,
];
