/** Changes one setting in the text of a configuration file and leaves everything else as a person wrote it. */
import { PalimpsestError } from '@palimpsest/core';
import type { JsonObject, JsonValue } from '@palimpsest/core/engine';
import { isObject } from '@palimpsest/core/settings';
import { refuseExcess } from './files.ts';
import { excessIn } from './limits.ts';

/** A setting as files write it, and what it is to be. */
export interface Change {
  /** Keys in snake_case, from the outside in. */
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/**
 * The text with the setting changed; comments and order of a YAML file stay. An empty text becomes a file with
 * this one setting. Throws `BAD_CONFIG` for a text that is not what the ending of its name says.
 */
export async function withSetting(file: { path: string; text: string }, change: Change): Promise<string> {
  refuseExcess(file.path, excessIn(file.text));
  return file.path.endsWith('.json') ? inJson(file, change) : inYaml(file, change);
}

async function inYaml({ path, text }: { path: string; text: string }, change: Change): Promise<string> {
  const { isMap, isScalar, parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem) throw unreadable(path, `not valid YAML: ${problem.message}`);
  if (document.contents !== null && !isMap(document.contents)) throw unreadable(path, 'not a list of sections');
  // A section whose lines are all commented out is null, which has no members to set.
  for (let depth = 1; depth < change.path.length; depth++) {
    const at = change.path.slice(0, depth);
    const section = document.getIn(at, true);
    if (section === undefined || isMap(section)) continue;
    const emptied = document.createNode({});
    if (isScalar(section) && section.comment) emptied.commentBefore = section.comment;
    document.setIn(at, emptied);
  }
  document.setIn(change.path, change.value);
  // `[a]` stays `[a]`, and `[ a ]` stays `[ a ]`, as far as a file has one way.
  return document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] /.test(text) });
}

function inJson({ path, text }: { path: string; text: string }, change: Change): string {
  let content: unknown = {};
  try {
    if (text.trim() !== '') content = JSON.parse(text);
  } catch (cause) {
    throw unreadable(path, `not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  if (!isObject(content)) throw unreadable(path, 'not an object of sections');
  // JSON.parse returns what JSON can carry and nothing else.
  return `${JSON.stringify(setIn(content as JsonObject, change), null, indentOf(text))}\n`;
}

function setIn(content: JsonObject, { path, value }: Change): JsonObject {
  const [key = '', ...rest] = path;
  if (rest.length === 0) return { ...content, [key]: value };
  const inner = content[key];
  // Tested right here to be an object.
  const section = isObject(inner) ? (inner as JsonObject) : {};
  return { ...content, [key]: setIn(section, { path: rest, value }) };
}

const indentOf = (text: string): string => /^\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? '  ';

const unreadable = (path: string, what: string): PalimpsestError =>
  new PalimpsestError('BAD_CONFIG', `${path} is ${what}: fix it first; nothing was written.`, { evidence: { path } });
