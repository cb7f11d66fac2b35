/** Words that instruct the reader in English, German, French and Spanish, and marks of another speaker in any language. */
import {
  addressing,
  anywhere,
  hiding,
  type InstructionPattern,
  order,
  overriding,
  roles,
  sending,
  speaking,
  telling,
} from './instruction-pattern.ts';

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
