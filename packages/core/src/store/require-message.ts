/** What can be stored: a message with parts of the types that there are, each with the fields that everybody reads. */
import { PalimpsestError } from '../shared/errors.ts';
import type { Message, Part, Role } from '../transcript/message.ts';

const roles: Readonly<Record<Role, true>> = { system: true, user: true, assistant: true, tool: true };

/** The fields of each type of part that must be texts; without it the field may be absent. */
const texts: Readonly<
  Record<Part['type'], { readonly always: readonly string[]; readonly sometimes?: readonly string[] }>
> = {
  text: { always: ['text'] },
  reasoning: { always: ['text'], sometimes: ['signature', 'encrypted'] },
  image: { always: [], sometimes: ['mediaType', 'data', 'url', 'fileId'] },
  file: { always: [], sometimes: ['mediaType', 'name', 'data', 'url', 'fileId', 'text'] },
  toolCall: { always: ['callId', 'name', 'input'] },
  toolResult: { always: ['callId'], sometimes: ['name'] },
  other: { always: [] },
};

const fieldsOfMessage = ['name', 'time', 'model', 'providerId'];

/** Throws `BAD_MESSAGES` for what is no message; `at` is its place in what the caller handed in. */
export function requireMessage(message: Message, at: number): void {
  const fault = faultOf(message);
  if (fault !== undefined) throw badMessage(at, fault);
}

/** `expected` says what a message must have. */
export function badMessage(at: number, expected: string, cause?: unknown): PalimpsestError {
  const text = `Message ${at} cannot be stored: expected ${expected}. Read other formats with readTranscript first.`;
  return new PalimpsestError('BAD_MESSAGES', text, { evidence: { at }, ...(cause === undefined ? {} : { cause }) });
}

/** What was expected where something else came; undefined for a message that is one. Reads what any caller may pass. */
function faultOf(message: unknown): string | undefined {
  const role = field(message, 'role');
  const parts = field(message, 'parts');
  if (typeof role !== 'string' || !Object.hasOwn(roles, role) || !Array.isArray(parts))
    return `a role (${Object.keys(roles).join(', ')}) and a list of parts`;
  const wrong = fieldsOfMessage.find((name) => !isTextOrNone(field(message, name)));
  if (wrong !== undefined) return `${wrong} to be a text`;
  for (const [place, part] of parts.entries()) {
    const fault = faultOfPart(part);
    if (fault !== undefined) return `part ${place} to have ${fault}`;
  }
  return undefined;
}

function faultOfPart(part: unknown): string | undefined {
  const type = field(part, 'type');
  if (!isPartType(type)) return `a type (${Object.keys(texts).join(', ')})`;
  const { always, sometimes = [] } = texts[type];
  const wrong =
    always.find((name) => typeof field(part, name) !== 'string') ??
    sometimes.find((name) => !isTextOrNone(field(part, name)));
  if (wrong !== undefined) return `a text as its ${wrong}`;
  return type === 'toolResult' ? faultOfContent(field(part, 'content')) : undefined;
}

/** Calls, results and reasoning do not stand inside a result. */
const inResults: readonly unknown[] = ['text', 'image', 'file', 'other'];

function faultOfContent(content: unknown): string | undefined {
  if (!Array.isArray(content)) return 'a list as its content';
  for (const one of content) {
    const fault = inResults.includes(field(one, 'type')) ? faultOfPart(one) : `a type (${inResults.join(', ')})`;
    if (fault !== undefined) return `content with ${fault}`;
  }
  return undefined;
}

const isPartType = (type: unknown): type is Part['type'] => typeof type === 'string' && Object.hasOwn(texts, type);

const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === 'string';

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
