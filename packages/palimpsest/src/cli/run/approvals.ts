/** `palimpsest approvals`: what an agent may do in a project without a question, and taking it back. */
import { PalimpsestError } from '@palimpsest/core';
import { openProject, type Project } from '../../agent/approval/project.ts';
import { ruleText } from '../../agent/approval/rules.ts';
import {
  type ApprovalRules,
  allApprovalRules,
  type KeptRule,
  openApprovalRules,
} from '../../agent/approval/rules-file.ts';
import { dataFolder } from '../../config/folders.ts';
import type { Call } from '../commands/build.ts';
import { badOption, numberOf, projectFolder } from '../option-values.ts';
import { oneLine } from '../render/text.ts';
import { type Terminal, writeResult } from '../terminal.ts';

interface ApprovalFlags {
  readonly project?: string;
  readonly everywhere?: boolean;
}

export async function runApprovalsList({ flags, terminal }: Call<ApprovalFlags>): Promise<void> {
  const here = rulesHere(flags, terminal);
  const all = flags.everywhere
    ? [...allApprovalRules(here.folder)]
    : [[here.project.folder, await here.rules.list()] as const].filter(([, kept]) => kept.length > 0);
  await writeResult(terminal, {
    json: () => ({
      command: 'approvals list',
      projects: all.map(([project, kept]) => ({
        project,
        rules: kept.map(({ rule, added }, at) => ({
          number: at + 1,
          text: ruleText(rule, { folder: project }),
          rule,
          added,
        })),
      })),
    }),
    notes: [],
    lines: () => {
      const [only] = all;
      if (!only) return ['Nothing is allowed here without a question.'];
      return all.flatMap(([project, kept], at) => [
        ...(at > 0 ? [''] : []),
        oneLine(project),
        // A rule is never cut: a person has to see all that it covers.
        ...kept.map(({ rule, added }, index) => {
          const when = added?.slice(0, 10) ?? 'by hand';
          return `  ${index + 1}  ${when}  ${oneLine(ruleText(rule, { folder: project }))}`;
        }),
      ]);
    },
  });
}

export async function runApprovalsRemove({ words, flags, terminal }: Call<ApprovalFlags>): Promise<void> {
  const { rules, project } = rulesHere(flags, terminal);
  const numbers = words.map((word) => numberOf(word, { option: 'NUMBER', from: 1, to: mostNumber }));
  if (numbers.length === 0) throw badOption('expected the number of a rule: palimpsest approvals list shows them');
  const removed = await rules.remove(numbers);
  const texts = removed.map(({ rule }: KeptRule) => oneLine(ruleText(rule, project)));
  await writeResult(terminal, {
    json: () => ({ command: 'approvals remove', project: project.folder, removed: texts }),
    notes: [],
    lines: () => texts.map((text) => `Asked again from now on: ${text}`),
  });
}

const mostNumber = 100_000;

interface RulesHere {
  readonly rules: ApprovalRules;
  readonly project: Project;
  /** Where the rules of all projects lie. */
  readonly folder: string;
}

function rulesHere({ project: named }: ApprovalFlags, { env, platform, cwd }: Terminal): RulesHere {
  const folder = dataFolder(env, platform);
  if (folder === undefined) {
    throw new PalimpsestError(
      'BAD_CONFIG',
      'the environment names no home folder, where what was allowed would be kept',
    );
  }
  const home = env.HOME ?? env.USERPROFILE;
  const project = openProject({ folder: projectFolder(named ?? '.', cwd), home, ownFolders: [] });
  return { rules: openApprovalRules({ folder, project: project.folder }), project, folder };
}
