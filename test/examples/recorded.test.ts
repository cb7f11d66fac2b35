/** The recorded sessions keep what their README promises: they parse, they are valid, long enough, and tell nothing of a machine. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadEncoding } from '../../packages/core/src/tokens/encoding.ts';
import type { FormatName, Message, Transcript } from '../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import {
  groupsOf,
  messageText,
  readableText,
  toolCalls,
  toolResults,
} from '../../packages/core/src/transcript/text.ts';

interface Recorded {
  readonly path: string;
  readonly format: FormatName;
  /** Messages as the format counts them: Anthropic puts all results of an answer into one. */
  readonly messages: readonly [least: number, most: number];
  /** o200k tokens of everything readable, without the JSON around it. */
  readonly tokens: readonly [least: number, most: number];
  /** A script that the person's words must be written in. */
  readonly script?: RegExp;
}

const small = { messages: [60, 150], tokens: [10_000, 30_000] } as const;
const fixtures = 'test/fixtures/sessions';
const sessions: readonly Recorded[] = [
  {
    path: 'examples/recorded/link-checker.openai-chat.json',
    format: 'openai-chat',
    messages: [300, 400],
    tokens: [60_000, 90_000],
  },
  { path: `${fixtures}/debugging-en.claude-code.jsonl`, format: 'claude-code', ...small },
  { path: `${fixtures}/feature-zh.openai-chat.json`, format: 'openai-chat', ...small, script: /\p{Script=Han}{4}/u },
  { path: `${fixtures}/refactoring-ja.codex.jsonl`, format: 'codex', ...small, script: /\p{Script=Hiragana}{2}/u },
  {
    path: `${fixtures}/operations-ko.anthropic.json`,
    format: 'anthropic',
    ...small,
    messages: [45, 150],
    script: /\p{Script=Hangul}{2}/u,
  },
  { path: `${fixtures}/house-chat-en.sharegpt.json`, format: 'sharegpt', ...small },
  { path: `${fixtures}/analysis-de.pi.jsonl`, format: 'pi', ...small, script: /[äöüß]|\b(?:und|bitte)\b/iu },
];

/** Homes and work folders of real machines; `/tmp/home` is the neutral one of the recorder. */
const machinePath = /(?<!\/tmp)\/(?:home|root|Users|work|private|var\/folders)\/\w/;

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): Promise<string> => readFile(`${root}${path}`, 'utf8');

async function transcriptOf({ path }: Recorded): Promise<Transcript> {
  const { transcripts, findings } = await readTranscripts(await read(path), { name: path });
  assert.deepEqual(
    findings.filter(({ level }) => level !== 'note'),
    [],
  );
  assert.equal(transcripts.length, 1);
  const [transcript] = transcripts;
  assert.ok(transcript);
  return transcript;
}

for (const session of sessions) {
  describe(session.path, () => {
    it('is told by its content and read without loss', async () => {
      const { format } = await readTranscripts(await read(session.path));
      assert.equal(format, session.format);
      await transcriptOf(session);
    });

    it('is as long as it says', async () => {
      const { messages } = await transcriptOf(session);
      const { count } = await loadEncoding('o200k_base');
      const tokens = messages.reduce((sum, message) => sum + count(readableText(message)), 0);
      within(messages.length, session.messages);
      within(tokens, session.tokens);
    });

    it('answers every call once and in its group, and leaves no message empty', async () => {
      const { messages } = await transcriptOf(session);
      const calls = messages.flatMap((message) => toolCalls(message).map(({ callId }) => callId));
      const results = messages.flatMap((message) => toolResults(message).map(({ callId }) => callId));
      assert.equal(new Set(calls).size, calls.length);
      assert.deepEqual(results.toSorted(), calls.toSorted());
      assert.deepEqual(
        groupsOf(messages).flatMap(({ open }) => open),
        [],
      );
      for (const message of messages) assert.notEqual(readableText(message).trim(), '');
    });

    it('has valid JSON in every call', async () => {
      const { messages } = await transcriptOf(session);
      for (const call of messages.flatMap(toolCalls)) assert.equal(typeof JSON.parse(call.input), 'object');
    });

    it('speaks its language', async () => {
      const { script = /[a-z]{3}/ } = session;
      const { messages } = await transcriptOf(session);
      const said = messages.filter(({ role }) => role === 'user').map(messageText);
      const share = said.filter((text) => script.test(text)).length / Math.max(1, said.filter(Boolean).length);
      assert.ok(share > 0.6, `only ${Math.round(share * 100)} % of what the person says`);
    });

    it('tells nothing of the machine it was recorded on', async () => {
      const text = await read(session.path);
      holdsNo(text, machinePath);
      holdsNo(text, /\/tmp\/(?!home\b)\w/);
      holdsNo(text, /https?:\/\/(?!127\.0\.0\.1|x\.test|[\w.]*\$|www\.w3\.org)[\w-]+\.\w/);
    });

    it('holds no secret and no mail address but of example domains', async () => {
      const text = await read(session.path);
      holdsNo(text, /\b(?:sk|ghp|gho|xox[bp]|AKIA|AIza|npm)[-_][A-Za-z0-9]{16}|-----BEGIN/);
      holdsNo(text, /[\w.]+@(?!example\.com\b)[\w-]+\.(?:com|org|net|io|dev|de)\b/);
    });
  });
}

describe('the shipped example', () => {
  it('has failures, side effects and an open request at its end', async () => {
    const { messages } = await transcriptOf(sessions[0] ?? assert.fail());
    const results = messages.flatMap(toolResults).map((part) => readableText({ role: 'tool', parts: [part] }));
    assert.ok(results.filter((text) => /ℹ fail [1-9]/.test(text)).length >= 5);
    assert.ok(messages.flatMap(toolCalls).filter(({ input }) => input.includes('git commit')).length >= 10);
    assert.ok(lastUser(messages).includes('--fix'));
  });

  it('names commits in its prose that its own tools showed', async () => {
    const { messages } = await transcriptOf(sessions[0] ?? assert.fail());
    const shown = messages
      .flatMap(toolResults)
      .map((part) => readableText({ role: 'tool', parts: [part] }))
      .join('\n');
    const said = messages
      .filter(({ role }) => role === 'assistant')
      .map(messageText)
      .join('\n');
    for (const [, id = ''] of said.matchAll(/`([0-9a-f]{7})`/g)) assert.ok(shown.includes(id), `${id} was never shown`);
  });
});

describe('the scenarios', () => {
  it('hold nothing of the machine they were written on', async () => {
    for (const folder of ['examples/recorded/link-checker', `${fixtures}/scenarios`]) {
      const names = await readdir(`${root}${folder}`);
      assert.ok(names.length > 0);
      for (const name of names) {
        holdsNo(await read(`${folder}/${name}`), machinePath);
      }
    }
  });
});

const lastUser = (messages: readonly Message[]): string => {
  const last = messages.findLast(({ role }) => role === 'user');
  return last ? messageText(last) : '';
};

function within(value: number, [least, most]: readonly [number, number]): void {
  assert.ok(least <= value && value <= most, `expected ${least} to ${most}, got ${value}`);
}

/** Fails with the place alone; a whole session in a message helps nobody. */
function holdsNo(text: string, pattern: RegExp): void {
  const found = pattern.exec(text);
  assert.equal(found && text.slice(Math.max(0, found.index - 30), found.index + 50), null);
}
