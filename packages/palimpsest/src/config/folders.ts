/** The folders of a person for what programs keep. Imports nothing of the library: the start of the command asks here. */
import { posix, win32 } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The user's configuration folder: `$XDG_CONFIG_HOME/palimpsest`, else the folder that the system has for it.
 * Undefined when the environment names no home.
 */
export const userFolder = (env: Environment, platform: string): string | undefined =>
  folderFor(
    {
      xdg: env.XDG_CONFIG_HOME,
      windows: env.APPDATA,
      local: 'Roaming',
      unix: ['.config'],
      mac: ['Application Support'],
    },
    env,
    platform,
  );

/** The folder for what a person's programs keep; undefined where the environment does not tell. */
export const dataFolder = (env: Environment, platform: string): string | undefined =>
  folderFor(
    {
      xdg: env.XDG_DATA_HOME,
      windows: env.LOCALAPPDATA,
      local: 'Local',
      unix: ['.local', 'share'],
      mac: ['Application Support'],
    },
    env,
    platform,
  );

/** The folder for what can be made again; undefined where the environment does not tell. */
export const cacheFolder = (env: Environment, platform: string): string | undefined =>
  folderFor(
    { xdg: env.XDG_CACHE_HOME, windows: env.LOCALAPPDATA, local: 'Local', unix: ['.cache'], mac: ['Caches'] },
    env,
    platform,
  );

interface Places {
  readonly xdg: string | undefined;
  readonly windows: string | undefined;
  /** The folder in `AppData` where Windows does not say. */
  readonly local: string;
  /** In the home of a person, but for macOS. */
  readonly unix: readonly string[];
  /** In the `Library` of a person. */
  readonly mac: readonly string[];
}

function folderFor(places: Places, env: Environment, platform: string): string | undefined {
  const { xdg, windows, local, unix, mac } = places;
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  // The XDG specification says that a relative path is to be ignored.
  if (xdg && isAbsolute(xdg)) return join(xdg, 'palimpsest');
  if (platform === 'win32') {
    const base = windows ?? (env.USERPROFILE && join(env.USERPROFILE, 'AppData', local));
    return base ? join(base, 'palimpsest') : undefined;
  }
  if (!env.HOME) return undefined;
  return join(env.HOME, ...(platform === 'darwin' ? ['Library', ...mac] : unix), 'palimpsest');
}
