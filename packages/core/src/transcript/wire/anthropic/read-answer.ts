/** Answers of the Anthropic Messages API, whole and as events, as the message that the client sends back. */

import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import {
  type Assembler,
  append,
  charsForPlaces,
  charsIn,
  errorIn,
  extend,
  type Growing,
  inOrder,
  type Keep,
  placeIn,
  put,
  reportIn,
} from '../assembler.ts';
import type { AddedText } from '../text-run.ts';
import { asName, asObject, is } from '../values.ts';

/** A block that is growing, and the text of its input so far. */
interface OpenBlock {
  readonly block: Growing;
  input: string;
}

/** A reader of the answers of `POST /v1/messages`. */
export function createAnthropicAssembler(keep: Keep): Assembler {
  const blocks = new Map<number, OpenBlock>();
  /** Content that came as one. */
  let content: JsonValue | undefined;
  let usage: JsonObject | undefined;
  let model: string | undefined;
  let finish: string | undefined;
  let error: JsonObject | undefined;
  let isStarted = false;
  let isEnded = false;

  const readMessage = (message: JsonObject): void => {
    model ??= asName(message.model);
    usage = mergeReports(usage, message.usage);
    finish = asName(message.stop_reason) ?? finish;
  };
  const events: Readonly<Record<string, (data: JsonObject) => void>> = {
    message_start: ({ message }) => {
      isStarted = true;
      readMessage(asObject(message));
    },
    content_block_start: ({ index, content_block: block }) => {
      if (!isJsonObject(block)) return;
      keep(charsIn(block) + charsForPlaces(blocks));
      blocks.set(placeIn(index, blocks), { block: { ...block }, input: '' });
    },
    content_block_delta: ({ index, delta }) => {
      const at = typeof index === 'number' ? index : blocks.size - 1;
      keep(charsIn(delta) + charsForPlaces(blocks));
      const open = blocks.get(at) ?? openBlock(asObject(delta));
      if (!open) return;
      blocks.set(at, open);
      addDelta(open, asObject(delta));
    },
    message_delta: ({ delta, usage: report }) => readMessage({ ...asObject(delta), usage: report ?? null }),
    message_stop: () => {
      isEnded = true;
    },
    error: (data) => {
      error ??= errorIn(data) ?? data;
    },
  };

  return {
    event: (data, name) => {
      const type = asName(data.type) ?? name;
      if (Object.hasOwn(events, type)) events[type]?.(data);
      // A server in between writes its own failure without a type.
      else error ??= errorIn(data);
    },
    done: () => {},
    whole: (body) => {
      readMessage(body);
      error = errorIn(body);
      if (!is.list(body.content) && !is.text(body.content)) return;
      keep(charsIn(body.content));
      content = body.content;
      isEnded = true;
    },
    assembled: () => {
      const isSaid = content !== undefined || isStarted || blocks.size > 0;
      const said = isSaid ? [{ role: 'assistant', content: content ?? inOrder(blocks).map(blockOf) }] : [];
      const isWhole = isSaid && error === undefined && (isEnded || finish !== undefined);
      return { said, usage, model, finish, error, isWhole };
    },
  };
}

/** Later reports name what has changed; null says nothing. */
function mergeReports(before: JsonObject | undefined, value: JsonValue | undefined): JsonObject | undefined {
  const report = reportIn(value);
  if (!before || !report) return report ?? before;
  const merged: Growing = { ...before };
  for (const [name, member] of Object.entries(report)) if (member !== null) put(merged, name, member);
  return merged;
}

/** The block of a delta whose beginning did not come. */
function openBlock({ type }: JsonObject): OpenBlock | undefined {
  if (type === 'text_delta') return { block: { type: 'text', text: '' }, input: '' };
  if (type === 'thinking_delta') return { block: { type: 'thinking', thinking: '' }, input: '' };
  return undefined;
}

/** Members that a delta has whole; of a compaction that failed they are null. */
const whole: Readonly<Record<string, readonly string[]>> = {
  signature_delta: ['signature'],
  compaction_delta: ['content', 'encrypted_content'],
};

function addDelta(open: OpenBlock, { type, ...pieces }: JsonObject): void {
  const { block } = open;
  const members = is.text(type) && Object.hasOwn(whole, type) ? whole[type] : undefined;
  if (members) for (const name of members) if (name in pieces) block[name] = pieces[name] ?? null;
  if (members) return;
  if (type === 'input_json_delta') open.input += is.text(pieces.partial_json) ? pieces.partial_json : '';
  else if (type === 'citations_delta') extend(block, 'citations', [pieces.citation ?? null]);
  // All others name the member that goes on: `text`, `thinking`.
  else for (const [name, piece] of Object.entries(pieces)) append(block, name, piece);
}

/** Where a delta of one text has it. */
const textMembers: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['input_json_delta', 'partial_json'],
]);

/** The text of a delta, where that has nothing else. */
export function anthropicText(data: JsonObject, name: string): AddedText | undefined {
  if ((asName(data.type) ?? name) !== 'content_block_delta' || typeof data.index !== 'number') return undefined;
  const delta = asObject(data.delta);
  const member = textMembers.get(delta.type);
  const text = member === undefined ? undefined : delta[member];
  if (member === undefined || !is.text(text) || Object.keys(delta).length !== 2) return undefined;
  return { text, withText: (other) => ({ ...data, delta: { ...delta, [member]: other } }) };
}

/** Input that was cut off, or is no JSON, stays the text that it is. */
function blockOf({ block, input }: OpenBlock): JsonObject {
  return input === '' ? block : { ...block, input: parseJson(input) ?? input };
}
