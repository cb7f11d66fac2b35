import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { table } from '../../../packages/palimpsest/src/cli/render/table.ts';
import { type Screen, widthOf } from '../../../packages/palimpsest/src/terminal/screen.ts';

const screen: Screen = { columns: 40, colour: false, unicode: true };

describe('tables', () => {
  it('aligns columns by their content', () => {
    const lines = table(
      [{ title: 'kind' }, { title: 'tokens', align: 'right' }],
      [
        ['user', '1,200'],
        ['工具', '7'],
      ],
      { screen },
    );
    assert.deepEqual(lines, ['  kind  tokens', '  user   1,200', '  工具       7']);
  });

  it('cuts the column that gives way, so that no row is wider than the screen', () => {
    const rows = [['m1', 'a text that is far too long for a narrow screen like this one', 'kept']];
    const lines = table([{ title: 'ref' }, { title: 'about', gives: true }, { title: 'fate' }], rows, { screen });
    for (const line of lines) assert.ok(widthOf(line) <= 40, line);
    assert.match(lines[1] ?? '', /^ {2}m1 {3}a text that.*… {2}kept$/);
  });

  it('shows what is not known with a dash that the terminal can show', () => {
    const dashes = (unicode: boolean) => table([{ title: 'in' }], [['–'], ['1–2']], { screen: { ...screen, unicode } });
    assert.deepEqual([dashes(true)[1], dashes(false)[1]], ['  –', '  -']);
  });

  it('leaves the titles out when there are none', () => {
    assert.deepEqual(table([{ title: '' }, { title: '' }], [['a', 'b']], { screen, indent: 0 }), ['a  b']);
  });

  it('colours whole rows only where the screen has colours', () => {
    const rowStyle = (): 'bold' => 'bold';
    assert.deepEqual(table([{ title: '' }], [['a']], { screen, rowStyle }), ['  a']);
    const coloured = table([{ title: '' }], [['a']], { screen: { ...screen, colour: true }, rowStyle });
    assert.deepEqual(coloured, ['  \u001b[1ma\u001b[22m']);
  });
});
