/** Windows of a few thousand tokens: forty requests fit, none of them is refused, and a compression leaves room for some turns. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { promptTokens } from '../../../packages/core/src/testing/answer.ts';
import { readableText } from '../../../packages/core/src/transcript/text.ts';
import { dialectNamed } from '../../../packages/core/src/transcript/wire/dialects.ts';
import { playSmall, requestOf } from './session.ts';

/** The most compressions of forty turns, and the turns in a row that may each have one. */
for (const { window, most, inRow } of [
  { window: 4_000, most: 18, inRow: 2 },
  { window: 4_500, most: 24, inRow: 3 },
  { window: 6_000, most: 14, inRow: 2 },
  { window: 8_000, most: 8, inRow: 1 },
]) {
  test(`T5 in a window of ${window} tokens forty turns with tools and a memory fit, and at most ${most} of them are compressed`, async (t) => {
    const { requests, ends, compressions, events } = await playSmall(t, window);
    assert.deepEqual(
      ends.map((end) => end?.reason),
      ends.map(() => 'done'),
    );
    const sizes = requests.map((request) => promptTokens(dialectNamed(request.dialect), request));
    assert.ok(Math.max(...sizes) <= window, `${sizes}`);
    assert.ok(requests.every(({ status }) => status === 200));
    const count = compressions.reduce((sum, one) => sum + one, 0);
    t.diagnostic(`${count} compressions: ${compressions.join('')}`);
    assert.ok(count <= most, `${count} compressions: ${compressions.join('')}`);
    const rows = compressions.map((one) => (one > 0 ? 'c' : ' ')).join('');
    assert.ok(!rows.includes('c'.repeat(inRow + 1)), rows);
    // Invariant 3, and what the agent is told of its work.
    const said = requests.map(({ messages }) => messages.map(readableText).join('\n'));
    for (let turn = 0; turn < ends.length; turn++)
      assert.ok(
        said.some((text) => text.includes(requestOf(turn))),
        requestOf(turn),
      );
    assert.ok(said.every((text) => text.includes('make the smallest change that does what was asked')));
    assert.ok(
      events.some((event) => event.type === 'notice' && /^Recalled for this request/.test(event.notice.message)),
    );
  });
}
