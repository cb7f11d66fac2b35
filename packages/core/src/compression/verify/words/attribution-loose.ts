/**
 * Sentences of which the user is the subject, whatever their verb: what the user is said to do, to think or to be has to
 * come from the user as well. They are tried where no sentence with a known verb is found.
 */
import { type AttributionPattern, attributes } from './attribution.ts';

const opening = '(?<=^[^\\p{L}\\p{N}]{0,16}(?:m\\d+ )?|[.。；;：:，,、]\\s{0,2})';

/** English. */
export const englishLoose: readonly AttributionPattern[] = [
  attributes('approved', '\\b(?:agreed|settled|arranged|cleared|discussed|confirmed) (?:on )?with the user(?![\\w-])'),
  attributes(
    'wants',
    '\\bwhat the user (?:really |actually |mainly )?(?:is after|has in mind|cares about)(?: is| was)?',
  ),
];

/** Chinese. */
export const chineseLoose: readonly AttributionPattern[] = [
  attributes('said', '(?:是|由)(?:该|本)?用户(?:自己|本人|主动|先)?(?:提|主张|想|要|定|说|决)'),
  attributes('approved', '(?:与|和|跟|同)用户(?:商定|约定|商量|说好|谈妥|达成|确认)'),
  attributes(
    'said',
    `${opening}(?:该|本)?用户(?:真正|其实|一直|目前|似乎|显然|始终)?(?:抱怨|担心|关心|在意|介意|急着|忙着|感到|觉得|相信|忘了|记得|习惯|熟悉|嫌|怀疑)`,
  ),
];

/** Japanese: whatever the user is the topic of, up to the end of the sentence. */
export const japaneseLoose: readonly AttributionPattern[] = [
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
export const koreanLoose: readonly AttributionPattern[] = [
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
