/** Markdown as it streams: the same rows however it is cut, nothing shown that is taken back, nothing that drives the terminal. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { markdownStream } from '../../packages/palimpsest/src/terminal/markdown/stream.ts';
import { type Screen, widthOf } from '../../packages/palimpsest/src/terminal/screen.ts';
import { assertGolden } from '../support/golden.ts';

const screen = (columns: number, colour = false): Screen => ({ columns, colour, unicode: true });

function rendered(text: string, { columns = 80, cut = text.length, colour = false } = {}): readonly string[] {
  const stream = markdownStream(() => screen(columns, colour));
  const rows: string[] = [];
  for (let at = 0; at < text.length; at += cut) rows.push(...stream.write(text.slice(at, at + cut)));
  return [...rows, ...stream.end()];
}

/** The unfinished rows after each letter. */
function tails(text: string, columns = 40): readonly (readonly string[])[] {
  const stream = markdownStream(() => screen(columns));
  return [...text].map((letter) => {
    stream.write(letter);
    return stream.tail();
  });
}

const sample = `# A plan for **today**

Here is *what* I found in \`src/server.ts\`, **before** anything else: the ~~old~~ timeout; see [the page](https://example.com/a_b) or https://example.com/x_y_z.
snake_case_name, 2 * 3 * 4 and \\*no emphasis\\* &lt;tag&gt; <b>tag</b>

1. first, which is long enough to be broken at the end of the row, and to go on below its own beginning
2. second
   - inside
- [ ] open

> quoted **text** that is long enough to be broken at the end of the row, behind its bar
> > deeper

| file | lines | 説明 |
|---|---:|:-:|
| src/server.ts | 120 | the *first* |
| 設定ファイル.md | 8 | x \\| y |

---

\`\`\`diff
+ added
- removed	with a tab
  the same
\`\`\`

日本語の長い文章をここに書いて、**行の折り返し**がどうなるかを確認します。「引用」もあります。中文的句子也要在八十列里正确地换行，不会超出屏幕。👩‍👩‍👧‍👦 ✅
`;

describe('Markdown', () => {
  for (const columns of [20, 80, 120])
    test(`looks like this on ${columns} columns`, () => {
      assertGolden(`terminal/golden/markdown-${columns}.txt`, `${rendered(sample, { columns }).join('\n')}\n`);
    });

  test('has the same rows however the stream is cut', () => {
    const whole = rendered(sample);
    for (const cut of [1, 2, 3, 7, 64]) assert.deepEqual(rendered(sample, { cut }), whole, `${cut} letters at a time`);
  });

  test('is never wider than the screen but in code, which stays whole for copying', () => {
    for (const columns of [20, 33, 80]) {
      const code = rendered(sample, { columns }).indexOf('╭─ diff');
      for (const row of rendered(sample, { columns }).slice(0, code)) assert.ok(widthOf(row) <= columns, row);
    }
    const line = `const a = '${'x'.repeat(200)}';`;
    assert.deepEqual(rendered(`\`\`\`\n${line}\n\`\`\`\n`), ['╭─', line, '╰─']);
  });

  test('is drawn with styles where there are colours', () => {
    assert.deepEqual(rendered('**b** *i* `c` ~~s~~\n', { colour: true }), [
      '\x1b[1mb\x1b[22m \x1b[3mi\x1b[23m \x1b[36mc\x1b[39m \x1b[9ms\x1b[29m',
    ]);
  });

  test('keeps marks that have no other half, and underscores in names', () => {
    assert.deepEqual(rendered('a **b and _c d_e_f `g [h](i\n'), ['a **b and _c d_e_f `g [h](i']);
  });

  test('leaves empty lines at the ends out, and makes one of several', () => {
    assert.deepEqual(rendered('\n\na\n\n\n\nb\n\n'), ['a', '', 'b']);
  });
});

describe('Markdown that is not finished', () => {
  test('shows no mark that is taken back when its other half comes', () => {
    for (const rows of tails('a **bold** and `code` here'))
      assert.doesNotMatch(rows.join('\n'), /[*`]/, JSON.stringify(rows));
    for (const rows of tails('see [the page](https://example.com/a) now'))
      assert.doesNotMatch(rows.join('\n'), /\[|\]|\((?!https:\/\/example\.com\/a\))/, JSON.stringify(rows));
    for (const rows of tails('## Title')) assert.doesNotMatch(rows.join('\n'), /#/);
    for (const rows of tails('| a | b |\n|---|---|\n| 1 | 2 |\n')) assert.doesNotMatch(rows.join('\n'), /\|/);
  });

  test('only grows: what a row says stays until the line is complete', () => {
    const seen = tails('plain **bold words** and `some code` that go on and on, over the end of the row', 30);
    for (const [at, rows] of seen.entries()) {
      const before = seen[at - 1]?.join(' ') ?? '';
      assert.ok(rows.join(' ').startsWith(before), `${JSON.stringify(before)} → ${JSON.stringify(rows)}`);
    }
  });

  test('prints a long line while it is written, and every word of it once', () => {
    const text = Array.from({ length: 600 }, (_, at) => `word${at}`).join(' ');
    const stream = markdownStream(() => screen(40));
    const rows: string[] = [];
    for (let at = 0; at < text.length; at += 11) {
      rows.push(...stream.write(text.slice(at, at + 11)));
      assert.ok(stream.tail().length <= 7, `${stream.tail().length} rows are not finished`);
    }
    assert.ok(rows.length > 80, 'most of it was printed before its end');
    assert.equal([...rows, ...stream.end()].join(' '), text);
  });

  test('hands a long table out in parts, aligned alike', () => {
    const text = `| a | b |\n|---|---|\n${'| one | two |\n'.repeat(250)}`;
    const stream = markdownStream(() => screen(40));
    const rows = stream.write(text);
    assert.ok(rows.length >= 200);
    assert.deepEqual([...rows, ...stream.end()], ['a   │ b', '────┼────', ...Array(250).fill('one │ two')]);
  });
});

test('no text of a model, however it is cut, sends a control character to the terminal', () => {
  const part = fc.constantFrom(
    '\x1b]52;c;aGk=\x07',
    '\x1b]0;title\x07',
    '\x1b[2J',
    '\x1b[1;1H',
    '\x1b[?1049h',
    '\x9b31m',
    '\x1b[31m',
    '\x1bP1$r\x1b\\',
    '\r',
    '\b',
    '\x00',
    '`',
    '**',
    '\n',
    '```\n',
    '| a |\n|---|\n',
    '> ',
    '[x](\x1b]8;;http://a\x07)',
    'text ',
    '\u202e',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), fc.integer({ min: 1, max: 9 }), (parts, cut) => {
      const text = parts.join('');
      const stream = markdownStream(() => screen(30));
      const rows: string[] = [];
      for (let at = 0; at < text.length; at += cut)
        rows.push(...stream.write(text.slice(at, at + cut)), ...stream.tail());
      for (const row of [...rows, ...stream.end()])
        assert.doesNotMatch(row, /[\x00-\x1f\x7f-\x9f\u202a-\u202e]/, JSON.stringify(row));
    }),
  );
});

test('hostile lines cost no more than their length', () => {
  const shapes = [
    '*',
    '_a',
    '`',
    '``` `',
    '[',
    '![',
    '[a](',
    '<',
    '&',
    '~~a',
    '> ',
    '- ',
    '| a ',
    '#',
    '\\',
    ' ',
    '1. ',
    'https://',
  ];
  for (const shape of shapes) {
    const stream = markdownStream(() => screen(80));
    const text = shape.repeat(100_000 / shape.length);
    const before = process.threadCpuUsage();
    for (let at = 0; at < text.length; at += 2_048) stream.write(text.slice(at, at + 2_048));
    stream.end();
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1_000;
    assert.ok(ms < 1_500, `${JSON.stringify(shape)}: ${ms.toFixed(0)} ms`);
  }
});
