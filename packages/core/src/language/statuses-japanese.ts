/** How Japanese says that something passed, failed, was fixed, deleted, pushed; and how it says that it was not. */
import {
  forVerbs,
  type Status,
  type StatusPhrase,
  type StatusVerbs,
  type StatusWords,
  statusPatterns,
} from './status.ts';

/** Nouns that `する` makes a verb. */
const verbs: StatusVerbs = {
  fixed: '修正|解決|解消|修復|対処',
  deleted: '削除|除去|消去',
  created: '作成|生成|新規作成',
  changed: '変更|更新|追加|編集|実装|改修|移行|置換|リネーム|リファクタリング|適用',
  committed: 'コミット|commit ?',
  pushed: 'プッシュ|push ?',
  merged: 'マージ|merge ?',
  released: 'デプロイ|リリース|公開|deploy ?',
  installed: 'インストール|導入',
  done: '完了|終了|実行|検証|確認|テスト|対応|実施|レビュー|反映',
  kept: '保持|維持|温存',
  stopped: '停止|終了させ',
  passed: '成功|合格|通過|パス|pass ?|グリーンに',
  failed: '失敗|クラッシュ|fail ?',
};

/** What may follow a predicate; a noun right behind it would be described by it (`失敗したテスト`). */
const predicate =
  '(?=\\s*(?:$|[。．、，,.;；:：)）」』\\]】!！?？…・|—→（(✅❌\\-]|が|ため|ので|から|けど|けれど|と(?!き|ころ|し)|し、|こと|の(?:は|で|を|に|も|み)|ものの|結果|後|あと|よう|旨|まま|うえ|上で|状態|\\s))';

const particle = '[はをがも]?(?:まだ|一切|すべて|全て)?';

const denials =
  'していない|していません|しておらず|していなかった|しなかった|しませんでした|されていない|されていません|されておらず|されなかった|できていない|できていません|できておらず|できなかった|できませんでした|してない|なし';

const affirmations =
  'しました|しています|している|してあります|してある|されました|されています|されている|された|できました|できた|した';

function verbPhrases(verb: string, status: Status, denied: Status): readonly StatusPhrase[] {
  const outcome = status === 'passed' || status === 'failed';
  const present = outcome ? '|する|します' : '';
  const alone: StatusPhrase = [
    status,
    `(?<![未不要再])${verb}(?:です|でした|だった|だ)?(?=\\s*(?:$|[。、,.;)）」|（(✅❌]))`,
  ];
  return [
    [denied, `(?:まだ)?${verb}${particle}(?:${denials})${predicate}`],
    [denied, `${verb}(?:しない|しません|されない|できない|できません)${predicate}`, outcome ? 'now' : 'open'],
    [denied, `${verb}(?:せずに?|されずに?|できずに?)(?=[、。,]|$)`],
    [denied, `未${verb}(?=\\s*(?:$|[。、,.;)）」|]|で|だ|の(?:まま|状態)))`],
    ['failed', `${verb}(?:に)?失敗(?:した|しました|している|しています|)${predicate}`],
    [status, `${verb}(?:する|します|し|させる)(?:必要|予定|べき|つもり|計画|方針|ように|ため(?!、))`, 'open'],
    [status, `${verb}${particle}(?:${affirmations}${present})${predicate}`],
    [status, `${verb}(?:済み|済)(?=\\s*(?:$|[。、,.;:)）」|（(]|で|だ|と))`],
    [status, `${verb}完了(?:した|しました|です|)${predicate}`],
    ...(outcome || status === 'done' ? [alone] : []),
    [status, `${verb}(?:して|し)(?=、)`],
  ];
}

const own: readonly StatusPhrase[] = [
  [
    'failed',
    `(?:エラー|失敗|例外)(?:で|に)(?:終了|終わった|終わりました|終わる|なった|なりました|なっている|停止)(?:した|しました|している|)${predicate}`,
  ],
  ['failed', `(?:エラー|例外)を(?:報告|出力|送出|返)(?:した|しました|している|し|)${predicate}`],
  ['created', '(?<=[（(:：—→|]\\s{0,2})(?:新規(?:ファイル)?|新ファイル)(?=\\s*(?:$|[。、)）|]))'],
  ['changed', '(?<=[（(:：—→|]\\s{0,2})(?:変更あり|修正あり)'],
  ['uncreated', `書き込(?:まれていない|んでいない|まなかった)${predicate}`],
  [
    'kept',
    `(?:まだ)?(?:そのまま残っている|存在する|存在します|存在している|存在しています|残っています)${predicate}`,
    'now',
  ],
  ['deleted', `存在(?:しない|しません|しなくなった)${predicate}`, 'now'],
  ['undone', `(?:まだ)?終わって(?:いない|いません|おらず)${predicate}`],
  ['done', `(?:終わった|終わりました|終わっている|済んだ)${predicate}`],
  ['undone', `(?:着手|開始)(?:していない|していません|しておらず|されていない)${predicate}`],
  ['done', '(?<=[（(:：—→|]\\s{0,2})(?:済み|済)(?=\\s*(?:$|[。、)）|]))'],
  ['undone', '(?<=[（(:：—→|]\\s{0,2})(?:未対応|未着手|未了|保留|対応待ち)(?=\\s*(?:$|[。、)）|]))', 'open'],
  [
    'passed',
    `(?:エラー|失敗|警告|問題|不具合)(?:は|が|も)?(?:なし|無し|ない|ありません|なく|ありませんでした|なかった|出ない|出ません|出なかった|発生しない|発生しなかった|ゼロ|0 ?件|見つからな(?:い|かった))(?!場合|とき|なら|時)`,
  ],
  ['passed', '(?<!\\d)0 ?[件個つ]?(?:の)?(?:失敗|エラー)|失敗\\s?[:：は]?\\s?0 ?件?(?!\\d)'],
  [
    'failed',
    `エラー(?:が|は)(?:出た|出ました|出ている|出ています|発生した|発生しました|発生している|発生しています|残っている|残っています)${predicate}`,
  ],
  ['failed', `通(?:らない|らなかった|っていない|っていません|りません|りませんでした|っておらず)${predicate}`],
  ['passed', `(?<!を)通(?:った|りました|っている|っています|る|ります)${predicate}`],
  ['failed', `(?:落ちた|落ちました|落ちている|落ちています|落ちる|落ちます|こけた|こけている|こける)${predicate}`],
  [
    'unfixed',
    `(?:直っ|治っ|直せ)(?:ていない|ていません|ておらず|なかった)${predicate}|直(?:らない|らなかった|せない|せなかった|していない)${predicate}`,
  ],
  ['fixed', `(?:直った|直りました|直っている|直した|直しました|治った)${predicate}`],
  ['kept', `消(?:していない|していません|さなかった|えていない)${predicate}`],
  ['deleted', `消(?:した|しました|えた|えている)${predicate}`],
  ['kept', `残(?:した|しました|してある|してあります|している)${predicate}`],
  ['failed', `動(?:作しなかった|作していない|かない|かなかった|いていない|きません|作しない|作しません)${predicate}`],
  ['passed', `動(?:いている|いています|いた|きました|作している|作しています|作した)${predicate}`],
  [
    'running',
    `(?:起動中|実行中|稼働中|稼働している|稼働しています|起動している|起動しています)(?!の)(?=\\s*(?:$|[。、,.;)）」]|で|だ|が))`,
    'now',
  ],
  [
    'undone',
    '(?:進行中|作業中|対応中|修正中|調査中|保留中|保留|未着手|着手前)(?=\\s*(?:$|[。、,.;:)）」\\]|]|で|だ|の(?:まま|状態)))',
    'open',
  ],
  ['unchanged', `(?:変更なし|そのまま(?:に)?(?:した|してある|残した))${predicate}`],
];

/** Japanese. */
export const japaneseStatuses: StatusWords = {
  patterns: statusPatterns([...own, ...forVerbs(verbs, verbPhrases)]),
  before: /もし|次に|今後|これから|後で|仮に|万一/,
  after:
    /^\s*(?:場合|とき|時(?:に|は|、)|なら|ら|後(?:に|、|で)|あと(?:に|、|で)|か(?:どうか|を|確認|$|[?？])|可能性|はず|かもしれ|でしょう|だろう|ようです|ように(?:する|見え)|ことを(?:確認(?:する|して)|目指)|まで)/,
  now: /現在|今は|現時点|まだ|いまだ|すべて|全て|全部/,
};
