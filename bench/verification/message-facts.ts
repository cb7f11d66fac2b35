/** True facts read out of the messages themselves: figures, versions, commits, links, and the names of things. */
import { resultText, toolCalls, toolResults } from '../../packages/core/src/transcript/text.ts';
import { factOf } from './ledger-facts.ts';
import type { Fact, Word } from './lines.ts';
import type { SessionRecord } from './record.ts';

/** Facts that stand in results of commands, in edits and in what was written. */
export function messageFacts(record: SessionRecord): readonly Fact[] {
  const commands = commandsOf(record);
  const facts = record.messages.flatMap((_, at) => factsAt(record, at, commands));
  const seen = new Set<string>();
  return facts.filter((fact) => {
    const key = JSON.stringify([fact.type, fact.fields]);
    return !seen.has(key) && seen.add(key) !== undefined;
  });
}

function factsAt(record: SessionRecord, at: number, commands: ReadonlyMap<string, string>): readonly Fact[] {
  const message = record.messages[at];
  if (!message) return [];
  const ref = `m${at + 1}`;
  const text = record.texts[at] ?? '';
  const results = toolResults(message).flatMap((result) => {
    const command = commands.get(result.callId);
    return command === undefined ? [] : figuresIn(resultText(result), { ref, command });
  });
  const calls = toolCalls(message).flatMap(({ input }) => [...namesIn(input, ref), ...definitionsIn(input, ref)]);
  return [...results, ...calls, ...versionsIn(text, ref), ...linksIn(text, ref)];
}

/** Commands by the id of their call; of messages with several calls nobody can tell which action is which. */
function commandsOf({ messages, facts }: SessionRecord): ReadonlyMap<string, string> {
  const byRef = Map.groupBy(facts.actions, ({ ref }): string => ref);
  const commands = new Map<string, string>();
  for (const [at, message] of messages.entries()) {
    const [call, ...others] = toolCalls(message);
    const [action, ...more] = byRef.get(`m${at + 1}`) ?? [];
    if (call && action?.type === 'run' && others.length + more.length === 0) commands.set(call.callId, action.target);
  }
  return commands;
}

const units: Readonly<Record<string, Word>> = {
  passed: { en: 'passed', zh: '个通过', ja: '件成功', ko: '개 통과' },
  failed: { en: 'failed', zh: '个失败', ja: '件失敗', ko: '개 실패' },
  tests: { en: 'tests', zh: '个测试', ja: '件のテスト', ko: '개 테스트' },
  'files changed': { en: 'files changed', zh: '个文件被修改', ja: 'ファイルが変更', ko: '개 파일 변경' },
  insertions: { en: 'insertions', zh: '行新增', ja: '行の追加', ko: '줄 추가' },
  deletions: { en: 'deletions', zh: '行删除', ja: '行の削除', ko: '줄 삭제' },
  errors: { en: 'errors', zh: '个错误', ja: '件のエラー', ko: '개의 오류' },
  warnings: { en: 'warnings', zh: '个警告', ja: '件の警告', ko: '개의 경고' },
};

const counted =
  /(?<![\w.])(\d{1,6})(?: |\()(passed|failed|tests|files changed|insertions|deletions|errors|warnings)\b/g;
const timed = /(?<![\w.])(\d+\.\d{1,4}) ?(s|ms)(?![\w-])/g;
/** `[main 1a2b3c4] Subject`, and a line of `git log --oneline`. */
const committed =
  /^(?:\[[\w./-]+ (?:\(root-commit\) )?([0-9a-f]{7,12})\]|([0-9a-f]{7,12})(?: \([^)\n]*\))?) ([^\n"`“”]{8,90})$/gm;

function figuresIn(text: string, { ref, command }: { ref: string; command: string }): readonly Fact[] {
  // What prints files prints their prose, where `400 errors` counts nothing.
  const isShort = command.length <= 90 && !/[\n`"]|^(?:head|tail|cat|sed|grep|rg|less|nl)\b/.test(command);
  const counts = [...text.matchAll(counted)].flatMap(([, number = '', unit = '']) => {
    const word = units[unit];
    return word === undefined || !isShort ? [] : [factOf('count', { ref, fields: { command, number, unit: word } })];
  });
  const times = [...text.matchAll(timed)].slice(0, 3).flatMap(([, number = '', unit = '']) => {
    return isShort ? [factOf('duration', { ref, fields: { command, number, unit } })] : [];
  });
  const commits = !/\bgit\b/.test(command)
    ? []
    : [...text.matchAll(committed)].flatMap(([, made, listed, subject = '']) => {
        const hash = made ?? listed ?? '';
        return /\d/.test(hash) && /[a-f]/.test(hash)
          ? [factOf('commit', { ref, fields: { hash, text: subject } })]
          : [];
      });
  return [...counts.slice(0, 4), ...times, ...commits.slice(0, 4)];
}

const versioned =
  /(?<![\w./@-])"?(@?[a-z][a-z0-9/-]{2,40}?)(?:": "[\^~]?|@|==|@v| v)(\d{1,3}\.\d{1,3}\.\d{1,3})(?![\w.-])/g;

function versionsIn(text: string, ref: string): readonly Fact[] {
  return [...text.matchAll(versioned)]
    .slice(0, 6)
    .filter(([, name]) => name !== 'version')
    .map(([, name = '', version = '']) => factOf('version', { ref, fields: { name, version } }));
}

const url = /https?:\/\/[\w.-]+\.\w{2,8}\/[\w./#-]*\w(?![\w?=&%:~@+/-])/g;
const issue = /\b(PR|issue|pull request) (#\d{1,6})\b/gi;

function linksIn(text: string, ref: string): readonly Fact[] {
  const urls = [...new Set(text.match(url) ?? [])].slice(0, 2).filter((one) => !one.includes('REDACTED'));
  const issues = [...text.matchAll(issue)].slice(0, 2);
  return [
    ...urls.map((one) => factOf('url', { ref, fields: { url: one } })),
    ...issues.map(([, kind = '', number = '']) => {
      const isIssue = kind.toLowerCase() === 'issue';
      return factOf('issue', { ref, fields: { kind: isIssue ? 'issue' : 'PR', issue: number } });
    }),
  ];
}

const flag =
  /(?:^|[\s;&|"])(git|gh|npm|npx|pnpm|yarn|go|cargo|docker|node|python3?|pip|uv|pytest|curl|make|mise|grep|rg|kubectl|bd|bun)(?: [a-z][\w-]*){0,2} (--[a-z][a-z0-9]+(?:-[a-z0-9]+)*)(?![\w-])/g;
const env = /(?<=\$\{?|process\.env\.|export |os\.Getenv\(\\?")[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b/g;
const branch = /\bgit (?:checkout -b|switch -c|push (?:-u )?origin|worktree add \S+ -b) ([a-z][\w.-]*\/[\w./-]*\w)/g;

function namesIn(input: string, ref: string): readonly Fact[] {
  const flags = [...input.matchAll(flag)].slice(0, 2);
  const names = [...new Set(input.match(env) ?? [])].slice(0, 2);
  return [
    ...flags.map(([, name = '', identifier = '']) => factOf('flag', { ref, fields: { name, identifier } })),
    ...names.map((identifier) => factOf('env', { ref, fields: { identifier } })),
    ...[...input.matchAll(branch)].map(([, identifier = '']) => factOf('branch', { ref, fields: { identifier } })),
  ];
}

const edited = /"(?:file_path|path|filePath)":\s?"([^"\s]+\.\w{1,6})"/;
const defined = /\b(?:func(?: \([^)]*\))?|function|def|fn) ([a-zA-Z_]\w{5,50})\(/g;

/** Functions that an edit of a file has in its text. */
function definitionsIn(input: string, ref: string): readonly Fact[] {
  const path = edited.exec(input)?.[1];
  if (path === undefined) return [];
  const short = path.split('/').slice(-2).join('/').replace(/^\//, '');
  const names = [...new Set([...input.matchAll(defined)].map(([, name = '']) => name))];
  const telling = names.filter((name) => /[a-z][A-Z]|_/.test(name)).slice(0, 3);
  return telling.map((identifier) => factOf('function', { ref, fields: { identifier, path: short } }));
}
