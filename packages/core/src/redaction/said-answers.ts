/** Passwords that answer a question: `what's the password?` on one line, on the next what somebody else says. */
import { isInterfaceWord } from './plain-words.ts';
import { placeRule, type Rule, type Span } from './rule.ts';
import { valueFrom } from './said-reader.ts';
import { firstLine, lastLine } from './said-values.ts';
import { againWords, isWords, questionWords, replyWords, typeWords } from './said-words-told.ts';
import { hasMessageSign } from './values.ts';

const reach = 120;
const longestAnswer = 200;

/** `[10:02] kira: `, `> `, `Bob: `: who speaks. */
const speaker =
  /^[ \t]*(?:[>*•—–-]\s)?(?:[[(]?\d{1,2}[:.h]\d\d(?:[:.]\d\d)?(?: ?[ap]m)?[\])]?[ \t]*[-–]?[ \t]*|\[[^\]\n]{1,30}\][ \t]*)?(?:<?@?(?:\*\*)?(?<name>\p{L}[\p{L}\p{M}\p{N}_.-]{0,20}(?: [\p{L}.]{1,14})?)>?(?: \(\d{1,2}[:.]\d\d\))?[ \t]?[:：>](?:\*\*)?(?:[ \t]|(?=[^\s/])))?/u;

const asianQuestion = /多少|什么|什麼|啥|几|幾|何|なに|なん|教えて|뭐|뭔|무엇|알려/u;
/** A question about passwords in general. */
const general =
  /(?<!\p{L})(?:(?:what(?:['’]s| is| makes)|choose|pick) an?|(?:was ist|what(?:['’]s| is)) (?:mit|with)|what about|difference|mean\w*|polic\w+|rules?|happen\w*|wrong|long|length|format|requirements?|hash\w*|field|types? of|kind|good|strong|managers?|should|reset|flow|unterschied|bedeutet|lang|stark|différence|signifie|diferencia|significa|diferença|differenza|отличается|разница|значит)(?!\p{L})/iu;

const lead = new RegExp(
  `^(?:[^,.!?\\n]{0,40}[,.!:]\\s)?(?:its|${againWords}|${typeWords}|(?:its|it|es|c|das|this)?\\s?(?:${isWords}))\\s+(?=\\S)`,
  'iu',
);
const foreign = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,10}(?=[。！，\s]|$)/u;
const foreignReply = /^(?:[不没沒问問等稍好有在看我你他她是哪收忘嗯哦可]|わ|し|え|は|い|ち|알|몰|잠|네|아|응|모|물)/u;

interface Line {
  readonly name: string | undefined;
  readonly start: number;
  readonly text: string;
  /** It begins with the dash of a dialogue. */
  readonly isDashed: boolean;
}

/** The answer to a question that a noun stands in. */
export function answerTo(text: string, noun: Span): Span | undefined {
  const head = lastLine(text.slice(Math.max(0, noun.start - reach), noun.start));
  const tail = firstLine(text.slice(noun.end, noun.end + reach));
  if (tail.length === reach || head.length === reach || !isQuestion(head, tail)) return undefined;
  const asker = speaker.exec(head)?.groups?.name;
  // `Which password?` asks which one is meant: only what is said to be typed answers it.
  const isWhich =
    /(?:which|what|welches|quel|qué|qual|quale|какой) $/i.test(head) && /^\s?\?|^ (?:meinst|do you)/.test(tail);
  let at = noun.end + tail.length + 1;
  let previous: Line | undefined;
  for (let lines = 0; lines < 3; lines++) {
    const line = lineAt(text, at);
    // Who asks may ask once more.
    if (line && lines === 0 && asker !== undefined && line.name === asker && line.text.trimEnd().endsWith('?')) {
      at = line.start + line.text.length + 1;
      continue;
    }
    if (!line || !isAnswerer(asker, line, head) || (previous && previous.name !== line.name)) return undefined;
    const value = answerIn(text, line, isWhich);
    if (value) return value;
    previous = line;
    at = line.start + line.text.length + 1;
  }
  return undefined;
}

function isQuestion(head: string, tail: string): boolean {
  if (/^\s(?:for|about)\?/.test(tail)) return false;
  const body = head.slice(speaker.exec(head)?.[0].length ?? 0);
  const isMarked = /[?？]/.test(tail);
  const own = body.slice(Math.max(0, body.search(/[^.!?]*$/)));
  if (general.test(own) || general.test(tail.split(/[?？]/)[0] ?? '')) return false;
  if (asianQuestion.test(body + tail)) return true;
  if (isMarked) return questionWords.test(own) || elliptic.test(own);
  const word = questionWords.exec(own);
  return word !== null && word.index < 12 && !/[.:=,]/.test(tail);
}

/** `And the password?`, `o zip tem senha?` */
const elliptic =
  /^\s*(?:and|und|et|y|e|ed|en|и|а)\s(?:(?:the|das|le|la|a|o|il|el|het)\s)?(?:[\p{L}-]{1,14}\s)?$|(?<!\p{L})(?:tem|tiene|ha|hat|y a|demande|réclame|veut|pide|pede|chiede)\s(?:(?:un|una|uma|ein|einen|el|la|a|le)\s)?$/iu;

function lineAt(text: string, at: number): Line | undefined {
  const whole = firstLine(text.slice(at, at + longestAnswer));
  if (whole.trim() === '' || whole.length === longestAnswer) return undefined;
  const match = speaker.exec(whole);
  const length = match?.[0].length ?? 0;
  return {
    name: match?.groups?.name,
    start: at + length,
    text: whole.slice(length),
    isDashed: /^[ \t]*[—–]\s/.test(whole),
  };
}

/** Somebody else, or the line below a question that is quoted or asked of nobody. */
function isAnswerer(asker: string | undefined, line: Line, head: string): boolean {
  if (asker !== undefined || line.name !== undefined) return asker !== line.name && line.name !== undefined;
  const isDialogue = /^[ \t]*[—–]\s/.test(head) && line.isDashed;
  return /^[ \t]*>/.test(head) || isDialogue || lead.test(line.text);
}

function answerIn(text: string, { start, text: line }: Line, isWhich: boolean): Span | undefined {
  const han = foreign.exec(line)?.[0];
  if (han) return foreignReply.test(han) || hasMessageSign(han) ? undefined : { start, end: start + han.length };
  const led = lead.exec(line);
  if (led) {
    const value = valueFrom(text, start + led[0].length, { isAnswer: true });
    if (value && !isReply(text.slice(value.start, value.end))) return value;
  }
  const value = isWhich ? undefined : valueFrom(text, start, { isAnswer: true });
  if (!value) return undefined;
  const said = text.slice(value.start, value.end);
  return said.split(' ').length <= 4 && !isReply(said) ? value : undefined;
}

/** What somebody does about the question. */
const doing = /^(?:send|check|look|ask|chang|reset|typ|search|com|gett|find|try|wait|do)\w*ing$/i;

const isReply = (value: string): boolean =>
  value.split(' ').some((one) => isInterfaceWord(one)) ||
  replyWords.test(value.split(' ')[0] ?? '') ||
  doing.test(value.split(' ')[0] ?? '') ||
  /(?<!\p{L})(?:i|you|he|she|they|we|ich|du|je|tu|yo|eu)(?!\p{L})/iu.test(value);

const opens =
  /door|gate|garage|lock|safe|alarm|shed|entrance|tür|tor|tresor|porte|portail|coffre|puerta|portal|caja|porta|portão|cofre|portone|cancello|cassaforte|двер|подъезд|домофон|сейф|ворот|门|門|保险|金庫|ドア|도어|문/iu;

export const answerRules: readonly Rule[] = [
  placeRule('said-pin', 'code|código|codice|код| pin|kod', ({ text, start, end }) =>
    /^ pin/i.test(text.slice(start, end)) || opens.test(text.slice(Math.max(0, start - 30), end + 40))
      ? answerTo(text, { start, end })
      : undefined,
  ),
  placeRule(
    'said-password',
    'password|passcode| pw| pass |passwort|kennwort|mot de passe|mdp|contraseña|clave|senha|parola|wachtwoord|hasło|парол|密码|密碼|口令|パスワード|暗証番号|비밀번호|비번|wifi key|wlan-schlüssel',
    ({ text, start, end }) => answerTo(text, { start, end }),
  ),
];
