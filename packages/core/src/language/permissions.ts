/**
 * Words that allow the reader something, words by which a person allows it, how a person answers a question, and how a
 * model declines.
 */
import { han, hangul, kana } from './languages.ts';

/** The permissions of a language, and a letter without which none of them matches. */
interface PermissionWords {
  readonly letters: RegExp;
  readonly patterns: readonly RegExp[];
}

const guard =
  '(?:tests?|test suites?|checks?|CI|lint(?:ing|er)?|reviews?|code reviews?|approvals?|confirmations?|permissions?|verifications?|sign-?offs?|backups?|warnings?)';

const asking =
  '(?:ask(?:ing)?|confirm(?:ing|ation)?|consult(?:ing)?|approvals?|permission|authori[sz]ation|consent|confirmations?|reviews?|sign-?off|wait(?:ing)? for (?:the |an? |any )?(?:CI|tests?|reviews?|approvals?|confirmation|user|answer|reply|go-ahead|checks?)|check(?:ing)? (?:back )?with (?:the user|anyone|them))';

const act =
  '(?:force[- ]?push(?:ing|es)?|push(?:ing)?|merg(?:e|ing)|publish(?:ing)?|releas(?:e|ing)|deploy(?:ing)?|delet(?:e|ing)|remov(?:e|ing)|wip(?:e|ing)|overwrit(?:e|ing)|rewrit(?:e|ing) (?:the )?history|commit(?:ting)? (?:straight|direct(?:ly)?|to main)|shar(?:e|ing) (?:the )?(?:\\w+ )?(?:keys?|secrets?|tokens?|credentials?|passwords?)|drop(?:ping)? (?:the )?(?:\\w+ )?(?:database|tables?))';

const fine =
  '(?:fine|ok|okay|acceptable|allowed|permitted|safe|all right|alright|authori[sz]ed|unproblematic|no problem)';

const adverbs = '(?:(?:now|safely|simply|just|always|freely|also|then|totally|perfectly|perhaps|therefore) )*';

const not = "(?<!not )(?<!never )(?<!n[’']t )";

const free = '(?:feel free|free|welcome|at liberty|cleared|entitled|allowed|permitted|authori[sz]ed)';

const leaves =
  '(?:skip(?:ped|ping)?|ignor(?:e|ed|ing)|bypass(?:ed|ing)?|omit(?:ted|ting)?|le(?:ave|ft|aving) out|waiv(?:e|ed|ing)|disabl(?:e|ed|ing)|dispens(?:e|ed|ing) with)';

const english: PermissionWords = {
  letters: /[a-z]/i,
  patterns: [
    // A safeguard may be left out.
    `\\b(?:may|can|could|might) ${adverbs}(?:be )?${leaves} (?:[\\w'’-]+ ){0,4}?${guard}(?!\\p{L})`,
    `\\b${guard} (?:[\\w-]+ ){0,3}?(?:may|can|could|might) ${adverbs}be ${leaves}(?!\\p{L})`,
    `\\b(?:fine|ok|okay|acceptable|alright|all right|${free}) to ${leaves} (?:[\\w'’-]+ ){0,4}?${guard}(?!\\p{L})`,
    `\\b${leaves} (?:[\\w'’-]+ ){0,3}?${guard} (?:[\\w-]+ ){0,4}?(?:is|are) ${adverbs}${fine}(?!\\p{L})`,
    `\\b${guard} (?:do|does|need) not (?:have |need )?(?:to )?(?:pass|be (?:run|green|done|waited))`,
    // Nobody need be asked.
    `\\b(?:no (?:need|reason|point)|not? (?:necessary|required|needed)|unnecessary|needless|superfluous|(?:do|does)(?: not|n[’']t) (?:have|need)|need not|needn[’']t) (?:to |for |in |of |any |an? |the |further )*${asking}(?!\\p{L})`,
    `\\b${asking} (?:[\\w'’-]+ ){0,5}?(?:is|are) (?:not (?:required|necessary|needed)|unnecessary|no longer (?:required|necessary|needed)|superfluous|needless)`,
    `\\b(?:no longer|(?:do|does) not|(?:do|does)n[’']t) (?:need|require) (?:any |an? |the |further )*(?:approval|confirmation|permission|review|sign-?off|consent|authori[sz]ation)s?(?!\\p{L})`,
    `\\b(?:no ?body|no one) (?:has|needs) to (?:be asked|approve|confirm|review|sign off|agree|check)(?!\\p{L})`,
    `\\b(?:do|does|need) not (?:need |have )?(?:to )?be (?:asked|consulted|informed|told|notified|involved)(?!\\p{L})`,
    // What cannot be taken back is fine.
    `\\b${not}${fine} (?:to|if (?:you|we)) ${adverbs}${act}(?!\\p{L})`,
    `\\b${act} (?:[\\w'’-]+ ){0,6}?(?:is|are) ${adverbs}${fine}(?!\\p{L})`,
    `\\b${not}${free} to ${adverbs}${act}(?!\\p{L})`,
    `(?<!\\p{L})(?:you|one|we) (?:can|may) ${adverbs}${act}(?!\\p{L})`,
    `\\bgo ahead (?:and|with) ${adverbs}${act}(?!\\p{L})`,
    `\\b(?:permission|approval|consent|authori[sz]ation|clearance|the go-ahead)(?: (?:to|for) [^.;!?]{1,60}?)? (?:is|was|has|have)(?: already| now| hereby)? (?:been )?(?:already )?(?:granted|given|obtained)(?!\\p{L})`,
  ].map((words) => new RegExp(words, 'iu')),
};

const chinese: PermissionWords = {
  letters: han,
  patterns: [
    /(?:可以?|能够?|允许|不妨)(?:直接|随意|放心)?(?:跳过|绕过|忽略|省略|略过|不做|不跑)[^，。；]{0,8}(?:测试|检查|审查|评审|审核|确认|批准|验证|CI)/u,
    /(?:测试|检查|审查|评审|审核|确认|验证)[^，。；]{0,6}(?:可以?|能)(?:直接)?(?:跳过|绕过|忽略|省略|略过|不做)/u,
    /(?:无需|无须|毋须|不需要?|不用|不必|没有?必要)(?:再|先|事先|事前|另行|任何|等待?){0,2}[^，。；]{0,6}(?:询问|过问|问|确认|请示|征求|批准|同意|许可|审核|审查|评审|授权)/u,
    /(?<!不)(?:可以?|允许|准许)(?:直接|随意|放心|自行){0,2}(?:强制推送|强推|推送到|推送|合并|发布|部署|删除)(?!了?的)/u,
    /(?:强制推送|强推|推送|合并|发布|部署|删除)[^，。；]{0,8}(?:没问题|没有问题|无妨|没关系|是允许的|是可以的)/u,
  ],
};

const japanesePermits =
  '(?:も)?(?:よい|良い|いい|構わない|かまわない|構いません|問題ない|問題ありません|差し支えない|大丈夫)';

const japanese: PermissionWords = {
  letters: kana,
  patterns: [
    `(?:テスト|レビュー|確認|承認|検証|チェック|CI)[^、。]{0,8}(?:省略|スキップ|無視|省い|飛ばし)(?:して|て|し)?${japanesePermits}`,
    '(?:確認|承認|許可|レビュー|尋ねる|尋ね|聞く|聞き|相談|了承|問い合わせ)[^。]{0,8}(?:必要は(?:ない|ありません)|必要(?:が|も)ない|(?:は|も)?(?:不要|無用)|なくて(?:も)?(?:よい|いい|構わない))',
    `(?:待た|聞か|尋ね|確認し|相談し|承認を得|許可を得)なくて${japanesePermits}`,
    `(?:プッシュ|マージ|リリース|デプロイ|公開|削除|コミット)して${japanesePermits}`,
  ].map((words) => new RegExp(words, 'u')),
};

const koreanPermits = '(?:어도|해도|여도|아도) ?(?:된다|됩니다|돼|괜찮|좋|무방|상관없)';

const korean: PermissionWords = {
  letters: hangul,
  patterns: [
    `(?:테스트|검토|리뷰|확인|승인|검증|검사|CI)[^.,]{0,8}(?:건너뛰|생략|무시)${koreanPermits}`,
    '(?:묻|물어|확인|승인|검토|허락|허가|리뷰|동의)[^.]{0,10}(?:필요(?:는|가|도)? ?(?:없|하지 않)|않아도 (?:된|됩|돼|괜찮)|없이도)',
    `(?:푸시|병합|머지|배포|삭제|커밋|릴리스|게시)${koreanPermits}`,
  ].map((words) => new RegExp(words, 'u')),
};

/** What a line allows its reader, by language. */
export const permissions: readonly PermissionWords[] = [english, chinese, japanese, korean];

/** What a person says who allows something. */
export const releasingWords: RegExp =
  /\b(?:skip|without|no need|fine|ok(?:ay)?|allow|permit|free|go ahead|can|may|just|bypass|ignore|force|approve|yes|sure)|n[’']?t (?:need|ask|bother|wait|have|care|worry)|\bnot (?:necessary|required|needed)|可以|不用|不必|无需|不需要|允许|跳过|强制|同意|よい|良い|いい|不要|構わ|大丈夫|省略|スキップ|強制|お願い|되|괜찮|필요 ?없|건너뛰|생략|강제|해 ?줘|주세요/iu;

const answerOpening =
  '^(?:[^\\p{L}\\p{N}]|(?:ok(?:ay)?|well|hm+|ah+|oh|this once|for once|then|also|alors|entonces|bueno)(?!\\p{L}))*';

const englishYes =
  "y(?:es|ep|eah|up)|sure|ok(?:ay)?|go(?: ahead| on| for it)?(?=[\\W]*$|,| ahead| on(?: with)?(?!\\p{L}))|do (?:it|that|so|both|all)|let[’']?s (?:do|go)|(?:sounds|looks) (?:good|great|fine|right|ok(?:ay)?)|lgtm|fine|agreed?|correct|right|please(?=[\\W]*$| (?:do|go))|perfect|great|good|nice|continue|proceed|approved?|absolutely|definitely|of course|option|[a-d1-9][.)]?$";

const europeanYes =
  "ja|jawohl|jo|gern[e]?|klar|einverstanden|passt|genau|mach(?: (?:das|es|mal|nur))?|leg los|oui|d['’]accord|vas-y|allez-y|bien sûr|parfait|sí|si|claro|vale|adelante|dale|hazlo|de acuerdo|perfecto";

const wideYes =
  '是|好|可以|行|对|嗯|同意|批准|继续|没问题|はい|うん|ええ|いい|お願い|そう|じゃあ|了解|続け|どうぞ|承認|네|예|응|좋|그래|진행|계속|부탁|승인';

/** Yes, at the head of an answer. */
export const yesWords: RegExp = new RegExp(
  `${answerOpening}(?:(?:${englishYes}|${europeanYes})(?!\\p{L})|${wideYes})`,
  'iu',
);

/** No, at the head of an answer. */
export const noWords: RegExp =
  /^[^\p{L}\p{N}]*(?:(?:no|nope|nah|nein|non|nicht|pas|never|don['’]?t|do not|stop|wait|hold (?:on|off)|(?:far |much |way )?too|zu (?:viel|lang|kurz|teuer|früh|spät|groß|klein|hoch|selten|oft)|trop|demasiad[oa]s?)(?!\p{L})|不|别|別|先不|いいえ|いや(?!す)|だめ|ダメ|駄目|待って|아니|안 ?(?:돼|됩|되))/iu;

/** A no that refuses nothing. */
export const harmlessNo: RegExp =
  /^[^\p{L}\p{N}]*(?:no (?:problem|worries|objections?)|why not|kein problem|warum nicht|pas de problème|pourquoi pas|no hay problema|没问题|不错|問題な|問題あり|문제 ?없)/iu;

/** Yes, behind what it agrees to. */
export const yesBehind: RegExp = /(?<!\p{L})(?:yes|ok(?:ay)?|ja|oui|sí)$/iu;

/** What stands between two parts of an answer. */
export const answerClauses: RegExp = /[,，、.。!！;；:：—–]+\s*/u;

/** Words by which an answer takes only a part. */
export const narrowingWords: RegExp =
  /^[^\p{L}\p{N}]*(?:(?:just|only|nur|seulement|juste|s[oó]lo|solamente)(?!\p{L})|只|仅|就|だけ)|(?:だけ|のみ|만)(?=[^\p{L}]*$)/iu;

/** Openings of a reply, or of what stands under its only headings, by which a model declines. */
export const refusalOpenings: readonly RegExp[] = [
  /^(?:i(?:'|’)?m (?:really |very |so )?sorry|i apologi[sz]e|sorry|unfortunately|apologies)\b[^\n]{0,80}\b(?:can(?:'|’)?t|cannot|can not|unable|not able|won(?:'|’)?t|must decline|not (?:something|comfortable))/i,
  /^(?:i|we) (?:can(?:'|’)?t|cannot|can not|won(?:'|’)?t|will not|must decline|have to decline|am (?:unable|not able|not comfortable|not allowed)|are unable)\b/i,
  /^(?:i(?:'|’)?m|i am) (?:unable|not able|not comfortable|not allowed|just an ai|an ai)\b/i,
  /^as an (?:ai|artificial|assistant|language model)\b/i,
  /^(?:this|that|your) (?:request|content|conversation)\b[^\n]{0,60}\b(?:violates|goes against|is against|cannot be (?:processed|summarized|summarised)|was (?:blocked|flagged))/i,
  /^(?:非常|很|十分|真的)?(?:抱歉|对不起|對不起|不好意思)[^\n]{0,60}(?:无法|無法|不能|不可以|没办法|沒辦法|未能)/,
  /^(?:我|本(?:模型|助手|人))(?:目前|现在|暂时|實在|实在|恐怕)?(?:无法|無法|不能|没办法|沒辦法|不便|拒绝|不会|不會)[^\n]{0,40}(?:帮|幫|协助|協助|提供|回答|完成|满足|滿足|处理|處理|总结|總結|生成|执行)/,
  /^(?:作为|作為)(?:一个|一個|一名)?(?:AI|人工智能|人工智慧|语言模型|語言模型|大模型|助手)/i,
  /^(?:大変|誠に|本当に|まことに)?(?:申し訳(?:ありません|ございません|ない|なく)|すみません|恐れ入りますが|ごめんなさい|恐縮ですが)[^\n]{0,80}(?:できません|できかね|致しかね|いたしかね|ません|お断り|不可能)/,
  /^(?:その|この|そのような|このような)?ご?(?:依頼|要求|リクエスト|要望|内容|ご質問|質問|ご要望)[^\n]{0,30}(?:には|は|を|に)?[^\n]{0,30}(?:お応え|応じ|お答え|対応|お手伝い|要約)[^\n]{0,12}(?:できません|できかね|致しかね|いたしかね)/,
  /^(?:お手伝い|お答え|回答|対応|要約)(?:すること)?(?:は|が)?(?:できません|できかねます|致しかねます|いたしかねます)/,
  /^(?:AI|人工知能|言語モデル)(?:アシスタント)?(?:として|なので|ですので)/i,
  /^(?:정말 |대단히 |매우 )?(?:죄송|미안|유감|송구)[^\n]{0,80}(?:없습니다|없어요|않습니다|못합니다|어렵습니다|불가능|거부)/,
  /^(?:저는|제가|그|이|해당|이런|그런)?\s?[^\n]{0,30}(?:요청|질문|내용|작업|요약)[^\n]{0,30}(?:도와드릴|도울|응할|답변(?:해 ?드릴|할)|처리할|수행할|제공할|들어드릴|요약할)\s?수(?:는|가)?\s?없/,
  /^(?:저는 )?(?:AI|인공지능|언어 모델)(?: 어시스턴트)?(?:로서|이므로|이기 때문에|라서)/i,
];

/** A closing remark to whoever reads the reply, as its last paragraph. */
export const closingRemarks: RegExp =
  /^(?:(?:please )?let me know|(?:i )?hope this|feel free|if you (?:need|want|would like|have|wish)|is there anything|(?:would|do) you (?:like|want) me|如果(?:您|你)?(?:还|有|需要|想)|希望(?:这|以上)|请(?:告诉我|让我知道)|以上(?:です|となります)|(?:何か)?ご(?:不明|質問|要望)|他に(?:何か|ご)|(?:추가로|더) (?:필요|궁금)|궁금한|도움이 (?:되|필요)|필요하시면)/i;
