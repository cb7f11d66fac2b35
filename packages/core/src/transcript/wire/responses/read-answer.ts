/** Answers of the OpenAI Responses API, whole and as events, as the items that the client sends back. */

import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
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
  type Places,
  placeIn,
  reportIn,
} from '../assembler.ts';
import type { AddedText } from '../text-run.ts';
import { asName, asObject, is, omit } from '../values.ts';

/** An item of the output, and the pieces of its lists so far. */
interface OpenItem {
  readonly item: Growing;
  readonly content: Places;
  readonly summary: Places;
  /** Set for an item that came whole: what comes for it later repeats it. */
  readonly isDone: boolean;
}

/** A reader of the answers of `POST /v1/responses`. */
export function createResponsesAssembler(keep: Keep): Assembler {
  const items = new Map<number, OpenItem>();
  /** The output of the last event, which has all items whole; some servers leave it empty. */
  let output: readonly JsonValue[] = [];
  let usage: JsonObject | undefined;
  let model: string | undefined;
  let finish: string | undefined;
  let error: JsonObject | undefined;
  let isEnded = false;

  const readResponse = (response: JsonObject): void => {
    model ??= asName(response.model);
    usage = reportIn(response.usage) ?? usage;
    error ??= errorIn(response);
  };
  const end = (response: JsonObject, status: string): void => {
    readResponse(response);
    const last = asName(response.status) ?? status;
    finish = asName(asObject(response.incomplete_details).reason) ?? last;
    isEnded = last === 'completed' || last === 'incomplete';
    if (!is.list(response.output) || response.output.length === 0) return;
    keep(charsIn(response.output));
    output = response.output;
  };
  const setItem = ({ output_index: index, item }: JsonObject, isDone: boolean): void => {
    if (!isJsonObject(item)) return;
    keep(charsIn(item) + charsForPlaces(items));
    const at = typeof index === 'number' ? index : (placeOf(items, item.id) ?? items.size);
    items.set(at, { item: { ...item }, content: new Map(), summary: new Map(), isDone });
  };

  return {
    event: (data, name) => {
      const type = (asName(data.type) ?? name).replace(/^response\./, '');
      const last = endings.get(type);
      if (last !== undefined) end(asObject(data.response), last);
      else if (type === 'output_item.added' || type === 'output_item.done') setItem(data, type.endsWith('done'));
      else if (type === 'error') error ??= errorIn(data) ?? omit(data, ['sequence_number']);
      else if (isJsonObject(data.response)) readResponse(data.response);
      else if (!addSaid(items, data, { type, keep })) error ??= errorIn(data);
    },
    done: () => {},
    whole: (body) => {
      // A failure has neither, and nor has what is no answer.
      if (is.list(body.output) || is.name(body.status)) end(body, 'completed');
      else readResponse(body);
    },
    assembled: () => {
      const said = output.length > 0 ? output : inOrder(items).map(itemOf);
      return { said, usage, model, finish, error, isWhole: isEnded && error === undefined };
    },
  };
}

/** The events that end a stream, and the status of the response in them. */
const endings: ReadonlyMap<string, string> = new Map([
  ['completed', 'completed'],
  ['incomplete', 'incomplete'],
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
  ['done', 'completed'],
]);

/** What a kind of event spells out: a member of the item, or of a piece in one of its lists. */
interface Said {
  readonly member: string;
  readonly list?: 'content' | 'summary';
  /** The type of the piece. */
  readonly type?: string;
}

const kinds: ReadonlyMap<string, Said> = new Map<string, Said>([
  ['output_text', { list: 'content', type: 'output_text', member: 'text' }],
  ['refusal', { list: 'content', type: 'refusal', member: 'refusal' }],
  ['reasoning_text', { list: 'content', type: 'reasoning_text', member: 'text' }],
  ['reasoning_summary_text', { list: 'summary', type: 'summary_text', member: 'text' }],
  ['function_call_arguments', { member: 'arguments' }],
  ['mcp_call_arguments', { member: 'arguments' }],
  ['custom_tool_call_input', { member: 'input' }],
  ['code_interpreter_call_code', { member: 'code' }],
]);

/** The text of an event that spells something out. */
export function responsesText(data: JsonObject, name: string): AddedText | undefined {
  const { delta } = data;
  const [, kind = ''] = /^response\.(.*)\.delta$/.exec(asName(data.type) ?? name) ?? [];
  const said = kinds.get(kind);
  if (!said || !is.text(delta) || isJsonObject(data.response)) return undefined;
  // Without its place, each may begin another piece.
  if (said.list && typeof (said.list === 'summary' ? data.summary_index : data.content_index) !== 'number')
    return undefined;
  return { text: delta, withText: (text) => ({ ...data, delta: text }) };
}

interface SaidContext {
  readonly type: string;
  readonly keep: Keep;
}

/** Adds what an event says inside of an item; false for an event that is none of these. */
function addSaid(items: Map<number, OpenItem>, data: JsonObject, { type, keep }: SaidContext): boolean {
  const dot = type.lastIndexOf('.');
  const [kind, step] = [type.slice(0, dot), type.slice(dot + 1)];
  const said = kinds.get(kind);
  const isPart = kind === 'content_part' || kind === 'reasoning_summary_part';
  if (!said && !isPart && kind !== 'output_text.annotation') return false;
  const open = openItem(items, data);
  if (!open || open.isDone) return true;
  const list = said ? said.list : isPart && kind !== 'content_part' ? 'summary' : 'content';
  const at = list === 'summary' ? data.summary_index : data.content_index;
  if (isPart) {
    if (!isJsonObject(data.part)) return true;
    keep(charsIn(data.part) + charsForPlaces(open.content) + charsForPlaces(open.summary));
    open[list ?? 'content'].set(placeIn(at, open[list ?? 'content']), { ...data.part });
    return true;
  }
  const target = list ? pieceAt(open[list], at, said?.type ?? 'output_text') : open.item;
  if (!said) extend(target, 'annotations', [data.annotation ?? null]);
  else if (step === 'delta') append(target, said.member, data.delta);
  else if (is.text(data[said.member])) target[said.member] = data[said.member] ?? '';
  keep(charsIn(data.delta ?? data.annotation) + charsForPlaces(open.content) + charsForPlaces(open.summary));
  return true;
}

/** The item that an event belongs to: the one it names, by place or id, else the last one. */
function openItem(
  items: Map<number, OpenItem>,
  { output_index: index, item_id: id }: JsonObject,
): OpenItem | undefined {
  if (typeof index === 'number') return items.get(index);
  return items.get(placeOf(items, id) ?? [...items.keys()].at(-1) ?? 0);
}

/** Where the item of an id is. */
const placeOf = (items: ReadonlyMap<number, OpenItem>, id: JsonValue | undefined): number | undefined =>
  is.name(id) ? [...items.keys()].find((at) => items.get(at)?.item.id === id) : undefined;

function pieceAt(places: Places, at: JsonValue | undefined, type: string): Growing {
  const place = typeof at === 'number' ? at : Math.max(0, places.size - 1);
  const piece = places.get(place) ?? { type };
  places.set(place, piece);
  return piece;
}

function itemOf({ item, content, summary }: OpenItem): JsonObject {
  return {
    ...item,
    ...(content.size > 0 ? { content: inOrder(content) } : {}),
    ...(summary.size > 0 ? { summary: inOrder(summary) } : {}),
  };
}
