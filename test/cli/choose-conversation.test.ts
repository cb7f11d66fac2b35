import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Message, Transcript } from '../../packages/core/src/transcript/message.ts';
import { chooseConversation, sinceLastCompression } from '../../packages/palimpsest/src/cli/load.ts';

const text = (role: Message['role'], words: string): Message => ({ role, parts: [{ type: 'text', text: words }] });

function conversation(length: number, fields: Partial<Transcript> = {}): Transcript {
  return { format: 'codex', messages: Array.from({ length }, (_, at) => text('user', `${at}`)), ...fields };
}

describe('the choice of a conversation', () => {
  const files = [
    conversation(3, { id: 'abc-1' }),
    conversation(9, { id: 'abc-2' }),
    conversation(20, { id: 'side', sideOf: 'abc-1' }),
  ];

  it('is the longest one that is no side conversation, with a note', () => {
    const { index, note } = chooseConversation(files, undefined);
    assert.equal(index, 1);
    assert.match(note ?? '', /3 conversations.*number 2 \(abc-2\), the longest/);
  });

  it('needs no note when there is only one', () => {
    assert.equal(chooseConversation([conversation(2)], undefined).note, undefined);
  });

  it('takes a number, an id, or the start of an id', () => {
    assert.equal(chooseConversation(files, '3').index, 2);
    assert.equal(chooseConversation(files, 'abc-1').index, 0);
    assert.equal(chooseConversation(files, 'si').index, 2);
  });

  it('lists what there is for an unknown or ambiguous name', () => {
    assert.throws(() => chooseConversation(files, '4'), {
      code: 'ID_UNKNOWN',
      message: /"4"[\s\S]*2 {2}abc-2 {2}9 messages/,
    });
    assert.throws(() => chooseConversation(files, 'abc'), { code: 'ID_AMBIGUOUS', message: /abc-1[\s\S]*abc-2/ });
    assert.throws(() => chooseConversation([], undefined), { code: 'TRANSCRIPT_BROKEN' });
  });

  it('prefers an id that is a number to the number', () => {
    assert.equal(chooseConversation([conversation(1, { id: '2' }), conversation(1, { id: 'b' })], '2').index, 0);
  });
});

describe('the stretch since the last compression', () => {
  it('starts at the last compression and keeps the system prompt', () => {
    const messages = [text('system', 's'), ...Array.from({ length: 6 }, (_, at) => text('user', `${at}`))];
    const transcript: Transcript = { format: 'claude-code', messages, compressions: [2, 4] };
    assert.deepEqual(sinceLastCompression(transcript), [messages[0], messages[4], messages[5], messages[6]]);
  });

  it('is the very same list when the log was never compressed', () => {
    const transcript = conversation(3);
    assert.equal(sinceLastCompression(transcript), transcript.messages);
  });
});
