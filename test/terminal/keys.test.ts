/** What terminals send, and what it means: keys in every spelling, pastes, and bursts that nobody typed. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { nameOf } from '../../packages/palimpsest/src/terminal/editor/editor.ts';
import { type KeyEvent, keyReader } from '../../packages/palimpsest/src/terminal/input/keys.ts';
import { type InputRead, inputReader } from '../../packages/palimpsest/src/terminal/input/reader.ts';
import { manualClock } from '../support/terminal/console-in-test.ts';

const shown = (event: KeyEvent): string =>
  event.type === 'key' ? nameOf(event) : event.type === 'protocol' ? 'protocol' : `${event.type}:${event.text}`;

function keysOf(characters: string): readonly string[] {
  const reader = keyReader();
  return [...reader.read(characters), ...reader.flush()].map(shown);
}

/** The reads that the reader hands on, as `text:…`, `paste:…` and names of keys. */
function readsOf(...chunks: readonly (string | number | Uint8Array)[]): readonly (readonly string[])[] {
  const clock = manualClock();
  const reads: InputRead[] = [];
  const reader = inputReader({ after: clock.after, onRead: (read) => reads.push(read) });
  // A number is a pause in milliseconds.
  for (const chunk of chunks) typeof chunk === 'number' ? clock.advance(chunk) : reader.feed(chunk);
  clock.advance(5_000);
  return reads.map(({ events }) => events.map((event) => shown(event.type === 'key' ? event.key : event)));
}

describe('keys', () => {
  const spellings: readonly (readonly [name: string, ...spellings: readonly string[]])[] = [
    ['enter', '\r', '\x1b[13u', '\x1b[57414u', '\x1bOM'],
    ['S-enter', '\x1b[13;2u', '\x1b[27;2;13~'],
    ['A-enter', '\x1b\r', '\x1b[13;3u', '\x1b[27;3;13~'],
    ['C-j', '\n', '\x1b[106;5u'],
    ['escape', '\x1b', '\x1b[27u', '\x1b[27;1u'],
    ['C-c', '\x03', '\x1b[99;5u', '\x1b[27;5;99~'],
    ['C-_', '\x1f', '\x1b[95;5u'],
    ['up', '\x1b[A', '\x1bOA', '\x1b[1;1A'],
    ['A-up', '\x1b[1;3A', '\x1b\x1b[A'],
    ['C-left', '\x1b[1;5D'],
    ['home', '\x1b[H', '\x1bOH', '\x1b[1~', '\x1b[7~'],
    ['end', '\x1b[F', '\x1bOF', '\x1b[4~'],
    ['delete', '\x1b[3~'],
    ['backspace', '\x7f', '\x08'],
    ['A-backspace', '\x1b\x7f', '\x1b[127;3u'],
    ['A-b', '\x1bb', '\x1b[98;3u'],
    ['S-tab', '\x1b[Z', '\x1b[9;2u'],
    ['text:A', 'A', '\x1b[97;2u', '\x1b[97:65;2u'],
    ['text:日本', '日本'],
    ['paste:a\rb', '\x1b[200~a\rb\x1b[201~'],
  ];
  for (const [name, ...ways] of spellings)
    test(`${JSON.stringify(name)} is known in each spelling`, () => {
      for (const way of ways) assert.deepEqual(keysOf(way), [name], JSON.stringify(way));
    });

  test('what is no key is left out: answers, focus, mouse, releases', () => {
    for (const noise of [
      '\x1b[?62;4c',
      '\x1b]11;rgb:0/0/0\x07',
      '\x1bP1$r\x1b\\',
      '\x1b[I',
      '\x1b[97;1:3u',
      '\x1b[[A',
      '\x1b[<0;1;1M',
    ])
      assert.deepEqual(keysOf(`a${noise}b`), ['text:a', 'text:b'], JSON.stringify(noise));
  });

  test('reads the same keys however the bytes are cut', () => {
    const keys = fc.constantFrom(
      '\x1b[13;2u',
      '\x1b[A',
      'a',
      '日',
      '👩‍👩‍👧‍👦',
      '\x1b[200~x\r\ny\x1b[201~',
      '\r',
      '\x1b[1;5C',
      '\x7f',
    );
    fc.assert(
      fc.property(
        fc.array(keys, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (all, cuts) => {
          const text = all.join('');
          const joined = (events: readonly KeyEvent[]): string => events.map(shown).join('|').replaceAll('|text:', '');
          const whole = keyReader();
          const cut = keyReader();
          const events: KeyEvent[] = [];
          for (let at = 0, turn = 0; at < text.length; turn += 1) {
            const length = cuts[turn % cuts.length] ?? 1;
            events.push(...cut.read(text.slice(at, at + length)));
            at += length;
          }
          assert.equal(joined(events), joined(whole.read(text)));
        },
      ),
    );
  });
});

describe('bytes as they come', () => {
  test('a lone Esc is a key after a moment, and no part of what follows later', () => {
    assert.deepEqual(readsOf('\x1b', 100, '[A'), [['escape'], ['text:[A']]);
    assert.deepEqual(readsOf('\x1b', 5, '[A'), [['up']]);
  });

  test('a letter that is cut between two reads is put together', () => {
    const bytes = Buffer.from('日');
    assert.deepEqual(readsOf(bytes.subarray(0, 1), bytes.subarray(1)), [['text:日']]);
  });

  test('a paste has plain line ends, and no control characters but tabs', () => {
    assert.deepEqual(readsOf('\x1b[200~a\r\nb\rc\td\x03\x1b[Ae\x1b[201~'), [['paste:a\nb\nc\td[Ae']]);
  });

  test('a paste whose end is lost ends by itself', () => {
    assert.deepEqual(readsOf('\x1b[200~abc', 2_000, 'd'), [['paste:abc'], ['text:d']]);
  });

  test('lines that come at once are a paste, even where the terminal does not say so', () => {
    assert.deepEqual(readsOf('one\rtwo\r'), [['paste:one\ntwo\n']]);
    assert.deepEqual(readsOf('rm -rf build\r'), [['paste:rm -rf build\n']]);
    assert.deepEqual(readsOf('one line that is long', 5, '\r', 5, 'two\r'), [
      ['text:one line that is long'],
      ['paste:\n'],
      ['paste:two\n'],
    ]);
  });

  test('Enter by itself, and after one letter, is Enter', () => {
    assert.deepEqual(readsOf('y\r'), [['text:y', 'enter']]);
    assert.deepEqual(readsOf('hello', 100, '\r'), [['text:hello'], ['enter']]);
  });

  test('where pastes are known to be marked, a word and Enter may come together', () => {
    assert.deepEqual(readsOf('\x1b[?1u', 'yes\r'), [['text:yes', 'enter']]);
    assert.deepEqual(readsOf('\x1b[?1u', 'yes\rno\r'), [['paste:yes\nno\n']]);
  });
});
