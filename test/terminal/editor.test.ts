/** The editor: what each key does to the draft, and how the draft is laid out. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type Editor,
  emptyEditor,
  pastedInto,
  pressed,
  replacedText,
  textOf,
  typed,
} from '../../packages/palimpsest/src/terminal/editor/editor.ts';
import { layoutOf } from '../../packages/palimpsest/src/terminal/editor/layout.ts';
import { shownDraft } from '../../packages/palimpsest/src/terminal/editor/pasted.ts';
import { keyReader } from '../../packages/palimpsest/src/terminal/input/keys.ts';
import { widthOf } from '../../packages/palimpsest/src/terminal/screen.ts';

const place = { columns: 20, entries: ['first', 'second\nwith two lines'] };

/** The draft with `|` at the cursor. */
const shown = ({ draft }: Editor): string => `${draft.text.slice(0, draft.cursor)}|${draft.text.slice(draft.cursor)}`;

function after(editor: Editor, ...inputs: readonly string[]): Editor {
  let next = editor;
  for (const input of inputs)
    for (const event of [...keyReader().read(input)])
      next =
        event.type === 'key'
          ? (pressed(next, event, place) ?? next)
          : event.type === 'text'
            ? typed(next, event.text)
            : next;
  return next;
}

/** The editor with a text, and the cursor at its `|`. */
function at(text: string): Editor {
  const editor = typed(emptyEditor, text.replace('|', ''));
  return { ...editor, draft: { ...editor.draft, cursor: text.indexOf('|') } };
}

describe('keys of the editor', () => {
  const cases: readonly (readonly [what: string, before: string, keys: string, after: string])[] = [
    ['deletes a character as a person sees it', 'a👩‍👩‍👧‍👦|b', '\x7f', 'a|b'],
    ['deletes the one after the cursor', 'a|e\u0301b', '\x1b[3~', 'a|b'],
    ['joins lines', 'a\n|b', '\x7f', 'a|b'],
    ['moves by a character', 'a🇩🇪|b', '\x1b[D', 'a|🇩🇪b'],
    ['moves by a word', 'one two|', '\x1bb', 'one |two'],
    ['moves by a word of a dictionary', '日本語の文章|', '\x1bb', '日本語の|文章'],
    ['moves to the end of a word', '|one two', '\x1bf', 'one| two'],
    ['goes to the start of the line', 'a\nbc|d', '\x01', 'a\n|bcd'],
    ['goes to the end of the line', 'a|b\nc', '\x05', 'ab|\nc'],
    ['cuts to the end of the line', 'a|bc\nd', '\x0b', 'a|\nd'],
    ['cuts to the start of the line', 'a\nbc|d', '\x15', 'a\n|d'],
    ['cuts the word before', 'go to /a/b |x', '\x17', 'go to |x'],
    ['cuts the word after', 'a| word x', '\x1bd', 'a| x'],
    ['brings back what was cut', 'one two|', '\x17\x1b[H\x19', 'two|one '],
    ['joins what was cut in a row', 'one two|', '\x17\x17\x19', 'one two|'],
    ['breaks the line with Ctrl-J', 'a|b', '\n', 'a\n|b'],
    ['breaks the line with Shift+Enter', 'a|b', '\x1b[13;2u', 'a\n|b'],
    ['undoes a word at a time', '|', 'one two\x1f', '|'],
    ['undoes deleting', 'one two|', '\x17\x1f', 'one two|'],
    ['moves up in rows, and keeps the column', 'abcdef\nx\nabcdef|', '\x1b[A\x1b[A', 'abcdef|\nx\nabcdef'],
    [
      'moves down in rows that the screen broke',
      '|one two three four five six',
      '\x1b[B',
      'one two three four |five six',
    ],
  ];
  for (const [what, before, keys, wanted] of cases)
    test(`${what}`, () => assert.equal(shown(after(at(before), keys)), wanted));

  test('typing letter by letter is undone by words', () => {
    const editor = after(emptyEditor, ...'one two');
    assert.equal(shown(after(editor, '\x1f')), 'one|');
    assert.equal(shown(after(editor, '\x1f\x1f')), '|');
  });

  test('keys that it does not know change nothing', () => {
    assert.equal(shown(after(at('a|b'), '\x1b[21~\x1b[5~\x1b[2~')), 'a|b');
  });
});

describe('texts that were sent before', () => {
  test('Up goes back through them, Down comes back to the draft', () => {
    const draft = typed(emptyEditor, 'my draft');
    assert.equal(shown(after(draft, '\x1b[A')), 'second|\nwith two lines');
    assert.equal(shown(after(draft, '\x1b[A\x1b[A')), 'first|');
    assert.equal(shown(after(draft, '\x1b[A\x1b[A\x1b[A')), '|first');
    assert.equal(shown(after(draft, '\x1b[A\x1b[A\x1b[B')), 'second\nwith two lines|');
    assert.equal(shown(after(draft, '\x1b[A\x1b[A\x1b[B\x1b[B')), 'my draft|');
  });

  test('one that is changed is the draft from then on', () => {
    const changed = after(typed(emptyEditor, 'my draft'), '\x1b[A', '!');
    assert.equal(shown(changed), 'second!|\nwith two lines');
    assert.equal(shown(after(changed, '\x1b[B\x1b[B')), 'second!\nwith two lines|');
  });
});

describe('long pastes', () => {
  const long = Array.from({ length: 34 }, (_, line) => `line ${line}`).join('\n');
  test('stand in the editor as their number of lines, and are sent in full', () => {
    const editor = typed(pastedInto(typed(emptyEditor, 'see '), long), ' please');
    assert.equal(shownDraft(editor.draft.text, editor.draft.pasted).shown, 'see [pasted\u00a034\u00a0lines] please');
    assert.equal(textOf(editor), `see ${long} please`);
    const wide = pastedInto(emptyEditor, 'x'.repeat(2_000));
    assert.equal(shownDraft(wide.draft.text, wide.draft.pasted).shown, '[pasted\u00a02000\u00a0characters]');
  });

  test('are one character for the keys', () => {
    const editor = pastedInto(typed(emptyEditor, 'a'), long);
    assert.equal(textOf(after(editor, '\x7f')), 'a');
    assert.equal(textOf(after(editor, '\x7f\x1f')), `a${long}`);
    assert.equal(textOf(after(editor, '\x1b[D', 'b')), `ab${long}`);
  });

  test('cannot be named by what is typed or pasted', () => {
    const editor = pastedInto(emptyEditor, long);
    assert.equal(textOf(typed(editor, '\u{10f000}')), long);
    assert.equal(textOf(pastedInto(editor, 'x\u{10f000}')), `${long}x`);
    assert.equal(textOf(replacedText(editor, '\u{10f000}')), '');
  });

  test('short ones are text', () => {
    assert.equal(shown(pastedInto(emptyEditor, 'a\n\tb')), 'a\n\tb|');
  });
});

test('the rows of a draft hold all of it, none is too wide, and the cursor is where its character is', () => {
  const part = fc.constantFrom(
    'a',
    'word',
    ' ',
    '   ',
    '\n',
    '\t',
    '日本語',
    '👩‍👩‍👧‍👦',
    'a-very-long-word-that-no-row-holds',
    '。',
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 20 }),
      fc.integer({ min: 4, max: 24 }),
      fc.nat(),
      (parts, columns, seed) => {
        const text = parts.join('');
        const cursor = [...text].slice(0, seed % ([...text].length + 1)).join('').length;
        const { rows, row, column } = layoutOf({ text, pasted: new Map(), cursor }, columns);
        assert.ok(rows[row], 'the cursor is in a row');
        assert.ok(column <= columns);
        for (const one of rows) assert.ok(widthOf(one.text) <= columns, one.text);
        const squeezed = (value: string): string => value.replaceAll(/\s/g, '');
        assert.equal(squeezed(rows.map((one) => one.text).join('')), squeezed(text));
      },
    ),
  );
});

test('any keys in any order leave a draft whose cursor stands between two characters', () => {
  const input = fc.constantFrom(
    'a',
    '日',
    '👩‍👩‍👧‍👦',
    ' ',
    '\n',
    '\x7f',
    '\x1b[3~',
    '\x1b[D',
    '\x1b[C',
    '\x1b[A',
    '\x1b[B',
    '\x17',
    '\x0b',
    '\x15',
    '\x19',
    '\x1f',
    '\x1bb',
    '\x1bf',
    '\x1bd',
    '\x01',
    '\x05',
  );
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  fc.assert(
    fc.property(fc.array(input, { maxLength: 40 }), (inputs) => {
      const { draft } = after(emptyEditor, ...inputs);
      const bounds = new Set([...segmenter.segment(draft.text)].map(({ index }) => index)).add(draft.text.length);
      assert.ok(bounds.has(draft.cursor), `${JSON.stringify(draft.text)} at ${draft.cursor}`);
    }),
  );
});
