/** `plugin.json`: what a plugin says of itself before any of its code runs. */
import { badPlugin } from '@palimpsest/core/engine';
import { type Field, field, group, oneOf, parseJson, problemLog, text as textField } from '@palimpsest/core/settings';
import { excessIn } from '../config/limits.ts';
import { isInRange, rangeExpected } from './version-range.ts';

/** What a plugin says of itself. */
export interface PluginManifest {
  /** Small letters, digits, `.`, `_` and `-`; the name of its folder, and for an engine the one of `context.engine`. */
  readonly name: string;
  readonly version: string;
  /** `context_engine` exports `createEngine`; `general` exports `register`. */
  readonly kind: 'context_engine' | 'general';
  /** The versions of Palimpsest that it was written for, such as `^0.1.0`. */
  readonly palimpsest: string;
  /** Its module, a path inside its folder. */
  readonly main: string;
  /** One line for lists. */
  readonly description: string;
}

const manifestFile = 'plugin.json';

/** True for a name that may become part of a path. */
export const isPluginName = (name: string): boolean => /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/.test(name);

const manifestField: Field<PluginManifest> = group<PluginManifest>({
  name: field('a name of lower-case letters, digits, ".", "_" and "-"', (value): value is string => {
    return typeof value === 'string' && isPluginName(value);
  }),
  version: textField,
  kind: oneOf(['context_engine', 'general']),
  palimpsest: field(rangeExpected, (value): value is string => {
    return typeof value === 'string' && isInRange('0.0.0', value) !== undefined;
  }),
  main: field('a path inside the folder of the plugin', (value): value is string => {
    return typeof value === 'string' && isInside(value);
  }),
  description: field('a text', (value) => typeof value === 'string'),
});

const defaults = { main: 'index.js', description: '' };

/** The manifest of a folder. Throws `BAD_PLUGIN` that lists everything wrong with it. */
export function readManifest(
  text: string | undefined,
  { folder, version }: { readonly folder: string; readonly version: string },
): PluginManifest {
  if (text === undefined) throw badPlugin(`${folder} has no ${manifestFile}`);
  const excess = excessIn(text);
  if (excess !== undefined) throw badPlugin(`${manifestFile} of ${folder} is not a manifest: ${excess}`);
  const content = parseJson(text.replace(/^\uFEFF/, ''));
  if (content === undefined) throw badPlugin(`${manifestFile} of ${folder} is not valid JSON`);
  const log = problemLog('snake_case');
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
  const manifest = manifestField.parse(isObject ? { ...defaults, ...content } : content, log.place);
  if (!manifest || log.problems.length > 0) {
    const problems = log.problems.map(({ at, message }) => `${at} ${message}`.trim());
    throw badPlugin(`${manifestFile} of ${folder}: ${problems.join('; ')}`);
  }
  if (!isInRange(version, manifest.palimpsest)) {
    throw badPlugin(
      `it was written for Palimpsest ${manifest.palimpsest}, but this is ${version}: install another version`,
    );
  }
  return manifest;
}

const isInside = (path: string): boolean =>
  /\.(?:js|mjs|ts|mts)$/.test(path) && !/^(?:[\\/]|[A-Za-z]:)|[\\]|(?:^|\/)\.\.(?:\/|$)|:/.test(path);
