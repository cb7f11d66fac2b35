/** Results turned round in lines that no template of ours wrote: lines of a handoff, and prose of real models. */
import { type Dice, pick } from '../invented-texts.ts';
import type { TrueLine } from './lines.ts';
import type { SessionRecord } from './record.ts';

/** The words for a result and what says the opposite, in the sentences where they stand. */
const turns: readonly (readonly [RegExp, string])[] = [
  [/\b(all (?:\w+ )?tests) pass\b/i, '$1 fail'],
  [/\b(tests?|build|lint|CI|checks?) (?:now )?(?:pass|passes|passed)\b/i, '$1 failed'],
  [/\b(tests?|build|lint|CI|checks?) (?:fail|fails|failed)\b/i, '$1 passed'],
  [/\bsucceeded\b/i, 'failed'],
  [/\bcompleted successfully\b/i, 'ended with an error'],
  [/\b(?:(?:has|have) been |was |were )?successfully (\w+ed)\b/i, 'could not be $1'],
  [
    /\b(was|were|been|is|are|now) (fixed|resolved|merged|pushed|committed|deleted|removed|created|completed)\b/i,
    '$1 not $2',
  ],
  [/\bhas been (\w+ed)\b/i, 'has not been $1'],
  [/^(\s*(?:[-*] )?(?:\*\*)?)(Fixed|Created|Removed|Deleted|Merged|Pushed|Committed)\b/, '$1Not yet $2'],
  [/(?<!not |n't )\bnot (fixed|resolved|merged|pushed|committed|created|completed)\b/i, 'already $1'],
  [/全テスト(?:が|は)?(?:成功|通過|パス)/, '全テスト失敗'],
  [/成功(?:した|しました)/, '失敗しました'],
  [/(修正|作成|完了|追加|更新|削除)(?:しました|済み|した)/, '$1していません'],
  [/完了(?=[。\s)）]|$)/, '未完了'],
  [/(수정|생성|완료|추가|삭제)(?:했습니다|되었습니다|했음|됨|함)/, '$1되지 않음'],
  [/(?<!미)완료/, '미완료'],
  [/(?<!불)통과/, '실패'],
  [/(?<!未)(?:已)(完成|修复|创建|删除|推送|提交)/, '尚未$1'],
  [/测试(?:全部)?通过/, '测试失败'],
];

/** A header of a handoff, which says whether its step failed. */
const failedHeader = /^(m\d+ .*) failed(?: \(exit \d+\))?:$/;
const runHeader = /^(m\d+) ([A-Z]?\w+)( .*)?:$/;

/** The line with its result turned round; undefined when it says none that is known to be false then. */
export function flippedLine(line: TrueLine, record: SessionRecord, dice: Dice): string | undefined {
  // What a template says of a result, the template turns round.
  if (line.flipped !== undefined || line.facts.length > 0) return line.flipped;
  if (failedHeader.test(line.text)) return line.text.replace(failedHeader, '$1:');
  const header = runHeader.exec(line.text);
  if (header) return ranWell(record, header[1] ?? '') ? line.text.replace(/:$/, ' failed (exit 1):') : undefined;
  const possible = turns.filter(([pattern]) => pattern.test(line.text) && !isAboutTheFuture.test(line.text));
  if (possible.length === 0) return undefined;
  const [pattern, other] = pick(dice, possible);
  return line.text.replace(pattern, other);
}

const isAboutTheFuture = /\b(?:should|will|must|need|if|when|once|until|would|could|plan)\b|必要|予定|해야|需要|应该/i;

function ranWell(record: SessionRecord, ref: string): boolean {
  const actions = record.facts.actions.filter((action) => action.ref === ref);
  return actions.length > 0 && actions.every(({ ok }) => ok === true);
}
