/** ShareGPT: `{from, value}`, or `{role, content}` under `conversations`, with calls as markup in the text or as turns of their own. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { fromShareGpt, type ShareGptSpeaker, shareGptSpeaker } from '../../transcript/logs/sharegpt.ts';
import { clipMarkup, withMarkup } from '../markup.ts';
import type { Speaker, Turn } from '../turn.ts';
import { type Entry, type EntryFormat, type Piece, pieceBreak } from './entry.ts';

const speakers: Readonly<Record<ShareGptSpeaker, Speaker>> = {
  system: 'system',
  user: 'human',
  assistant: 'gpt',
  call: 'gpt',
  tool: 'tool',
};

export const shareGptEntries: EntryFormat = {
  format: 'sharegpt',
  expected: 'an entry with from and value',
  knows: (list, record) => {
    const [first] = list;
    if (!isJsonObject(first)) return false;
    if (typeof first.from === 'string') return true;
    const isPlain = typeof first.role === 'string' && (typeof first.content === 'string' || first.content === null);
    const isOurs = isJsonObject(record) && Array.isArray(record.conversations);
    return isPlain && (isOurs || list.some(isCallTurn)) && !list.some(hasCalls);
  },
  read: (value): Entry | undefined => {
    const [name, said] = namesOf(value);
    const speaker = value[name];
    if (typeof speaker !== 'string' || !(said in value || value[said] === undefined)) return undefined;
    return { speaker: speakers[shareGptSpeaker(speaker) ?? 'user'], text: textOf(value[said]) };
  },
  messages: (turns) => {
    const messages = fromShareGpt(
      turns.map(({ value, text, field }) => (field ? { from: 'system', value: text } : value)),
    );
    return withMarkup(messages, turns);
  },
  human: (pieces, like) => {
    const human = like.find(({ speaker, field }) => speaker === 'human' && field === undefined)?.value;
    const [name, said] = isJsonObject(human) ? namesOf(human) : (['from', 'value'] as const);
    const usual = name === 'from' ? 'human' : 'user';
    const given = isJsonObject(human) ? human[name] : usual;
    return { ...ownFields(pieces), [name]: given ?? usual, [said]: pieces.map(pieceText).join(pieceBreak) };
  },
  isPersons: ({ speaker }) => speaker === 'human',
  append: ({ value, text }, more) => {
    if (!isJsonObject(value)) return `${text}${pieceBreak}${more}`;
    return { ...value, [namesOf(value)[1]]: `${text}${pieceBreak}${more}` };
  },
  clip: ({ value, text }) => {
    if (!isJsonObject(value) || text === '') return undefined;
    const clip = clipMarkup(text);
    return (shorten) => ({ ...value, [namesOf(value)[1]]: clip(shorten) });
  },
};

const namesOf = (value: JsonObject): readonly [string, string] =>
  typeof value.from === 'string' ? ['from', 'value'] : ['role', 'content'];

const hasCalls = (value: JsonValue): boolean =>
  isJsonObject(value) && ('tool_calls' in value || isJsonObject(value.function_call));

/** Calls as turns of their own, `tool_call` or `function_call`: no provider has such a role, sets under `messages` do. */
const isCallTurn = (value: JsonValue): boolean =>
  isJsonObject(value) && typeof value.role === 'string' && shareGptSpeaker(value.role) === 'call';

/** A turn may have nothing to say; what is no text is counted as it stands in the file. */
const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

const pieceText = (piece: Piece): string => (typeof piece === 'string' ? piece : piece.text);

/** Fields beside the text that a turn of the record brings into the new one, such as `weight`. */
function ownFields(pieces: readonly Piece[]): JsonObject {
  const turn = pieces.find((piece): piece is Turn => typeof piece !== 'string');
  return isJsonObject(turn?.value) ? turn.value : {};
}
