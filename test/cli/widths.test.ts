/** Every table and report fits the screen, whatever conversations, tools, models and folders are called. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { widthOf } from '../../packages/palimpsest/src/terminal/screen.ts';
import { inFolder, runHere } from '../support/command-line.ts';
import { rollout } from '../support/usage-log.ts';

const japanese =
  'サーバーのタイムアウトを調べて、オーブンのタイマーが午前四時に止まる理由を報告してください。ログも確認してください。';
const families = '👨‍👩‍👧‍👦 '.repeat(60);
const latin = 'Why-does-the-oven-timer-of-the-second-bakery-in-the-old-town-stop-at-four-in-the-morning? '.repeat(2);
const model = '供应商/très-long-model-name-with-ever-more-words-2026-10-31-preview-thinking-large-context-edition';
const tool = 'ファイルを読み込んで内容を要約するとても長い名前のツール_read_and_summarize_everything';
const folder = `${'very-long-folder-name-'.repeat(4)}フォルダー`;
const huge = 987_654_321_098;

const chat = (request: string): string =>
  JSON.stringify({
    model,
    messages: [
      { role: 'system', content: 'You are careful.' },
      ...Array.from({ length: 40 }, (_, turn) => [
        { role: 'user', content: `${request} ${turn}` },
        { role: 'assistant', content: null, tool_calls: [call(turn)] },
        { role: 'tool', tool_call_id: `c${turn}`, content: `${request} ${turn} `.repeat(30) },
        { role: 'assistant', content: `${request}: ${turn} OK.` },
      ]).flat(),
    ],
  });

const call = (turn: number): object => ({
  id: `c${turn}`,
  type: 'function',
  function: { name: tool, arguments: JSON.stringify({ path: `/${folder}/${folder}/${turn}.ts` }) },
});

const usage = { prompt: huge, cached: huge - 12_345_678, output: 123_456_789 };

/** A store with all of that, and files to read. */
function withNames(use: (cwd: string) => Promise<void>): Promise<void> {
  return inFolder({}, async (cwd) => {
    const inner = join(cwd, folder);
    mkdirSync(inner);
    for (const [at, request] of [japanese, families, latin].entries()) {
      writeFileSync(join(inner, `${folder.slice(0, 60)}${at}.json`), chat(request));
      const calls = [2, 3, 9].map((day) => ({ ...usage, day, model: at === 0 ? 'gpt-5.5' : model }));
      writeFileSync(
        join(inner, `rollout-${at}.jsonl`),
        rollout(`019f${at}111-5c0a-7a31-9b44-0d1e2f3a4b5c`, request, calls),
      );
    }
    writeFileSync(
      join(inner, 'notes.md'),
      `# ${latin}\n- The user asked: "${japanese}"\n- Edited \`src/${folder}.ts\`\n`,
    );
    writeFileSync(join(inner, 'broken.json'), '{');
    await use(inner);
  });
}

const file = `${folder.slice(0, 60)}0.json`;

const commands: readonly (readonly string[])[] = [
  ['import', '.'],
  ['import', '.', '--dry-run'],
  ['sessions', 'list'],
  ['sessions', 'show', '019f0111'],
  ['sessions', 'compress', '019f1111'],
  ['sessions', 'show', '019f1111'],
  ['sessions', 'delete', '019f2111', '--dry-run'],
  ['sessions', 'prune', '--before', '2030-01-01', '--dry-run'],
  ['search', 'タイムアウト'],
  ['search', 'oven'],
  ['search'],
  ['usage', '019f0111'],
  ['usage', '019f2111'],
  ['insights', '--since', '2026-03-01', '--until', '2026-03-10'],
  ...['model', 'source', 'project', 'task', 'day', 'tool'].map((by) => [
    'insights',
    '--since',
    '2026-03-01',
    '--by',
    by,
  ]),
  ['doctor'],
  ['backup', 'copy-of-everything-that-was-ever-said.db'],
  ['restore', 'copy-of-everything-that-was-ever-said.db', '--force'],
  ['vectors', 'status'],
  ['outputs', 'list'],
  ['inspect', file],
  ['status', file],
  ['status', '--context-length', '987654321098'],
  ['ledger', file],
  ['compress', file, '-o', 'short.json'],
  ['compress', file, '--target', '3k', '--explain', '-o', 'short2.json'],
  ['verify', 'notes.md', file],
  ['simulate', file, '--model', 'gpt-5.5', '--context-length', '64k'],
  ['config', 'show'],
  ['plugins'],
  ['formats'],
  ['expand'],
];

/** Lines that a person copies, where one word is wider than the screen. */
const isCommand = (line: string): boolean =>
  /^ {2,4}(?:palimpsest|\S+(?: \\)?$)/.test(line) && line.trim().split(' ').length <= 4;

for (const columns of [80, 40]) {
  describe(`reports on a screen of ${columns} columns`, () => {
    it('have no line that is wider', () =>
      withNames(async (cwd) => {
        const wide: string[] = [];
        for (const words of commands) {
          const { code, stdout, stderr } = await runHere(hasStore(words) ? [...words, '--store', 'kept.db'] : words, {
            cwd,
            columns,
          });
          assert.doesNotMatch(stderr, /INTERNAL|an error in Palimpsest/, words.join(' '));
          assert.notEqual(code, 4, words.join(' '));
          for (const line of stdout.split('\n')) {
            if (widthOf(line) > columns && !isCommand(line))
              wide.push(`${words.join(' ').slice(0, 40)} | ${widthOf(line)}: ${line}`);
          }
        }
        assert.equal(wide.join('\n'), '');
      }));
  });
}

const withoutStore = ['inspect', 'status', 'ledger', 'compress', 'verify', 'simulate', 'config', 'plugins', 'formats'];
const hasStore = ([name = '']: readonly string[]): boolean => !withoutStore.includes(name);

describe('help on a screen of 80 columns', () => {
  it('has no line that is wider', async () => {
    const listed = [...(await runHere(['--help'])).stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
    assert.ok(listed.includes('compress'));
    const inner = ['sessions', 'outputs', 'vectors', 'plugins', 'config'];
    const all = await Promise.all(
      inner.map(async (group) =>
        [...(await runHere([group, '--help'])).stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => [
          group,
          name,
        ]),
      ),
    );
    for (const words of [[], ...listed.map((name) => [name]), ...all.flat()]) {
      const { stdout } = await runHere([...words, '--help'], { columns: 80 });
      for (const line of stdout.split('\n')) assert.ok(widthOf(line) <= 80, `${words.join(' ')}: ${line}`);
    }
  });
});
