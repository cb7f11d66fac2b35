/** What a piece of code that an interpreter tool runs writes, and whether it acts on a service. */
import { type FileTouch, resolvePath } from './touches.ts';

const opened = /\bopen\(\s*r?(["'])([^"'\n]{1,300})\1\s*,\s*(?:mode\s*=\s*)?(["'])([rwaxbt+]{1,4})\3/g;
const written =
  /\b(?:Path\(\s*(["'])([^"'\n]{1,300})\1\s*\)\.write_(?:text|bytes)|(?:writeFile|writeFileSync)\(\s*(["'`])([^"'`\n]{1,300})\3)/g;

/** Files that Python or JavaScript code opens for writing by a literal name. */
export function codeTouches(code: string): readonly FileTouch[] {
  const touches: FileTouch[] = [];
  for (const [, , path = '', , mode = ''] of code.matchAll(opened)) {
    const state = mode.includes('a') || mode.includes('+') ? 'changed' : /[wx]/.test(mode) ? 'created' : 'read';
    touches.push({ path: resolvePath(path), state });
  }
  for (const [, , python, , javascript] of code.matchAll(written)) {
    touches.push({ path: resolvePath(python ?? javascript ?? ''), state: 'created' });
  }
  return touches;
}

const acting =
  /\b(?:requests|httpx|session|client|axios|http)\.(?:post|put|patch|delete)\(|\bmethod\s*[:=]\s*["'](?:POST|PUT|PATCH|DELETE)["']|\.(?:sendmail|send_message)\(|["'](?:git push|gh pr create|npm publish)\b|\b(?:INSERT INTO|DELETE FROM|DROP TABLE|ALTER TABLE|UPDATE \w+ SET)\b/;

/** True when the code sends, changes or removes something on a service or in a database. */
export const codeActsOutside = (code: string): boolean => acting.test(code);
