/** Single settings: which there are, what a file or the environment says about them. */
import { type Field, inside, isObject, knownKeys, type Place, parseJson, snakeCase } from '@palimpsest/core/settings';

/** Where a value came from. */
export type Source =
  | { readonly type: 'default' }
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'environment'; readonly name: string };

export interface Setting {
  /** As written in files, such as `compression.target_ratio`. */
  readonly key: string;
  readonly value: unknown;
  readonly source: Source;
}

/** A setting that exists: its camelCase path and its field. */
export interface Leaf {
  readonly path: readonly string[];
  readonly field: Field<unknown>;
}

/** A value that a file or a variable gives to a setting. */
export interface Given {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Every setting below a field, in the order of the schema. */
export function leavesOf(field: Field<unknown>, path: readonly string[] = []): readonly Leaf[] {
  if (!field.members) return [{ path, field }];
  return Object.entries(field.members).flatMap(([key, member]) => leavesOf(member, [...path, key]));
}

/** `['compression', 'targetRatio']` → `compression.target_ratio`. */
export const settingKey = (path: readonly string[]): string => path.map(snakeCase).join('.');

/** `['compression', 'targetRatio']` → `PALIMPSEST_COMPRESSION_TARGET_RATIO`. */
export const environmentName = (path: readonly string[]): string =>
  `PALIMPSEST_${path.map(snakeCase).join('_').toUpperCase()}`;

/** The settings that the content of a file gives, each checked by its field; what is wrong is reported. */
export function settingsIn(content: unknown, field: Field<unknown>, place: Place): readonly Given[] {
  if (!field.members) {
    const value = field.parse(content, place);
    return value === undefined ? [] : [{ path: [], value }];
  }
  // A section whose lines are all commented out is null in YAML.
  if (content === null) return [];
  if (!isObject(content)) {
    field.parse(content, place);
    return [];
  }
  return knownKeys(content, field.members, place).flatMap(([key, element]) => {
    const member = field.members?.[key];
    const found = member ? settingsIn(element, member, inside(place, snakeCase(key))) : [];
    return found.map(({ path, value }) => ({ path: [key, ...path], value }));
  });
}

const words: Readonly<Record<string, boolean>> = { 1: true, yes: true, on: true, 0: false, no: false, off: false };

/** The value of a variable: the text itself where the field takes texts, else as JSON, else yes and no as flags. */
export function environmentValue(text: string, field: Field<unknown>, place: Place): unknown {
  const quiet: Place = { ...place, report: () => {}, note: () => {} };
  const candidates = [text, parseJson(text), words[text.toLowerCase()]];
  for (const candidate of candidates) {
    if (candidate !== undefined && field.parse(candidate, quiet) !== undefined) return field.parse(candidate, place);
  }
  return field.parse(parseJson(text) ?? text, place);
}
