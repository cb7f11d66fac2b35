/**
 * Reads the body of a request without taking it apart: what it says as our messages, and where each of them stands in it, so that
 * `spliceBody` can put others in their place and leave everything else as it was written.
 */
import { defined } from '../../../shared/defined.ts';
import { PalimpsestError } from '../../../shared/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { elementsAt, type Member, membersOf, type Span } from '../../../shared/json-spans.ts';
import { readStrictJson, repeatsNames } from '../../../shared/json-strict.ts';
import type { Message, SourceSpan } from '../../message.ts';
import type { DialectName } from '../answer.ts';
import { kindText } from '../bodies.ts';
import { asList, asName, is } from '../values.ts';
import type { BodyFormat, ProviderAct } from './format.ts';
import { bodyFormatOf } from './formats.ts';

/** A message, and where it stands in its body. */
export interface BodyEntry {
  readonly message: Message;
  /** Where it stands: several stretches for what the Responses API writes as several items. */
  readonly spans: readonly Span[];
  /** The member that holds it, for a system prompt beside the list of messages. */
  readonly field?: string;
  /** Its elements of the list: the first, and the one after the last. Both 0 for a system prompt beside the list. */
  readonly from: number;
  readonly to: number;
}

/** The definition of a tool, as it came. */
export interface BodyTool {
  readonly value: JsonValue;
  readonly span: Span;
}

/** The body of a request. All positions count UTF-16 units of `text`. */
export interface Body {
  readonly dialect: DialectName;
  /** As it came, to the letter. */
  readonly text: string;
  /** The same parsed. */
  readonly value: JsonObject;
  /** The system prompt, then everything that was said, in the order of the body. */
  readonly entries: readonly BodyEntry[];
  /** The messages of the entries. */
  readonly messages: readonly Message[];
  readonly tools: readonly BodyTool[];
  /** The model that is asked, from the body or from its path. */
  readonly model?: string;
  /** Whether the client wants a stream; absent for Gemini, where the path says it. */
  readonly stream?: boolean;
  /** Tokens that may be written at most, where the client says it. */
  readonly maxTokens?: number;
  /** What the client asks its provider to do with the conversation by itself, such as to compact it. */
  readonly acts: readonly ProviderAct[];
  /**
   * Set where the provider keeps what was said before: the member that says so, such as `previous_response_id`. The entries then are
   * not the whole conversation.
   */
  readonly continues?: string;
}

/** What a body does not say itself. */
export interface ReadBodyOptions {
  /** The model that the path names (Gemini, and Claude at other providers). @default the one that the body names */
  readonly model?: string;
}

/**
 * Reads the body of a request: a text, or its bytes in UTF-8. A body that reads in two ways is refused: numbers and escapes
 * are kept as they are, but a name that is there twice, in the body itself or in a message, means one thing here and another
 * there. Deeper in tools, schemas and metadata nothing is looked at.
 *
 * @throws BODY_BROKEN for what is no such body: send it on as it came, and let the provider say what is wrong
 *
 * @example
 * import { readBody } from '@palimpsest/core/wire';
 * const body = readBody('anthropic', '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hello"}]}');
 * body.messages; // one message of the user
 */
export function readBody(dialect: DialectName, given: string | Uint8Array, { model }: ReadBodyOptions = {}): Body {
  const format = bodyFormatOf(dialect);
  const read = readStrictJson(given);
  if ('problem' in read) throw broken('JSON', read.problem);
  const { text, value } = read;
  if (!isJsonObject(value)) throw broken('a JSON object', kindText(value));
  const members = membersOf(text);
  const names = new Set<string>();
  const twice = members.find(({ name }) => names.size === names.add(name).size);
  if (twice) throw broken('each member once', `${JSON.stringify(twice.name.slice(0, 40))} twice`);
  const source: Source = { format, text, value, members };
  const entries = [...systemEntry(source), ...listEntries(source)];
  const maxTokens = format.maxTokens.map((path) => valueAt(value, path)).find((one) => typeof one === 'number');
  return defined({
    dialect,
    text,
    value,
    entries,
    messages: entries.map(({ message }) => message),
    tools: format.toolLists.flatMap((name) => toolsIn(source, name)),
    model: asName(value.model) ?? model,
    stream: dialect === 'gemini' ? undefined : value.stream === true,
    maxTokens,
    acts: format.acts(value),
    continues: format.continues(value),
  });
}

const broken = (expected: string, came: string): PalimpsestError =>
  new PalimpsestError(
    'BODY_BROKEN',
    `expected ${expected} in the body of a request, got ${came}; pass it on as it came`,
  );

interface Source {
  readonly format: BodyFormat;
  readonly text: string;
  readonly value: JsonObject;
  readonly members: readonly Member[];
}

const memberOf = ({ members }: Source, name: string): Span | undefined => {
  const member = members.find((one) => one.name === name);
  return member && { start: member.start, end: member.end };
};

/** The value at a path of members. */
export function valueAt(value: JsonObject, path: readonly string[]): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const name of path) found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

function systemEntry(source: Source): readonly BodyEntry[] {
  const { format, text, value } = source;
  const field = format.systems.find((name) => (value[name] ?? null) !== null);
  const span = field === undefined ? undefined : memberOf(source, field);
  if (field === undefined || !span) return [];
  const system = value[field] ?? null;
  const message = format.readSystem(system, field);
  if (!message) throw broken(`a system prompt under ${field}`, kindText(system));
  if (repeatsNames(text, span, system)) throw broken('each member once', `one twice under ${field}`);
  return [{ message, spans: [span], field, from: 0, to: 0 }];
}

function listEntries(source: Source): readonly BodyEntry[] {
  const { format, text, value } = source;
  const span = memberOf(source, format.list);
  const list = value[format.list];
  if (!span || list === undefined) {
    if (format.mayLackList) return [];
    throw broken(`a list under ${format.list}`, 'none');
  }
  const plain = is.text(list) ? format.plain?.(list) : undefined;
  if (!is.list(list) && !plain) throw broken(`a list under ${format.list}`, kindText(list));
  const values = plain ? [plain] : asList(list);
  const spans = plain ? [span] : elementsAt(text, span.start);
  const twice = plain ? -1 : values.findIndex((one, at) => repeatsNames(text, spans[at] ?? span, one));
  if (twice >= 0) throw broken('each member once', `one twice in ${format.list}[${twice}]`);
  const sources = values.map((_, at): SourceSpan => ({ start: at, end: at + 1, line: 0 }));
  const messages = format.read(values, {
    sources,
    report: ({ level, message }) => {
      if (level === 'skipped') throw broken(`messages under ${format.list}`, message);
    },
  });
  return messages.map(({ source: elements = [], ...message }) => {
    const [from, to] = [elements[0]?.start ?? 0, elements.at(-1)?.end ?? 0];
    return { message, spans: spans.slice(from, to), from, to };
  });
}

function toolsIn(source: Source, name: string): readonly BodyTool[] {
  const list = source.value[name];
  const span = is.list(list) ? memberOf(source, name) : undefined;
  if (!span || !is.list(list)) return [];
  const spans = elementsAt(source.text, span.start);
  return list.map((value, at) => ({ value, span: spans[at] ?? span }));
}

/** The elements of the list of messages as values; one for a list that is written as a text. */
export function elementsOf({ dialect, value }: Pick<Body, 'dialect' | 'value'>): readonly JsonValue[] {
  const { list, plain } = bodyFormatOf(dialect);
  const found = value[list];
  return is.text(found) && plain ? [plain(found)] : asList(found);
}
