/** What is remembered of a whole conversation, from the handoffs of six invented days of work. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { episodeOf, episodeText } from '../../packages/core/src/compression/episode.ts';
import { tokenizerFor } from '../../packages/core/src/tokens/tokenizer.ts';

const days = ['chat-en', 'claude-code-en', 'claude-code-ja', 'claude-code-ko', 'codex-en', 'codex-zh'];
const handoffOf = (day: string): string =>
  readFileSync(new URL(`../fixtures/golden/${day}.handoff.md`, import.meta.url), 'utf8');

const { count } = await tokenizerFor('gpt-4o');

/** What somebody who was there says the day was about. */
const matters: Readonly<Record<string, readonly RegExp[]>> = {
  'chat-en': [/volunteers/, /Both mails are out|9,422/],
  'claude-code-en': [/member list/, /batches of 500/],
  'claude-code-ja': [/同じ先生の同じ時間/, /取消/],
  'claude-code-ko': [/버벅/, /Enter|컴포지션|폼 제출/],
  'codex-en': [/OOM-killed/, /512 KB|segments/],
  'codex-zh': [/差异/, /跨月/],
};

describe('M5: the episode of a conversation', () => {
  for (const day of days) {
    it(`says what was wanted and what came of it, in at most 110 tokens: ${day}`, () => {
      const episode = episodeOf(handoffOf(day));
      const text = episodeText(episode, { count });
      assert.ok(count(text) <= 110, `${count(text)} tokens`);
      assert.match(text, /^wanted: .+\ndone: .+/);
      for (const matter of matters[day] ?? [/^$/]) assert.match(text, matter);
    });

    it(`says nothing that the handoff does not say: ${day}`, () => {
      const handoff = flat(handoffOf(day));
      for (const list of Object.values(episodeOf(handoffOf(day))))
        for (const { text } of list) for (const line of text.split('\n')) assert.ok(handoff.includes(flat(line)), line);
    });
  }

  it('fits a page for a month of work days', () => {
    const month = Array.from({ length: 22 }, (_, at) =>
      episodeText(episodeOf(handoffOf(days[at % 6] ?? '')), { count }),
    );
    assert.ok(count(month.join('\n\n')) <= 2_500, `${count(month.join('\n\n'))} tokens`);
  });

  it('keeps each part as long as there is room for a beginning of it, and gives up the last ones first', () => {
    const episode = episodeOf(handoffOf('claude-code-en'));
    for (const tokens of [30, 60, 90, 200]) {
      const text = episodeText(episode, { count, tokens });
      assert.ok(count(text) <= tokens, `${count(text)} tokens of ${tokens}`);
      assert.match(text, /^wanted: /);
    }
  });

  it('is empty for what tells no story, and never throws', () => {
    assert.equal(episodeText(episodeOf(''), { count }), '');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        assert.ok(count(episodeText(episodeOf(text), { count })) <= 110);
      }),
    );
  });
});

/** Without the marks that lines of a handoff begin with, and without its shortenings. */
const flat = (text: string): string =>
  text
    .replace(/^ ?(?:[-<+] )?(?:- )?|\\/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
