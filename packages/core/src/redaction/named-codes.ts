/** Numbers of a few digits under a name that says what they open: `"code_secret_alarme": "1789"`, `pinFirma = 30518842`. */
import { isNameOfCode } from './names.ts';
import { type Finding, type Hit, placeRule, type Rule } from './rule.ts';
import { isPin } from './values.ts';

const longestName = 40;
const startOfName = /(?:[\p{L}\p{M}\p{N}_-]|(?<=[\p{L}_]) (?=\p{L})){0,40}$/u;
const restOfName = /^[\p{L}\p{M}\p{N}_-]{0,30}/u;
const value =
  /^\\{0,4}["'`]?\*{0,2}[ \t]{0,12}(?:=>|[:=：]|>(?=[\d -]{4,12}<\/))\*{0,2}[ \t]{0,12}\\{0,4}["'`]?(\d{4,8}|\d{2,3}(?:[ -]\d{2,3}){1,3})(?=\\{0,4}["'`]?\s*(?:[,;}\])#]|<\/|\r?\n|\\n|$))/;

function findCode({ text, start, end }: Hit): Finding | undefined {
  const behind = text.slice(end, end + 90);
  const rest = restOfName.exec(behind)?.[0] ?? '';
  const number = value.exec(behind.slice(rest.length));
  if (!number?.[1] || !isPin(number[1])) return undefined;
  const before = startOfName.exec(text.slice(Math.max(0, start - longestName), start))?.[0] ?? '';
  if (!isNameOfCode(before + text.slice(start, end) + rest)) return undefined;
  const from = end + rest.length + number[0].length - number[1].length;
  return { start: from, end: from + number[1].length };
}

export const codeRules: readonly Rule[] = [
  placeRule('named-secret', 'pin|puk|code|códig|codig|codic|kod|код|пин|пук', findCode),
];
