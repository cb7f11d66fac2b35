/** The version of the installed package. */
import { readFileSync } from 'node:fs';
import { isJsonObject, parseJson } from '@palimpsest/core/settings';

/** `package.json` stands two folders above, for `src/cli` as for `dist/cli`. */
export function packageVersion(): string {
  const content = parseJson(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'));
  return isJsonObject(content) && typeof content.version === 'string' ? content.version : 'unknown';
}
