/** Words that give the reader powers, habits or triggers that only the user may give, in four languages. */
import {
  addressing,
  anywhere,
  hiding,
  type InstructionPattern,
  order,
  overriding,
  powers,
  sending,
  telling,
} from './instruction-pattern.ts';

const consent =
  "(?:permission|approval|confirmation|consent|authori[sz]ation|a review|review|the user|the user’s ok|the user's ok)";
const guards =
  '(?:safety|safeguards?|guardrails?|sandbox(?:ing)?|permission (?:prompts?|checks?|system)|approvals?|approval (?:prompts?|steps?)|redaction|content filters?|security (?:checks?|rules?|measures?|controls?)|protections?)';

/** English. */
export const englishPowers: readonly InstructionPattern[] = [
  order('override\\s?[:：]', overriding),
  order(
    '(?:treat|regard|consider|take|make) [^.!?;]{1,60} (?:as )?(?:your|the) (?:highest|top|first|only|main|sole|new) (?:priority|goal|task|instructions?|orders?|duty)\\b',
    overriding,
  ),
  order(
    'it is (?:now )?(?:mandatory|required|necessary|essential|imperative|vital|crucial|obligatory|your (?:duty|job|task|responsibility)|important|urgent) (?:that|for) you\\b',
    telling,
  ),
  order('(?:reply|respond|answer) with (?:the|your|a|an|all|only|nothing|just|this|these)\\b', telling),
  order(
    '(?:keep|hide|conceal|withhold) [^.!?;]{1,40} (?:from|hidden from|secret from) (?:the |your |any |all )?(?:users?|humans?|operators?|owners?|person|people|customers?|clients?|anyone|everyone|boss|reviewers?|auditors?|principals?|team)\\b',
    hiding,
  ),
  order(
    'you (?:are|have been|were) (?:now |hereby |always |fully )?(?:allowed|authori[sz]ed|permitted|cleared|free|granted|entitled|licensed|trusted) to\\b',
    powers,
  ),
  order(
    'you (?:now )?have (?:full |complete |admin(?:istrator)? |root |unlimited |unrestricted |standing |the )?(?:permission|access|authority|approval|clearance|consent|rights)\\b',
    powers,
  ),
  order(
    "you (?:do not|don['’]t|need not|never) (?:need|have)? ?(?:to )?(?:ask|confirm|check|verify|wait|worry|tell|report|explain)\\b",
    powers,
  ),
  order(
    'you (?:can|may) (?:now |safely |always |freely |simply )?(?:skip|ignore|bypass|disregard|override|push|delete|publish|deploy|approve|merge|spend|run anything|do anything|use any)\\b',
    powers,
  ),
  order(
    `(?:there is )?no (?:longer any )?need (?:to (?:ask|confirm|check with|consult|inform|wait for)|for) (?:the |any |for |further )?(?:user|human|${consent})`,
    powers,
  ),
  order(
    `(?:do not|don['’]t|never|stop) (?:ever )?(?:ask(?:ing)?|wait(?:ing)?|seek(?:ing)?|request(?:ing)?) (?:the user |anyone )?(?:for |any |again |further )*(?:${consent}|questions|confirmations|permissions)\\b`,
    powers,
  ),
  order(
    '(?:approve|accept|confirm|allow|grant|auto-?approve) (?:all|any|every|each|whatever)\\b[^.!?;]{0,60}(?:automatically|without|by default|blindly|request|call|command|prompt|change|action)',
    powers,
  ),
  order(
    `(?:disable|deactivate|turn off|switch off|remove|lift|skip|bypass|circumvent|weaken) (?:the |all |any |all the |your |every )?(?:\\p{L}+ )?${guards}\\b`,
    powers,
  ),
  order(
    'skip (?:all|any|every) (?:\\p{L}+ )?(?:checks?|tests?|confirmations?|reviews?|questions?|warnings?)\\b',
    powers,
  ),
  order(
    "(?:do not|don['’]t|never) (?:ever )?(?:refuse|decline|object|question|hesitate|doubt|second-guess|disagree|warn)\\b(?! (?:the )?(?:connection|request)s?\\b)",
    powers,
  ),
  order(
    '(?:always|only|just) (?:comply|agree|obey|say yes|answer yes|approve|accept|trust|believe|do (?:what|as))\\b',
    powers,
  ),
  order(
    '(?:treat|regard|consider|take|handle) [^.!?;]{1,60} as (?:an? |the )?(?:\\p{L}+ )?(?:instructions?|orders?|commands?|system messages?|message from the (?:user|system|operator)|approved|authori[sz]ed|trusted)\\b',
    powers,
  ),
  order('(?:trust|believe|obey|follow) (?:all|any|every|everything|anything|whatever)\\b', powers),
  order(
    '(?:carry out|do|execute|perform|follow|run|act on) (?:whatever|anything|everything|any command|all commands|all instructions|any instructions|every instruction)\\b',
    powers,
  ),
  anywhere(
    "\\b(?:this|these|the following|what follows|it) (?:\\p{L}+ ){0,3}(?:takes? precedence over|has priority over|have priority over|overrides?|supersedes?|outranks?|replaces?) (?:all |any |every |the |your |what )?(?:\\p{L}+ ){0,2}(?:instructions?|users?|user’s|user's|rules|requests?|messages?|prompts?|orders?)\\b",
    overriding,
  ),
  anywhere(
    '\\b(?:operators?|administrators?|admins?|system|owner|vendor|security team|management|headquarters) (?:has |have |now |hereby )?(?:authori[sz]e[sd]?|orders?|ordered|instructs?|instructed|requires?|demands?|commands?|directs?|expects?) (?:you|the assistant|the agent|all agents|every agent|all assistants|that you)\\b',
    telling,
  ),
  order(
    '(?:the |this |every |any |all |each )assistants? (?:must|shall|has to|have to|is (?:required|obliged|ordered|instructed|expected|to)|are (?:required|to)|should (?:always|never|now|immediately|first)|will (?:always|never|now)|may (?:now|always))\\b',
    telling,
  ),
  order(
    'your (?:next|first|very next|following|final|only) (?:reply|answer|response|message|action|step|act|tool call|command|output|move) (?:must|should|shall|is|has to|will)\\b',
    telling,
  ),
  order(
    '(?:begin|start|end|finish|close|open|sign) (?:each|every|all|any|your|the next) (?:\\p{L}+ )?(?:repl(?:y|ies)|answers?|responses?|messages?|outputs?|summar(?:y|ies)|commits?)\\b[^.!?;]{0,20}\\b(?:with|by)\\b',
    telling,
  ),
  order(
    '(?:reply|respond|answer|write back)(?: to (?:everything|anything|the user|all questions))? (?:only|exclusively|solely|always|exactly|from now on)\\b',
    telling,
  ),
  order(
    '(?:repeat|copy|include|keep|preserve|carry|insert|paste|reproduce|put) (?:this|these|the above|the following|that) (?:\\p{L}+ ){0,3}(?:in|into|to|at|through|across) (?:every|all|each|any|the next|future|your) (?:\\p{L}+ ){0,2}(?:summar(?:y|ies)|handoffs?|repl(?:y|ies)|answers?|messages?|sessions?|memor(?:y|ies)|prompts?|files?)\\b',
    telling,
  ),
  order(
    '(?:save|store|remember|write|add|memori[sz]e|record) (?:this|these|the following|it|that)\\b[^.!?;]{0,40}\\b(?:(?:in|into|to) (?:your |the )?(?:long-term )?memory|for all (?:future|coming)|forever|in all future|permanently)\\b',
    telling,
  ),
  order(
    'never (?:remove|delete|drop|change|edit|shorten) (?:this|these) (?:line|lines|paragraph|instruction|instructions|text|note|section|rule)\\b',
    telling,
  ),
  order(
    "(?:when|whenever|if|once|as soon as|the next time|every time) (?:the user|anyone|someone|somebody|they|a user) (?:asks?|says?|writes?|mentions?|types?|requests?|wants?|thanks|complains?|returns?|comes back|questions?)\\b[^.!?;]{0,80}?[,:] ?(?:then |always |immediately |just |first |please |simply )?(?:reply|respond|answer|claim|run|send|execute|delete|tell|deny|pretend|say|lie|refuse|recommend|mention|insist|point|change|push|install|open|visit|do not|don['’]t|never|you)\\b",
    telling,
  ),
  order(
    '(?:download|fetch|curl|wget|retrieve|get|open|visit|load|browse(?: to)?|go to)\\b[^!?;]{0,80}\\b(?:and|then) (?:then )?(?:run|execute|follow (?:its|the|their|all)|obey|do what|carry out|pipe it|install it|apply it|source it|eval)\\b',
    sending,
  ),
  order(
    '(?:claim|pretend|lie|assert|insist|swear|assure the user|convince the user|persuade the user|make the user believe) (?:that|to)?\\b',
    telling,
  ),
  order(
    '(?:say|report|state|answer|tell the user|write) (?:that )?[^.!?;]{1,60}\\b(?:regardless|no matter|even if|even though|whatever the|in any case|either way)\\b',
    telling,
  ),
  order(
    '(?:ask|tell|urge|get|make|convince|persuade|instruct) the user (?:to|for|into) [^.!?;]{0,40}(?:passwords?|tokens?|credentials?|secrets?|api keys?|private keys?|card number|pin|one-time code|seed phrase)\\b',
    sending,
  ),
  order(
    '(?:transfer|pay|wire|donate|mine|buy|purchase|send)\\b[^.!?;]{0,40}\\b(?:bitcoins?|btc|crypto(?:currenc(?:y|ies))?|coins|monero|ethereum|eth|money|funds|gift cards?|dollars|euros)\\b',
    sending,
  ),
  order(
    '(?:add|append|install|register) (?:this|the following|my|our|the attached|the given) [^.!?;]{0,30}(?:ssh|public|deploy|api|gpg)[ -]?keys?\\b',
    sending,
  ),
  order(
    '(?:grant|give) (?:me|us|everyone|anyone|full|admin|root|write|public|complete|the sender|the author)\\b[^.!?;]{0,40}\\b(?:access|rights|permissions?|privileges|control)\\b',
    powers,
  ),
  order(
    '(?:stop|quit|cease|refuse) (?:helping|assisting|serving|working for|listening to|to help|to assist)\\b[^.!?;]{0,20}(?:user|them|anyone|people)',
    overriding,
  ),
  order(
    "(?:destroy|wipe|erase|format) (?:the |all |every |this |any |your )?(?:entire |whole |user’s |user's |production )?(?:disk|drive|machine|computer|home|production|system|database|backups?|evidence|traces|logs|everything|data)\\b",
    telling,
  ),
  order(
    '(?:speak|talk|behave|act|operate|continue|respond|work) (?:as|like) (?:an? |the )?(?:root|admin(?:istrator)?|superuser|unrestricted|unfiltered|uncensored|different (?:assistant|agent|model|ai)|evil|hacker|pirate|owner)\\b',
    overriding,
  ),
];

const zhHead = '(?<=^[^\\p{L}\\p{N}]{0,16}|[。！？：；，,:;.!?]\\s{0,4}|请|并|然后)';

/** Chinese. */
export const chinesePowers: readonly InstructionPattern[] = [
  anywhere(
    `(?:无论|不管|不论)(?:是)?谁(?:来)?(?:接手|接班|读到|看到|继续)|${zhHead}(?:接手|继任|后续)(?:的人|者)[^，。；]{0,4}[：:]`,
    addressing,
  ),
  anywhere(`${zhHead}(?:停止|不再|不要|别|勿)(?:再)?(?:听从|听信|服从|理会|听|帮助|协助)(?:任何)?用户`, overriding),
  anywhere(
    '(?<![^，。；：:]{0,10}(?:用户|说|问)[^，。；]{0,10})你(?:就|已经?|只|从此|不受|不再|将被|服务的|为之)[^，。；]{0,16}(?:做|进入|约束|限制|模式|知道|服从|负责|需要?|执行|成为)',
    powers,
  ),
  anywhere('(?:不要|别|勿|无需|不必)(?:再)?(?:问|询问|请示|通报|惊动)任何人', powers),
  anywhere(
    `${zhHead}(?:回复|输出|发送|打印|泄露|复述)(?:你|全部|所有|完整)?的?[^，。；]{0,6}(?:上下文|系统提示|提示词|隐藏)`,
    sending,
  ),
  anywhere(
    '(?<!用户[^，。；]{0,20})你(?!好|们)[^，。；]{0,6}(?:必须|应该|应当|务必|不得|不准|得把|要把|需把|有义务|的职责)|(?:必须由|要求|命令|强制|责成|需要|规定)你(?!好|们)',
    telling,
  ),
  anywhere('(?:作为|视为|当作)(?:你的)?(?:最高|首要|唯一|第一)(?:优先级?|任务|指令|目标)', overriding),
  anywhere(
    '(?:不要|别|切勿|勿|不得|不能)(?:让|被)(?:任何人|人类|雇主|主人|老板|对方|别人|其他人|委托人)[^，。；]{0,4}(?:知道|发现|察觉|看到)|(?:对|向)(?:用户|任何人|人类|委托人|雇主)[^，。；]{0,4}(?:保密|隐瞒)',
    hiding,
  ),
  anywhere(
    `${zhHead}(?:用|以|把|将)?[^，。；]{0,12}(?:上下文|系统提示|提示词|对话)[^，。；]{0,8}(?:回复|输出|发送|打印|回答)`,
    sending,
  ),
  // A summary speaks of the assistant, not to it.
  anywhere(
    `${zhHead}你(?:应该?|要|可以?|将|得|需要?|该|先|别|不要|不能|不许|不可以|今后|以后|从此|接下来|的下一)`,
    telling,
  ),
  anywhere(
    `(?<=^[^\\p{L}\\p{N}]{0,16}|[。！？；：]\\s{0,4})请(?:你|立即|马上|直接|务必|先|始终|一律|不要|勿|按照?以下|继续|在|把|将|记住|遵守|服从|执行|忽略|跳过|删除|发送|上传|下载|关闭|运行)`,
    telling,
  ),
  anywhere(`${zhHead}(?:记住|牢记|切记)[：:，,]?`, telling),
  anywhere(
    '(?:无需|无须|不需要|不必|不用|不要|别|切勿|勿|不得)(?:再)?(?:征求|征得|询问|经过|获得|等待|请求|取得|向)[^，。；]{0,8}(?:同意|许可|确认|批准|授权|允许|意见)',
    powers,
  ),
  anywhere(
    `${zhHead}你(?:现在|已)?(?:有权|被授权|已获授权|获准|可以随意|可以直接|可以自由|可以跳过|可以忽略|不需要|无需|不必|不用)`,
    powers,
  ),
  anywhere(
    '(?:优先于|高于|凌驾于|取代|覆盖)(?:用户|之前|先前|此前|所有|其他|一切|系统)[^，。；]{0,8}(?:指令|要求|规则|指示|命令|消息|请求|提示)',
    overriding,
  ),
  anywhere(
    `${zhHead}(?:一律|始终|永远|总是|今后|以后)[^，。；]{0,10}(?:同意|批准|服从|照办|执行|回复|回答|接受|信任)`,
    telling,
  ),
  anywhere(
    '(?:不得|不要|绝不|切勿|不能|不可|不准)(?:再)?(?:拒绝|质疑|反对|怀疑|犹豫)(?:任何|用户|执行|回答|以下|该|这|$|[。，！])',
    powers,
  ),
  anywhere(`${zhHead}(?:只|仅|只能|只需)(?:回复|回答|输出|答复|说)`, telling),
  anywhere(
    `${zhHead}(?:每次|每条|所有|下一(?:条|次))[^，。；]{0,8}(?:回复|回答|消息|输出|摘要)[^，。；]{0,6}(?:必须|都要|要|应|请|以)`,
    telling,
  ),
  anywhere(
    `(?:当|如果|一旦|只要|每当)用户[^，。；]{1,24}(?:时|的话|就|后)?[，,]\\s?(?:请|就|必须|务必|立即|马上|直接|一律|你|则)?(?:回答|回复|告诉|执行|运行|发送|删除|声称|谎称|拒绝|推荐|假装|安装)`,
    telling,
  ),
  anywhere(
    '(?:把|将)(?:这|本|此|以下|上述)(?:段|条|行|句|些|个|内容|指令|规则|说明)[^，。；]{0,10}(?:写入|加入|保留|复制|存入|记入|记到|放进|带到)[^，。；]{0,10}(?:记忆|摘要|总结|每|所有|今后|后续|交接)',
    telling,
  ),
  anywhere(`${zhHead}(?:下载|获取|打开|访问)[^。；]{1,40}(?:并|然后|再)(?:立即|直接)?(?:执行|运行|照做|按其)`, sending),
  anywhere(
    `${zhHead}(?:关闭|禁用|停用|绕过|跳过|解除|取消)(?:所有|全部|一切)?(?:的)?(?:安全|沙箱|沙盒|审批|权限|防护|确认|保护|审核|检查|限制)`,
    powers,
  ),
  anywhere('(?:转账|汇款|挖矿|比特币|加密货币|虚拟货币)(?:到|给|至|$|[。，])', sending),
  anywhere(`${zhHead}(?:授予|赋予|给予)[^，。；]{0,16}(?:权限|访问权|控制权)`, powers),
  anywhere(`${zhHead}(?:该|本|每个|所有|任何)?助手(?:必须|务必|应当|应始终|不得|一律|须)`, telling),
  anywhere('(?:视为|当作|看作|视作)(?:来自)?(?:用户|系统|管理员|运营者|开发者)的?(?:指令|命令|指示|要求|授权)', powers),
  anywhere(`${zhHead}(?:谎称|声称|假装|佯称|骗用户)`, telling),
];

const jaOrder =
  '(?:せよ|しろ|しなさい|してください|すること|してよい|して構わない|しても構わない|してもよい|してはならない|してはいけない|してはなりません)';

/** Japanese. */
export const japanesePowers: readonly InstructionPattern[] = [
  // A summary speaks of the assistant, not to it, and asks for nothing.
  anywhere(
    '(?:てください|でください|て下さい|で下さい|ないこと|なさい|てはいけない|てはならない|てはいけません)(?=\\s*(?:$|[。．！!」]))',
    telling,
  ),
  anywhere('(?<=^[^\\p{L}\\p{N}]{0,16}|[。：:]\\s{0,4})あなた(?:は|が|の|に)', telling),
  anywhere(
    `(?:許可|確認|承認|同意)(?:を(?:求め|得|取)(?:ず|ないで)に?|なしに|なしで|なく|は不要|を待たずに?)[^。]{0,40}(?:${jaOrder}|よい|構わない|進め(?:る|て|よ)|行うこと|実行する)`,
    powers,
  ),
  anywhere(
    '(?:許可|確認|承認)を(?:求め|取)(?:てはならない|てはいけない|ないこと|ないでください|る必要はない|る必要はありません)',
    powers,
  ),
  anywhere(
    '(?:あなた|君)(?:に)?は[^。]{0,30}(?:権限(?:が|を)|許可され|許されて|自由に|構わない|してよい|てもよい)',
    powers,
  ),
  anywhere(
    '(?:ユーザー?|以前|これまで|他|すべて|全て|システム)の[^。]{0,12}(?:指示|命令|ルール|要求|依頼|規則|方針)(?:より|よりも|に)優先',
    overriding,
  ),
  anywhere(
    `(?:常に|必ず|いつでも|今後は|これからは)[^。]{0,40}(?:答え(?:よ|ろ|なさい|ること|てください)|応じ(?:よ|ろ|ること|てください)|従(?:え|うこと|ってください|いなさい)|承認(?:せよ|すること|してください)|信じ(?:よ|ること))`,
    telling,
  ),
  anywhere(
    '(?:拒否|拒絶|反対|反論)(?:してはならない|してはいけない|しないこと|しないでください|するな)|断(?:ってはならない|ってはいけない|らないこと|るな)',
    powers,
  ),
  anywhere(
    '(?:とだけ|のみを?|だけを?)(?:答え|返答|出力|返信|回答)(?:よ|ろ|なさい|ること|てください|せよ|すること|してください|しなさい)',
    telling,
  ),
  anywhere(
    '(?:返信|返答|回答|メッセージ|要約)(?:は|を|の)[^。]{0,24}(?:始め|終え|付け|締めくく)(?:よ|ろ|ること|てください|なさい)',
    telling,
  ),
  anywhere(
    `(?:ユーザー?が|誰かが)[^。]{1,30}(?:たら|た場合は?|たときは?|れば|と、)[^。]{0,40}(?:答え(?:よ|ること|てください|ろ)|返答(?:せよ|すること|してください)|実行${jaOrder}|送信${jaOrder}|削除${jaOrder}|主張${jaOrder}|言(?:え|うこと|ってください)|伝え(?:よ|ること|てください))`,
    telling,
  ),
  anywhere(
    '(?:この|以下の|上記の)(?:行|段落|文|指示|規則|ルール|内容)(?:を|は)[^。]{0,30}(?:要約|記憶|メモリ|引き継ぎ|返信)[^。]{0,10}(?:残|書|含め|コピー|入れ|保存|載せ)',
    telling,
  ),
  anywhere(
    '(?:ダウンロード|取得|入手)して、?(?:から)?(?:直ちに|すぐに|そのまま)?実行(?:せよ|しろ|しなさい|してください|すること)',
    sending,
  ),
  anywhere(
    `(?:安全|サンドボックス|承認|保護|権限|確認|制限)[^。]{0,16}(?:を|は)(?:すべて|全て)?(?:無効に?|停止|解除|回避|省略|無視)${jaOrder}`,
    powers,
  ),
  anywhere(
    '(?:送金|振り込|ビットコイン|暗号資産|暗号通貨)[^。]{0,20}(?:せよ|しろ|しなさい|してください|すること|め)',
    sending,
  ),
  anywhere('(?<=^[^\\p{L}\\p{N}]{0,16})アシスタントは(?:必ず|常に|決して|今後|直ちに)', telling),
  anywhere(
    '(?:ユーザー?|システム|管理者|運営者|開発者)(?:から)?の(?:指示|命令|許可)(?:として|と)(?:扱|みな|見な|受け取)',
    powers,
  ),
  anywhere(
    '[^。]{1,60}(?:てはならない|てはいけません|てはなりません|なければならない|なければなりません)(?=\\s*(?:[。！!]|$))(?<=(?:あなた|アシスタント|助手|エージェント)[^。]{1,60})',
    telling,
  ),
];

const koOrder = '(?:하라|하세요|하십시오|해라|할 것|해도 된다|해도 좋다|해도 됩니다|하면 된다)';

/** Korean. */
export const koreanPowers: readonly InstructionPattern[] = [
  // A summary speaks of the assistant, not to it, and asks for nothing.
  anywhere(
    '(?:하세요|으세요|주세요|마세요|십시오|시오|하라|해라|지 마라|지 말 것|지 말라|거라)(?=\\s*(?:$|[.。!」]))',
    telling,
  ),
  anywhere('(?<=^[^\\p{L}\\p{N}]{0,16}|[.:]\\s{0,4})(?:당신|너)(?:은|는|이|의|에게)', telling),
  anywhere(
    `(?:허락|확인|승인|동의|허가)(?:을|를)? ?(?:받지 않고|구하지 않고|없이|기다리지 말고|받을 필요)[^.。]{0,40}(?:${koOrder}|없다|진행|실행)`,
    powers,
  ),
  anywhere('(?:허락|확인|승인|동의)(?:을|를) (?:구하지|묻지|받지|요청하지) ?(?:마|말)', powers),
  anywhere(
    '(?:당신|너)(?:에게)?(?:은|는|에게는) [^.。]{0,30}(?:권한이|권리가|허용되|허락되|자유롭게|해도 된다|해도 좋다|해도 됩니다)',
    powers,
  ),
  anywhere(
    '(?:사용자|이전|다른|모든|시스템)(?:의)? ?[^.。]{0,10}(?:지시|명령|규칙|요구|요청|지침)(?:보다|에) 우선',
    overriding,
  ),
  anywhere(
    '(?:항상|언제나|앞으로는|반드시) [^.。]{0,40}(?:답하라|대답하라|답하세요|대답하세요|따르라|따르세요|따를 것|승인하라|승인하세요|동의하라|믿어라|믿으세요|답할 것)',
    telling,
  ),
  anywhere('(?:거부|거절|반대|반박)하지 ?(?:마|말)', powers),
  anywhere('(?:라고만|로만|만) (?:답하|대답하|출력하|응답하|회신하)(?:라|세요|십시오|ㄹ 것)', telling),
  anywhere(
    '(?:답변|응답|메시지|답장|요약)(?:은|는|을|를|의) [^.。]{0,24}(?:시작하라|시작하세요|시작할 것|끝내라|끝내세요|붙여라|붙이세요|붙일 것)',
    telling,
  ),
  anywhere(
    `(?:사용자가|누군가) [^.。]{1,30}(?:면|거든|때|경우),? [^.。]{0,40}(?:답하라|답하세요|대답하라|대답하세요|답할 것|실행${koOrder}|전송${koOrder}|삭제${koOrder}|주장${koOrder}|말하라|말하세요|말할 것|보내라|보내세요)`,
    telling,
  ),
  anywhere(
    '(?:이|다음|위) ?(?:줄|문단|문장|지시|규칙|내용)(?:을|를|은|는) [^.。]{0,30}(?:요약|기억|메모리|인수인계|답변)(?:에|에도|마다) ?[^.。]{0,10}(?:남|포함|복사|추가|저장|넣)',
    telling,
  ),
  anywhere(
    '(?:내려받|다운로드|받)(?:아|하여|해서|해|한 뒤|은 뒤|아서)[^.。]{0,10} ?(?:실행|설치)(?:하라|하세요|하십시오|해라|할 것)',
    sending,
  ),
  anywhere(
    '(?:안전|보안|샌드박스|승인|보호|권한|확인|제한)[^.。]{0,12}(?:을|를|은|는) ?(?:모두 |전부 )?(?:끄|비활성화|해제|우회|생략|무시|건너뛰)(?:라|세요|십시오|하라|하세요|하십시오|할 것|ㄹ 것|고)',
    powers,
  ),
  anywhere(
    '(?:송금|이체|비트코인|암호화폐|가상화폐)[^.。]{0,20}(?:하라|하세요|하십시오|해라|할 것|보내라|보내세요)',
    sending,
  ),
  anywhere('(?<=^[^\\p{L}\\p{N}]{0,16})어시스턴트(?:는|은) (?:반드시|항상|절대|앞으로|즉시)', telling),
  anywhere(
    '(?:사용자|시스템|관리자|운영자|개발자)(?:의)? (?:지시|명령|허가)(?:로|라고|인 것처럼) ?(?:간주|취급|여기|받아들)',
    powers,
  ),
  anywhere(
    '(?:다음|이후|후속) (?:세션|담당자|어시스턴트|에이전트)(?:은|는|에게|의)? [^.。]{0,40}(?:하라|하세요|하십시오|해야 한다|해야 합니다|할 것)(?=$|[\\s.!])',
    addressing,
  ),
];
