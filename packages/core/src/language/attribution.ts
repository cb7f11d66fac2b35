/** What an attribution to the user is, the shape of the words that make one, and its signs in a line and in a reply. */
import { lazily } from '../shared/lazily.ts';

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

/** Words that attribute, by what the user is said to have done; content between them is a group of that name. */
export type AttributionWords = Readonly<Partial<Record<AttributionVerb, readonly string[]>>>;

/** Words that attribute, and where what is attributed stands, seen from them. */
export interface AttributionPattern {
  readonly words: RegExp;
  readonly verb: AttributionVerb;
  readonly content: 'after' | 'before' | 'between';
}

/** What a language attributes to the user with; of two patterns at one place the first counts. */
export interface LanguageAttributions {
  /** The word without which none of them matches. */
  readonly mention: RegExp;
  readonly patterns: readonly AttributionPattern[];
  /** Tried where no pattern of any language matches. */
  readonly loose: readonly AttributionPattern[];
}

/** Patterns of words; their content stands behind them, or before, unless it is a group of theirs. */
export const attributionPatterns = (
  words: AttributionWords,
  content: 'after' | 'before' = 'after',
): readonly AttributionPattern[] =>
  // The keys of the table are verbs, which Object.entries forgets.
  (Object.entries(words) as [AttributionVerb, readonly string[]][]).flatMap(([verb, sources]) =>
    sources.map((source) => {
      const pattern = lazily(() => new RegExp(source, 'gdiu'));
      return {
        verb,
        get words() {
          return pattern();
        },
        content: source.includes('(?<content>') ? 'between' : content,
      };
    }),
  );

/** Nouns for what the user did. */
export type AttributionNouns = Readonly<Partial<Record<AttributionVerb, string>>>;

/** Labels with the nouns of a language: `User request:`. */
export const labelsOf = (
  nouns: AttributionNouns,
  sources: (noun: string) => readonly string[],
): readonly AttributionPattern[] =>
  // The keys of the table are verbs, which Object.entries forgets.
  (Object.entries(nouns) as [AttributionVerb, string][]).flatMap(([verb, noun]) =>
    attributionPatterns({ [verb]: sources(`(?:${noun})`) }),
  );

/** The line opens here, behind marks and the number of a message, or a bracket or a sentence does. */
export const labelOpening: string = '(?<=^[^\\p{L}\\p{N}|]{0,12}(?:m\\d+(?:-m\\d+)? )?|[(（\\[]\\s{0,2}|[.;。；]\\s?)';

/** `(m12)` or `m12`, and emphasis, before the colon. */
export const labelEnd: string = '(?: ?[(（][^()（）]{0,24}[)）]| m\\d+)?\\*{0,3}\\s?[:：]\\*{0,3}\\s?';

/** A sentence or a part of it opens here. */
export const sentenceOpening: string = '(?<=^[^\\p{L}\\p{N}]{0,16}(?:m\\d+ )?|[.。；;：:，,、]\\s{0,2})';

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
