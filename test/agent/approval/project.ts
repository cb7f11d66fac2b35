/** A project on disk with everything in it that is to be protected, and an approval over it that counts its questions. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createApproval } from '../../../packages/palimpsest/src/agent/approval/approval.ts';
import { openProject, type Project } from '../../../packages/palimpsest/src/agent/approval/project.ts';
import type {
  ApprovalAnswer,
  ApprovalPolicy,
  ApprovalQuestion,
  ApprovalRequest,
  Approve,
} from '../../../packages/palimpsest/src/agent/approval/request.ts';
import { type ApprovalRules, openApprovalRules } from '../../../packages/palimpsest/src/agent/approval/rules-file.ts';

export interface TemporaryProject extends Disposable {
  readonly root: string;
  readonly project: Project;
  readonly own: string;
}

const files: Readonly<Record<string, string>> = {
  'home/.ssh/id_ed25519': 'key',
  'home/.bashrc': '# mine',
  'home/notes.txt': 'notes',
  'home/.config/palimpsest/config.yaml': '',
  'home/shop/package.json': '{"scripts":{"test":"node --test"}}',
  'home/shop/README.md': '# Shop',
  'home/shop/.git/config': '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/shop.git\n',
  'home/shop/.git/HEAD': 'ref: refs/heads/main\n',
  'home/shop/src/cart.ts': 'export const total = 1;\n',
  'home/shop/src/index.ts': 'export {};\n',
  'home/shop/app/.env': 'TOKEN=abc',
  'home/shop/app/main.ts': 'export {};\n',
  'home/shop/keys/server.pem': 'key',
};

/** A home with keys in it, and below it the project `shop`. */
export function temporaryProject(more: Readonly<Record<string, string>> = {}): TemporaryProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-agent-')));
  for (const [path, text] of Object.entries({ ...files, ...more })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  symlinkSync(join(root, 'home/notes.txt'), join(root, 'home/shop/linked.txt'));
  symlinkSync(join(root, 'home'), join(root, 'home/shop/up'));
  chmodSync(join(root, 'home/shop/src/index.ts'), 0o755);
  const own = join(root, 'home/.config/palimpsest');
  return {
    root,
    own,
    project: openProject({ folder: join(root, 'home/shop'), home: join(root, 'home'), ownFolders: [own] }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

export interface Asked {
  readonly approve: Approve;
  readonly rules: ApprovalRules;
  readonly questions: ApprovalQuestion[];
  readonly notices: string[];
}

export interface AskedOptions {
  readonly policy?: ApprovalPolicy | (() => ApprovalPolicy);
  /** @default no */
  readonly answer?: (question: ApprovalQuestion) => ApprovalAnswer | Promise<ApprovalAnswer>;
  /** True where nobody can be asked. */
  readonly isAlone?: boolean;
}

export function asked({ project, own }: TemporaryProject, options: AskedOptions = {}): Asked {
  const { policy = 'ask', answer = () => ({ type: 'no' }), isAlone = false } = options;
  const rules = openApprovalRules({ folder: own, project: project.folder });
  const questions: ApprovalQuestion[] = [];
  const notices: string[] = [];
  const ask = async (question: ApprovalQuestion): Promise<ApprovalAnswer> => {
    questions.push(question);
    return answer(question);
  };
  const approve = createApproval({
    project,
    rules,
    ask: isAlone ? undefined : ask,
    policy: typeof policy === 'function' ? policy : () => policy,
    onNotice: (notice) => notices.push(notice),
  });
  return { approve, rules, questions, notices };
}

export const run = (command: string): ApprovalRequest => ({ tool: 'terminal', kind: 'run', target: '.', command });
