/** Where plugins may come from. Nothing is looked for anywhere else. */
import { isAbsolute, join } from 'node:path';
import { checkKnownOptions } from '@palimpsest/core/settings';

/** A folder that holds `context_engine/<name>/`. */
export interface PluginFolder {
  /** For people, such as `your plugins`. */
  readonly label: string;
  readonly path: string;
}

/** Where plugins may come from; what stands first wins. */
export interface PluginPlaces {
  readonly folders: readonly PluginFolder[];
  /** Folders of packages that were named, each with the places where it may lie. */
  readonly packages: readonly { readonly name: string; readonly paths: readonly string[] }[];
}

/** What decides about the places. */
export interface PlaceOptions {
  /** The person's folder for data; undefined where the environment does not tell. */
  readonly dataFolder: string | undefined;
  /** The project, where the person trusts it; undefined otherwise. */
  readonly trustedProject: string | undefined;
  /** `plugins.packages`. */
  readonly packages: readonly string[];
}

/** `.palimpsest/plugins` of a trusted project, then `plugins` in the person's data folder. */
export function pluginPlaces(options: PlaceOptions): PluginPlaces {
  checkKnownOptions('pluginPlaces', options, { dataFolder: true, trustedProject: true, packages: true });
  const { dataFolder, trustedProject, packages } = options;
  const own = dataFolder === undefined ? [] : [{ label: 'your plugins', path: join(dataFolder, 'plugins') }];
  const project =
    trustedProject === undefined
      ? []
      : [{ label: "the project's plugins", path: join(trustedProject, '.palimpsest', 'plugins') }];
  const installed = [
    ...own.map(({ path }) => join(path, 'node_modules')),
    ...(trustedProject === undefined ? [] : [join(trustedProject, 'node_modules')]),
  ];
  return {
    folders: [...project, ...own],
    packages: packages.map((name) => ({
      name,
      paths: isAbsolute(name) ? [name] : installed.map((folder) => join(folder, ...name.split('/'))),
    })),
  };
}
