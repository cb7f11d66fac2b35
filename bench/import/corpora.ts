/** What is imported: real sessions of every tool, and long conversations, as the bytes of files. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface Corpus {
  readonly name: string;
  readonly files: readonly Uint8Array[];
}

/** Every tool with a folder of transcripts, then the long conversations that are there. */
export function corporaIn(data: string): readonly Corpus[] {
  const transcripts = join(data, 'transcripts');
  const tools = existsSync(transcripts) ? globSync('*', { cwd: transcripts }).sort() : [];
  const corpora = tools.map((name) => ({ name, files: filesIn(join(transcripts, name), '*') }));
  const long = join(data, 'longconv');
  const beam = filesIn(long, 'beam-*/*/chat.json.gz').map((file) => asChat(beamMessages(parsed(file))));
  const locomo = filesIn(long, 'locomo/*.json.gz').flatMap((file) => locomoMessages(parsed(file)).map(asChat));
  return [...corpora, { name: 'BEAM', files: beam }, { name: 'LoCoMo', files: locomo }].filter(
    ({ files }) => files.length > 0,
  );
}

function filesIn(folder: string, pattern: string): readonly Uint8Array[] {
  if (!existsSync(folder)) return [];
  const paths = globSync(pattern, { cwd: folder }).sort();
  return paths.map((path) => {
    const bytes = readFileSync(join(folder, path));
    return bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
  });
}

interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

const asChat = (messages: readonly ChatMessage[]): Uint8Array => Buffer.from(JSON.stringify({ messages }));
const parsed = (file: Uint8Array): unknown => JSON.parse(Buffer.from(file).toString());

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

function beamMessages(chat: unknown): readonly ChatMessage[] {
  const turns = list(chat).flatMap((batch) => list(member(batch, 'turns')).flatMap(list));
  return turns.map((turn) => ({ role: String(member(turn, 'role')), content: String(member(turn, 'content')) }));
}

/** The sessions of two people; one of them takes the place of the model. */
function locomoMessages(conversations: unknown): readonly (readonly ChatMessage[])[] {
  return list(conversations).map((one) => {
    const conversation = member(one, 'conversation');
    const sessions = Object.entries(conversation ?? {}).filter(([key]) => /^session_\d+$/.test(key));
    return sessions.flatMap(([, turns]) =>
      list(turns).map((turn) => {
        const isFirst = member(turn, 'speaker') === member(conversation, 'speaker_a');
        return { role: isFirst ? 'user' : 'assistant', content: String(member(turn, 'text')) };
      }),
    );
  });
}
