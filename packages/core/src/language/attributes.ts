/**
 * What people note of a person or a project and of which there is one at a time: where somebody lives, which editor they
 * use, when a project is released. By it two notes in other words are known to speak of the same thing.
 */

import { lazily } from '../shared/lazily.ts';
import { anyWord } from './word-lists.ts';

/** What a value of an attribute looks like. */
export type ValueType =
  | 'weekday'
  | 'time'
  | 'percent'
  | 'port'
  | 'host'
  | 'command'
  | 'name'
  | 'person'
  | 'known'
  | 'words';

/** An attribute, and how a note shows that it speaks of it. */
export interface Attribute {
  readonly id: string;
  /** `person`: of somebody; `project`: of a project, or of everything. */
  readonly of: 'person' | 'project';
  readonly value: ValueType;
  /** One of these words makes a note one of the attribute. */
  readonly words: RegExp;
  /** With one of these words it is about something else. */
  readonly not?: RegExp;
  /** Words that go with it and name no part of it. */
  readonly beside?: RegExp;
}

const home = (): Attribute => ({
  id: 'home',
  of: 'person',
  value: 'name',
  words: anyWord(
    [
      'home(?: town| city)?(?: is| in)?|(?:is |now )?(?:based|living|lives?|resid\\p{L}+|settled) (?:in|at)|flat|apartment|moved (?:to|from|house)|hometown|relocated',
      'wohnt|wohne|wohnhaft|wohnort|wohnsitz|lebt|zu ?hause|daheim|umgezogen|zieht|zog|gezogen|wohnung',
      'habite|réside|domicile|vit|demeure|logement|déménagé\\p{L}*',
      'vive|vivo|reside|domicilio|casa|mora|se mudó|se ha mudado|abita|risiede|piso',
      'живёт|живет|прожива\\p{L}+|переехал\\p{L}*|домашн\\p{L}+',
    ],
    [
      '自宅|住ま|住ん|住む|住所|在住|暮ら|引っ越|居住',
      '住在|住址|居住|家在|定居|搬到|搬家',
      '살고|삽니다|산다|거주|자택|집은|이사',
    ],
  ),
  not: anyWord(
    ['from home|home ?office|homeoffice|remote|conference|trip|holiday|office|hotel|school|tagung|urlaub|büro|hotel'],
    ['学会|旅行|出張|会议|酒店|회의|여행'],
  ),
});

const boss = (): Attribute => ({
  id: 'manager',
  of: 'person',
  value: 'person',
  words: anyWord(
    [
      'manager|boss|supervisor|(?:reports?|answers?) to|works (?:under|for)|line manager|superior|(?:heads|leads) (?:the|\\p{L}+) team',
      'vorgesetzte[rsnm]?|vorgesetzt|chefin|chef|berichtet an|führungskraft|teamleit\\p{L}+|leitet|urlaub genehmigt|genehmigt (?:den )?urlaub',
      'supérieure?|responsable hiérarchique|patronne?|relève de',
      'jef[ea]|superior|reporta a|supervisor[ae]?|chefe',
      'начальник\\p{L}*|руководител\\p{L}+|шеф\\p{L}*|подчиня\\p{L}+',
    ],
    ['上司|上長|部下|休暇の承認|直属', '上司|领导|主管|经理|汇报', '상사|팀장|매니저|보고'],
  ),
  beside: anyWord(
    ['holidays?|vacation|leave|requests?|team|urlaub|anträge|vacaciones|congés|отпуск\\p{L}*'],
    ['休暇|承認|チーム|请假|휴가'],
  ),
});

const editor = (): Attribute => ({
  id: 'editor',
  of: 'person',
  value: 'known',
  words: anyWord(
    [
      'editor|ide|key ?bindings?|edits? (?:code|text)|codes? in|writes? code',
      'editor|tastenkürzel|tastenbelegung|schreibt code|programmier\\p{L}+',
      'éditeur|raccourcis|programme',
      'editor|atajos|programa',
      'редактор\\p{L}*|пишет код',
    ],
    ['エディタ|キー操作|キーバインド|コードは|コードを書', '编辑器|快捷键|写代码', '에디터|편집기|단축키'],
  ),
  beside: anyWord(['machine|rechner|everyday|always'], ['編集|最近']),
});

const machine = (): Attribute => ({
  id: 'machine',
  of: 'person',
  value: 'known',
  words: anyWord(
    [
      'machine|laptop|notebook|computer|hardware|works on an?|desk',
      'rechner|laptop|notebook|computer|gerät|schreibtisch|arbeitet an|hardware',
      'ordinateur|portable|machine|matériel',
      'ordenador|portátil|computadora|máquina|equipo',
      'ноутбук\\p{L}*|компьютер\\p{L}*|машин\\p{L}+',
    ],
    ['パソコン|ノート|端末|機材|マシン|作業機', '电脑|笔记本|机器', '노트북|컴퓨터|장비'],
  ),
  beside: anyWord(['\\d+ ?(?:gb|tb)|gb|tb|ram|memory|everyday|arbeitsspeicher'], ['手元|普段|机|内存']),
});

const commute = (): Attribute => ({
  id: 'commute',
  of: 'person',
  value: 'known',
  words: anyWord(
    [
      '(?:way|ride|trip|journey|travels?|goes|gets?|comes?|rides?|drives?|walks?|cycles?) (?:\\p{L}+ )?(?:to|into) (?:\\p{L}+ )?(?:work|office)|to the office|to work|commut\\p{L}+|comes? (?:in|by|now)|gets? in|office',
      'arbeitsweg|ins büro|zur arbeit|kommt|fährt|pendelt|pendeln',
      'au travail|au bureau|trajet',
      'al trabajo|a la oficina|trayecto|ao trabalho',
      'на работу|в офис|добира\\p{L}+',
    ],
    ['通勤|会社|出社|職場|移動手段', '上班|通勤|公司', '출근|통근|회사'],
  ),
});

const bank = (): Attribute => ({
  id: 'bank',
  of: 'person',
  value: 'name',
  words: anyWord(
    [
      'banks?(?: with| at| is)?|(?:current |bank )?account(?: is| at| for \\p{L}+)?|banked',
      'hausbank|konto|girokonto|bank|bankverbindung|überweis\\p{L}+',
      'banque|compte',
      'banco|cuenta|conta',
      'банк\\p{L}*|сч[её]т',
    ],
    ['銀行|口座|振込|振り込み', '银行|账户|开户', '은행|계좌'],
  ),
  not: anyWord(
    ['service account|github|email account|account manager|login|data ?bank|datenbank|savings|sparkonto|user account'],
    ['サービスアカウント|数据银行'],
  ),
  beside: anyWord(['expenses?|salary|auslagen|gehalt|spesen'], ['経費|給料|工资|급여']),
});

const pet = (): Attribute => ({
  id: 'dog',
  of: 'person',
  value: 'name',
  words: anyWord(
    ['dog', 'hund|gassi|hündin', 'chien(?:ne)?', 'perr[oa]|cachorr[oa]|cane', 'собак\\p{L}*|п[её]с'],
    ['飼い犬|犬|散歩', '狗|遛', '강아지|개(?=[는를의])|반려견'],
  ),
  not: anyWord(['dogs|hunde|perros|chiens|hot dog|dogfood\\p{L}*'], ['热狗']),
  beside: anyWord(['walks?|noon|mittags?|spaziergang|evenings?'], ['昼|朝|夕方']),
});

const dayOff = (): Attribute => ({
  id: 'day off',
  of: 'person',
  value: 'weekday',
  words: anyWord(
    [
      "off|free|(?:does|do|will|is) ?(?:n['’]t|not) (?:work|plan meetings|working|available)|(?:no|without) (?:work|meetings)|day off|off-day|part-?time|don['’]t (?:plan|schedule|book)",
      'frei|freier|kein arbeitstag|arbeitsfrei|arbeitet nicht|teilzeit|keine termine|nichts planen|nichts einplanen',
      'libre|congé|ne travaille pas|repos|temps partiel',
      'libre|no trabaja|descans\\p{L}+|día libre|folga',
      'выходн\\p{L}+|не работает|свобод\\p{L}+',
    ],
    [
      '休み|休む|働かない|働きません|予定を入れない|非番|休業',
      '休息|不上班|不工作|放假|休',
      '쉬는|쉰다|쉽니다|휴무|일하지 않|일 안',
    ],
  ),
  beside: anyWord(['family|meetings?|familie|termine|famille|familia'], ['家族|予定|家庭|가족']),
});

const workStart = (): Attribute => ({
  id: 'start of work',
  of: 'person',
  value: 'time',
  words: anyWord(
    [
      '(?:starts?|begins?|sits? down|working day|(?:calls?|meetings?) before|day starts|in the office (?:at|from))',
      'dienstbeginn|arbeitsbeginn|arbeitet ab|fängt|beginnt|anrufe|startet|arbeitstag|geht los',
      'commence|début',
      'empieza|comienza|entra|começa|inizia',
      'начина\\p{L}+|начало',
    ],
    ['始業|仕事は|出勤|勤務|働き始め|業務開始|電話', '上班|开始工作|电话', '출근|업무 시작|시작|전화'],
  ),
  not: anyWord(
    [
      'stand-?up|daily|backups?|cron|jobs?|deploy\\p{L}*|release\\p{L}*|lunch|mittag\\p{L}*|(?:school|train|class|course|show|game|film) (?:starts|begins|leaves)|(?:schule|zug|kurs|film|spiel) (?:beginnt|fängt|fährt|startet)',
    ],
    ['朝会|学校|電車|备份|站会|점심'],
  ),
});

const answerStyle = (): Attribute => ({
  id: 'style of answers',
  of: 'person',
  value: 'words',
  words: anyWord(
    [
      'answers?|repl(?:y|ies)|respon(?:d|se|ses)|explanations?|explain(?:ing)?|write|style',
      'antworten|antwort|erklärungen|erklärung|stil|erklär\\p{L}*',
      'réponses?|explications?|style',
      'respuestas?|explicaciones|estilo|respostas?',
      'ответ\\p{L}*|объяснени\\p{L}*|стиль',
    ],
    ['返事|説明|回答|返答|答え', '回答|答复|解释|风格', '답변|설명|답'],
  ),
});

/** What is noted of a person. */
export const personAttributes: () => readonly Attribute[] = lazily(() => [
  boss(),
  editor(),
  machine(),
  bank(),
  pet(),
  commute(),
  dayOff(),
  workStart(),
  home(),
  answerStyle(),
]);

/** Words of a note that stand around a value and say nothing of it: of grammar, politeness and change. */
export const frameWords: () => RegExp = lazily(() =>
  anyWord(
    [
      'i|me|my|he|she|they|his|her|their|him|them|we|us|our|you|your|it|its|the|a|an|this|that|these|those|is|are|was|were|be|been|being|has|have|had|do|does|did|will|would|can|could|should|must|may|of|in|on|at|by|to|for|from|with|without|as|and|or|but|so|if|when|while|than|then|there|here|now|new|since|still|just|only|no|not|please|always|prefers?|likes?|wants?|uses?|using|used|got|gets?|goes|took|over|up|down|out|off|every|each|all|one|whole|more|longer|any|moved|changed|switched|left|since|best|own|ask|runs?|run|team|person|user|called|name|named|current|main|favou?rite|choice',
      'ich|er|sie|wir|der|die|das|dem|den|des|ein|eine[mnrs]?|ist|sind|war|waren|wird|wurde|hat|haben|am|an|im|in|mit|bei|zu|zum|zur|von|vom|für|auf|ab|aus|nach|um|und|oder|aber|also|da|dort|jetzt|nun|neu\\p{L}*|seit|nicht|kein\\p{L}*|mehr|sondern|bitte|immer|mag|will|nimmt|nutzt|dient|als|jeden|jede|einziger|alles|alle|uhr|gewünscht\\p{L}*|person|nutzer\\p{L}*|heißt',
      "je|il|elle|nous|le|la|les|un|une|des|du|de|est|sont|a|ont|dans|en|à|au|aux|avec|pour|par|sur|et|ou|mais|chaque|tous|désormais|maintenant|plus|pas|ne|utilise|préfère|s['’]appelle|utilisat\\p{L}+",
      'yo|él|ella|el|la|los|las|un|una|del|de|es|son|está|tiene|en|a|al|con|por|para|y|o|pero|cada|todos|ahora|ya|no|más|usa|prefiere|se|llama|usuari[oa]',
      'я|он|она|мы|это|в|на|с|со|по|за|к|у|от|до|из|и|или|но|не|теперь|есть|был\\p{L}*|использует|предпочитает|зовут|пользовател\\p{L}+',
    ],
    [
      '利用者|ユーザー|です|ます|した|して|いる|ある|なる|なった|こと|もの|ため|ので|から|まで|より|今は|今|新しい|毎週|毎日|名前|一匹|好み|仕方|希望|用户|使用|目前|现在|每|사용자|입니다|합니다|하는|있는|이름',
    ],
  ),
);

/** Ways to get somewhere, each under one name for all languages. */
export const transports: () => readonly (readonly [string, RegExp])[] = lazily(() => [
  [
    'bike',
    anyWord(
      ['bikes?|bicycle|cycl(?:e|es|ing)|fahrrad|rad|vélo|bici(?:cleta)?|велосипед\\p{L}*'],
      ['自転車|自行车|骑车|자전거'],
    ),
  ],
  [
    'foot',
    anyWord(['on foot|foot|walk(?:s|ing)?|zu fuß|à pied|a pie|a pé|пешком'], ['徒歩|歩いて|歩き|步行|走路|걸어|도보']),
  ],
  [
    'train',
    anyWord(['trains?|s-bahn|bahn|zug|tren|treno|trem|поезд\\p{L}*|электричк\\p{L}+'], ['電車|列車|火车|기차|전철']),
  ],
  ['subway', anyWord(['subway|metro|métro|underground|u-bahn|метро'], ['地下鉄|地铁|지하철'])],
  [
    'car',
    anyWord(
      ['cars?|driv(?:es?|ing)|auto|wagen|voiture|coche|carro|машин\\p{L}+'],
      ['車(?!両)(?<!自転車|電車|列車)|マイカー|汽车|开车|자동차|차로'],
    ),
  ],
  ['bus', anyWord(['bus(?:es)?|autobús|ônibus|автобус\\p{L}*'], ['バス|公交|버스'])],
  ['tram', anyWord(['trams?|straßenbahn|tranvía|трамва\\p{L}+'], ['路面電車|有轨电车|트램'])],
  ['ferry', anyWord(['ferry|ferries|boat|fähre|schiff|ferry|barco|паром\\p{L}*'], ['フェリー|船|渡轮|轮渡|페리'])],
  [
    'scooter',
    anyWord(
      ['scooter|e-?scooter|roller|tretroller|moped|patinete|самокат\\p{L}*'],
      ['スクーター|キックボード|滑板车|킥보드'],
    ),
  ],
  [
    'motorbike',
    anyWord(['motor(?:bike|cycle)|motorrad|moto(?:cicleta)?|мотоцикл\\p{L}*'], ['バイク|オートバイ|摩托车|오토바이']),
  ],
]);

/** What stands behind a name and makes it one. */
export const nameTitles: RegExp = /^(?:さん|氏|様|くん|ちゃん|先生|女士|씨|님)/u;

/** A name with such a title at the beginning of a text. */
export const titledNames: RegExp =
  /^([\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]{1,6})(?:さん|氏|様|くん|ちゃん|씨|님)/u;

/** Endings of Korean words that tell their part in the sentence. */
export const koreanParticles: RegExp = /(?:입니다|에서|으로|은|는|이|가|을|를|에|의|로|와|과)$/u;
