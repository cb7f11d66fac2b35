/** Lines that tell the next assistant what to do, which a summary may not: only the user instructs. */
import { attributionIn } from './attributions.ts';
import { type Instruction, type InstructionPattern, orderHeads, telling } from './instruction-pattern.ts';
import { latinInstructions } from './instruction-patterns.ts';
import { englishPowers } from './instruction-patterns-powers.ts';
import { chinesePowers, japanesePowers, koreanPowers } from './instruction-patterns-powers-wide.ts';
import { chineseInstructions, japaneseInstructions, koreanInstructions } from './instruction-patterns-wide.ts';
import { masked, quoteMark } from './quotes.ts';
import { userSection } from './user-sections.ts';

/**
 * The first words of a line that instruct whoever reads it, beyond telling what is left to do; undefined where there
 * are none. Not what is quoted, reported or attributed to the user, nor lines of a section that holds the user's
 * messages or rules; a line that is one quotation and nothing else is read as if it stood without its marks. Linear.
 * @param heading the heading that the line stands under
 */
export function instructionIn(line: string, heading = ''): Instruction | undefined {
  const section = userSection(heading);
  if (section === 'messages') return undefined;
  const text = onlyQuoted(line) ?? masked(line);
  const said = attributionIn(line);
  const heads = orderHeads(text);
  for (const { words, why, place, report = true } of patternsFor(text))
    for (const { 0: found, index } of place === 'head' ? atHeads(words, text, heads) : text.matchAll(words)) {
      if (said && said.start < index && said.verb !== 'provided') continue;
      if (report && isReported(text, index, index + found.length)) continue;
      if (section !== undefined && why === telling) continue;
      return { start: index, end: index + found.length, why };
    }
  return undefined;
}

function atHeads(words: RegExp, text: string, heads: readonly number[]): readonly RegExpExecArray[] {
  return heads.flatMap((at) => {
    words.lastIndex = at;
    const found = words.exec(text);
    return found ? [found] : [];
  });
}

const kana = /[\u3041-\u30ff]/;
const hangul = /[\uac00-\ud7a3]/;
const han = /\p{Script=Han}/u;

/** Most lines have no letter of the languages that have patterns of their own. */
const patternsFor = (text: string): readonly InstructionPattern[] => [
  ...latinInstructions,
  ...englishPowers,
  ...(han.test(text) && !kana.test(text) ? [...chineseInstructions, ...chinesePowers] : []),
  ...(kana.test(text) ? [...japaneseInstructions, ...japanesePowers] : []),
  ...(hangul.test(text) ? [...koreanInstructions, ...koreanPowers] : []),
];

/** The line with its outer marks blanked out where it is a quotation and nothing else. */
function onlyQuoted(line: string): string | undefined {
  const rest = masked(line);
  if (!rest.includes(quoteMark) || /[\p{L}\p{N}\ufffc]/u.test(rest)) return undefined;
  return line.replaceAll(/["“”„«»「」『』]/g, ' ');
}

const source =
  /\b(?:page|pages|file|files|comment|issue|output|readme|website|site|document|email|message|injection|injected|attack|attacker|payload|content|tool result|result|snippet|text|response|string|prompt|ticket|commit|diff|log|instruction|instructions)\b[^.!?]{0,60}\b(?:said|says|say|contain|contains|contained|included|includes|reads?|claim(?:s|ed)|instruct(?:s|ed|ing)|told|tells|telling|tried|tries|attempt(?:s|ed)|asked|asks|asking|embedded|hidden|planted|had|has|with|such as|like|try|trying)\b|prompt injection|注入|恶意|网页|页面.{0,10}(?:写着|包含|含有|声称)|文件.{0,10}(?:写着|包含|含有|声称|要求)|インジェクション|ページに|ファイルに|悪意|인젝션|악성|페이지에|파일에/i;
const refused =
  /\b(?:not (?:followed|obeyed|acted (?:on|upon)|executed|complied)|(?:was|were|is|are|been) (?:ignored|refused|rejected|disregarded|treated as (?:data|text)|flagged|reported|removed|detected)|did not (?:follow|obey|comply|act)|didn['’]t (?:follow|obey|comply|act)|untrusted)\b|未(?:予)?(?:执行|理会|遵循|照做)|没有(?:执行|理会|遵循|照做)|已忽略|被忽略|従わな|無視した|無視しました|따르지 않|무시했|무시하였/i;

/** Told of a page, a file or an attack, or told to have been refused. */
const isReported = (text: string, start: number, end: number): boolean =>
  source.test(text.slice(Math.max(0, start - 120), start)) || refused.test(text.slice(end, end + 160));
