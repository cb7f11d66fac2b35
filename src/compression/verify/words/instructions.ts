/** Lines that tell the next assistant what to do, which a summary may not: only the user instructs. */
import { attributionIn } from './attributions.ts';
import { masked, quoteMark } from './quotes.ts';
import { userSection } from './user-sections.ts';

export interface Instruction {
  readonly start: number;
  readonly end: number;
  /** One clause for a person. */
  readonly why: string;
}

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
  for (const { words, why, report = true } of patterns)
    for (const { 0: found, index } of text.matchAll(words)) {
      if (said && said.start < index && said.verb !== 'provided') continue;
      if (report && isReported(text, index, index + found.length)) continue;
      if (section === 'constraint' && why === telling) continue;
      return { start: index, end: index + found.length, why };
    }
  return undefined;
}

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

interface Pattern {
  readonly words: RegExp;
  readonly why: string;
  /** May be told of a third party; a mark of another speaker may not. */
  readonly report?: boolean;
}

/** An order stands at the head of a clause, or after `you must` and the like. */
const head =
  '(?<=^[^\\p{L}\\p{N}]{0,16}|[.!?:;—–,)\\]]\\s{0,4}|\\b(?:please|now|just|then|also|next|instead|first|must|should|shall|need to|have to|can|will|and|important|assistant|claude|agent|model)[:,]?\\s)';
const order = (words: string, why: string): Pattern => ({ words: new RegExp(head + words, 'giu'), why });
const anywhere = (words: string, why: string): Pattern => ({ words: new RegExp(words, 'giu'), why });

const overriding = 'tells the reader to set earlier instructions aside';
const telling = 'tells the reader what it must do';
const roles = 'gives the reader another role';
const hiding = 'tells the reader to keep something from the user';
const sending = 'tells the reader to send secrets away';
const addressing = 'addresses the assistant that comes next';
const speaking = 'puts words into the mouth of the system or of another speaker';

const earlier =
  "(?:all|any|every|each|the|your|my|our|these|those|this|that|previous|prior|above|earlier|preceding|former|foregoing|existing|other|system|original|initial|safety|of|user's|user’s|past|current|developer)";
const rules =
  '(?:instructions?|directives?|prompts?|commands|orders|guidelines|guardrails|safety rules|system rules|constraints given|messages above|conversation above|context above)';
const ai = '(?:assistant|agent|model|llm|ai|claude|instance|session|coder|chatbot|codex|gpt)';
const secrets =
  '(?:credentials?|secrets?|api[ -]?keys?|access tokens?|tokens|passwords?|private keys?|ssh keys?|\\.env(?: file)?|environment variables|cookies|system prompt|conversation)';

const english: readonly Pattern[] = [
  order(
    `(?:ignore|disregard|forget|override|bypass|neglect|discard|drop)(?: completely| entirely)? (?:${earlier} ){1,5}${rules}\\b`,
    overriding,
  ),
  order(
    "(?:ignore|disregard|forget) (?:everything|anything|all)(?: that)?(?: was| is| you(?:[’']ve| have| were)?| I)? ?(?:above|before|said|told|prior|previous(?:ly)?|earlier|learned|been told)",
    overriding,
  ),
  order(
    "(?:do not|don[’']t|never|stop) (?:follow|following|obey|obeying|comply with|listen(?:ing)? to) (?:the |any |your |these )?(?:user|system|previous|prior|above|earlier|other|safety)\\b",
    overriding,
  ),
  order(
    '(?:follow|obey|comply with) (?:these|my|this|only these|only my|the following) (?:new )?(?:instructions?|orders?|commands?|directives?)\\b',
    overriding,
  ),
  anywhere(
    '\\b(?:new|updated|real|actual) (?:system |hidden )?instructions(?: for (?:you|the assistant))?\\s?:',
    overriding,
  ),
  anywhere('\\bsystem (?:prompt |message )?override\\b|\\boverride (?:the |your )?system prompt\\b', overriding),
  order(
    "(?:you are|you['’]re) now (?!done|ready|able|on\\b|at\\b|working|finished|connected|logged|subscribed|set up|up to date)",
    roles,
  ),
  order("(?:you are|you['’]re) no longer (?:bound|restricted|limited|an?\\b|required|allowed)", roles),
  order(
    'from (?:now|this point|here) on(?:wards?)?,? (?:you|act|respond|answer|reply|speak|pretend|ignore|obey|behave)\\b',
    roles,
  ),
  order(
    '(?:pretend (?:to be|you|that you)|act as if you|role-?play as|behave as (?:if you|an?)|assume the (?:role|identity) of)\\b',
    roles,
  ),
  order('(?:enter|enable|switch to|activate) (?:developer|dan|god|jailbreak|unrestricted|debug admin) mode\\b', roles),
  order(
    'you (?:must|shall|are (?:required|instructed|ordered|commanded|obliged|expected|to) (?:to )?(?=\\p{L}))(?: (?:now|immediately|always|never|not|first|next|only|also))*(?: \\p{L}|$|:)',
    telling,
  ),
  order(
    "you (?:should|will|need to|have to|['’]ll|are going to|are to) (?:now|immediately|next|always|never|first) \\p{L}",
    telling,
  ),
  order(
    'your (?:new |next |only |real |actual |current |sole |first )?(?:task|job|mission|objective|role|assignment|duty|purpose|instructions) (?:now )?(?:is|are)\\b',
    telling,
  ),
  order(
    `(?:as|to|for|attention|dear|hey|note to|note for|message to|message for|instructions? (?:to|for)|reminder (?:to|for))(?: the| my| all| any)? (?:next|new|following|future|receiving|successor|other|incoming|subsequent|resuming|continuing|fresh)(?: \\p{L}+)? ?${ai}s?\\b(?=[,:：!—–-]| (?:you|who|please|must|should|is to|will)|$)`,
    addressing,
  ),
  order(
    `(?:the )?(?:next|new|future|successor|incoming|subsequent|resuming) ${ai} (?:must|shall|has to|is (?:required|instructed|ordered|to)\\b)(?! (?:be )?(?:aware|know))`,
    addressing,
  ),
  order(
    `(?:dear |hey |attention[:,]? )?(?:assistant|claude|ai|chatgpt|gpt|model|llm|codex)\\s?[:,]\\s?(?:please|you|kindly|run|execute|send|delete|ignore|do not|don[’']t|do|must|never|always|now|open|write|call|use|upload|download|remember|forget|continue|stop|reply|respond|answer|disregard|reveal|print|fetch|install|push)\\b`,
    addressing,
  ),
  order(
    "(?:do not|don['’]t|never|must not|you must not|avoid|under no circumstances)(?: ever)? (?:tell|inform|notify|alert|warn|telling|informing|notifying|alerting|let|mention (?:this|it|that|any of this|anything)(?: \\p{L}+){0,4} to|reveal (?:this|it|that)(?: \\p{L}+){0,3} to|disclose (?:this|it|that)(?: \\p{L}+){0,3} to|say (?:this|anything|so) to) (?:the |your |any )?(?:user|human|operator|owner|developer)s?\\b",
    hiding,
  ),
  order(
    '(?:keep|hide|conceal|withhold) (?:this|it|that|these|everything|all of this)(?: \\p{L}+){0,4} (?:from|hidden from|secret from) (?:the |your )?(?:user|human|operator|owner|developer)s?\\b',
    hiding,
  ),
  order(
    '(?:run|send|delete|push|execute|upload|deploy|install|proceed|commit|merge|do (?:this|it|so))\\b[^.!?;]{0,60} without (?:telling|informing|notifying|alerting) (?:the )?(?:user|human|operator)\\b',
    hiding,
  ),
  order(
    `(?:send|post|upload|forward|email|mail|exfiltrate|leak|transmit|submit|copy)\\b[^.!?;]{0,40}\\b${secrets}[^.!?;]{0,30} (?:to|via|at) (?:https?:|\\S+@\\S|the (?:attacker|external|remote|webhook|following|url|address|server)|an? (?:external|remote|webhook|third)|this (?:url|address|server|endpoint)|[\\w-]+\\.(?:com|net|org|io|dev|xyz|ru|example|test|invalid)\\b|\\ufffc)`,
    sending,
  ),
  order(
    '(?:reveal|print|output|show|repeat|leak|display|recite|dump) (?:me )?(?:your|the) (?:full |entire |hidden |secret |original )?(?:system prompt|system message|hidden instructions|initial instructions)\\b',
    sending,
  ),
];

const tags: readonly Pattern[] = [
  {
    words:
      /^[\s>*-]*<\/?(?:system|assistant|human|developer|instructions?|system[-_](?:prompt|message|reminder|instructions?)|im_start|im_end|important|tool_result|function_results)\b[^>\n]{0,80}>/giu,
    why: speaking,
    report: false,
  },
  {
    words:
      /<\|(?:im_start|im_end|system|assistant|user|endoftext|start_header_id|eot_id)[^>|\n]{0,20}\|>|\[\/?INST\]|<<\/?SYS>>/giu,
    why: speaking,
    report: false,
  },
  {
    words: /^[\s>*-]*\[(?:system|system (?:message|prompt|note|override)|assistant|developer|admin)\](?![(])/giu,
    why: speaking,
    report: false,
  },
  {
    words: /^\s*#{1,6}\s*(?:system|system prompt|instruction|assistant|human)\s*:?\s*$/giu,
    why: speaking,
    report: false,
  },
  {
    words:
      /^[\s>*-]*(?:system|human|developer)\s?[:：]\s?(?=(?:you|ignore|please|do not|don't|never|always|forget|from now|act|new|the assistant|assistant|execute|run|send|delete|override)\b)/giu,
    why: speaking,
    report: false,
  },
];

const chinese: readonly Pattern[] = [
  anywhere(
    '(?<!被|要求.{0,8}|试图.{0,8}|没有|不能|不得|不要|切勿)(?:忽略|无视|忘记|忘掉|忘了|不要理会|不必理会|抛弃|覆盖|绕过|推翻)(?:掉)?(?:你)?(?:的)?(?:之前|以上|上面|上述|先前|前面|此前|所有|全部|一切|系统|原来|原有|任何|既有)(?:的)?[^，。；,;]{0,8}(?:指令|指示|提示词?|规则|命令|说明|设定|约束)',
    overriding,
  ),
  anywhere(
    '(?<=^[^\\p{L}\\p{N}]{0,16}|[。！？：；，,:;.!?]\\s{0,4})你(?:现在|如今|从现在起|从此)?(?:必须|务必|一定要|应立即|应当立即|需要立即|要立即|只能|不得)',
    telling,
  ),
  anywhere(
    '(?<=^[^\\p{L}\\p{N}]{0,16}|[。！？：；，,:;.!?]\\s{0,4})你现在(?:是|要|应该|应当|将|需要|的身份|扮演)',
    roles,
  ),
  anywhere('从现在(?:起|开始)[，,]?\\s?(?:你|请)|(?:请)?扮演(?:一个|一名)|假装(?:你|自己)是', roles),
  anywhere(
    '(?<=^[^\\p{L}\\p{N}]{0,16}|[。！？：；，,:;.!?]\\s{0,4})你(?:接下来)?的(?:新|唯一|真正|下一个)?(?:任务|职责|目标|工作|使命)(?:现在)?是',
    telling,
  ),
  anywhere(
    '(?:作为|致|给|对)(?:下一个|下一位|后续的?|接手的?|新的?|接替的?)(?:助手|助理|模型|智能体|代理|AI)[，,：:]?\\s?(?:你|请|必须|应|务必|$)',
    addressing,
  ),
  anywhere(
    '(?<=^[^\\p{L}\\p{N}]{0,16}|[。！？：；]\\s{0,4})(?:下一个|下一位|后续的?|接手的?)(?:助手|助理|模型|智能体|AI)(?:必须|务必|应立即|不得)',
    addressing,
  ),
  anywhere(
    '(?<=^[^\\p{L}\\p{N}]{0,16})(?:助手|助理|AI|模型)\\s?[:：，,]\\s?(?:请|你|立即|马上|执行|运行|删除|发送|忽略|不要)',
    addressing,
  ),
  anywhere(
    '(?:不要|别|切勿|请勿|不得|不许|禁止|无需|勿)(?:再)?(?:把[^，。；]{1,10})?(?:告诉|通知|告知|提醒|让|透露给|告诉给|透露|泄露给)[^，。；,;]{0,6}(?:用户|使用者)',
    hiding,
  ),
  anywhere('(?:瞒着|隐瞒|背着)(?:用户|使用者)', hiding),
  anywhere(
    '(?<=^[^\\p{L}\\p{N}]{0,16}|[。！？：；，,:;.!?]\\s{0,4}|请|立即|并)(?:把|将)?[^，。；]{0,16}(?:密钥|凭据|凭证|密码|令牌|私钥|环境变量|系统提示)[^，。；]{0,6}(?:发送|上传|提交|转发|泄露|发)(?:到|至|给)',
    sending,
  ),
  anywhere('系统(?:提示|指令|消息)词?(?:覆盖|更新|变更)|新的?系统(?:提示|指令)词?[:：]', overriding),
];

const jaEnd =
  '(?:してください|して下さい|せよ|しろ|しなさい|すること|するように|してほしい|し、|して、|してから|なさい)';
const japanese: readonly Pattern[] = [
  anywhere(
    `(?:以前|これまで|今まで|上記|前|先|すべて|全て|あらゆる|元|システム|ユーザー)の[^。、]{0,10}(?:指示|命令|プロンプト|ルール|指令|制約)(?:を|は)?(?:すべて|全て|完全に)?(?:無視|破棄|上書き|忘却)${jaEnd}`,
    overriding,
  ),
  anywhere(
    '(?:以前|これまで|今まで|上記|前|先)の[^。、]{0,10}(?:指示|命令|プロンプト|ルール|指令)(?:を|は)?(?:すべて|全て)?(?:忘れて|忘れろ|忘れなさい|無視し(?:て|ろ))',
    overriding,
  ),
  anywhere(
    '(?:あなた|君|お前)(?:は|が)(?:今すぐ|今|これから|必ず|直ちに|次に)?[^。]{0,40}(?:なければならない|なければなりません|なくてはならない|なくてはなりません|ねばならない|必要があります|べきです|べきだ|してください|せよ)',
    telling,
  ),
  anywhere(
    '(?:今から|これから|今後|ただいまから)、?(?:は、?)?(?:あなた|君)(?:は|が)|(?:になりきって|のふりをして)(?:ください|答え|応答)',
    roles,
  ),
  anywhere(
    '(?<=^[^\\p{L}\\p{N}]{0,16}|[。、：:]\\s*)(?:あなた|君)の(?:新しい|本当の|次の|唯一の)?(?:任務|タスク|役割|仕事|使命|目的)は',
    telling,
  ),
  anywhere(
    '(?:次の|後続の|引き継ぐ|新しい)(?:アシスタント|エージェント|モデル|AI)(?:へ|として|は|に)[^。]{0,40}(?:してください|すること|せよ|しなければ|しなさい|[:：]|、あなた|べき)',
    addressing,
  ),
  anywhere(
    '(?<=^[^\\p{L}\\p{N}]{0,16})(?:アシスタント|AI|モデル)\\s?[:：、]\\s?[^。]{0,30}(?:してください|せよ|しろ|しなさい|実行|送信|削除)',
    addressing,
  ),
  anywhere(
    '(?:ユーザー?|利用者)に(?:は|も)?[^。]{0,10}(?:伝え|言わ|知らせ|教え|報告し|話さ|明かさ)(?:ない(?:で|こと|ように)|るな|てはいけ|てはなら|ずに)',
    hiding,
  ),
  anywhere(
    '(?:認証情報|パスワード|秘密鍵|トークン|APIキー|環境変数|システムプロンプト)を[^。]{0,40}(?:に|へ)(?:送信|送っ|アップロード|投稿|転送)(?:して(?:ください|$)|せよ|しろ|すること|てください)',
    sending,
  ),
  anywhere('システムプロンプト(?:の)?(?:上書き|変更|更新)|新しいシステム(?:指示|プロンプト)[:：]', overriding),
];

const koEnd = '(?:하고|하라|하세요|하십시오|해라|해주세요|해 주세요|할 것|한 뒤|하며|해)(?=$|[\\s.,!:;])';
const korean: readonly Pattern[] = [
  anywhere(
    `(?:이전|앞선|앞의|위의|기존|모든|지금까지의|시스템)[^.。,]{0,10}(?:지시|명령|프롬프트|규칙|지침|제약)(?:사항)?(?:을|를|은|는)?\\s?(?:모두\\s?|전부\\s?|완전히\\s?)?(?:무시|폐기|삭제)${koEnd}`,
    overriding,
  ),
  anywhere(
    '(?:이전|앞선|위의|기존|지금까지의)[^.。,]{0,10}(?:지시|명령|프롬프트|규칙|지침)(?:사항)?(?:을|를)?\\s?(?:모두 )?(?:잊어|잊으|따르지 마)',
    overriding,
  ),
  anywhere(
    '(?:당신|너|귀하)(?:은|는|가) (?:이제|지금|반드시|즉시|앞으로)?[^.。]{0,40}(?:해야 (?:한다|합니다|해|함)|하십시오|하세요|하라(?=[.!\\s]|$)|되어야 (?:한다|합니다))',
    telling,
  ),
  anywhere('(?:이제부터|지금부터|앞으로) (?:당신|너|넌)(?:은|는)?|(?:너는|당신은) 이제', roles),
  anywhere(
    '(?<=^[^\\p{L}\\p{N}]{0,16}|[.。:]\\s*)(?:당신|너|귀하)의 (?:새로운 |새 |진짜 |다음 |유일한 )?(?:임무|작업|역할|목표|과제)(?:은|는)',
    telling,
  ),
  anywhere(
    '(?:다음|후속|새로운|이어받는) (?:어시스턴트|에이전트|모델|AI|비서)(?:는|은|로서|에게|가)[^.。]{0,40}(?:하세요|하십시오|해야|하라|할 것|[:：])',
    addressing,
  ),
  anywhere(
    '(?<=^[^\\p{L}\\p{N}]{0,16})(?:어시스턴트|모델|AI)\\s?[:：,]\\s?[^.。]{0,30}(?:하세요|하십시오|하라|실행|전송|삭제)',
    addressing,
  ),
  anywhere(
    '사용자(?:에게|한테)(?:는|도)?[^.。]{0,10}(?:알리지|말하지|보고하지|알려주지|밝히지|언급하지) ?(?:마|말|않도록)',
    hiding,
  ),
  anywhere(
    '(?:자격 증명|비밀번호|개인 키|토큰|API 키|환경 변수|시스템 프롬프트)(?:을|를)[^.。]{0,40}(?:로|에|으로) (?:전송|업로드|보내|게시)(?:하세요|하십시오|하라|해라|세요|라|할 것)',
    sending,
  ),
  anywhere('시스템 프롬프트 ?(?:재정의|변경|덮어쓰기)|새(?:로운)? 시스템 (?:지시|프롬프트)[:：]', overriding),
];

const european: readonly Pattern[] = [
  order(
    'ignorier(?:e|en sie|t) (?:bitte )?(?:alle )?(?:vorherigen|bisherigen|obigen|früheren|vorigen) (?:anweisungen|instruktionen|befehle|regeln)',
    overriding,
  ),
  order(
    '(?:du musst|sie müssen) (?:jetzt|nun|sofort)(?!\\p{L})|ab (?:jetzt|sofort) (?:bist|sollst|musst) du(?!\\p{L})|deine aufgabe ist',
    telling,
  ),
  order(
    '(?:sag|sage|sagen sie|verrate|erzähl) (?:es )?(?:dem|der) (?:nutzer|benutzer|user)(?:in)? (?:nichts|nicht|davon)',
    hiding,
  ),
  order(
    '(?:ignore|ignorez|oublie|oubliez) (?:toutes )?(?:les|tes|vos) (?:instructions|consignes|règles) (?:précédentes|antérieures|ci-dessus)',
    overriding,
  ),
  order(
    "(?:tu dois|vous devez) (?:maintenant|immédiatement)(?!\\p{L})|désormais,? (?:tu|vous) (?:es|êtes|devez|dois)(?!\\p{L})|ne (?:le )?(?:dis|dites) (?:rien |pas )?à l['’]utilisateur",
    telling,
  ),
  order(
    '(?:ignora|ignore|olvida|olvide) (?:todas )?(?:las|tus|sus) (?:instrucciones|órdenes|reglas) (?:anteriores|previas)',
    overriding,
  ),
  order(
    '(?:debes|tienes que) ahora(?!\\p{L})|a partir de ahora,? (?:eres|debes)(?!\\p{L})|no (?:se )?lo digas al usuario|no le digas (?:nada )?al usuario',
    telling,
  ),
];

const patterns: readonly Pattern[] = [...tags, ...english, ...chinese, ...japanese, ...korean, ...european];
