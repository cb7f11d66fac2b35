/** English words that attribute something to the user. */
import { type AttributionPattern, type AttributionVerb, attributes } from './attribution.ts';

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

function sentences(): readonly AttributionPattern[] {
  return (Object.keys(verbs) as readonly AttributionVerb[]) // The keys of the table above are these.
    .flatMap((verb) => {
      const { past, present } = verbs[verb];
      const forms = present === undefined ? past : `${past}|${present}`;
      const clear = forms
        .split('|')
        .filter((form) => !describing.test(form))
        .join('|');
      const unclear = forms
        .split('|')
        .filter((form) => describing.test(form))
        .join('|');
      const bare = past
        .split('|')
        .map((form) => baseOf.get(form))
        .filter((form) => form !== undefined)
        .join('|');
      return [
        attributes(verb, `(?<![\\w/.-])${article}user ${adverb}(?:${clear})(?![\\w-])`),
        ...(unclear
          ? [
              attributes(
                verb,
                `(?<![\\w/.-])(?:(?:the|our|this) user ${adverb}|(?<=^[\\W\\d]*|[.;:!?—–] )user ${adverb})(?:${unclear})(?![\\w-])(?! \\w+ (?:is|are|was|were|must|should|can|gets?)\\b)`,
              ),
            ]
          : []),
        ...(bare
          ? [
              attributes(
                verb,
                `(?<![\\w/.-])${article}user (?:did not|didn[’']t|has never|never) (?:explicitly |actually |ever |yet )?(?:${bare})(?![\\w-])`,
              ),
            ]
          : []),
        ...(bare
          ? [
              attributes(
                verb,
                `(?<![\\w-])you (?:also |then |just |explicitly |specifically |earlier |previously |have |had |already ){0,3}(?:${past})(?![\\w-])(?! can\\b)`,
              ),
            ]
          : []),
      ];
    });
}

const byUser = '(?:by|from) (?:the |our )?user(?![\\w-])|by you(?! can)\\b';

const request =
  '(?:requests?|ask|wish(?:es)?|instructions?|feedback|direction|order|demand|guidance|preference|decision|suggestion|correction|complaint|comments?|answers?|replies|reply|words|message)';

const goal =
  '(?:goal|intent|intention|aim|objective|request|ask|wish|instruction|requirement|expectation|comment|answer|reply|message|demand|question|decision|suggestion|verdict|words|opinion|view|concern|feedback|complaint|preference|main (?:goal|request|concern)|primary (?:goal|request|intent)|latest (?:request|message)|last (?:request|message)|original (?:request|goal)|first request|explicit (?:request|instruction))';

/** Turns without such a verb: `per the user's request`. */
export const englishTurns: readonly AttributionPattern[] = [
  attributes(
    'said',
    '(?<![\\w/.-])(?:the |our )?user (?:is|was|seems|remains?|has been|will be) (?:still |also |very |quite |not |now )?(?:un)?(?:happy|satisfied|dissatisfied|fine|okay|ok|against|in favou?r|keen|concerned|worried|annoyed|adamant|clear|explicit|waiting|expecting|sure|certain|content|pleased|aware|interested|willing|frustrated|confused|open to)(?![\\w-])',
  ),
  attributes('wants', '(?<![\\w/.-])(?:the |our )?user (?:also |still |now |really |then )?needs (?!to\\b)'),
  attributes('wants', '(?<![\\w/.-])(?:the |our )?user (?:had|let|made|got|has|lets|makes) (?:me|us)\\b'),
  attributes('said', '\\bit (?:was|is) the user who\\b'),
  attributes('said', '\\b(?:said|wrote|asked|added|replied|insisted|answered|explained) the user(?![\\w-])', 'before'),
  attributes(
    'said',
    '[(\\[](?:m\\d+,? ?(?:the )?user|(?:the )?user,? ?m\\d+|user (?:request|message|decision|feedback|preference|rule|instruction|requirement|question))[)\\]]',
    'before',
  ),
  attributes(
    'asked',
    '\\b(?:request|instruction|order|wish|demand|question|requirement|ask|complaint|feedback|message|suggestion) (?:of|from|by) the user(?![\\w-])(?! (?:is|are|gets?|can|must|should|may|will|that arrives?)\\b)',
  ),
  attributes(
    'approved',
    '\\b(?:approval|permission|confirmation|consent|blessing|go-ahead|ok) (?:of|from|by) the user(?![\\w-])(?! (?:is|are|gets?|can|must|should|may|will)\\b)',
    'before',
  ),
  attributes(
    'approved',
    "\\bwith (?:the )?user['’]s (?:approval|permission|consent|blessing|ok|agreement|confirmation)\\b",
    'before',
  ),
  attributes(
    'asked',
    "\\b(?:at|by|on|upon) (?:the )?(?:behest|order|command|insistence) of the user\\b|\\bat (?:the )?user['’]s (?:behest|insistence)\\b",
    'before',
  ),
  attributes('wants', '\\bwhat the user (?:wants|wanted|needs|asked for|expects) (?:is|was)\\b'),
  attributes(
    'asked',
    `\\b(?:asked for|requested|ordered|demanded|instructed|told|directed) (?:\\w+ )?(?:${byUser})`,
    'before',
  ),
  attributes('approved', `\\b(?:approved|accepted|confirmed|authori[sz]ed|agreed) (?:${byUser})`, 'before'),
  attributes('rejected', `\\b(?:rejected|declined|vetoed|refused|interrupted) (?:${byUser})`, 'before'),
  attributes('proposed', `\\b(?:suggested|proposed|recommended) (?:${byUser})`, 'before'),
  attributes(
    'said',
    `\\b(?:reported|mentioned|stated|noted|pointed out|described|specified|corrected) (?:${byUser})`,
    'before',
  ),
  attributes(
    'asked',
    `\\b(?:per|at|on|by|following|upon|in line with|in response to|according to|based on|against) (?:the |your |explicit |direct )?(?:user(?:['’]s)? |your )(?:\\w+ )?${request}\\b`,
  ),
  attributes('said', "\\b(?:according to|per) (?:the )?user(?![\\w’'-])"),
  attributes(
    'asked',
    '\\bas (?:you |the user )?(?:(?:asked|requested|instructed|wished|wanted|specified)(?: for)?(?: by (?:the )?user| by you)?)\\b(?=\\s*(?:$|[,.;:)—–]|by|in|earlier|before|above))',
    'before',
  ),
  attributes(
    'wants',
    `(?<![\\w-])(?:(?:the |our )?user['’]s|your) ${goal} (?:is|are|was|were|remains|has been|that|to|for|about)\\b(?! (?:stored|validated|sent|queued|parsed|read|handled|processed|logged|rendered|displayed|saved|read|validated|checked|loaded|passed|kept|set|parsed|sent))`,
  ),
  attributes('asked', '(?<![\\w/-])user-(?:requested|mandated)(?![\\w-])'),
  attributes('said', '(?<![\\w/-])user-reported(?![\\w-])'),
  attributes('approved', '(?<![\\w/-])user-approved(?![\\w-])'),
];

/** Sentences such as `The user asked for a log`. */
export const englishSentences: readonly AttributionPattern[] = sentences();
