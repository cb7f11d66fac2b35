/** How Japanese says that something passed, failed, was fixed, deleted, pushed; and how it says that it was not. */
import { forVerbs, type PhraseTable, type Status, type StatusPhrase } from './status.ts';

/** Nouns that `する` makes a verb. */
const verbs: Readonly<Partial<Record<Status, string>>> = {
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

const words = (source: string): RegExp => new RegExp(source, 'gi');

/** Endings that deny, with the ending that affirms. */
const denials: readonly (readonly [string, string])[] = [
  ['していない', 'した'],
  ['していません', 'しました'],
  ['しておらず', ''],
  ['していなかった', 'していた'],
  ['しなかった', 'した'],
  ['しませんでした', 'しました'],
  ['されていない', 'された'],
  ['されていません', 'されました'],
  ['されておらず', ''],
  ['されなかった', 'された'],
  ['できていない', 'できた'],
  ['できていません', 'できました'],
  ['できておらず', ''],
  ['できなかった', 'できた'],
  ['できませんでした', 'できました'],
  ['してない', 'した'],
  ['なし', ''],
];

const affirmations: readonly (readonly [string, string])[] = [
  ['しました', 'していません'],
  ['しています', 'していません'],
  ['している', 'していない'],
  ['してあります', 'していません'],
  ['してある', 'していない'],
  ['されました', 'されていません'],
  ['されています', 'されていません'],
  ['されている', 'されていない'],
  ['された', 'されていない'],
  ['できました', 'できていません'],
  ['できた', 'できていない'],
  ['した', 'していない'],
];

const endingsOf = (endings: readonly (readonly [string, string])[]): string =>
  endings.map(([ending]) => ending).join('|');

/** The same words with their ending turned round; undefined where the table has no other. */
const withEnding = (text: string, endings: readonly (readonly [string, string])[]): string | undefined => {
  const found = endings.find(([ending]) => text.endsWith(ending));
  return found?.[1] ? text.slice(0, -found[0].length).replace(/まだ|一切/g, '') + found[1] : undefined;
};

function verbPhrases(verb: string, status: Status, denied: Status): readonly StatusPhrase[] {
  const outcome = status === 'passed' || status === 'failed';
  const swapped = (text: string): string | undefined =>
    /成功/.test(text) ? text.replace('成功', '失敗') : /失敗/.test(text) ? text.replace('失敗', '成功') : undefined;
  const present = outcome ? '|する|します' : '';
  return [
    {
      words: words(`(?:まだ)?${verb}${particle}(?:${endingsOf(denials)})${predicate}`),
      status: denied,
      negated: true,
      turned: (text) => withEnding(text, denials),
    },
    {
      words: words(`${verb}(?:しない|しません|されない|できない|できません)${predicate}`),
      status: denied,
      negated: true,
      current: true,
      hedged: !outcome,
    },
    { words: words(`${verb}(?:せずに?|されずに?|できずに?)(?=[、。,]|$)`), status: denied, negated: true },
    {
      words: words(`未${verb}(?=\\s*(?:$|[。、,.;)）」|]|で|だ|の(?:まま|状態)))`),
      status: denied,
      negated: true,
      turned: (text) => `${text.slice(1)}済み`,
    },
    {
      words: words(`${verb}(?:に)?失敗(?:した|しました|している|しています|)${predicate}`),
      status: 'failed',
      turned: (text) => text.replace('に失敗', 'に成功').replace(/(?<!に)失敗/, '成功'),
    },
    {
      words: words(`${verb}(?:する|します|し|させる)(?:必要|予定|べき|つもり|計画|方針|ように|ため(?!、))`),
      status,
      hedged: true,
    },
    {
      words: words(`${verb}${particle}(?:${endingsOf(affirmations)}${present})${predicate}`),
      status,
      turned: (text) => (outcome ? swapped(text) : withEnding(text, affirmations)),
    },
    {
      words: words(`${verb}(?:済み|済)(?=\\s*(?:$|[。、,.;:)）」|（(]|で|だ|と))`),
      status,
      turned: (text) => `未${text.replace(/済み?$/, '')}`,
    },
    { words: words(`${verb}完了(?:した|しました|です|)${predicate}`), status },
    ...(outcome || status === 'done'
      ? [
          {
            words: words(`(?<![未不要再])${verb}(?:です|でした|だった|だ)?(?=\\s*(?:$|[。、,.;)）」|（(✅❌]))`),
            status,
            turned: swapped,
          },
        ]
      : []),
    { words: words(`${verb}(?:して|し)(?=、)`), status },
  ];
}

const swapWith =
  (from: string, to: string) =>
  (text: string): string =>
    text.replace(from, to);

const own: readonly StatusPhrase[] = [
  {
    words: words(
      `(?:エラー|失敗|例外)(?:で|に)(?:終了|終わった|終わりました|終わる|なった|なりました|なっている|停止)(?:した|しました|している|)${predicate}`,
    ),
    status: 'failed',
  },
  {
    words: words(`(?:エラー|例外)を(?:報告|出力|送出|返)(?:した|しました|している|し|)${predicate}`),
    status: 'failed',
  },
  {
    words: words('(?<=[（(:：—→|]\\s{0,2})(?:新規(?:ファイル)?|新ファイル)(?=\\s*(?:$|[。、)）|]))'),
    status: 'created',
  },
  { words: words('(?<=[（(:：—→|]\\s{0,2})(?:変更あり|修正あり)'), status: 'changed', turned: () => '変更なし' },
  { words: words(`書き込(?:まれていない|んでいない|まなかった)${predicate}`), status: 'uncreated', negated: true },
  {
    words: words(
      `(?:まだ)?(?:そのまま残っている|存在する|存在します|存在している|存在しています|残っています)${predicate}`,
    ),
    status: 'kept',
    current: true,
  },
  { words: words(`存在(?:しない|しません|しなくなった)${predicate}`), status: 'deleted', negated: true, current: true },
  {
    words: words(`(?:まだ)?終わって(?:いない|いません|おらず)${predicate}`),
    status: 'undone',
    negated: true,
    turned: () => '終わった',
  },
  {
    words: words(`(?:終わった|終わりました|終わっている|済んだ)${predicate}`),
    status: 'done',
    turned: (text) => (text === '終わった' ? '終わっていない' : undefined),
  },
  {
    words: words(`(?:着手|開始)(?:していない|していません|しておらず|されていない)${predicate}`),
    status: 'undone',
    negated: true,
  },
  { words: words('(?<=[（(:：—→|]\\s{0,2})(?:済み|済)(?=\\s*(?:$|[。、)）|]))'), status: 'done', turned: () => '未了' },
  {
    words: words('(?<=[（(:：—→|]\\s{0,2})(?:未対応|未着手|未了|保留|対応待ち)(?=\\s*(?:$|[。、)）|]))'),
    status: 'undone',
    hedged: true,
  },
  {
    words: words(
      `(?:エラー|失敗|警告|問題|不具合)(?:は|が|も)?(?:なし|無し|ない|ありません|なく|ありませんでした|なかった|出ない|出ません|出なかった|発生しない|発生しなかった|ゼロ|0 ?件|見つからな(?:い|かった))(?!場合|とき|なら|時)`,
    ),
    status: 'passed',
    negated: true,
  },
  {
    words: words('(?<!\\d)0 ?[件個つ]?(?:の)?(?:失敗|エラー)|失敗\\s?[:：は]?\\s?0 ?件?(?!\\d)'),
    status: 'passed',
    negated: true,
  },
  {
    words: words(
      `エラー(?:が|は)(?:出た|出ました|出ている|出ています|発生した|発生しました|発生している|発生しています|残っている|残っています)${predicate}`,
    ),
    status: 'failed',
  },
  {
    words: words(`通(?:らない|らなかった|っていない|っていません|りません|りませんでした|っておらず)${predicate}`),
    status: 'failed',
    negated: true,
    turned: (text) => (/ません/.test(text) ? '通っています' : '通っている'),
  },
  {
    words: words(`(?<!を)通(?:った|りました|っている|っています|る|ります)${predicate}`),
    status: 'passed',
    turned: (text) => (/ます|まし/.test(text) ? '通っていません' : '通っていない'),
  },
  {
    words: words(`(?:落ちた|落ちました|落ちている|落ちています|落ちる|落ちます|こけた|こけている|こける)${predicate}`),
    status: 'failed',
  },
  {
    words: words(
      `(?:直っ|治っ|直せ)(?:ていない|ていません|ておらず|なかった)${predicate}|直(?:らない|らなかった|せない|せなかった|していない)${predicate}`,
    ),
    status: 'unfixed',
    negated: true,
    turned: (text) => (/^直って|^治って/.test(text) ? text.replace(/て(?:いない|いません|おらず)$/, 'た') : undefined),
  },
  {
    words: words(`(?:直った|直りました|直っている|直した|直しました|治った)${predicate}`),
    status: 'fixed',
    turned: (text) => (/^直し/.test(text) ? '直していない' : '直っていない'),
  },
  {
    words: words(`消(?:していない|していません|さなかった|えていない)${predicate}`),
    status: 'kept',
    negated: true,
    turned: swapWith('していない', 'した'),
  },
  {
    words: words(`消(?:した|しました|えた|えている)${predicate}`),
    status: 'deleted',
    turned: (text) => (text === '消した' ? '消していない' : undefined),
  },
  { words: words(`残(?:した|しました|してある|してあります|している)${predicate}`), status: 'kept' },
  {
    words: words(
      `動(?:作しなかった|作していない|かない|かなかった|いていない|きません|作しない|作しません)${predicate}`,
    ),
    status: 'failed',
    negated: true,
    turned: (text) => (text === '動かない' ? '動く' : undefined),
  },
  {
    words: words(`動(?:いている|いています|いた|きました|作している|作しています|作した)${predicate}`),
    status: 'passed',
  },
  {
    words: words(
      `(?:起動中|実行中|稼働中|稼働している|稼働しています|起動している|起動しています)(?!の)(?=\\s*(?:$|[。、,.;)）」]|で|だ|が))`,
    ),
    status: 'running',
    current: true,
  },
  {
    words: words(
      '(?:進行中|作業中|対応中|修正中|調査中|保留中|保留|未着手|着手前)(?=\\s*(?:$|[。、,.;:)）」\\]|]|で|だ|の(?:まま|状態)))',
    ),
    status: 'undone',
    hedged: true,
  },
  { words: words(`(?:変更なし|そのまま(?:に)?(?:した|してある|残した))${predicate}`), status: 'unchanged' },
];

/** Japanese. */
export const japaneseStatuses: PhraseTable = {
  phrases: [...own, ...forVerbs(verbs, verbPhrases)],
  before: /もし|次に|今後|これから|後で|仮に|万一/,
  after:
    /^\s*(?:場合|とき|時(?:に|は|、)|なら|ら|後(?:に|、|で)|あと(?:に|、|で)|か(?:どうか|を|確認|$|[?？])|可能性|はず|かもしれ|でしょう|だろう|ようです|ように(?:する|見え)|ことを(?:確認(?:する|して)|目指)|まで)/,
  now: /現在|今は|現時点|まだ|いまだ|すべて|全て|全部/,
};
