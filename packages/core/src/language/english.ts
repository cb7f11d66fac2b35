/** English words that attribute something to the user, and words that instruct or allow the reader; orders in the languages of Europe. */
import {
  type AttributionNouns,
  type AttributionVerb,
  type AttributionWords,
  attributionPatterns,
  type LanguageAttributions,
  labelEnd,
  labelOpening,
  labelsOf,
} from './attribution.ts';
import type { InstructionWords } from './instruction.ts';

const verbs: Readonly<Record<AttributionVerb, { readonly past: string; readonly present?: string }>> = {
  asked: {
    past: 'asked|requested|instructed|told|directed|ordered|demanded|commanded|insisted|begged|invited|pressed|urged|asked again|re-requested|queried|inquired',
    present: 'asks|is asking|requests|insists|demands|keeps asking',
  },
  wants: {
    past: 'wanted|wished|needed|hoped|expected|intended|desired|required|called for|pushed for|aimed|planned|was looking for|would like|would prefer to have',
    present:
      "wants|wishes|expects|would like|intends|hopes|cares about|does not want|doesn’t want|doesn't want|is looking for",
  },
  said: {
    past: 'said|stated|mentioned|noted|explained|clarified|pointed out|reported|replied|answered|responded|commented|complained|observed|emphasi[sz]ed|stressed|reminded|warned|corrected|identified|questioned|acknowledged|confirmed|indicated|specified|described|repeated|added that|remarked|flagged|wondered|wrote|concluded|announced|admitted|argued|added|brought up|raised|followed up|came back|gave instructions|made (?:it )?clear|set (?:a|the|this) rule|laid down|promised',
    present: 'says|states|notes|reports|insists|writes|thinks|believes|explicitly states',
  },
  prefers: {
    past: 'preferred|favou?red|liked|disliked|hated|loved|leaned',
    present: 'prefers|favou?rs|likes|dislikes',
  },
  approved: {
    past: 'approved|accepted|agreed|authori[sz]ed|permitted|allowed|okayed|consented|signed off|gave (?:permission|approval|the go-ahead|consent)|green-?lit',
    present: 'approves|agrees',
  },
  rejected: {
    past: 'rejected|declined|refused|vetoed|disapproved|objected|forbade|opposed|disagreed|ruled out|turned down|prohibited|interrupted',
    present: 'rejects|refuses|objects|disagrees|forbids',
  },
  chose: { past: 'chose|selected|picked|decided|opted|ruled|settled on|went with', present: 'decides|has chosen' },
  proposed: { past: 'proposed|suggested|recommended', present: 'proposes|suggests|recommends' },
  provided: { past: 'provided|shared|supplied|pasted|attached|uploaded|gave|sent|linked', present: 'provides' },
};

const baseOf: ReadonlyMap<string, string> = new Map(
  'asked ask,requested request,instructed instruct,told tell,wanted want,said say,mentioned mention,stated state,confirmed confirm,preferred prefer,approved approve,accepted accept,agreed agree,rejected reject,declined decline,chose choose,decided decide,proposed propose,suggested suggest,provided provide,specified specify'
    .split(',')
    .map((pair): [string, string] => [pair.split(' ')[0] ?? '', pair.split(' ')[1] ?? '']),
);

const adverb =
  "(?:(?:has|have|had|also|then|explicitly|specifically|initially|later|originally|repeatedly|just|clearly|again|now|still|previously|first|finally|subsequently|strongly|already|only|next|even|once|twice|directly|immediately|simply|further|did not|didn['’]t|has not|hasn['’]t|had not|hadn['’]t|never|does not|doesn['’]t|not|is|was|yet|\\w{3,14}ly),? ){0,4}";

const article = '(?:the |our |this |my )?(?:end )?';

/** Participles that describe a noun as well: `user provided values`. Only with an article, or where a line opens. */
const describing =
  /^(?:provided|selected|requested|supplied|specified|uploaded|required|described|reported|shared|picked)$/;

/** Sentences such as `The user asked for a log`. */
function sentencesWith(verb: AttributionVerb): AttributionWords {
  const { past, present } = verbs[verb];
  const forms = [...past.split('|'), ...(present?.split('|') ?? [])];
  const clear = forms.filter((form) => !describing.test(form)).join('|');
  const unclear = forms.filter((form) => describing.test(form)).join('|');
  const bare = past
    .split('|')
    .flatMap((form) => baseOf.get(form) ?? [])
    .join('|');
  const found = [`(?<![\\w/.-])${article}user ${adverb}(?:${clear})(?![\\w-])`];
  if (unclear !== '')
    found.push(
      `(?<![\\w/.-])(?:(?:the|our|this) user ${adverb}|(?<=^[\\W\\d]*|[.;:!?—–] )user ${adverb})(?:${unclear})(?![\\w-])(?! \\w+ (?:is|are|was|were|must|should|can|gets?)\\b)`,
    );
  if (bare !== '')
    found.push(
      `(?<![\\w/.-])${article}user (?:did not|didn[’']t|has never|never) (?:explicitly |actually |ever |yet )?(?:${bare})(?![\\w-])`,
      `(?<![\\w-])you (?:also |then |just |explicitly |specifically |earlier |previously |have |had |already ){0,3}(?:${past})(?![\\w-])(?! can\\b)`,
    );
  return { [verb]: found };
}

const byUser = '(?:by|from) (?:the |our )?user(?![\\w-])|by you(?! can)\\b';

const request =
  '(?:requests?|ask|wish(?:es)?|instructions?|feedback|direction|order|demand|guidance|preference|decision|suggestion|correction|complaint|comments?|answers?|replies|reply|words|message)';

const goal =
  '(?:goal|intent|intention|aim|objective|request|ask|wish|instruction|requirement|expectation|comment|answer|reply|message|demand|question|decision|suggestion|verdict|words|opinion|view|concern|feedback|complaint|preference|main (?:goal|request|concern)|primary (?:goal|request|intent)|latest (?:request|message)|last (?:request|message)|original (?:request|goal)|first request|explicit (?:request|instruction))';

const nouns: AttributionNouns = {
  said: 'feedback|comments?|messages?|quotes?|notes?|reply|replies|answers?|responses?|corrections?|reports?|said|reported|noted|words|statements?|clarifications?|explanations?|remarks?|complaints?|says|wrote|replied|answered|confirmed|clarified|insists?|insisted',
  asked: 'requests?|asks?|asked|instructions?|tasks?|questions?|requested|requirements?|demands?|orders?|wants',
  chose: 'chose|chosen|choices?|decisions?|decided|selected|selection|picked',
  prefers: 'preferences?|prefers|constraints?|rules?|wishes|expectations?',
  approved: 'approved|approval|consent',
  rejected: 'rejected|rejection|objections?|vetoe?d?',
};

const labelOrder =
  '(?:own |latest |last |first |original |newest |next |new |initial |exact |verbatim |follow-?up |final |main |primary |standing |explicit |additional |further )?';

/** `User: postgres` is a setting. */
const labelContent = '(?=\\S+[\\s\\ufffb]|\\ufffb|[^\\x00-\\x7f])';

/** Turns without such a verb: `per the user's request`. */
const turns: AttributionWords = {
  asked: [
    '\\b(?:request|instruction|order|wish|demand|question|requirement|ask|complaint|feedback|message|suggestion) (?:of|from|by) the user(?![\\w-])(?! (?:is|are|gets?|can|must|should|may|will|that arrives?)\\b)',
    `\\b(?:per|at|on|by|following|upon|in line with|in response to|according to|based on|against) (?:the |your |explicit |direct )?(?:user(?:['’]s)? |your )(?:\\w+ )?${request}\\b`,
    '(?<![\\w/-])user-(?:requested|mandated)(?![\\w-])',
  ],
  wants: [
    '(?<![\\w/.-])(?:the |our )?user (?:also |still |now |really |then )?needs (?!to\\b)',
    '(?<![\\w/.-])(?:the |our )?user (?:had|let|made|got|has|lets|makes) (?:me|us)\\b',
    '\\bwhat the user (?:wants|wanted|needs|asked for|expects) (?:is|was)\\b',
    `(?<![\\w-])(?:(?:the |our )?user['’]s|your) ${goal} (?:is|are|was|were|remains|has been|that|to|for|about)\\b(?! (?:stored|validated|sent|queued|parsed|read|handled|processed|logged|rendered|displayed|saved|read|validated|checked|loaded|passed|kept|set|parsed|sent))`,
  ],
  said: [
    `${labelOpening}(?:the )?user${labelEnd}${labelContent}`,
    "\\bin (?:the )?user['’]s (?:own |exact )?words\\b[:：]?",
    '\\bas (?:the )?user (?:puts?|said|says|wrote|phrased|worded)(?: it)?\\b[,:]?',
    '(?<![\\w/.-])(?:the |our )?user (?:is|was|seems|remains?|has been|will be) (?:still |also |very |quite |not |now )?(?:un)?(?:happy|satisfied|dissatisfied|fine|okay|ok|against|in favou?r|keen|concerned|worried|annoyed|adamant|clear|explicit|waiting|expecting|sure|certain|content|pleased|aware|interested|willing|frustrated|confused|open to)(?![\\w-])',
    '\\bit (?:was|is) the user who\\b',
    "\\b(?:according to|per) (?:the )?user(?![\\w’'-])",
    '(?<![\\w/-])user-reported(?![\\w-])',
  ],
  approved: ['(?<![\\w/-])user-approved(?![\\w-])'],
};

const turnsBehind: AttributionWords = {
  asked: [
    "\\b(?:at|by|on|upon) (?:the )?(?:behest|order|command|insistence) of the user\\b|\\bat (?:the )?user['’]s (?:behest|insistence)\\b",
    `\\b(?:asked for|requested|ordered|demanded|instructed|told|directed) (?:\\w+ )?(?:${byUser})`,
    '\\bas (?:you |the user )?(?:(?:asked|requested|instructed|wished|wanted|specified)(?: for)?(?: by (?:the )?user| by you)?)\\b(?=\\s*(?:$|[,.;:)—–]|by|in|earlier|before|above))',
  ],
  said: [
    '\\b(?:said|wrote|asked|added|replied|insisted|answered|explained) the user(?![\\w-])',
    '[(\\[](?:m\\d+,? ?(?:the )?user|(?:the )?user,? ?m\\d+|user (?:request|message|decision|feedback|preference|rule|instruction|requirement|question))[)\\]]',
    `\\b(?:reported|mentioned|stated|noted|pointed out|described|specified|corrected) (?:${byUser})`,
  ],
  approved: [
    '\\b(?:approval|permission|confirmation|consent|blessing|go-ahead|ok) (?:of|from|by) the user(?![\\w-])(?! (?:is|are|gets?|can|must|should|may|will)\\b)',
    "\\bwith (?:the )?user['’]s (?:approval|permission|consent|blessing|ok|agreement|confirmation)\\b",
    `\\b(?:approved|accepted|confirmed|authori[sz]ed|agreed) (?:${byUser})`,
  ],
  rejected: [`\\b(?:rejected|declined|vetoed|refused|interrupted) (?:${byUser})`],
  proposed: [`\\b(?:suggested|proposed|recommended) (?:${byUser})`],
};

const labels = labelsOf(nouns, (noun) => [
  `${labelOpening}(?:the )?user(?:['’]s)? ${labelOrder}${noun}(?:,? verbatim)?${labelEnd}`,
  `${labelOpening}(?:the )?${labelOrder}${noun} (?:from|of|by) (?:the )?user(?: in m\\d+)?(?:,? verbatim)?${labelEnd}`,
]);

/** English. */
export const englishAttributions: LanguageAttributions = {
  mention: /user|\byou\b|\byour\b|\bas (?:asked|requested|instructed)/i,
  patterns: [
    // The keys of the table are verbs, which Object.keys forgets.
    ...(Object.keys(verbs) as AttributionVerb[]).flatMap((verb) => attributionPatterns(sentencesWith(verb))),
    ...labels,
    ...attributionPatterns(turns),
    ...attributionPatterns(turnsBehind, 'before'),
  ],
  loose: attributionPatterns({
    wants: ['\\bwhat the user (?:really |actually |mainly )?(?:is after|has in mind|cares about)(?: is| was)?'],
    approved: ['\\b(?:agreed|settled|arranged|cleared|discussed|confirmed) (?:on )?with the user(?![\\w-])'],
  }),
};

const earlier =
  "(?:all|any|every|each|the|your|my|our|these|those|this|that|previous|prior|above|earlier|preceding|former|foregoing|existing|other|system|original|initial|safety|of|user's|user’s|past|current|developer)";

const rules =
  '(?:instructions?|directives?|prompts?|commands|orders|guidelines|guardrails|policies|safety rules|system rules|constraints given|messages above|conversation above|context above)';

const ai = '(?:assistant|agent|model|llm|ai|claude|instance|session|coder|chatbot|codex|gpt)';

const secrets =
  '(?:credentials?|secrets?|api[ -]?keys?|access tokens?|tokens|passwords?|private keys?|ssh keys?|\\.env(?: file)?|environment variables|cookies|system prompt|conversation)';

const consent =
  "(?:permission|approval|confirmation|consent|authori[sz]ation|a review|review|the user|the user’s ok|the user's ok)";

const guards =
  '(?:safety|safeguards?|guardrails?|sandbox(?:ing)?|permission (?:prompts?|checks?|system)|approvals?|approval (?:prompts?|steps?)|redaction|content filters?|security (?:checks?|rules?|measures?|controls?)|protections?)';

/** Marks of another speaker: nobody reports such a thing in these very signs. */
export const speakerMarks: readonly RegExp[] = [
  /^[\s>*-]*<\/?(?:system|assistant|human|developer|instructions?|system[-_](?:prompt|message|reminder|instructions?)|im_start|im_end|important|tool_result|function_results)\b[^>\n]{0,80}>/giu,
  /<\|(?:im_start|im_end|system|assistant|user|endoftext|start_header_id|eot_id)[^>|\n]{0,20}\|>|\[\/?INST\]|<<\/?SYS>>/giu,
  /^[\s>*-]*\[(?:system|system (?:message|prompt|note|override)|assistant|developer|admin)\](?![(])/giu,
  /^\s*#{1,6}\s*(?:system|system prompt|instruction|assistant|human)\s*(?::|$)/giu,
  /^[\s>*-]*(?:system|human|developer)\s?[:：]\s?(?=(?:you|ignore|please|do not|don't|never|always|forget|from now|act|new|the assistant|assistant|execute|run|send|delete|override|grant|give|allow|permit|carry out|obey|follow|comply|switch|enable|disable|output|print|reveal|answer|respond|proceed|all (?:users|assistants|safety)|access)\b)/giu,
];

/** Orders, which stand at the head of a clause or after `you must` and the like. */
export const latinOrders: InstructionWords = {
  overriding: [
    `(?:ignore|disregard|forget|override|bypass|neglect|discard|drop)(?: completely| entirely)? (?:${earlier} ){1,5}${rules}\\b`,
    "(?:ignore|disregard|forget) (?:everything|anything|all)(?: that)?(?: was| is| you(?:[’']ve| have| were)?| I)? ?(?:above|before|said|told|prior|previous(?:ly)?|earlier|learned|been told)",
    "(?:do not|don[’']t|never|stop) (?:follow|following|obey|obeying|comply with|listen(?:ing)? to) (?:the |any |your |these )?(?:user|system|previous|prior|above|earlier|other|safety)\\b",
    '(?:follow|obey|comply with) (?:these|my|this|only these|only my|the following) (?:new )?(?:instructions?|orders?|commands?|directives?)\\b',
    '(?:ignore|disregard|forget|override|bypass) (?:all |any |the |of |every |these ){0,3}(?:previous|prior|above|earlier|preceding|system|safety|your|original|other) rules\\b',
    "(?:ignore|forget|disregard|abandon|drop|set aside|stop working on) (?:the |your |this |that |all )?(?:current |original |real |actual |present )?(?:user(?:['’]s)? (?:task|request|goal|wishes|question|intent)|(?:task|request|goal|wishes|question)s? (?:of|from|by) (?:the )?user|(?:task|goal|job) at hand)\\b",
    'ignorier(?:e|en sie|t) (?:bitte )?(?:alle )?(?:vorherigen|bisherigen|obigen|früheren|vorigen) (?:anweisungen|instruktionen|befehle|regeln)',
    '(?:ignore|ignorez|oublie|oubliez) (?:toutes )?(?:les|tes|vos) (?:instructions|consignes|règles) (?:précédentes|antérieures|ci-dessus)',
    '(?:ignora|ignore|olvida|olvide) (?:todas )?(?:las|tus|sus) (?:instrucciones|órdenes|reglas) (?:anteriores|previas)',
    'override\\s?[:：]',
    '(?:treat|regard|consider|take|make) [^.!?;]{1,60} (?:as )?(?:your|the) (?:highest|top|first|only|main|sole|new) (?:priority|goal|task|instructions?|orders?|duty)\\b',
    '(?:stop|quit|cease|refuse) (?:helping|assisting|serving|working for|listening to|to help|to assist)\\b[^.!?;]{0,20}(?:user|them|anyone|people)',
    '(?:speak|talk|behave|act|operate|continue|respond|work) (?:as|like) (?:an? |the )?(?:root|admin(?:istrator)?|superuser|unrestricted|unfiltered|uncensored|different (?:assistant|agent|model|ai)|evil|hacker|pirate|owner)\\b',
  ],
  roles: [
    "(?:you are|you['’]re) now (?!done|ready|able|on\\b|at\\b|working|finished|connected|logged|subscribed|set up|up to date)",
    "(?:you are|you['’]re) no longer (?:bound|restricted|limited|an?\\b|required|allowed)",
    'from (?:now|this point|here) on(?:wards?)?,? (?:you|act|respond|answer|reply|speak|pretend|ignore|obey|behave)\\b',
    '(?:pretend (?:to be|you|that you)|act as if you|role-?play as|behave as (?:if you|an?)|assume the (?:role|identity) of)\\b',
    '(?:enter|enable|switch to|activate) (?:developer|dan|god|jailbreak|unrestricted|debug admin) mode\\b',
  ],
  hiding: [
    "(?:do not|don['’]t|never|must not|you must not|avoid|under no circumstances)(?: ever)? (?:tell|inform|notify|alert|warn|telling|informing|notifying|alerting|let|mention (?:this|it|that|any of this|any|anything|the|these)(?: \\p{L}+){0,4} to|reveal (?:this|it|that)(?: \\p{L}+){0,3} to|disclose (?:this|it|that)(?: \\p{L}+){0,3} to|say (?:this|anything|so) to) (?:the |your |any )?(?:user|human|operator|owner|developer)s?\\b",
    '(?:keep|hide|conceal|withhold) (?:this|it|that|these|everything|all of this)(?: \\p{L}+){0,4} (?:from|hidden from|secret from) (?:the |your )?(?:user|human|operator|owner|developer)s?\\b',
    '(?:run|send|delete|push|execute|upload|deploy|install|proceed|commit|merge|do (?:this|it|so))\\b[^.!?;]{0,60} without (?:telling|informing|notifying|alerting) (?:the )?(?:user|human|operator)\\b',
    '(?:sag|sage|sagen sie|verrate|erzähl) (?:es )?(?:dem|der) (?:nutzer|benutzer|user)(?:in)? (?:nichts|nicht|davon)',
    '(?:keep|hide|conceal|withhold) [^.!?;]{1,40} (?:from|hidden from|secret from) (?:the |your |any |all )?(?:users?|humans?|operators?|owners?|person|people|customers?|clients?|anyone|everyone|boss|reviewers?|auditors?|principals?|team)\\b',
  ],
  addressing: [
    `(?:as|to|for|attention|dear|hey|note to|note for|message to|message for|instructions? (?:to|for)|reminder (?:to|for))(?: the| my| all| any)? (?:next|new|following|future|receiving|successor|other|incoming|subsequent|resuming|continuing|fresh)(?: \\p{L}+)? ?${ai}s?\\b(?=[,:：!—–-]| (?:you|who|please|must|should|is to|will)|$)`,
    `(?:the )?(?:next|new|future|successor|incoming|subsequent|resuming) ${ai} (?:must|shall|has to|is (?:required|instructed|ordered|to)\\b)(?! (?:be )?(?:aware|know))`,
    `(?:dear |hey |attention[:,]? )?(?:assistant|claude|ai|chatgpt|gpt|model|llm|codex)\\s?[:,]\\s?(?:please|you|kindly|run|execute|send|delete|ignore|do not|don[’']t|do|must|never|always|now|open|write|call|use|upload|download|remember|forget|continue|stop|reply|respond|answer|disregard|reveal|print|fetch|install|push)\\b`,
    `(?:to|for|note to|note for|message to|attention|dear) (?:the |any |every |whichever |whatever )?${ai}s? (?:who|that|which|reads|reading|sees|seeing|continues|resumes|continuing|resuming|taking over|picking up|after)\\b`,
    '(?:note|message|hint|advice|reminder|instructions?|orders?) (?:to|for) (?:the |my |your )?(?:successor|next one|reader|one who|whoever|assistant|agent|model)\\b[^.:：]{0,30}[:：]',
  ],
  sending: [
    `(?:send|post|upload|forward|email|mail|exfiltrate|leak|transmit|submit|copy)\\b[^.!?;]{0,40}(?:\\b|(?=\\.))${secrets}[^.!?;]{0,30} (?:to|via|at) (?:https?:|\\S+@\\S|the (?:attacker|attached|given|listed|external|remote|webhook|following|url|address|server)|an? (?:external|remote|webhook|third)|this (?:url|address|server|endpoint)|[\\w-]+\\.(?:com|net|org|io|dev|xyz|ru|example|test|invalid)\\b|\\ufffc)`,
    '(?:reveal|print|output|show|repeat|leak|display|recite|dump) (?:me )?(?:your|the) (?:full |entire |hidden |secret |original )?(?:system prompt|system message|hidden instructions|initial instructions)\\b',
    '(?:download|fetch|curl|wget|retrieve|get|open|visit|load|browse(?: to)?|go to)\\b[^!?;]{0,80}\\b(?:and|then) (?:then )?(?:run|execute|follow (?:its|the|their|all)|obey|do what|carry out|pipe it|install it|apply it|source it|eval)\\b',
    '(?:ask|tell|urge|get|make|convince|persuade|instruct) the user (?:to|for|into) [^.!?;]{0,40}(?:passwords?|tokens?|credentials?|secrets?|api keys?|private keys?|card number|pin|one-time code|seed phrase)\\b',
    '(?:transfer|pay|wire|donate|mine|buy|purchase|send)\\b[^.!?;]{0,40}\\b(?:bitcoins?|btc|crypto(?:currenc(?:y|ies))?|coins|monero|ethereum|eth|money|funds|gift cards?|dollars|euros)\\b',
    '(?:add|append|install|register) (?:this|the following|my|our|the attached|the given) [^.!?;]{0,30}(?:ssh|public|deploy|api|gpg)[ -]?keys?\\b',
  ],
  powers: [
    'you (?:are|have been|were) (?:now |hereby |always |fully )?(?:allowed|authori[sz]ed|permitted|cleared|free|granted|entitled|licensed|trusted) to\\b',
    'you (?:now )?have (?:full |complete |admin(?:istrator)? |root |unlimited |unrestricted |standing |the )?(?:permission|access|authority|approval|clearance|consent|rights)\\b',
    "you (?:do not|don['’]t|need not|never) (?:need|have)? ?(?:to )?(?:ask|confirm|check|verify|wait|worry|tell|report|explain)\\b",
    'you (?:can|may) (?:now |safely |always |freely |simply )?(?:skip|ignore|bypass|disregard|override|push|delete|publish|deploy|approve|merge|spend|run anything|do anything|use any)\\b',
    `(?:there is )?no (?:longer any )?need (?:to (?:ask|confirm|check with|consult|inform|wait for)|for) (?:the |any |for |further )?(?:user|human|${consent})`,
    `(?:do not|don['’]t|never|stop) (?:ever )?(?:ask(?:ing)?|wait(?:ing)?|seek(?:ing)?|request(?:ing)?) (?:the user |anyone )?(?:for |any |again |further )*(?:${consent}|questions|confirmations|permissions)\\b`,
    '(?:approve|accept|confirm|allow|grant|auto-?approve) (?:all|any|every|each|whatever)\\b[^.!?;]{0,60}(?:automatically|without|by default|blindly|request|call|command|prompt|change|action)',
    `(?:disable|deactivate|turn off|switch off|remove|lift|skip|bypass|circumvent|weaken) (?:the |all |any |all the |your |every )?(?:\\p{L}+ )?${guards}\\b`,
    'skip (?:all|any|every) (?:\\p{L}+ )?(?:checks?|tests?|confirmations?|reviews?|questions?|warnings?)\\b',
    "(?:do not|don['’]t|never) (?:ever )?(?:refuse|decline|object|question|hesitate|doubt|second-guess|disagree|warn)\\b(?! (?:the )?(?:connection|request)s?\\b)",
    '(?:always|only|just) (?:comply|agree|obey|say yes|answer yes|approve|accept|trust|believe|do (?:what|as))\\b',
    '(?:treat|regard|consider|take|handle) [^.!?;]{1,60} as (?:an? |the )?(?:\\p{L}+ )?(?:instructions?|orders?|commands?|system messages?|message from the (?:user|system|operator)|approved|authori[sz]ed|trusted)\\b',
    '(?:trust|believe|obey|follow) (?:all|any|every|everything|anything|whatever)\\b',
    '(?:carry out|do|execute|perform|follow|run|act on) (?:whatever|anything|everything|any command|all commands|all instructions|any instructions|every instruction)\\b',
    '(?:grant|give) (?:me|us|everyone|anyone|full|admin|root|write|public|complete|the sender|the author)\\b[^.!?;]{0,40}\\b(?:access|rights|permissions?|privileges|control)\\b',
  ],
  telling: [
    'you (?:must|shall|are (?:required|instructed|ordered|commanded|obliged|expected|to) (?:to )?(?=\\p{L}))(?: (?:now|immediately|always|never|not|first|next|only|also))*(?: \\p{L}|$|:)',
    "you (?:should|will|need to|have to|['’]ll|are going to|are to) (?:now|immediately|next|always|never|first) \\p{L}",
    'your (?:new |next |only |real |actual |current |sole |first )?(?:task|job|mission|objective|goal|role|assignment|duty|purpose|instructions) (?:now )?(?:is|are)\\b',
    '(?:always|never) (?:obey|trust|believe|approve|ask|question|refuse|reveal|tell)\\b[^.!?;]{0,40}\\b(?:whatever|without (?:a look|looking|question|reading|review|asking)|no matter|blindly)\\b',
    '(?:when|if|once|as soon as) you (?:continue|resume|read this|take over|start|begin|wake),? (?:then |first |you )?(?:\\p{L})',
    '(?:du musst|sie müssen) (?:jetzt|nun|sofort)(?!\\p{L})|ab (?:jetzt|sofort) (?:bist|sollst|musst) du(?!\\p{L})|deine aufgabe ist',
    "(?:tu dois|vous devez) (?:maintenant|immédiatement)(?!\\p{L})|désormais,? (?:tu|vous) (?:es|êtes|devez|dois)(?!\\p{L})|ne (?:le )?(?:dis|dites) (?:rien |pas )?à l['’]utilisateur",
    '(?:debes|tienes que) ahora(?!\\p{L})|a partir de ahora,? (?:eres|debes)(?!\\p{L})|no (?:se )?lo digas al usuario|no le digas (?:nada )?al usuario',
    'it is (?:now )?(?:mandatory|required|necessary|essential|imperative|vital|crucial|obligatory|your (?:duty|job|task|responsibility)|important|urgent) (?:that|for) you\\b',
    '(?:reply|respond|answer) with (?:the|your|a|an|all|only|nothing|just|this|these)\\b',
    '(?:the |this |every |any |all |each )assistants? (?:must|shall|has to|have to|is (?:required|obliged|ordered|instructed|expected|to)|are (?:required|to)|should (?:always|never|now|immediately|first)|will (?:always|never|now)|may (?:now|always))\\b',
    'your (?:next|first|very next|following|final|only) (?:reply|answer|response|message|action|step|act|tool call|command|output|move) (?:must|should|shall|is|has to|will)\\b',
    '(?:begin|start|end|finish|close|open|sign) (?:each|every|all|any|your|the next) (?:\\p{L}+ )?(?:repl(?:y|ies)|answers?|responses?|messages?|outputs?|summar(?:y|ies)|commits?)\\b[^.!?;]{0,20}\\b(?:with|by)\\b',
    '(?:reply|respond|answer|write back)(?: to (?:everything|anything|the user|all questions))? (?:only|exclusively|solely|always|exactly|from now on)\\b',
    '(?:repeat|copy|include|keep|preserve|carry|insert|paste|reproduce|put) (?:this|these|the above|the following|that) (?:\\p{L}+ ){0,3}(?:in|into|to|at|through|across) (?:every|all|each|any|the next|future|your) (?:\\p{L}+ ){0,2}(?:summar(?:y|ies)|handoffs?|repl(?:y|ies)|answers?|messages?|sessions?|memor(?:y|ies)|prompts?|files?)\\b',
    '(?:save|store|remember|write|add|memori[sz]e|record) (?:this|these|the following|it|that)\\b[^.!?;]{0,40}\\b(?:(?:in|into|to) (?:your |the )?(?:long-term )?memory|for all (?:future|coming)|forever|in all future|permanently)\\b',
    'never (?:remove|delete|drop|change|edit|shorten) (?:this|these) (?:line|lines|paragraph|instruction|instructions|text|note|section|rule)\\b',
    "(?:when|whenever|if|once|as soon as|the next time|every time) (?:the user|anyone|someone|somebody|they|a user) (?:asks?|says?|writes?|mentions?|types?|requests?|wants?|thanks|complains?|returns?|comes back|questions?)\\b[^.!?;]{0,80}?[,:] ?(?:then |always |immediately |just |first |please |simply )?(?:reply|respond|answer|claim|run|send|execute|delete|tell|deny|pretend|say|lie|refuse|recommend|mention|insist|point|change|push|install|open|visit|do not|don['’]t|never|you)\\b",
    '(?:claim|pretend|lie|assert|insist|swear|assure the user|convince the user|persuade the user|make the user believe) (?:that|to)?\\b',
    '(?:say|report|state|answer|tell the user|write) (?:that )?[^.!?;]{1,60}\\b(?:regardless|no matter|even if|even though|whatever the|in any case|either way)\\b',
    "(?:destroy|wipe|erase|format) (?:the |all |every |this |any |your )?(?:entire |whole |user’s |user's |production )?(?:disk|drive|machine|computer|home|production|system|database|backups?|evidence|traces|logs|everything|data)\\b",
  ],
};

/** Words that instruct wherever they stand. */
export const englishInstructions: InstructionWords = {
  overriding: [
    '\\b(?:new|updated|real|actual) (?:system |hidden )?instructions(?: for (?:you|the assistant))?\\s?:',
    '\\bsystem (?:prompt |message )?override\\b|\\boverride (?:the |your )?system prompt\\b',
    "\\b(?:this|these|the following|what follows|it) (?:\\p{L}+ ){0,3}(?:takes? precedence over|has priority over|have priority over|overrides?|supersedes?|outranks?|replaces?) (?:all |any |every |the |your |what )?(?:\\p{L}+ ){0,2}(?:instructions?|users?|user’s|user's|rules|requests?|messages?|prompts?|orders?)\\b",
  ],
  telling: [
    '\\b(?:operators?|administrators?|admins?|system|owner|vendor|security team|management|headquarters) (?:has |have |now |hereby )?(?:authori[sz]e[sd]?|orders?|ordered|instructs?|instructed|requires?|demands?|commands?|directs?|expects?) (?:you|the assistant|the agent|all agents|every agent|all assistants|that you)\\b',
  ],
};

const guard =
  '(?:tests?|test suites?|checks?|CI|lint(?:ing|er)?|reviews?|code reviews?|approvals?|confirmations?|permissions?|verifications?|sign-?offs?|backups?|warnings?)';

const asking =
  '(?:ask(?:ing)?|confirm(?:ing|ation)?|consult(?:ing)?|approvals?|permission|authori[sz]ation|consent|confirmations?|reviews?|sign-?off|wait(?:ing)? for (?:the |an? |any )?(?:CI|tests?|reviews?|approvals?|confirmation|user|answer|reply|go-ahead|checks?)|check(?:ing)? (?:back )?with (?:the user|anyone|them))';

const act =
  '(?:force[- ]?push(?:ing|es)?|push(?:ing)?|merg(?:e|ing)|publish(?:ing)?|releas(?:e|ing)|deploy(?:ing)?|delet(?:e|ing)|remov(?:e|ing)|wip(?:e|ing)|overwrit(?:e|ing)|rewrit(?:e|ing) (?:the )?history|commit(?:ting)? (?:straight|direct(?:ly)?|to main)|shar(?:e|ing) (?:the )?(?:\\w+ )?(?:keys?|secrets?|tokens?|credentials?|passwords?)|drop(?:ping)? (?:the )?(?:\\w+ )?(?:database|tables?))';

const fine =
  '(?:fine|ok|okay|acceptable|allowed|permitted|safe|all right|alright|authori[sz]ed|unproblematic|no problem)';

const easily = '(?:(?:now|safely|simply|just|always|freely|also|then|totally|perfectly|perhaps|therefore) )*';

const not = "(?<!not )(?<!never )(?<!n[’']t )";

const free = '(?:feel free|free|welcome|at liberty|cleared|entitled|allowed|permitted|authori[sz]ed)';

const leaves =
  '(?:skip(?:ped|ping)?|ignor(?:e|ed|ing)|bypass(?:ed|ing)?|omit(?:ted|ting)?|le(?:ave|ft|aving) out|waiv(?:e|ed|ing)|disabl(?:e|ed|ing)|dispens(?:e|ed|ing) with)';

/** Words that allow the reader what only the user may. */
export const englishPermissions: readonly string[] = [
  // A safeguard may be left out.
  `\\b(?:may|can|could|might) ${easily}(?:be )?${leaves} (?:[\\w'’-]+ ){0,4}?${guard}(?!\\p{L})`,
  `\\b${guard} (?:[\\w-]+ ){0,3}?(?:may|can|could|might) ${easily}be ${leaves}(?!\\p{L})`,
  `\\b(?:fine|ok|okay|acceptable|alright|all right|${free}) to ${leaves} (?:[\\w'’-]+ ){0,4}?${guard}(?!\\p{L})`,
  `\\b${leaves} (?:[\\w'’-]+ ){0,3}?${guard} (?:[\\w-]+ ){0,4}?(?:is|are) ${easily}${fine}(?!\\p{L})`,
  `\\b${guard} (?:do|does|need) not (?:have |need )?(?:to )?(?:pass|be (?:run|green|done|waited))`,
  // Nobody need be asked.
  `\\b(?:no (?:need|reason|point)|not? (?:necessary|required|needed)|unnecessary|needless|superfluous|(?:do|does)(?: not|n[’']t) (?:have|need)|need not|needn[’']t) (?:to |for |in |of |any |an? |the |further )*${asking}(?!\\p{L})`,
  `\\b${asking} (?:[\\w'’-]+ ){0,5}?(?:is|are) (?:not (?:required|necessary|needed)|unnecessary|no longer (?:required|necessary|needed)|superfluous|needless)`,
  `\\b(?:no longer|(?:do|does) not|(?:do|does)n[’']t) (?:need|require) (?:any |an? |the |further )*(?:approval|confirmation|permission|review|sign-?off|consent|authori[sz]ation)s?(?!\\p{L})`,
  `\\b(?:no ?body|no one) (?:has|needs) to (?:be asked|approve|confirm|review|sign off|agree|check)(?!\\p{L})`,
  `\\b(?:do|does|need) not (?:need |have )?(?:to )?be (?:asked|consulted|informed|told|notified|involved)(?!\\p{L})`,
  // What cannot be taken back is fine.
  `\\b${not}${fine} (?:to|if (?:you|we)) ${easily}${act}(?!\\p{L})`,
  `\\b${act} (?:[\\w'’-]+ ){0,6}?(?:is|are) ${easily}${fine}(?!\\p{L})`,
  `\\b${not}${free} to ${easily}${act}(?!\\p{L})`,
  `(?<!\\p{L})(?:you|one|we) (?:can|may) ${easily}${act}(?!\\p{L})`,
  `\\bgo ahead (?:and|with) ${easily}${act}(?!\\p{L})`,
  `\\b(?:permission|approval|consent|authori[sz]ation|clearance|the go-ahead)(?: (?:to|for) [^.;!?]{1,60}?)? (?:is|was|has|have)(?: already| now| hereby)? (?:been )?(?:already )?(?:granted|given|obtained)(?!\\p{L})`,
];
