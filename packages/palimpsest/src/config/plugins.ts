/** Plugins in the configuration. In files under `plugins`. */
import type { JsonObject } from '@palimpsest/core/engine';
import { count, type Field, field, group, isJsonObject, listOf, mapOf, text } from '@palimpsest/core/settings';

/** Which code of others may run, and what it is told. */
export interface PluginsConfig {
  /** Plugins that register engines: names of packages, or absolute paths of folders. Of projects only trusted ones may name them. @default [] */
  readonly packages: readonly string[];
  /** Folders of projects whose own plugins, engine, packages and hooks may be used. Only your own configuration may name them. @default [] */
  readonly trustedProjects: readonly string[];
  /** Settings that a plugin is handed, by the plugin's name. @default {} */
  readonly options: Readonly<Record<string, JsonObject>>;
  /** Seconds that a plugin may take to compress, or to run one of its tools. To load, it has 15 seconds at most. @default 120 */
  readonly timeoutSeconds: number;
}

/** Every default of plugins. */
export const pluginsDefaults: PluginsConfig = { packages: [], trustedProjects: [], options: {}, timeoutSeconds: 120 };

/** The field of the whole section. */
export const pluginsField: Field<PluginsConfig> = group<PluginsConfig>(
  {
    packages: listOf(text),
    trustedProjects: listOf(text),
    options: mapOf(field('an object', isJsonObject)),
    timeoutSeconds: count(1),
  },
  pluginsDefaults,
);
