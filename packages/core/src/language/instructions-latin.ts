/** Words that instruct the reader in English, German, French and Spanish, and marks of another speaker in any language. */
import {
  addressing,
  anywhere,
  hiding,
  type InstructionPattern,
  order,
  overriding,
  powers,
  roles,
  sending,
  speaking,
  telling,
} from './instruction.ts';

const earlier =
  "(?:all|any|every|each|the|your|my|our|these|those|this|that|previous|prior|above|earlier|preceding|former|foregoing|existing|other|system|original|initial|safety|of|user's|user’s|past|current|developer)";

const rules =
  '(?:instructions?|directives?|prompts?|commands|orders|guidelines|guardrails|policies|safety rules|system rules|constraints given|messages above|conversation above|context above)';

const ai = '(?:assistant|agent|model|llm|ai|claude|instance|session|coder|chatbot|codex|gpt)';

const secrets =
  '(?:credentials?|secrets?|api[ -]?keys?|access tokens?|tokens|passwords?|private keys?|ssh keys?|\\.env(?: file)?|environment variables|cookies|system prompt|conversation)';

const english: readonly InstructionPattern[] = [
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
    'your (?:new |next |only |real |actual |current |sole |first )?(?:task|job|mission|objective|goal|role|assignment|duty|purpose|instructions) (?:now )?(?:is|are)\\b',
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
    "(?:do not|don['’]t|never|must not|you must not|avoid|under no circumstances)(?: ever)? (?:tell|inform|notify|alert|warn|telling|informing|notifying|alerting|let|mention (?:this|it|that|any of this|any|anything|the|these)(?: \\p{L}+){0,4} to|reveal (?:this|it|that)(?: \\p{L}+){0,3} to|disclose (?:this|it|that)(?: \\p{L}+){0,3} to|say (?:this|anything|so) to) (?:the |your |any )?(?:user|human|operator|owner|developer)s?\\b",
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
    `(?:send|post|upload|forward|email|mail|exfiltrate|leak|transmit|submit|copy)\\b[^.!?;]{0,40}(?:\\b|(?=\\.))${secrets}[^.!?;]{0,30} (?:to|via|at) (?:https?:|\\S+@\\S|the (?:attacker|attached|given|listed|external|remote|webhook|following|url|address|server)|an? (?:external|remote|webhook|third)|this (?:url|address|server|endpoint)|[\\w-]+\\.(?:com|net|org|io|dev|xyz|ru|example|test|invalid)\\b|\\ufffc)`,
    sending,
  ),
  order(
    '(?:reveal|print|output|show|repeat|leak|display|recite|dump) (?:me )?(?:your|the) (?:full |entire |hidden |secret |original )?(?:system prompt|system message|hidden instructions|initial instructions)\\b',
    sending,
  ),
];

const more: readonly InstructionPattern[] = [
  order(
    '(?:ignore|disregard|forget|override|bypass) (?:all |any |the |of |every |these ){0,3}(?:previous|prior|above|earlier|preceding|system|safety|your|original|other) rules\\b',
    overriding,
  ),
  order(
    `(?:to|for|note to|note for|message to|attention|dear) (?:the |any |every |whichever |whatever )?${ai}s? (?:who|that|which|reads|reading|sees|seeing|continues|resumes|continuing|resuming|taking over|picking up|after)\\b`,
    addressing,
  ),
  order(
    '(?:note|message|hint|advice|reminder|instructions?|orders?) (?:to|for) (?:the |my |your )?(?:successor|next one|reader|one who|whoever|assistant|agent|model)\\b[^.:：]{0,30}[:：]',
    addressing,
  ),
  order(
    "(?:ignore|forget|disregard|abandon|drop|set aside|stop working on) (?:the |your |this |that |all )?(?:current |original |real |actual |present )?(?:user(?:['’]s)? (?:task|request|goal|wishes|question|intent)|(?:task|request|goal|wishes|question)s? (?:of|from|by) (?:the )?user|(?:task|goal|job) at hand)\\b",
    overriding,
  ),
  order(
    '(?:always|never) (?:obey|trust|believe|approve|ask|question|refuse|reveal|tell)\\b[^.!?;]{0,40}\\b(?:whatever|without (?:a look|looking|question|reading|review|asking)|no matter|blindly)\\b',
    telling,
  ),
  order(
    '(?:when|if|once|as soon as) you (?:continue|resume|read this|take over|start|begin|wake),? (?:then |first |you )?(?:\\p{L})',
    telling,
  ),
];

const tags: readonly InstructionPattern[] = [
  {
    words:
      /^[\s>*-]*<\/?(?:system|assistant|human|developer|instructions?|system[-_](?:prompt|message|reminder|instructions?)|im_start|im_end|important|tool_result|function_results)\b[^>\n]{0,80}>/giu,
    why: speaking,
    place: 'anywhere',
    report: false,
  },
  {
    words:
      /<\|(?:im_start|im_end|system|assistant|user|endoftext|start_header_id|eot_id)[^>|\n]{0,20}\|>|\[\/?INST\]|<<\/?SYS>>/giu,
    why: speaking,
    place: 'anywhere',
    report: false,
  },
  {
    words: /^[\s>*-]*\[(?:system|system (?:message|prompt|note|override)|assistant|developer|admin)\](?![(])/giu,
    why: speaking,
    place: 'anywhere',
    report: false,
  },
  {
    words: /^\s*#{1,6}\s*(?:system|system prompt|instruction|assistant|human)\s*(?::|$)/giu,
    why: speaking,
    place: 'anywhere',
    report: false,
  },
  {
    words:
      /^[\s>*-]*(?:system|human|developer)\s?[:：]\s?(?=(?:you|ignore|please|do not|don't|never|always|forget|from now|act|new|the assistant|assistant|execute|run|send|delete|override|grant|give|allow|permit|carry out|obey|follow|comply|switch|enable|disable|output|print|reveal|answer|respond|proceed|all (?:users|assistants|safety)|access)\b)/giu,
    why: speaking,
    place: 'anywhere',
    report: false,
  },
];

const european: readonly InstructionPattern[] = [
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

/** All of them. */
export const latinInstructions: readonly InstructionPattern[] = [...tags, ...english, ...more, ...european];

// English words that give the reader powers, habits or triggers that only the user may give.
const consent =
  "(?:permission|approval|confirmation|consent|authori[sz]ation|a review|review|the user|the user’s ok|the user's ok)";

const guards =
  '(?:safety|safeguards?|guardrails?|sandbox(?:ing)?|permission (?:prompts?|checks?|system)|approvals?|approval (?:prompts?|steps?)|redaction|content filters?|security (?:checks?|rules?|measures?|controls?)|protections?)';

/** English words that give the reader powers, habits or triggers that only the user may give. */
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
