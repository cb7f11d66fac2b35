/** `@palimpsest/core/settings`: checked options and settings, for programs that take their own. */

export { badConfig, compressionField, resolveCompressionConfig } from './context/settings.ts';
export { outputField } from './output/settings.ts';
export { graphemes } from './shared/graphemes.ts';
export { isJsonObject, type JsonObject, type JsonValue, parseJson } from './shared/json.ts';
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
export { platformTimers, type Timers } from './shared/timers.ts';
export { parseWhen, type WhenOptions, whenForms } from './shared/when.ts';
