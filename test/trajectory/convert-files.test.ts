/** `palimpsest trajectories convert`: files in another format, and what is told of them. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { convertTrajectoryFiles } from '../../packages/palimpsest/src/trajectory/convert-files.ts';
import { inFolder, runHere } from '../support/command-line.ts';
import { shareGptLines } from '../support/trajectories.ts';

const lines = shareGptLines({ records: 60, turns: 8, brokenEvery: 7 });
const text = `${lines.join('\n')}\n`;
const convert = (cwd: string, ...args: readonly string[]) =>
  runHere(['trajectories', 'convert', '--workers', '1', ...args], { cwd });
const linesIn = (path: string): readonly string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);

describe('J2 trajectories convert', () => {
  it('keeps the order and the broken lines, and comes back to the same records', () =>
    inFolder({ 'in.jsonl': text }, async (cwd) => {
      const { code, stdout, stderr } = await convert(cwd, 'in.jsonl', '-o', 'chat.jsonl', '--to', 'openai-chat');
      assert.equal(code, 1);
      assert.match(stdout, /60 records in [\d.]+ s: 52 converted, 0 were of that format/);
      assert.equal(stderr.split('\n')[0], 'palimpsest: in.jsonl:7: expected a line of JSON, got something else');
      const chat = linesIn(join(cwd, 'chat.jsonl'));
      assert.equal(chat.length, 60);
      assert.equal(chat[6], lines[6]);
      assert.deepEqual(
        chat.filter((_, at) => at % 7 !== 6).map((line) => JSON.parse(line).id),
        lines.filter((_, at) => at % 7 !== 6).map((line) => JSON.parse(line).id),
      );
      assert.equal((await convert(cwd, 'chat.jsonl', '-o', 'back.jsonl', '--to', 'sharegpt')).code, 1);
      const unwrapped = readFileSync(join(cwd, 'back.jsonl'), 'utf8').replaceAll(
        /<\/?tool_response>(?:\\n)?|\\n(?=<\/tool_response>)/g,
        '',
      );
      assert.equal(unwrapped, text);
      assert.deepEqual(readdirSync(cwd).sort(), ['back.jsonl', 'chat.jsonl', 'in.jsonl']);
    }));

  it('makes a folder of a folder, packed as the names say, and the same with any number of workers', () =>
    inFolder({}, async (cwd) => {
      mkdirSync(join(cwd, 'runs'));
      writeFileSync(join(cwd, 'runs', 'a.jsonl.gz'), gzipSync(text));
      writeFileSync(join(cwd, 'runs', 'b.jsonl'), text);
      await convert(cwd, 'runs', '-o', 'one', '--to', 'anthropic');
      await convert(cwd, 'runs', '-o', 'two', '--to', 'anthropic', '--workers', '2');
      assert.deepEqual(readdirSync(join(cwd, 'one')).sort(), ['a_anthropic.jsonl.gz', 'b_anthropic.jsonl']);
      const plain = readFileSync(join(cwd, 'one', 'b_anthropic.jsonl'), 'utf8');
      assert.equal(gunzipSync(readFileSync(join(cwd, 'one', 'a_anthropic.jsonl.gz'))).toString(), plain);
      assert.equal(readFileSync(join(cwd, 'two', 'b_anthropic.jsonl'), 'utf8'), plain);
      assert.equal(JSON.parse(linesIn(join(cwd, 'one', 'b_anthropic.jsonl'))[0] ?? '').system, 'You mend ovens.');
    }));

  it('says which fields were left out, and how many records were changed to be valid', () =>
    inFolder({}, async (cwd) => {
      const asked = { from: 'gpt', value: '<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>' };
      const turns = [{ from: 'human', value: 'Look.' }, asked, { from: 'human', value: 'Never mind.' }];
      const records = [
        { loss_mask: [[0, 2]], conversations: turns },
        { loss_mask: [[0, 2]], conversations: turns.slice(0, 1) },
        { messages: [{ role: 'user', content: 'Hi' }] },
      ];
      writeFileSync(join(cwd, 'in.jsonl'), records.map((record) => JSON.stringify(record)).join('\n'));
      const args = ['in.jsonl', '--to', 'openai-chat', '-o', 'out.jsonl'];
      const { stdout } = await convert(cwd, ...args, '--dry-run');
      assert.match(stdout, /3 records in [\d.]+ s: 2 converted, 1 were of that format/);
      assert.match(stdout, /1 record changed to be valid/);
      assert.match(
        stdout,
        /left out, because the format has no place for it:\n {2}loss_mask: 2 records\ndry run: nothing was written/,
      );
      const { stdout: json } = await convert(cwd, ...args, '--json');
      const { converted, repaired, leftOut, counts } = JSON.parse(json);
      assert.deepEqual(
        { converted, repaired, leftOut, counts },
        {
          converted: 2,
          repaired: 1,
          leftOut: { loss_mask: 2 },
          counts: { read: 3, written: 3, dropped: 0, broken: 0 },
        },
      );
    }));

  it('goes on with a run that was stopped, and ends with what an undisturbed one writes and tells', () =>
    inFolder({ 'in.jsonl': text }, async (cwd) => {
      const options = {
        inputs: ['in.jsonl'],
        layout: { to: 'openai-chat' },
        cwd,
        config: { processing: { batchKilobytes: 4, checkpointSeconds: 0, numWorkers: 1 } },
      } as const;
      const calm = await convertTrajectoryFiles({ ...options, output: 'calm.jsonl' });
      const controller = new AbortController();
      const stopped = convertTrajectoryFiles({
        ...options,
        output: 'out.jsonl',
        signal: controller.signal,
        onProgress: ({ records }) => records > 20 && controller.abort(),
      });
      await assert.rejects(stopped, { code: 'INTERRUPTED' });
      const other = {
        ...options,
        layout: { to: 'openai-chat', reasoning: 'drop' },
        output: 'out.jsonl',
        resume: true,
      } as const;
      await assert.rejects(convertTrajectoryFiles(other), {
        code: 'BAD_OPTION',
        message: /cannot be gone on with: convert.reasoning was not known and is drop/,
      });
      const { converted, counts, resumed } = await convertTrajectoryFiles({
        ...options,
        output: 'out.jsonl',
        resume: true,
      });
      assert.deepEqual([resumed, converted, counts], [true, calm.converted, calm.counts]);
      assert.equal(readFileSync(join(cwd, 'out.jsonl'), 'utf8'), readFileSync(join(cwd, 'calm.jsonl'), 'utf8'));
    }));

  it('refuses what makes no sense before it begins', () =>
    inFolder({ 'in.jsonl': text }, async (cwd) => {
      const refused: readonly (readonly [readonly string[], RegExp])[] = [
        [['in.jsonl', '-o', 'out.jsonl'], /expected --to as sharegpt, openai-chat or anthropic/],
        [['in.jsonl', '-o', 'out.jsonl', '--to', 'anthropic', '--calls', 'turns'], /--calls beside --to sharegpt/],
        [['in.jsonl', '--to', 'anthropic'], /expected -o FILE/],
        [['in.jsonl', '-o', 'in.jsonl', '--to', 'anthropic', '--force'], /input/],
        [['-o', 'out.jsonl', '--to', 'anthropic'], /at least one input/],
        [['in.jsonl', '-o', 'out.jsonl', '--to', 'anthropic', '--title', 'x'], /--title beside --from-sessions/],
      ];
      for (const [args, message] of refused) {
        const { code, stderr } = await convert(cwd, ...args);
        assert.equal(code, 2, args.join(' '));
        assert.match(stderr, message);
      }
      assert.deepEqual(readdirSync(cwd), ['in.jsonl']);
    }));
});
