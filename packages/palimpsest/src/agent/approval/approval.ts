/** ★ Start here: whether an agent may do what it asks for. A rule of the person, the policy, or the person decides. */
import { dirname } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { checkKnownOptions } from '@palimpsest/core/settings';
import { commandOffers } from './commands/offers.ts';
import { isReading, placedCommands } from './commands/reading-command.ts';
import { dangerOf, isOwnChange } from './danger.ts';
import { isBelow, type Project } from './project.ts';
import type {
  AllowRule,
  ApprovalAnswer,
  ApprovalPolicy,
  ApprovalQuestion,
  ApprovalRequest,
  ApprovalResult,
  Approve,
} from './request.ts';
import { isCovered, ruleText } from './rules.ts';
import type { ApprovalRules } from './rules-file.ts';
import { readCommand } from './shell/read-command.ts';

export interface ApprovalOptions {
  readonly project: Project;
  /** Where what was allowed for good is kept. */
  readonly rules: ApprovalRules;
  /** Puts a question before the person; undefined where there is nobody to ask. Rejects with the reason of the signal when that fires. */
  readonly ask: ((question: ApprovalQuestion, signal: AbortSignal | undefined) => Promise<ApprovalAnswer>) | undefined;
  /** Asked for every request: it may change between two of them. */
  readonly policy: () => ApprovalPolicy;
  /** Told, in a line for people, when rules could not be read or kept. @default nobody is told */
  readonly onNotice?: (notice: string) => void;
}

/**
 * Decides one request after the other; questions are put one at a time, and what a rule covers by then is not asked any more.
 * Never throws but for the reason of the signal. @throws BAD_OPTION for an option that does not exist
 */
export function createApproval(options: ApprovalOptions): Approve {
  checkKnownOptions('createApproval', options, { project: true, rules: true, ask: true, policy: true, onNotice: true });
  let last: Promise<unknown> = Promise.resolve();
  return async (request, signal) => {
    signal?.throwIfAborted();
    const first = await decide(request, options);
    if (first !== 'ask') return first;
    const mine = last.then(() => askInTurn(request, options, signal));
    // Whoever waits behind this one does so whatever came of it.
    last = mine.catch(() => undefined);
    return mine;
  };
}

async function askInTurn(
  request: ApprovalRequest,
  options: ApprovalOptions,
  signal: AbortSignal | undefined,
): Promise<ApprovalResult> {
  signal?.throwIfAborted();
  // An answer meanwhile may cover this one too.
  const again = await decide(request, options);
  if (again !== 'ask') return again;
  const question = questionFor(request, options.project);
  const answer = await options.ask?.(question, signal);
  signal?.throwIfAborted();
  if (!answer || answer.type === 'no') {
    const words = answer?.reason?.trim();
    return refused(
      'person',
      words ? `The user refused and said: ${words}` : 'The user refused. Ask what to do instead, or do without.',
    );
  }
  const chosen = answer.rule;
  if (chosen !== undefined) await keep(chosen, question, options);
  return { allowed: true, by: 'person' };
}

/** Only what was offered is kept: the person saw what it covers. */
async function keep(rule: AllowRule, { rules }: ApprovalQuestion, options: ApprovalOptions): Promise<void> {
  if (!rules.some((offered) => offered.rule === rule)) return;
  try {
    await options.rules.add(rule);
  } catch (error) {
    options.onNotice?.(`Allowed this time only, since the rule could not be kept: ${messageOf(error)}`);
  }
}

async function decide(request: ApprovalRequest, options: ApprovalOptions): Promise<ApprovalResult | 'ask'> {
  const { project } = options;
  const policy = options.policy();
  if (isOwnChange(request, project)) return refused('policy', ownReason);
  if (request.kind === 'run' && isHarmless(request.command ?? '', project)) return { allowed: true, by: 'harmless' };
  const danger = dangerOf(request, project);
  const isChange = request.kind === 'run' || request.kind.startsWith('write');
  if (policy === 'read-only' && isChange) return refused('policy', readOnlyReason);
  if (danger === undefined && isCovered(request, await knownRules(options), project))
    return { allowed: true, by: 'rule' };
  return byPolicy(request, { policy, danger, options });
}

interface Matter {
  readonly policy: ApprovalPolicy;
  readonly danger: string | undefined;
  readonly options: ApprovalOptions;
}

function byPolicy({ kind, target }: ApprovalRequest, { policy, danger, options }: Matter): ApprovalResult | 'ask' {
  const { ask, project } = options;
  if (danger !== undefined && policy === 'auto-edit') return refused('policy', dangerReason(danger));
  if (danger === undefined && policy === 'yes') return { allowed: true, by: 'policy' };
  if (danger === undefined && policy === 'auto-edit' && kind === 'write') {
    const place = project.look(target);
    if (!place.isSecret && !place.isGuarded) return { allowed: true, by: 'policy' };
  }
  if (policy !== 'no' && ask !== undefined) return 'ask';
  return refused('policy', danger === undefined ? nobodyReason : dangerReason(danger));
}

/** A line in which every part only looks, at nothing but what lies in the project and holds no credentials. */
function isHarmless(line: string, project: Project): boolean {
  const reading = readCommand(line);
  if (reading.unclear !== undefined) return false;
  const placed = placedCommands(reading, project);
  return placed !== undefined && reading.commands.length > 0 && placed.every((one) => isReading(one, project));
}

async function knownRules({ rules, onNotice }: ApprovalOptions): Promise<readonly AllowRule[]> {
  try {
    return (await rules.list()).map(({ rule }) => rule);
  } catch (error) {
    onNotice?.(`No rule counts: ${messageOf(error)}`);
    return [];
  }
}

function questionFor(request: ApprovalRequest, project: Project): ApprovalQuestion {
  const danger = dangerOf(request, project);
  if (danger !== undefined) return { request, danger, rules: [], noRule: danger };
  const { rules, noRule } =
    request.kind === 'run' ? commandOffers(request.command ?? '', project) : pathOffers(request, project);
  return { request, danger, rules: rules.map((rule) => ({ rule, text: ruleText(rule, project) })), noRule };
}

function pathOffers(
  { kind, target }: ApprovalRequest,
  project: Project,
): { readonly rules: readonly AllowRule[]; readonly noRule: string | undefined } {
  const place = project.look(target);
  const kept = place.isInside ? place.shown : place.path;
  const folder = project.look(dirname(target));
  const keptFolder = folder.isInside ? folder.shown : folder.path;
  const known = (rules: readonly AllowRule[]) => ({ rules, noRule: undefined });
  switch (kind) {
    case 'write': {
      const file: AllowRule = { type: 'write', path: kept };
      if (place.isSecret || place.isGuarded) return known([file]);
      const below: AllowRule = { type: 'write-below', path: keptFolder };
      return known(keptFolder === '.' ? [file, below] : [file, below, { type: 'write-below', path: '.' }]);
    }
    case 'write-outside':
      return known([{ type: 'write', path: kept }]);
    case 'read-secret':
      return known([{ type: 'read', path: kept }]);
    case 'read-outside': {
      const file: AllowRule = { type: 'read', path: kept };
      return known(
        place.isSecret || isBroad(folder.path, project) ? [file] : [file, { type: 'read-below', path: keptFolder }],
      );
    }
    case 'run':
      return known([]);
  }
}

/** A folder so high up that nobody means all that is in it. */
const isBroad = (folder: string, { home, folder: project }: Project): boolean =>
  folder.split(/[/\\]/).filter(Boolean).length < 2 ||
  isBelow(project, folder) ||
  (home !== undefined && isBelow(home, folder));

const refused = (by: 'policy' | 'person', reason: string): ApprovalResult => ({ allowed: false, by, reason });

const ownReason =
  'Refused: these files belong to Palimpsest itself, and only the user changes them. Tell the user what you wanted to change; for the memory there is a tool.';
const readOnlyReason =
  'Refused: this session only reads and plans. Say what you would do; nothing is changed or run now.';
const nobodyReason =
  'Refused: nobody is here to be asked. Do without it, or tell the user to allow it: with --yes, or by answering "don\'t ask again" in a session at a terminal.';
const dangerReason = (danger: string): string =>
  `Refused: it ${danger}. Only the user can allow that, when asked at a terminal. Do without it, or tell the user what to run.`;

const messageOf = (error: unknown): string =>
  PalimpsestError.isInstance(error) || error instanceof Error ? error.message : String(error);
