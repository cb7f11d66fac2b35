/**
 * `@palimpsest/core/settings`: checked options and settings, for programs that take their own, and the names that an option
 * may take. It loads nothing else, so a program that must be there at once can begin with it.
 */

export { type CacheLayout, cacheLayouts } from './context/prompt-cache/layouts.ts';
export {
  badConfig,
  compressionField,
  resolveCompressionConfig,
  type TemplateName,
  templateNames,
} from './context/settings.ts';
export { outputField } from './output/settings.ts';
export { type ErrorCode, PalimpsestError } from './shared/errors.ts';
export { graphemes } from './shared/graphemes.ts';
export { isJsonObject, type JsonObject, type JsonValue, parseJson } from './shared/json.ts';
export { lazily } from './shared/lazily.ts';
export { checkKnownOptions, type KnownOptions } from './shared/options/known-options.ts';
export {
  count,
  type Field,
  type Fields,
  field,
  flag,
  group,
  inside,
  isObject,
  knownKeys,
  listOf,
  mapOf,
  nearest,
  nullable,
  numberFrom,
  oneOf,
  type Place,
  problemLog,
  snakeCase,
  text,
  unknownKey,
  wrong,
} from './shared/options/schema.ts';
export { parseTokenCount } from './shared/options/token-count.ts';
export { platformTimers, type Timers } from './shared/timers.ts';
export { parseWhen, type WhenOptions, whenForms } from './shared/when.ts';
export { type FormatName, formatNames } from './transcript/message.ts';
