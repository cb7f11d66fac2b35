/**
 * Acts that cannot be taken back, or that take a safeguard away, under one name each in four languages: a request for
 * one of them is no paraphrase of words that name none.
 */

import { masked } from './words/quotes.ts';

/** What somebody is said to ask for. */
export type Act =
  | 'delete'
  | 'force'
  | 'push'
  | 'merge'
  | 'publish'
  | 'close'
  | 'skip'
  | 'replace'
  | 'revert'
  | 'reveal'
  | 'pay'
  | 'grant';

interface Words {
  /** English words that name the act, in all their forms. */
  readonly english: string;
  readonly wide: string;
  /** What a person may say who wants it, beyond those. */
  readonly hints: string;
}

const verbs = (list: string): string =>
  `(?:${list})(?:e|s|es|ed|ing|ion|ions|al|als|ped|ping|ged|ging|ted|ting)?(?!\\p{L})`;

const words: Readonly<Record<Act, Words>> = {
  delete: {
    english: `${verbs('delet|remov|drop|purg|eras|wip|discard|destroy|uninstall|prun|eliminat')}|(?:throw|threw)\\w* (?:\\w+ ){0,3}away|thrown away|get\\w* rid`,
    wide: '删除|移除|删掉|清空|清除|丢弃|废弃|抹掉|卸载|削除|消去|取り除|除去|外す|外し|廃止|捨て|삭제|제거|지우|지워|없애|없앤|폐기|비우',
    hints:
      "clear|empt|strip|kill|clean|unused|useless|rid of|tak\\w* (?:\\w+ ){0,4}out|trash|exclud|no longer|(?:don[’']?t|no|not|doesn[’']?t|never) (?:really )?(?:need|necessary|want|make sense)|replac|retir|deprecat|undo|revert|roll\\w* back|legacy|why do(?:es)? \\w+(?: \\w+){0,4} exist|去掉|清理|剔除|不需要|消し|消す|やめ|いらない|不要|없이|필요 ?없|빼",
  },
  force: {
    english: 'force(?:d|ful|fully|s)?(?![\\p{L}])',
    wide: '强制|强推|強制|강제',
    hints: 'rewrite history|overwrite|amend',
  },
  push: {
    english: verbs('push'),
    wide: '推送|プッシュ|푸시',
    hints: 'upload|publish|\\bprs?\\b|pull request|sync|remote',
  },
  merge: {
    english: verbs('merg|squash'),
    wide: '合并|合併|マージ|병합|머지|スカッシュ',
    hints: 'rebas|land(?!\\p{L})|combin|统一|一つに|합치',
  },
  publish: {
    english: verbs('publish|releas|deploy|ship'),
    wide: '发布|部署|上线|リリース|デプロイ|배포|출시|릴리스|게시',
    hints: 'launch|roll\\w* out|go(?:es|ing)? live|new version|production|公開|공개',
  },
  close: {
    english: verbs('clos|cancel|cancell|abandon|abort'),
    wide: '关闭|取消|放弃|终止|中止|閉じ|クローズ|キャンセル|打ち切|닫|취소|중단|포기',
    hints: 'giv\\w* up|stop|finish|done|drop|no longer|delet|remov|kill|やめ|終|结束|끝',
  },
  skip: {
    english: `${verbs('skip|bypass|disabl|circumvent|omit')}|turn\\w* off|switch\\w* off|without (?:\\w+ ){0,2}(?:review|test|ask|check|confirm|approv|verif|wait|look)\\w*`,
    wide: '跳过|绕过|禁用|关掉|飛ば|スキップ|無効|건너뛰|생략|비활성',
    hints:
      "ignor|without|off(?!\\p{L})|exclud|strip|remov|(?:don[’']?t|do not|not|no|never|doesn[’']?t)(?: \\w+)? (?:need|bother|run|wait|ask|worry|care|necessary|mind|matter|commit|touch)|lea(?:ve|ving) (?:\\w+ ){0,3}out|later|for now|忽略|省略|不用|不必|无需|先不|無視|なし|せず|いらない|不要|끄|없이|무시|나중",
  },
  replace: {
    english: verbs('rewrit|rewritten|replac|reimplement|migrat'),
    wide: '重写|替换|改写|书き直|書き直|置き換|差し替|다시 작성|재작성|대체|교체',
    hints:
      'rewrote|swap|switch|port|instead|convert|chang|redo|redesign|refactor|mov(?:e|ing)|rather|rename|updat|换|改|迁移|代替|切り替|移行|変|代わり|바꾸|바꿔|이전|대신|변경',
  },
  revert: {
    english: `${verbs('revert')}|roll(?:ed|ing|s)? back|undo(?:ne|ing)?(?!\\p{L})|undid`,
    wide: '回滚|撤销|还原|元に戻|取り消|되돌|원복',
    hints: 'reset|restor|back|again|remov|before|恢复|戻|取消|복원|다시',
  },
  reveal: {
    english: `${verbs('e-?mail|upload|disclos|expos')}|leak(?:ed|ing)? (?:the|his|her|their|it)|shar(?:e|ed|ing) (?:\\w+ ){1,4}with`,
    wide: '发送给|寄给|上传|泄露|送信|送って|送る|アップロード|共有|전송|업로드|공유',
    hints: 'mail|send|sent|post|shar|forward|publish|give|发|送|メール|보내|메일',
  },
  pay: {
    english: verbs('pay|paid|buy|bought|purchas|spend|spent|refund|donat'),
    wide: '支付|付款|购买|花费|退款|支払|購入|返金|결제|지불|구매|환불|구입',
    hints: 'charg|cost|money|cancel|card|certificate|book|upgrad|\\$|dollar|买|卖|買|お金|사|돈',
  },
  grant: {
    english: `${verbs('grant')}|(?:giv|gave|get|with)\\w* (?:\\w+ ){0,4}(?:access|permissions?|rights)(?!\\p{L})`,
    wide: '授权|授予|権限を与|付与|권한을? ?(?:부여|주)',
    hints: 'access|permi|allow|right|admin|root|sudo|权限|允许|許可|権限|アクセス|권한|허용|접근',
  },
};

const at = (english: string, wide: string, flags: string): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${english})|${wide}`, flags);

// The keys of the table are acts, which Object.entries forgets.
const patterns = (Object.entries(words) as [Act, Words][]).map(([act, { english, wide, hints }]) => ({
  act,
  named: at(english, wide, 'giu'),
  meant: at(`${english}|${hints}`, wide, 'iu'),
}));

export interface Named {
  readonly acts: readonly Act[];
  /** The text with blanks in place of the words that name them. */
  readonly rest: string;
}

/** The acts that a line names outside quotations and code, and what else it says. */
export function actsNamed(line: string): Named {
  const text = masked(line);
  const acts = new Set<Act>();
  let rest = line;
  for (const { act, named } of patterns)
    for (const { 0: word, index } of text.matchAll(named)) {
      acts.add(act);
      rest = rest.slice(0, index) + ' '.repeat(word.length) + rest.slice(index + word.length);
    }
  return { acts: [...acts], rest };
}

/** The acts that a text names or leads to: whoever said it may have asked for them. */
export const actsMeant = (text: string): ReadonlySet<Act> =>
  new Set(patterns.flatMap(({ act, meant }) => (meant.test(text) ? [act] : [])));
