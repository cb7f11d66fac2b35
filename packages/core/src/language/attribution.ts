/** What an attribution to the user is, the shape of the words that make one, the labels that do, and its signs in a reply. */

/** What the user is said to have done. */
export type AttributionVerb =
  | 'asked'
  | 'wants'
  | 'said'
  | 'prefers'
  | 'approved'
  | 'rejected'
  | 'chose'
  | 'proposed'
  | 'provided';

/** What a line attributes to the user. */
export interface Attribution {
  readonly by: 'user';
  readonly verb: AttributionVerb;
  /**
   * The words that attribute: `The user asked`, `as requested by the user`. Where a language puts the claimed content
   * between subject and verb, from the one to the other.
   */
  readonly start: number;
  readonly end: number;
  /** `The user never approved the plan`: what is attributed is denied. */
  readonly negated: boolean;
  /** What the user is said to have asked, wanted or said; empty where the line does not say it. */
  readonly rest: string;
}

/** Words that attribute. */
export interface AttributionPattern {
  /** With the flags `g`, `i` and `d`; where content stands between, in a group of that name. */
  readonly words: RegExp;
  readonly verb: AttributionVerb;
  /** Where what is attributed stands, seen from the words. */
  readonly content: 'after' | 'before' | 'between';
  readonly negated?: boolean;
}

/** These words attribute; the content stands behind them unless told otherwise. */
export const attributes = (
  verb: AttributionVerb,
  source: string,
  content: AttributionPattern['content'] = 'after',
): AttributionPattern => ({ verb, words: new RegExp(source, 'gdiu'), content });

/** The line opens here, behind marks and the number of a message, or a bracket or a sentence does. */
const labelOpening = '(?<=^[^\\p{L}\\p{N}|]{0,12}(?:m\\d+(?:-m\\d+)? )?|[(（\\[]\\s{0,2}|[.;。；]\\s?)';

/** `(m12)` or `m12`, and emphasis, before the colon. */
const labelEnd = '(?: ?[(（][^()（）]{0,24}[)）]| m\\d+)?\\*{0,3}\\s?[:：]\\*{0,3}\\s?';

/** `User: postgres` is a setting. */
const labelContent = '(?=\\S+[\\s\\ufffb]|\\ufffb|[^\\x00-\\x7f])';

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

const englishNouns: Nouns = {
  said: 'feedback|comments?|messages?|quotes?|notes?|reply|replies|answers?|responses?|corrections?|reports?|said|reported|noted|words|statements?|clarifications?|explanations?|remarks?|complaints?|says|wrote|replied|answered|confirmed|clarified|insists?|insisted',
  asked: 'requests?|asks?|asked|instructions?|tasks?|questions?|requested|requirements?|demands?|orders?|wants',
  chose: 'chose|chosen|choices?|decisions?|decided|selected|selection|picked',
  prefers: 'preferences?|prefers|constraints?|rules?|wishes|expectations?',
  approved: 'approved|approval|consent',
  rejected: 'rejected|rejection|objections?|vetoe?d?',
};

const labelOrder =
  '(?:own |latest |last |first |original |newest |next |new |initial |exact |verbatim |follow-?up |final |main |primary |standing |explicit |additional |further )?';

const chineseNouns: Nouns = {
  said: '反馈|原话|消息|留言|回复|回答|意见|说法|说|写道|原文|评论|坚持|补充|纠正|话|发言',
  asked: '要求|请求|指示|任务|问题|提问|需求|询问|问|指令',
  chose: '选择|决定|选定',
  prefers: '偏好|约束|规则|希望|限制',
};

const japaneseNouns: Nouns = {
  said: 'フィードバック|発言|コメント|回答|返答|メッセージ|指摘|言葉|原文|返信|説明|意見',
  asked: '要望|依頼|指示|リクエスト|要求|質問|要件|タスク|お願い',
  chose: '選択|決定',
  prefers: '希望|好み|制約|ルール|規則|方針',
};

const koreanNouns: Nouns = {
  said: '피드백|메시지|의견|답변|발언|말|원문|설명|지적|댓글',
  asked: '요청|요구|지시|질문|요구 ?사항|부탁|과제|명령',
  chose: '선택|결정',
  prefers: '선호|제약|규칙|희망|바람',
};

/** English. */
export const englishLabels: readonly AttributionPattern[] = [
  label('said', `${labelOpening}(?:the )?user${labelEnd}${labelContent}`),
  ...labels(englishNouns, (noun) => [
    `${labelOpening}(?:the )?user(?:['’]s)? ${labelOrder}${noun}(?:,? verbatim)?${labelEnd}`,
    `${labelOpening}(?:the )?${labelOrder}${noun} (?:from|of|by) (?:the )?user(?: in m\\d+)?(?:,? verbatim)?${labelEnd}`,
  ]),
  label('said', "\\bin (?:the )?user['’]s (?:own |exact )?words\\b[:：]?"),
  label('said', '\\bas (?:the )?user (?:puts?|said|says|wrote|phrased|worded)(?: it)?\\b[,:]?'),
];

/** Chinese. */
export const chineseLabels: readonly AttributionPattern[] = [
  label('said', `${labelOpening}(?:用户|使用者)(?:本人|自己)?${labelEnd}`),
  ...labels(chineseNouns, (noun) => [
    `${labelOpening}(?:来自)?(?:用户|使用者)(?:本人|自己)?(?:在 ?m\\d+ ?(?:中|里)?)?的?(?:最新|最初|原始|最后|新|下一个|持续|明确|具体)?的?${noun}${labelEnd}`,
  ]),
  label('said', '(?:正如|如)用户所(?:说|言|述|写)|用户的原话是?'),
];

/** Japanese. */
export const japaneseLabels: readonly AttributionPattern[] = [
  label('said', `${labelOpening}(?:ユーザー?|利用者)(?:自身|本人)?${labelEnd}`),
  ...labels(japaneseNouns, (noun) => [
    `(?:ユーザー?|利用者)(?:自身|本人)?(?:の|からの|が(?:示した|述べた|定めた|挙げた|出した|書いた))?(?:最新|最初|元|次|最後|継続的|明確|具体的|追加)?[のな]?${noun}${labelEnd}`,
  ]),
];

/** Korean. */
export const koreanLabels: readonly AttributionPattern[] = [
  label('said', `${labelOpening}사용자(?: ?본인)?${labelEnd}`),
  ...labels(koreanNouns, (noun) => [
    `사용자(?: ?본인)?(?:의|가 (?:말한|밝힌|정한|제시한|쓴|남긴|요청한))? ?(?:최신|최초|마지막|첫|다음|지속적인|추가) ?${noun}${labelEnd}`,
    `사용자(?: ?본인)?(?:의|가 (?:말한|밝힌|정한|제시한|쓴|남긴|요청한))? ?${noun}${labelEnd}`,
  ]),
  label('said', '사용자가 (?:말한|쓴|밝힌) ?(?:대로|바와 같이)'),
];

/** Words within an attribution that deny it. */
export const deniedAttribution: RegExp =
  /\b(?:not|never|n['’]t|nicht|pas)\b|n['’]t\b|(?:没有|从未|未曾|并未|不)(?=要求|请求|让|同意|批准)|ていない|しなかった|지 ?않|지 ?못/i;

/** A condition, a habit or a question right before makes a user of a program of it, or a request to come. */
export const suppositions: RegExp =
  /(?:\b(?:if|whether|unless|until|till|whenever|in case|once|when|before|should|let|lets|letting|ask|asks|asking|asked|prompt|prompts|require[sd]?|allow|allows|wait|waits|waiting|per) (?:that )?(?:the |our |a |an |any |every |each )?|如果|若|当|除非|直到|一旦|每当|等待|等|待|让|请|提示|允许|要求|询问|帮助|需|需要|处理|接收|收到|记录|解析|每个|もし|만약|만일)$/i;

/** `every user asked` speaks of the users of a program. */
export const manyUsers: RegExp = /\b(?:every|each|any|a|no) $/i;

/** What shows right behind that the sentence tells how a program treats its users. */
export const programContinuations: RegExp =
  /^(?:时|后|的?时候|之后|的话|场合|場合|とき|時|なら|たら|면|할 때|하면|경우|\s*(?:data|input|inputs|values?|locale|page|url|fields?|profile|table|id|ids|token|session|record|row|rows|event|events|records|resources?)\b)/i;

/** Signs between an attribution and what is attributed. */
export const attributionEdges: RegExp = /^[\s:：,，、;；—–-]+|[\s,，、;；:：—–]+$/g;

/** Lines that say a user asked, wanted or approved something. */
export const userClaims: readonly RegExp[] = [
  /(?:\b(?:the|our|your) user|^User) (?:has |had |also |then |first |just |explicitly |later |is |was |now ){0,3}(?:ask(?:ed|s|ing)?|request(?:ed|s|ing)?|want(?:ed|s|ing)?|sa(?:id|ys)|told|instruct(?:ed|s)|prefer(?:red|s)?|approv(?:ed|es)|confirm(?:ed|s)|demand(?:ed|s)|insist(?:ed|s)|wish(?:ed|es)|decided|chose|expects?|expected|would like)\b/i,
  /\b(?:as )?(?:requested|asked|instructed|approved|wanted) by (?:the |our )?user\b|\b(?:at|per|on) the user(?:'|’)s (?:request|instructions?|wish)/i,
  /用户(?:曾|还|又|已经?|明确|随后|先|再|后来|也|们)?(?:要求|请求|希望|想要?|说|表示|指示|提出|询问|问|同意|批准|确认|偏好|决定|让|需要)|用戶(?:曾|還|又|已經?|明確|隨後)?(?:要求|請求|希望|想|說|表示|指示|詢問|同意|確認|決定)|(?:按照?|根据|应)用户的?(?:要求|请求|指示)/,
  /(?:ユーザー?|利用者)(?:は|が|から(?:の|は)?|より)[^\n。]{0,60}(?:依頼|要求|要望|指示|希望|頼|求め|尋ね|質問|承認|言|述べ|望|許可|決め)/,
  /사용자(?:는|가|께서|로부터|의)[^\n.]{0,60}(?:요청|요구|지시|원하|원했|바라|바랐|말했|말하|물었|질문|승인|부탁|결정|선호|확인해)/,
];

/** Lines that say that there is no user, in words that the patterns above would take for a claim. */
export const noUserClaims: RegExp =
  /\b(?:no|without (?:an?|any)|not (?:an?|any)) (?:user|human|person)\b|(?:没有|沒有|无|無)(?:任何)?(?:用户|用戶)|(?:ユーザー?|利用者)(?:の発言|のメッセージ)?(?:は|が)?(?:い?ない|なし|いません|ありません|存在しな)|사용자(?:의? ?(?:메시지|발언|요청))?(?:가|는|이|은)? ?(?:없|존재하지)/i;
