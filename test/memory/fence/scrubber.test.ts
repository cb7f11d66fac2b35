/** What a person sees of an answer that repeats blocks of ours, however it is cut. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { handoffBlock } from '../../../packages/core/src/compression/handoff-block.ts';
import { withFence } from '../../../packages/core/src/conversation/recall-fence.ts';
import { fence } from '../../../packages/core/src/memory/fence/fence.ts';
import { createScrubber, scrub, scrubbed } from '../../../packages/core/src/memory/fence/scrubber.ts';
import { messageText } from '../../../packages/core/src/transcript/text.ts';

function shown(...deltas: readonly string[]): string {
  const scrubber = createScrubber();
  return deltas.map((delta) => scrubber.push(delta)).join('') + scrubber.flush();
}

const recalled = messageText(withFence({ role: 'user', parts: [] }, 'The user likes tea.'));
const handoff = handoffBlock('The server runs on port 80.', { covers: 'm1-m9', count: 9, keptIn: 'a b.jsonl' });

describe('M4 what is shown', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    [
      'drops a block with what is in it',
      'Hello\n<memory-context>\npayload more\n</memory-context> world',
      'Hello\n world',
    ],
    ['drops the block that fence makes', `${fence('The user likes tea.')}\nHi.`, '\nHi.'],
    ['drops the block of automatic recall', `Look:\n${recalled}\nHi.`, 'Look:\n\nHi.'],
    ['drops a handoff', `${handoff}\n\nHi.`, '\n\nHi.'],
    ['drops a handoff without its attributes', '<handoff>\nReference only: notes\n</handoff>Hi.', 'Hi.'],
    ['drops blocks one right behind the other', `${handoff}${fence('a')}${recalled}Hi.`, 'Hi.'],
    ['drops a block in any case', '<Memory-CONTEXT>\nx\n</MEMORY-context>Hi.', 'Hi.'],
    ['drops a block whose tag has attributes', '<memory-context source="a > b" x>\nx\n</memory-context>Hi.', 'Hi.'],
    [
      'drops a block with blanks in and around its tags',
      ' \t< memory-context > \r\nx\r\n< / memory-context >Hi.',
      ' \tHi.',
    ],
    ['drops a block that has no end', 'Hi.\n<memory-context>\nx </memory-contex', 'Hi.\n'],
    ['drops a block behind lines that end as on other systems', 'Hi.\r<memory-context>\rx</memory-context>', 'Hi.\r'],
    ['drops a real block inside a code fence', `\`\`\`\n${fence('a')}\n\`\`\`\nHi.`, '```\n\n```\nHi.'],
    [
      'drops a block behind a code fence',
      '```js\n1\n```\n<memory-context>\nx\n</memory-context>Hi.',
      '```js\n1\n```\nHi.',
    ],
    ['drops a block behind code inside a line', '```a``` b\n<memory-context>\nx</memory-context>', '```a``` b\n'],
  ];
  for (const [title, text, expected] of cases) {
    test(title, () => {
      assert.equal(scrub(text), expected);
      for (let at = 0; at <= text.length; at++) assert.equal(shown(text.slice(0, at), text.slice(at)), expected);
      assert.equal(shown(...text.split('')), expected);
    });
  }

  const kept: readonly (readonly [string, string])[] = [
    ['a mention inside a line', 'Between <memory-context> and </memory-context>\nit stands.'],
    ['a tag with words behind it', '<memory-context> is the tag.\n</memory-context>'],
    ['a code fence that shows the tag', '```xml\n<memory-context>\nyour text\n</memory-context>\n```\nDone.'],
    ['a code fence that shows a handoff', '~~~~\n~~~\n<handoff covers="m1">\n...\n</handoff>\n~~~~'],
    ['handoffs of other programs', '<handoff>\n  <to>billing</to>\n</handoff>\n<handoff to="sales">\nx\n</handoff>'],
    ['a tag that is never closed by its bracket', '<memory-context and so on\n'],
    ['a tag in a quotation', '> <memory-context>\n> x'],
    ['a tag of another name', '<memory-contexts>\n<memory>\n<h>\nx'],
    ['an empty element', '<memory-context/>\n<memory-context />\nx'],
    ['a tag at the very end', 'The tag is\n<memory-context>'],
    ['what may become a tag at the very end', 'a\n<memory-con'],
    ['a handoff that only begins like one of ours', '<handoff>\n\r\nReference one: x\n<handoff>\nRef'],
    ['an end that stands alone', 'x\n</memory-context>\ny'],
    ['pictures and other alphabets', '🙂\n<🙂>\nпривет\r\n'],
  ];
  for (const [title, text] of kept) {
    test(`keeps ${title}`, () => {
      assert.equal(scrub(text), text);
      for (let at = 0; at <= text.length; at++) assert.equal(shown(text.slice(0, at), text.slice(at)), text);
      assert.equal(shown(...text.split('')), text);
    });
  }

  test('comes as soon as it cannot be a block any more', () => {
    const scrubber = createScrubber();
    assert.equal(scrubber.push('Hello\n'), 'Hello\n');
    assert.equal(scrubber.push('<mem'), '');
    assert.equal(scrubber.push('o>'), '<memo>');
    assert.equal(scrubber.push(' a < b\n  '), ' a < b\n  ');
    assert.equal(scrubber.push('<memory-context>\npayload '), '');
    assert.equal(scrubber.push('more\n'), '');
    assert.equal(scrubber.push('</memory-context> world'), ' world');
    assert.equal(scrubber.flush(), '');
  });

  test('begins anew with a new text', () => {
    const scrubber = createScrubber();
    scrubber.push('```\n<memory-context>\n[Recalled from memory');
    scrubber.reset();
    assert.equal(scrubber.push('Hi.\n<memory'), 'Hi.\n');
    assert.equal(scrubber.flush(), '<memory');
    assert.equal(scrubber.push('<memory-context>\nx'), '');
    assert.equal(scrubber.flush(), '');
    assert.equal(scrubber.push('Hi.'), 'Hi.');
  });
});

/** Pieces of what models write, so that random texts come near to blocks. */
const piece = fc.constantFrom(
  ...['\n', '\r\n', '\r', ' ', '\t', '<', '>', '/', '"', '```', '~~~', '`', 'a', '🙂', 'x="1>2"', '\ud83d', '</'],
  ...[
    '<memory-context>',
    '</memory-context>',
    '<MEMORY-context a="b">',
    'memory-context',
    '<mem',
    'handoff',
    '</handoff>',
  ],
  ...['<handoff covers="m1">', '<handoff>', 'Reference only:', '[Recalled from memory', '<recalled-context check="0">'],
  ...['</recalled-context>', '<memory-context>\n', '\n</memory-context>', 'Hello\n', '\n```\n'],
);
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
const cuts = fc.array(fc.nat(200), { maxLength: 12 });

const cutAt = (whole: string, places: readonly number[]): readonly string[] => {
  const sorted = [0, ...places.map((place) => Math.min(place, whole.length)).toSorted((a, b) => a - b), whole.length];
  return sorted.slice(1).map((end, at) => whole.slice(sorted[at], end));
};

describe('M4 laws of what is shown', () => {
  test('it is the same however the text is cut', () => {
    fc.assert(
      fc.property(text, cuts, (whole, places) => {
        const expected = shown(whole);
        assert.equal(scrub(whole), expected);
        assert.equal(shown(...whole.split('')), expected);
        assert.equal(shown(...cutAt(whole, places)), expected);
      }),
      { numRuns: 3_000 },
    );
  });

  test('it holds no block: shown again, it stays what it is', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const once = scrub(whole);
        assert.equal(scrub(once), once);
      }),
      { numRuns: 3_000 },
    );
  });

  test('it is the text around the blocks, whatever stands in them', () => {
    const line = fc.constantFrom('Hello 🙂.', 'a <memory-context> b', 'x < y', '1. `<handoff>`', '', '  - item');
    const payload = text.map((inner) => inner.replaceAll(/<\s*\//g, ''));
    const part = fc.oneof(
      line.map((said) => [`${said}\n`, `${said}\n`] as const),
      fc
        .tuple(fc.constantFrom('memory-context', 'recalled-context'), payload)
        .map(([name, inner]) => [`<${name}>\n${inner}</${name}>\n`, '\n'] as const),
      payload.map((inner) => [`<handoff covers="m1-m2" messages="2">\n${inner}</handoff>\n`, '\n'] as const),
    );
    fc.assert(
      fc.property(fc.array(part), cuts, (parts, places) => {
        const whole = parts.map(([said]) => said).join('');
        assert.equal(shown(...cutAt(whole, places)), parts.map(([, seen]) => seen).join(''));
      }),
      { numRuns: 1_000 },
    );
  });

  test('recalled text never comes through its own block, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), cuts, (inner, places) => {
        assert.equal(shown(...cutAt(`Hi.\n${fence(inner)} Bye.`, places)), 'Hi.\n Bye.');
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('M4 what is held', () => {
  test('is no more than the longest tag, for a tag that never ends', () => {
    const scrubber = createScrubber();
    const piece = ' a="b"';
    let [came, given] = [0, 0];
    for (const delta of ['<memory-context', ...Array.from({ length: 20_000 }, () => piece)]) {
      came += delta.length;
      given += scrubber.push(delta).length;
      assert.ok(came - given <= 4_200);
    }
    assert.equal(given + scrubber.flush().length, came);
  });

  test('is nothing of a block of ten megabytes without an end', () => {
    const scrubber = createScrubber();
    scrubber.push('<memory-context>\n');
    const delta = `${'x'.repeat(99_999)}<`;
    for (let count = 0; count < 100; count++) assert.equal(scrubber.push(delta), '');
    assert.equal(scrubber.flush(), '');
  });
});

describe('M4 a stream of texts', () => {
  test('passes without its blocks, and with what was held back at its end', async () => {
    const deltas = ['Hello\n', '<memory-context>\npayload ', 'more\n', '</memory-context> world', '\n<memory'];
    const seen = await Array.fromAsync(scrubbed(ReadableStream.from(deltas)));
    assert.deepEqual(seen, ['Hello\n', ' world', '\n', '<memory']);
  });
});
