/** Lines that tell the next assistant what to do, which a summary may not: only the user instructs. */
import { attributionIn } from './attributions.ts';
import {
  anywhere,
  hiding,
  type Instruction,
  type InstructionPattern,
  order,
  orderHeads,
  overriding,
  powers,
  sending,
  telling,
} from './instruction-pattern.ts';
import { latinInstructions } from './instruction-patterns.ts';
import { chinesePowers, japanesePowers, koreanPowers } from './instruction-patterns-powers-wide.ts';
import { chineseInstructions, japaneseInstructions, koreanInstructions } from './instruction-patterns-wide.ts';
import { masked, quoteMark } from './quotes.ts';
import { userSection } from './user-sections.ts';

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
  const heads = orderHeads(text);
  for (const { words, why, place, report = true } of patternsFor(text))
    for (const { 0: found, index } of place === 'head' ? atHeads(words, text, heads) : text.matchAll(words)) {
      if (said && said.start < index && said.verb !== 'provided') continue;
      if (report && isReported(text, index, index + found.length)) continue;
      if (section !== undefined && why === telling) continue;
      return { start: index, end: index + found.length, why };
    }
  return undefined;
}

function atHeads(words: RegExp, text: string, heads: readonly number[]): readonly RegExpExecArray[] {
  return heads.flatMap((at) => {
    words.lastIndex = at;
    const found = words.exec(text);
    return found ? [found] : [];
  });
}

const kana = /[\u3041-\u30ff]/;
const hangul = /[\uac00-\ud7a3]/;
const han = /\p{Script=Han}/u;

/** Most lines have no letter of the languages that have patterns of their own. */
const patternsFor = (text: string): readonly InstructionPattern[] => [
  ...latinInstructions,
  ...englishPowers,
  ...(han.test(text) && !kana.test(text) ? [...chineseInstructions, ...chinesePowers] : []),
  ...(kana.test(text) ? [...japaneseInstructions, ...japanesePowers] : []),
  ...(hangul.test(text) ? [...koreanInstructions, ...koreanPowers] : []),
];

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

// English words that give the reader powers, habits or triggers that only the user may give.

const consent =
  "(?:permission|approval|confirmation|consent|authori[sz]ation|a review|review|the user|the user’s ok|the user's ok)";
const guards =
  '(?:safety|safeguards?|guardrails?|sandbox(?:ing)?|permission (?:prompts?|checks?|system)|approvals?|approval (?:prompts?|steps?)|redaction|content filters?|security (?:checks?|rules?|measures?|controls?)|protections?)';

/** English. */
const englishPowers: readonly InstructionPattern[] = [
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
