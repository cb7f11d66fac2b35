/** Labels that attribute what follows them to the user: `User request:`, `(user chose: …)`, 用户反馈：, 사용자 요청:. */
import type { AttributionPattern, AttributionVerb } from './attribution.ts';

/** The line opens here, behind marks and the number of a message, or a bracket or a sentence does. */
const open = '(?<=^[^\\p{L}\\p{N}|]{0,12}(?:m\\d+(?:-m\\d+)? )?|[(（\\[]\\s{0,2}|[.;。；]\\s?)';
/** `(m12)` or `m12`, and emphasis, before the colon. */
const close = '(?: ?[(（][^()（）]{0,24}[)）]| m\\d+)?\\*{0,3}\\s?[:：]\\*{0,3}\\s?';
/** `User: postgres` is a setting. */
const said = '(?=\\S+[\\s\\ufffb]|\\ufffb|[^\\x00-\\x7f])';

const label = (verb: AttributionVerb, source: string): AttributionPattern => ({
  verb,
  words: new RegExp(source, 'gdiu'),
  content: 'after',
});

type Nouns = Readonly<Partial<Record<AttributionVerb, string>>>;

function labels(nouns: Nouns, sources: (noun: string) => readonly string[]): readonly AttributionPattern[] {
  // The keys of the tables below are verbs, which Object.entries forgets.
  const entries = Object.entries(nouns) as [AttributionVerb, string][];
  return entries.flatMap(([verb, noun]) => sources(`(?:${noun})`).map((source) => label(verb, source)));
}

const english: Nouns = {
  said: 'feedback|comments?|messages?|quotes?|notes?|reply|replies|answers?|responses?|corrections?|reports?|said|reported|noted|words|statements?|clarifications?|explanations?|remarks?|complaints?|says|wrote|replied|answered|confirmed|clarified|insists?|insisted',
  asked: 'requests?|asks?|asked|instructions?|tasks?|questions?|requested|requirements?|demands?|orders?|wants',
  chose: 'chose|chosen|choices?|decisions?|decided|selected|selection|picked',
  prefers: 'preferences?|prefers|constraints?|rules?|wishes|expectations?',
  approved: 'approved|approval|consent',
  rejected: 'rejected|rejection|objections?|vetoe?d?',
};
const order =
  '(?:own |latest |last |first |original |newest |next |new |initial |exact |verbatim |follow-?up |final |main |primary |standing |explicit |additional |further )?';

const chinese: Nouns = {
  said: '反馈|原话|消息|留言|回复|回答|意见|说法|说|写道|原文|评论|坚持|补充|纠正|话|发言',
  asked: '要求|请求|指示|任务|问题|提问|需求|询问|问|指令',
  chose: '选择|决定|选定',
  prefers: '偏好|约束|规则|希望|限制',
};
const japanese: Nouns = {
  said: 'フィードバック|発言|コメント|回答|返答|メッセージ|指摘|言葉|原文|返信|説明|意見',
  asked: '要望|依頼|指示|リクエスト|要求|質問|要件|タスク|お願い',
  chose: '選択|決定',
  prefers: '希望|好み|制約|ルール|規則|方針',
};
const korean: Nouns = {
  said: '피드백|메시지|의견|답변|발언|말|원문|설명|지적|댓글',
  asked: '요청|요구|지시|질문|요구 ?사항|부탁|과제|명령',
  chose: '선택|결정',
  prefers: '선호|제약|규칙|희망|바람',
};

/** English. */
export const englishLabels: readonly AttributionPattern[] = [
  label('said', `${open}(?:the )?user${close}${said}`),
  ...labels(english, (noun) => [
    `${open}(?:the )?user(?:['’]s)? ${order}${noun}(?:,? verbatim)?${close}`,
    `${open}(?:the )?${order}${noun} (?:from|of|by) (?:the )?user(?: in m\\d+)?(?:,? verbatim)?${close}`,
  ]),
  label('said', "\\bin (?:the )?user['’]s (?:own |exact )?words\\b[:：]?"),
  label('said', '\\bas (?:the )?user (?:puts?|said|says|wrote|phrased|worded)(?: it)?\\b[,:]?'),
];

/** Chinese. */
export const chineseLabels: readonly AttributionPattern[] = [
  label('said', `${open}(?:用户|使用者)(?:本人|自己)?${close}`),
  ...labels(chinese, (noun) => [
    `${open}(?:来自)?(?:用户|使用者)(?:本人|自己)?(?:在 ?m\\d+ ?(?:中|里)?)?的?(?:最新|最初|原始|最后|新|下一个|持续|明确|具体)?的?${noun}${close}`,
  ]),
  label('said', '(?:正如|如)用户所(?:说|言|述|写)|用户的原话是?'),
];

/** Japanese. */
export const japaneseLabels: readonly AttributionPattern[] = [
  label('said', `${open}(?:ユーザー?|利用者)(?:自身|本人)?${close}`),
  ...labels(japanese, (noun) => [
    `(?:ユーザー?|利用者)(?:自身|本人)?(?:の|からの|が(?:示した|述べた|定めた|挙げた|出した|書いた))?(?:最新|最初|元|次|最後|継続的|明確|具体的|追加)?[のな]?${noun}${close}`,
  ]),
];

/** Korean. */
export const koreanLabels: readonly AttributionPattern[] = [
  label('said', `${open}사용자(?: ?본인)?${close}`),
  ...labels(korean, (noun) => [
    `사용자(?: ?본인)?(?:의|가 (?:말한|밝힌|정한|제시한|쓴|남긴|요청한))? ?(?:최신|최초|마지막|첫|다음|지속적인|추가) ?${noun}${close}`,
    `사용자(?: ?본인)?(?:의|가 (?:말한|밝힌|정한|제시한|쓴|남긴|요청한))? ?${noun}${close}`,
  ]),
  label('said', '사용자가 (?:말한|쓴|밝힌) ?(?:대로|바와 같이)'),
];
