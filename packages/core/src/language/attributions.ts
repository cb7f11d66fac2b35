/** Words that attribute something to the user, by language. */
import {
  type AttributionPattern,
  type AttributionVerb,
  attributes,
  chineseLabels,
  englishLabels,
  japaneseLabels,
  koreanLabels,
} from './attribution.ts';
import { englishSentences, englishTurns } from './attributions-english.ts';

// Sentences of which the user is the subject, whatever their verb: what the user is said to do, to think or to be has
// to come from the user as well. They are tried where no sentence with a known verb is found.
const opening = '(?<=^[^\\p{L}\\p{N}]{0,16}(?:m\\d+ )?|[.。；;：:，,、]\\s{0,2})';

/** English. */
const englishLoose: readonly AttributionPattern[] = [
  attributes('approved', '\\b(?:agreed|settled|arranged|cleared|discussed|confirmed) (?:on )?with the user(?![\\w-])'),
  attributes(
    'wants',
    '\\bwhat the user (?:really |actually |mainly )?(?:is after|has in mind|cares about)(?: is| was)?',
  ),
];

/** Chinese. */
const chineseLoose: readonly AttributionPattern[] = [
  attributes('said', '(?:是|由)(?:该|本)?用户(?:自己|本人|主动|先)?(?:提|主张|想|要|定|说|决)'),
  attributes('approved', '(?:与|和|跟|同)用户(?:商定|约定|商量|说好|谈妥|达成|确认)'),
  attributes(
    'said',
    `${opening}(?:该|本)?用户(?:真正|其实|一直|目前|似乎|显然|始终)?(?:抱怨|担心|关心|在意|介意|急着|忙着|感到|觉得|相信|忘了|记得|习惯|熟悉|嫌|怀疑)`,
  ),
];

/** Japanese: whatever the user is the topic of, up to the end of the sentence. */
const japaneseLoose: readonly AttributionPattern[] = [
  attributes(
    'said',
    '(?<content>[^。]{4,120})のは(?:、)?ユーザー?(?:自身|本人)?(?:である|だった|だ|です|でした)',
    'between',
  ),
  attributes('approved', '(?<content>[^。]{2,120})ユーザー?と(?:合意|相談|取り決め|約束|確認)', 'between'),
  attributes(
    'said',
    `${opening}ユーザー?(?:自身|本人)?[はも](?<content>[^。]{4,120}?)(?:という|とのこと|ている|ていた|した|った|いた|んだ|れた|べた|めた|けた|えた|がる|である)(?=。|$)`,
    'between',
  ),
  attributes('wants', 'ユーザー?が(?:本当に|実際に|一番)?(?:欲しい|望む|求める|望んでいる|求めている)(?:の|もの)は'),
];

/** Korean: the same. */
const koreanLoose: readonly AttributionPattern[] = [
  attributes(
    'said',
    '(?<content>[^.。]{4,120})(?:것은|건|쪽은) 사용자(?:다|이다|였다|이었다|입니다|였습니다)',
    'between',
  ),
  attributes('approved', '(?<content>[^.。]{2,120})사용자와 (?:합의|상의|약속|협의|정)', 'between'),
  attributes('wants', '사용자의 (?:바람|뜻|말|의향|소망|부탁|당부|제안|의사)(?:에 따라|대로|에 따르면|으로|에 의해)'),
  attributes('wants', '사용자가 (?:정말 |실제로 |진짜 )?(?:바라는|원하는|필요로 하는) (?:것은|건)'),
  attributes(
    'said',
    `${opening}사용자(?: ?본인)?(?:는|가|께서|께서는|도) (?<content>[^.。!?]{4,120}?)(?:했다|했음|한다|하였다|였다|었다|았다|렸다|겼다|합니다|했습니다|함|음|임)(?=[.。!\\s]*$|[.。]\\s)`,
    'between',
  ),
];

const zhAdverb =
  '(?:还|也|又|曾|已经|已|随后|后来|最初|刚才|刚刚|接着|进一步|明确|特别|再次|多次|强烈|一开始|之前|先|反复|直接|要我|最后|仅|只|从未|没有|并未|未曾|未|不|此前)';

const zhUser = '(?<![\\u7684\\u4e2a\\u65b0\\u65e7])(?:该|本)?(?:用户|使用者|用戶)';

const zhMust =
  '(?=[了我：:，,。将把修添删改创实重增检帮写运更对在为先不用只以\\s\\ufffb\\ufffc“「]|过|支持|使用|增加|保留|提供|开|完)';

const zh = (verb: AttributionVerb, words: string, then = ''): AttributionPattern =>
  attributes(verb, `${zhUser}${zhAdverb}{0,3}(?:${words})${then}`);

const chinese: readonly AttributionPattern[] = [
  attributes(
    'said',
    '(?:据|按|照)用户(?:本人)?(?:所)?(?:称|说|言|述|讲)|用户(?:如此|这样|是这样|是这么|就是这么)(?:描述|说|写|表示|讲|回答)',
  ),
  attributes('said', `${zhUser}对[^，。；]{1,20}(?:不满意?|满意|有意见|提出|表示|没有异议|很生气)`),
  attributes('wants', '(?:出于|按照?|根据|遵循|尊重)用户的?(?:意愿|意思|心愿|愿望|想法)'),
  attributes('said', '用户的?(?:评论|留言|回答|原话|答复|回复|说法|看法|观点)(?:是|为)'),
  zh(
    'asked',
    '交代|叮嘱|嘱咐|关照|催促|督促|催|敦促|责成|点名|要求|让我|吩咐|指示|叫我|请我|委托|要我|命令|问我|询问我|询问是否|追问|提出要求|问',
  ),
  zh('asked', '请求|询问', `(?!量|数|失败|率|头|体|参数|超时|日志|路径|被)${zhMust}`),
  zh(
    'wants',
    '不愿|愿意|打算|计划|盼望|渴望|需要(?!登录|输入|点击|填写|先|重新)|急需|希望|想要|想让|想把|想用|想|期望|需要我|不想|不希望',
    '(?!的时候|时|后)',
  ),
  zh(
    'said',
    '不满|满意|声明|重申|质疑|反问|主张|认定|规定|设定|定下|回应|答复|说过|说|写道|写|坚持|表示|提到|指出|反馈说|反馈称|反馈|强调|回答|回复|补充|纠正|解释|认为|报告|告诉我|提醒|抱怨|澄清',
    '(?!给|表|列表|页|按钮|功能|系统|模块|接口|数据)',
  ),
  zh(
    'prefers',
    '不喜欢|讨厌|宁愿|更愿|偏好|喜欢|更喜欢|偏向|倾向于|倾向',
    '(?!设置|配置|表|的?[^，。]{0,3}(?:存|保存|页))',
  ),
  zh(
    'approved',
    '授权|准予|点头|赞成|允许(?!的)|同意|批准|认可|许可|准许|确认了?|接受了?',
    '(?!按钮|框|弹窗|密码|邮箱|协议)',
  ),
  zh('rejected', '拒绝|否决|不同意|反对|驳回|否定|不接受|禁止', '(?!访问|授权)'),
  zh('chose', '选择了|选定|决定|选了|选择[:：]|选用'),
  zh('proposed', '主动提|提议|建议|提出'),
  zh('provided', '提供了|给出了?|粘贴了|上传了|发来|分享了'),
  attributes(
    'asked',
    '(?:按照?|依照?|根据|遵照|遵循|应|依据|响应)(?:了)?(?:用户|您|你)的?(?:明确|最新|最初)?(?:要求|请求|指示|意见|需求|指令|意图|安排|吩咐|反馈|说法|决定|偏好|建议)',
  ),
  attributes(
    'wants',
    '(?:用户|您)的?(?:主要|最终|原始|最初|核心|最新)?(?:要求|请求|指示|意图|目标|目的|需求|诉求|偏好|问题|任务)(?:是|为|[:：])',
  ),
  attributes(
    'asked',
    '(?:在|出于|受|据)用户(?:的)?(?:要求|请求|委托|指示|说法|坚持)(?:下|之下)?|[（(]用户(?:要求|指示|请求|指定|决定|选择)[)）]|[，,]用户(?:说|道|写道|补充道|表示)(?=[。.]|$)|(?:是|由)用户(?:自己|本人)?(?:提出|提议|要求|建议)',
  ),
  attributes('asked', '(?:由|经)用户(?:要求|请求|指定|提出)', 'before'),
  attributes('approved', '(?:由|经|已获|获得|得到)(?:了)?用户(?:的)?(?:同意|批准|确认|认可|授权|许可)', 'before'),
  attributes('asked', '(?:您|你)(?:之前|刚才|曾|已|还|也){0,2}(?:要求|让我|请我|叫我|吩咐|要我)'),
  attributes('wants', '(?:您|你)(?:之前|刚才|曾|还|也){0,2}(?:希望|想要|想让)'),
  attributes('said', '(?:您|你)(?:之前|刚才|曾|还|也){0,2}(?:说过|提到|指出|表示)'),
];

const jaEnd =
  '(?:した|しました|している|しています|していた|していない|しなかった|された|されました|し、|して、|って、|だった|です|だ|た|ました|ていた|ている|ています|てきた|んだ|みました|たがっている|たがっていた|[るむ](?=。|$)|とのこと)(?=$|[\\s。．、，,.;；)）」』！!]|が|ため|ので|から|と|こと|の(?:は|で|を)|通り|とおり)';

const ja = (verb: AttributionVerb, words: string): AttributionPattern =>
  attributes(
    verb,
    `(?:ユーザー?|利用者|あなた)(?:は|が|から|より|からは|も|に)(?<content>[^。．.!?！？]{0,80}?)(?:${words})(?:を)?${jaEnd}`,
    'between',
  );

const japanese: readonly AttributionPattern[] = [
  ja(
    'asked',
    '頼まれ|求められ|促し|促され|命じ|要望し|よう言われ|依頼|要求|要請|指示|リクエスト|命令|お願い|頼ん|頼み|頼まれ|尋ね|質問|求め|言いつけ',
  ),
  ja('wants', '願っ|望む(?=。|$)|必要とし|要望|希望|望ん|求めてい|欲し|ほしが|ほしい(?=との)|たい(?=との)|期待'),
  ja(
    'said',
    '念を押|念押し|主張|断言|宣言|不満|満足|懸念|確認し|指摘|述べ|言っ|言い|説明|報告|伝え|強調|回答|返答|コメント|訂正|明言|発言|書い|言われ',
  ),
  ja('prefers', '好ん|好み|好(?=む)|好ま'),
  ja('approved', '承認|許可|同意|了承|承諾|賛成|認め'),
  ja('rejected', '却下|拒否|反対|断っ|否定|禁止|禁じ'),
  ja('chose', '選択|選ん|選び|決め|決定'),
  ja('proposed', '言い出し|提案|勧め'),
  ja('provided', '提供|共有|貼り付け|送っ|送付'),
  attributes(
    'asked',
    '(?:ユーザー?|利用者|お客様|ご?本人)(?:から)?の?(?:ご)?(?:依頼|要望|指示|希望|要求|リクエスト|フィードバック|指摘|意向|求め)(?:により|に従|に応じ|に応え|に基づ|どおり|通り|で(?=[、。]|$)|に沿|を受け)',
  ),
  attributes(
    'wants',
    '(?:ユーザー?)の(?:主な|最初の|最新の|元の|本来の)?(?:依頼|要望|指示|希望|要求|リクエスト|目的|目標|意図|意向|関心)は',
  ),
  attributes('said', 'ユーザー?(?:曰く|いわく|によれば|によると)|[（(]ユーザー?(?:指示|要望|依頼|希望|指定)[)）]'),
  attributes('asked', '(?:ユーザー?)(?:から)の(?:ご)?(?:依頼|要望|指示|質問|リクエスト)[:：]?'),
  attributes(
    'said',
    '(?<=^\\W{0,8})ユーザー?(?:の)?(?:フィードバック|発言|コメント|回答|返答|メッセージ|指摘|言葉)?\\s?[:：]',
  ),
  attributes(
    'asked',
    '(?<=^\\W{0,8}|[（(]\\s?)ユーザー?(?:の|から(?:の)?)?(?:要望|依頼|指示|リクエスト|要求|質問|希望)\\s?[:：]',
  ),
];

const koEnd =
  '(?:했다|했습니다|했음|함|하였다|한다|합니다|했고|했으며|했지만|했으므로|해서|하여|하고 있다|하고 있음|하지 않았다|하지 않음|하지 않았습니다|받았다|받음|썼다|적었다|주었다|한다고 했다|줬다|았다|었다|였다|렸다|다)(?=$|[\\s.,;:)\\]"”」고는])';

const ko = (verb: AttributionVerb, words: string): AttributionPattern =>
  attributes(
    verb,
    `사용자(?:가|는|께서|께서는|로부터|도|에게서) (?<content>[^.。!?]{0,80}?)(?:${words})(?:을|를|도)? ?${koEnd}`,
    'between',
  );

const korean: readonly AttributionPattern[] = [
  ko(
    'asked',
    '(?:달라|하라|으라|라|자|할 것을|해 ?달라)고|요청|요구|지시|부탁|의뢰|문의|질문|물어보|물었|주문|명령|당부',
  ),
  ko('wants', '필요로|바란|싶어|원|희망|바라|기대|원하'),
  ko(
    'said',
    '말|언급|지적|설명|보고|강조|답변|대답|알려|전달|밝혔|밝힘|정정|덧붙였|불만|만족|우려|주장|명시|표명|반복|확인|고 썼|고 적었|고',
  ),
  ko('prefers', '싫어|꺼려|선호|좋아'),
  ko('approved', '허용|용인|승인|허락|동의|수락|허가|찬성'),
  ko('rejected', '거부|거절|반대|반려|금지|기각'),
  ko('chose', '선택|결정|골랐|골라|택'),
  ko('proposed', '제안|권'),
  ko('provided', '제공|공유|첨부|붙여넣'),
  attributes(
    'asked',
    '사용자(?:의)? ?(?:요청|요구|지시|의견|피드백|희망|부탁|결정|선호)(?:에 따라|대로|으로|에 의해|에 따른|을 반영|을 받아|에 응해)',
  ),
  attributes(
    'wants',
    '사용자(?:의)? (?:주요 |최초 |최신 |원래 )?(?:요청|요구|지시|의도|목표|목적|희망|관심사?|요구 ?사항)(?:은|는) ',
  ),
];

const deUser =
  '(?:(?<![\\p{L}-])(?:der|die|vom|von dem) (?:nutzer|benutzer|user|anwender|auftraggeber)|(?<=^[^\\p{L}\\p{N}]{0,16}(?:m\\d+ )?)(?:nutzer|benutzer|anwender))(?:in)?';

const frUser = "(?<![\\p{L}-])l['’]utilisat(?:eur|rice)";

const esUser = '(?<![\\p{L}-])(?:el|la) usuari[oa]';

const dePermission = 'Freigabe|Erlaubnis|Zustimmung|Genehmigung|Einwilligung';

const european: readonly AttributionPattern[] = [
  attributes(
    'asked',
    `${deUser} (?:hat (?:\\p{L}+ ){0,3}(?:gebeten|verlangt|gefordert|beauftragt)|bat|verlangte|forderte|beauftragte|fragte)(?!\\p{L})`,
  ),
  attributes('wants', `${deUser} (?:möchte|will|wollte|wünscht|wünschte)(?!\\p{L})`),
  attributes(
    'said',
    `${deUser} (?:sagte|meinte|erklärte|bestätigte|schrieb|hat (?:\\p{L}+ ){0,3}(?:gesagt|erklärt))(?!\\p{L})`,
  ),
  attributes('prefers', `${deUser} bevorzugt(?:e)?(?!\\p{L})`),
  attributes('rejected', `${deUser} (?:lehnte|hat (?:\\p{L}+ ){0,3}abgelehnt)(?!\\p{L})`),
  attributes(
    'approved',
    `${deUser} hat (?<content>[^.!?]{2,120}?) (?:zugestimmt|genehmigt|freigegeben|erlaubt|gestattet|gebilligt|abgesegnet)(?!\\p{L})`,
    'between',
  ),
  attributes(
    'approved',
    `${deUser} (?:hat|gab|erteilte) (?:die |seine |ihre )?(?:${dePermission}) (?:für|zur|zum|zu) (?<content>[^.!?]{2,120}?)(?: (?:erteilt|gegeben))?(?=[.!?]|$)`,
    'between',
  ),
  attributes(
    'approved',
    `${deUser} (?:stimmte|genehmigte|hat (?:\\p{L}+ ){0,3}(?:zugestimmt|genehmigt|freigegeben))(?!\\p{L})`,
  ),
  attributes(
    'asked',
    '(?<!\\p{L})(?:auf wunsch|auf bitte|im auftrag|wunsch|nach vorgabe|laut) (?:des|der|vom) (?:nutzers?|benutzers?|users?|anwenders?)(?:in)?(?!\\p{L})',
  ),
  attributes('asked', `${frUser} (?:a |nous a |m['’]a )?(?:demandé|demande|exigé)(?!\\p{L})`),
  attributes('wants', `${frUser} (?:veut|voulait|souhaite|souhaitait)(?!\\p{L})`),
  attributes('said', `${frUser} (?:a )?(?:dit|précisé|signalé|expliqué)(?!\\p{L})`),
  attributes('prefers', `${frUser} préfère(?!\\p{L})`),
  attributes(
    'approved',
    `${frUser} (?:a )?(?:accepté|approuvé|validé|autorisé|permis|accepte|approuve|valide|autorise|permet)(?!\\p{L})`,
  ),
  attributes('rejected', `${frUser} (?:a )?(?:refusé|rejeté|refuse|rejette)(?!\\p{L})`),
  attributes('asked', "à la demande de l['’]utilisateur"),
  attributes('asked', `${esUser} (?:me |nos |ha )?(?:pidió|pidido|pide|solicitó|solicitado|exigió)(?!\\p{L})`),
  attributes('wants', `${esUser} (?:quiere|quería|desea|deseaba)(?!\\p{L})`),
  attributes('said', `${esUser} (?:dijo|indicó|señaló|aclaró)(?!\\p{L})`),
  attributes('prefers', `${esUser} prefiere(?!\\p{L})`),
  attributes(
    'approved',
    `${esUser} (?:ha )?(?:aprobó|aprobado|autorizó|autorizado|aceptó|aceptado|permitió|permitido|aprueba|autoriza|acepta|permite)(?!\\p{L})`,
  ),
  attributes('rejected', `${esUser} (?:ha )?(?:rechazó|rechazado|rechaza)(?!\\p{L})`),
  attributes(
    'said',
    '(?<=^[^\\p{L}\\p{N}]{0,16}(?:m\\d+ )?)(?:(?:be)?nutzer(?:in)?|anwender(?:in)?|utilisat(?:eur|rice)|usuari[oa]) ?[:：]',
  ),
  attributes('asked', '(?:a petición|a solicitud|por petición) del usuario'),
];

/** The patterns of a language, and the word without which none of them matches. */
export interface AttributionGroup {
  readonly mention: RegExp;
  readonly patterns: readonly AttributionPattern[];
  /** Tried where no pattern of any language matches. */
  readonly loose: readonly AttributionPattern[];
}

/** All of them; of two at one place the first counts. */
export const attributionGroups: readonly AttributionGroup[] = [
  {
    mention: /user|\byou\b|\byour\b|\bas (?:asked|requested|instructed)/i,
    patterns: [...englishSentences, ...englishLabels, ...englishTurns],
    loose: englishLoose,
  },
  { mention: /用户|用戶|使用者|您|你/, patterns: [...chinese, ...chineseLabels], loose: chineseLoose },
  { mention: /ユーザ|利用者|あなた|お客様|本人/, patterns: [...japanese, ...japaneseLabels], loose: japaneseLoose },
  { mention: /사용자/, patterns: [...korean, ...koreanLabels], loose: koreanLoose },
  {
    mention: /nutzer|anwender|auftraggeber|utilisat|usuari|(?:der|die|des|vom|dem) user/i,
    patterns: european,
    loose: [],
  },
];
