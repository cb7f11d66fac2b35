/** The installed package: its version, and the folder that its files lie in. Loads nothing, so that `--version` is quick. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

// A package finds itself by its name: the same from the sources, from a built file and from a worker.
const require = createRequire(import.meta.url);
const manifestName = 'palimpsest/package.json';

/** The version of this Palimpsest, such as `0.1.0`. */
export function packageVersion(): string {
  const content: unknown = require(manifestName);
  const isManifest = typeof content === 'object' && content !== null && 'version' in content;
  return isManifest && typeof content.version === 'string' ? content.version : '0.0.0';
}

/** The folder of the manifest. */
export const packageFolder = (): string => dirname(require.resolve(manifestName));
