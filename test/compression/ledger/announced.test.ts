/** A plan that the agent announces in a list and sets about: what is still to come of it stands among what is left. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { agent, factsOf, person, ran } from './session.ts';

/** Words of the agent with a call that edits a file beside them. */
function edits(text: string, path: string, written: string): readonly Message[] {
  const [call, ...rest] = ran({
    name: 'Edit',
    input: { file_path: path, old_string: '', new_string: written },
    result: `The file ${path} has been updated successfully.`,
  });
  assert.ok(call);
  return [{ ...call, parts: [...agent(text).parts, ...call.parts] }, ...rest];
}

const left = (...messages: readonly (Message | readonly Message[])[]): readonly string[] =>
  factsOf(person('Make the ferry list sortable.'), ...messages).announced.map(({ text }) => text);

const plan = `I see how it hangs together. This is the plan:

1. **Store**: sort in \`listFerries\` by the column that was asked for
2. **Route**: read \`sortBy\` from the query and check it
3. **Table head**: buttons with an arrow, and \`aria-sort\`
4. **Guide**: a paragraph about sorting

Let me begin with the store:`;

describe('S8: a plan that was announced', () => {
  it('tells what is to come once its first point was begun', () => {
    assert.deepEqual(left(edits(plan, 'src/ferries.ts', 'export function listFerries(column: Column) {}')), [
      'Route: read `sortBy` from the query and check it',
      'Table head: buttons with an arrow, and `aria-sort`',
      'Guide: a paragraph about sorting',
    ]);
  });

  it('goes on with what the agent says and writes, in its order', () => {
    const begun = edits(plan, 'src/ferries.ts', 'export function listFerries(column: Column) {}');
    const head = edits('Now the buttons with the arrow in the table head:', 'src/table.tsx', '<th>');
    assert.deepEqual(left(begun, head), ['Guide: a paragraph about sorting']);
    assert.deepEqual(left(begun, head, edits('', 'docs/guide.md', 'A paragraph about sorting: click')), []);
  });

  it('is over when the turn ends, or when somebody asks for something else', () => {
    const begun = edits(plan, 'src/ferries.ts', 'export function listFerries(column: Column) {}');
    assert.deepEqual(left(begun, agent('The list can be sorted now.')), []);
    assert.deepEqual(left(begun, person('Leave that, and look at the log of the pier.')), []);
    assert.equal(left(begun, person('ok')).length, 3);
  });

  it('is none where a list tells what was found', () => {
    const found =
      'The log has three kinds of lines:\n1. `boarding` lines with a name\n2. `cast off` lines\n3. noise\nNow the sorter:';
    assert.deepEqual(left(edits(found, 'src/sorter.ts', 'const boarding = line.includes("name")')), []);
  });

  for (const [language, text, written, last] of [
    [
      'German',
      'Ich muss:\n1. `fahrplan` sortieren\n2. Die Tabelle um Pfeile ergänzen',
      'fahrplan sortieren',
      'Die Tabelle um Pfeile ergänzen',
    ],
    [
      'Japanese',
      '以下の手順で進めます:\n1. `fahrplan` を並べ替える\n2. 表に矢印を付ける',
      'fahrplan 並べ替える',
      '表に矢印を付ける',
    ],
    [
      'Korean',
      '다음 순서로 진행합니다:\n1. `fahrplan` 정렬하기\n2. 표에 화살표 달기',
      'fahrplan 정렬하기',
      '표에 화살표 달기',
    ],
    ['Chinese', '接下来的步骤:\n1. 给 `fahrplan` 排序\n2. 在表头加上箭头', 'fahrplan 排序', '在表头加上箭头'],
  ] as const) {
    it(`is read in ${language}`, () => {
      assert.deepEqual(left(edits(text, 'src/a.ts', written)), [last]);
    });
  }
});
