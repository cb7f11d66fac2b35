/** How Korean says that something passed, failed, was fixed, deleted, pushed; and how it says that it was not. */
import { forVerbs, type PhraseTable, type Status, type StatusPhrase } from './status.ts';

/** Nouns that `하다` and `되다` make verbs. */
const verbs: Readonly<Partial<Record<Status, string>>> = {
  fixed: '수정|해결|복구|교정',
  deleted: '삭제|제거',
  created: '생성|작성|신설',
  changed: '변경|업데이트|갱신|추가|편집|구현|리팩터링|리팩토링|교체|이동|반영|적용',
  committed: '커밋|commit',
  pushed: '푸시|push',
  merged: '병합|머지|merge',
  released: '배포|릴리스|게시|출시',
  installed: '설치',
  done: '완료|종료|실행|검증|테스트|확인|처리|마무리',
  kept: '보존|유지',
  stopped: '중지|중단',
  passed: '통과|성공|pass',
  failed: '실패|fail',
};

const words = (source: string): RegExp => new RegExp(source, 'gi');

/** The word ends here. */
const end = '(?=$|[\\s.,;:!?)\\]|」』…—✅❌·"\'-])';

/** Endings that affirm, with the ending that denies. */
const affirmations: readonly (readonly [string, string])[] = [
  ['했습니다', '하지 않았습니다'],
  ['하였습니다', '하지 않았습니다'],
  ['했다', '하지 않았다'],
  ['하였다', '하지 않았다'],
  ['했음', '하지 않음'],
  ['했고', '하지 않았고'],
  ['했으며', '하지 않았으며'],
  ['했지만', '하지 않았지만'],
  ['했으나', '하지 않았으나'],
  ['했어요', '하지 않았어요'],
  ['함', '하지 않음'],
  ['되었습니다', '되지 않았습니다'],
  ['됐습니다', '되지 않았습니다'],
  ['되었다', '되지 않았다'],
  ['됐다', '되지 않았다'],
  ['되었음', '되지 않음'],
  ['됐음', '되지 않음'],
  ['되었고', '되지 않았고'],
  ['되었으며', '되지 않았으며'],
  ['되었지만', '되지 않았지만'],
  ['되어 있다', '되어 있지 않다'],
  ['되어 있습니다', '되어 있지 않습니다'],
  ['돼 있다', '돼 있지 않다'],
  ['됨', '되지 않음'],
];

const denialEnding = '(?:았습니다|았다|았음|았고|았으며|았지만|았으나|는다|습니다|다|음|고|아|으며)';

const affirmative: ReadonlyMap<string, string> = new Map([
  ['하지 않았습니다', '했습니다'],
  ['하지 않았다', '했다'],
  ['하지 않음', '함'],
  ['하지 않았음', '했음'],
  ['되지 않았습니다', '되었습니다'],
  ['되지 않았다', '되었다'],
  ['되지 않음', '됨'],
  ['되지 않았음', '되었음'],
  ['하지 못했습니다', '했습니다'],
  ['하지 못했다', '했다'],
  ['하지 못함', '함'],
  ['되지 못했다', '되었다'],
]);

function affirmed(text: string): string | undefined {
  for (const [denial, ending] of affirmative)
    if (text.endsWith(denial))
      return (
        text
          .slice(0, -denial.length)
          .replace(/^아직\s*/, '')
          .trimEnd() + ending
      );
  return undefined;
}

function denied(text: string): string | undefined {
  const found = affirmations.find(([ending]) => text.endsWith(ending));
  return found && text.slice(0, -found[0].length) + found[1];
}

const swapped = (text: string): string | undefined =>
  text.includes('통과')
    ? text.replace('통과', '실패')
    : text.includes('성공')
      ? text.replace('성공', '실패')
      : text.includes('실패')
        ? text.replace('실패', '성공')
        : undefined;

function verbPhrases(verb: string, status: Status, opposite: Status): readonly StatusPhrase[] {
  const outcome = status === 'passed' || status === 'failed';
  const yes = affirmations.map(([ending]) => ending).join('|');
  const present = outcome ? '|한다|합니다|하고 있다|하고 있습니다|하는 중이다|해요' : '';
  return [
    ...denials(verb, opposite, outcome),
    {
      words: words(
        `${verb}(?:에|이|가)? ?실패(?:했다|했습니다|함|했음|했고|했지만|하였다|한다|합니다|)${end}(?! (?:시|메시지|원인|사유|케이스|로그|처리|화면))`,
      ),
      status: 'failed',
      turned: (text) => text.replace('실패', '성공'),
    },
    {
      words: words(
        `${verb}[을를이가은는]? ?(?:해야|되어야|돼야|할 예정|될 예정|할 계획|하려고|하려면|하면|되면|할 필요|이 필요|하도록|되도록|할 것|될 것|할 수|될 수|하세요|하십시오|하기로|해 주세요)`,
      ),
      status,
      hedged: true,
    },
    {
      words: words(`${verb}[을를이가은는도]? ?(?:${yes}${present})${end}`),
      status,
      turned: outcome ? swapped : denied,
    },
    {
      words: words(`${verb} ?완료(?:됨|했다|했습니다|함|되었습니다|되었다|했음|)${end}`),
      status,
      turned: (text) => (/완료$/.test(text) ? text.replace(/ ?완료$/, ' 미완료') : undefined),
    },
    ...(outcome || status === 'done'
      ? [
          {
            words: words(
              `(?<![\\uac00-\\ud7a3]|다시 |까지 )${verb}(?:이다|입니다|임)?(?=\\s*(?:$|[.,;)\\]|」(✅❌·]))`,
            ),
            status,
            turned: outcome ? swapped : (text: string) => (text === '완료' ? '미완료' : undefined),
          },
        ]
      : []),
  ];
}

/** `하지 않았다`, `못했다`, `안 됨`, `미완료`. */
function denials(verb: string, opposite: Status, outcome: boolean): readonly StatusPhrase[] {
  return [
    {
      words: words(
        `(?:아직 )?${verb}[을를이가은는도]? ?(?:하지|되지|하지는|되지는|되어 있지|돼 있지) ?않${denialEnding}${end}`,
      ),
      status: opposite,
      negated: true,
      turned: affirmed,
    },
    {
      words: words(
        `(?:아직 )?${verb}[을를이가은는도]? ?(?:하지|되지|하지는|되지는) ?못(?:했습니다|했다|함|했음|했고|했으며|했지만|하고|한다|합니다)${end}`,
      ),
      status: opposite,
      negated: true,
      turned: affirmed,
    },
    {
      words: words(`${verb}[을를이가은는도]? ?(?:안|못) ?(?:됨|함|했다|했음|됐다|됐음|했습니다|됐습니다|되었다)${end}`),
      status: opposite,
      negated: true,
    },
    { words: words(`안 ${verb}(?:했다|했음|됐다|됨|됐음)${end}`), status: opposite, negated: true },
    {
      words: words(
        `(?<![\\uac00-\\ud7a3])미${verb}(?:됨|임|이다|입니다|)${end}(?! (?:작업|항목|파일|변경|이슈|버그|요청|목록|건))`,
      ),
      status: opposite,
      negated: true,
      turned: (text) => (outcome ? undefined : `${text.slice(1).replace(/(?:됨|임|이다|입니다)$/, '')}됨`),
    },
  ];
}

const own: readonly StatusPhrase[] = [
  {
    words: words(
      `(?:오류|에러|실패|예외)로 (?:종료|끝|중단)(?:했다|됐다|되었다|났다|났습니다|됨|남|되었습니다|했습니다|)${end}`,
    ),
    status: 'failed',
  },
  {
    words: words(`(?:오류|에러|예외)[를을]? ?(?:보고|발생|출력)(?:했다|했습니다|함|됨|)${end}(?! (?:시|메시지|원인))`),
    status: 'failed',
  },
  { words: words(`(?<=[(:—→|]\\s{0,2})새 ?파일(?=\\s*(?:$|[.,)|]))`), status: 'created' },
  { words: words(`(?:변경|수정|변화) ?(?:없음|없다|없습니다)${end}`), status: 'unchanged', negated: true },
  {
    words: words(
      `(?:아직 |여전히 )?(?:존재한다|존재합니다|존재함|그대로 있다|그대로 있습니다|남아 있다|남아 있습니다)${end}`,
    ),
    status: 'kept',
    current: true,
  },
  { words: words(`더 ?이상 (?:존재하지 않|없)(?:는다|음|습니다|다|았다)${end}`), status: 'deleted', current: true },
  {
    words: words(`(?:실행|수행|완료|시작|착수)(?:된|한) 적이? 없(?:다|음|습니다)${end}`),
    status: 'undone',
    negated: true,
  },
  {
    words: words(`(?:아직 )?(?:끝나지|시작되지|시작하지|착수하지) ?않${denialEnding}${end}`),
    status: 'undone',
    negated: true,
  },
  {
    words: words(`(?:끝났다|끝났습니다|끝남|끝냈다|마쳤다|마쳤습니다|마침)${end}`),
    status: 'done',
    turned: (text) => (text === '끝났다' ? '끝나지 않았다' : undefined),
  },
  { words: words(`(?<=[(:—→|]\\s{0,2})(?:대기|보류|할 ?일|미정)(?=\\s*(?:$|[.,)|]))`), status: 'undone', hedged: true },
  {
    words: words(
      '(?:오류|에러|실패|문제|경고|회귀)[가는은도]? ?(?:없음|없이|없다|없습니다|없었다|없었음|없었습니다|없고)(?![\\uac00-\\ud7a3])',
    ),
    status: 'passed',
    negated: true,
  },
  {
    words: words('(?<!\\d)0 ?[건개]?(?:의)? ?(?:실패|오류)|(?:실패|오류) ?:? ?0 ?[건개]?(?!\\d)'),
    status: 'passed',
    negated: true,
  },
  {
    words: words(
      `(?:오류|에러)[가는] (?:발생했다|발생했습니다|발생함|났다|났습니다|남아 있다|남아 있습니다|발생한다)${end}`,
    ),
    status: 'failed',
  },
  {
    words: words(`(?:고쳐지지|고치지) ?(?:않${denialEnding}|못(?:했다|했습니다|함|했음))${end}`),
    status: 'unfixed',
    negated: true,
    turned: (text) =>
      text.endsWith('않았다')
        ? text.replace(/고쳐지지 ?않았다/, '고쳐졌다').replace(/고치지 ?않았다/, '고쳤다')
        : undefined,
  },
  {
    words: words(`(?:고쳤다|고쳤습니다|고침|고쳐졌다|고쳐졌습니다|고쳐짐|고쳤고)${end}`),
    status: 'fixed',
    turned: (text) => (text === '고쳤다' ? '고치지 않았다' : text === '고쳐졌다' ? '고쳐지지 않았다' : undefined),
  },
  { words: words(`지우지 ?(?:않${denialEnding}|못했다)${end}`), status: 'kept', negated: true },
  {
    words: words(`(?:지웠다|지웠습니다|지움|지워졌다)${end}`),
    status: 'deleted',
    turned: (text) => (text === '지웠다' ? '지우지 않았다' : undefined),
  },
  {
    words: words(`(?:남겨 ?(?:두었다|뒀다|둠|두었습니다)|그대로 (?:두었다|뒀다|둠|두었습니다|남아 있다))${end}`),
    status: 'kept',
  },
  { words: words(`만들지 ?(?:않${denialEnding}|못했다)${end}`), status: 'uncreated', negated: true },
  {
    words: words(`(?:만들었다|만들었습니다|만듦)${end}`),
    status: 'created',
    turned: (text) => (text === '만들었다' ? '만들지 않았다' : undefined),
  },
  { words: words(`(?:바꾸지|건드리지) ?않${denialEnding}${end}`), status: 'unchanged', negated: true },
  {
    words: words(`(?:바꿨다|바꾸었다|바꿨습니다|바꿈)${end}`),
    status: 'changed',
    turned: (text) => (text === '바꿨다' ? '바꾸지 않았다' : undefined),
  },
  { words: words(`(?:작동|동작)하지 ?않${denialEnding}${end}`), status: 'failed', negated: true, current: true },
  { words: words(`(?:정상 ?)?(?:작동|동작)(?:한다|합니다|함)${end}`), status: 'passed', current: true },
  { words: words(`(?:실행|동작|구동|가동) 중(?:이다|입니다|임|)${end}`), status: 'running', current: true },
  {
    words: words(`(?:진행|작업|수정|조사|보류|대기|처리) 중(?:이다|입니다|임|)${end}|미착수`),
    status: 'undone',
    hedged: true,
  },
  { words: words(`깨(?:졌다|졌습니다|짐|진다|져 있다)${end}`), status: 'failed' },
];

/** Korean. */
export const koreanStatuses: PhraseTable = {
  phrases: [...own, ...forVerbs(verbs, verbPhrases)],
  before: /만약|만일|추후|앞으로|다음 ?단계/,
  after: /^\s*(?:시(?:에|\s)|후(?:에)? |때|경우|는지|예정|필요|여부|가능성|것으로 (?:보|예상))/,
  now: /현재|지금|아직|여전히|모두|모든|전부/,
};
