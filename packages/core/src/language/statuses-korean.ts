/** How Korean says that something passed, failed, was fixed, deleted, pushed; and how it says that it was not. */
import {
  forVerbs,
  type Status,
  type StatusPhrase,
  type StatusVerbs,
  type StatusWords,
  statusPatterns,
} from './status.ts';

/** Nouns that `하다` and `되다` make verbs. */
const verbs: StatusVerbs = {
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

/** The word ends here. */
const end = '(?=$|[\\s.,;:!?)\\]|」』…—✅❌·"\'-])';

const affirmations =
  '했습니다|하였습니다|했다|하였다|했음|했고|했으며|했지만|했으나|했어요|함|되었습니다|됐습니다|되었다|됐다|되었음|됐음|되었고|되었으며|되었지만|되어 있다|되어 있습니다|돼 있다|됨';

const denialEnding = '(?:았습니다|았다|았음|았고|았으며|았지만|았으나|는다|습니다|다|음|고|아|으며)';

function verbPhrases(verb: string, status: Status, opposite: Status): readonly StatusPhrase[] {
  const outcome = status === 'passed' || status === 'failed';
  const present = outcome ? '|한다|합니다|하고 있다|하고 있습니다|하는 중이다|해요' : '';
  const alone: StatusPhrase = [
    status,
    `(?<![\\uac00-\\ud7a3]|다시 |까지 )${verb}(?:이다|입니다|임)?(?=\\s*(?:$|[.,;)\\]|」(✅❌·]))`,
  ];
  return [
    // `하지 않았다`, `못했다`, `안 됨`, `미완료`.
    [
      opposite,
      `(?:아직 )?${verb}[을를이가은는도]? ?(?:하지|되지|하지는|되지는|되어 있지|돼 있지) ?않${denialEnding}${end}`,
    ],
    [
      opposite,
      `(?:아직 )?${verb}[을를이가은는도]? ?(?:하지|되지|하지는|되지는) ?못(?:했습니다|했다|함|했음|했고|했으며|했지만|하고|한다|합니다)${end}`,
    ],
    [opposite, `${verb}[을를이가은는도]? ?(?:안|못) ?(?:됨|함|했다|했음|됐다|됐음|했습니다|됐습니다|되었다)${end}`],
    [opposite, `안 ${verb}(?:했다|했음|됐다|됨|됐음)${end}`],
    [
      opposite,
      `(?<![\\uac00-\\ud7a3])미${verb}(?:됨|임|이다|입니다|)${end}(?! (?:작업|항목|파일|변경|이슈|버그|요청|목록|건))`,
    ],
    [
      'failed',
      `${verb}(?:에|이|가)? ?실패(?:했다|했습니다|함|했음|했고|했지만|하였다|한다|합니다|)${end}(?! (?:시|메시지|원인|사유|케이스|로그|처리|화면))`,
    ],
    [
      status,
      `${verb}[을를이가은는]? ?(?:해야|되어야|돼야|할 예정|될 예정|할 계획|하려고|하려면|하면|되면|할 필요|이 필요|하도록|되도록|할 것|될 것|할 수|될 수|하세요|하십시오|하기로|해 주세요)`,
      'open',
    ],
    [status, `${verb}[을를이가은는도]? ?(?:${affirmations}${present})${end}`],
    [status, `${verb} ?완료(?:됨|했다|했습니다|함|되었습니다|되었다|했음|)${end}`],
    ...(outcome || status === 'done' ? [alone] : []),
  ];
}

const own: readonly StatusPhrase[] = [
  [
    'failed',
    `(?:오류|에러|실패|예외)로 (?:종료|끝|중단)(?:했다|됐다|되었다|났다|났습니다|됨|남|되었습니다|했습니다|)${end}`,
  ],
  ['failed', `(?:오류|에러|예외)[를을]? ?(?:보고|발생|출력)(?:했다|했습니다|함|됨|)${end}(?! (?:시|메시지|원인))`],
  ['created', `(?<=[(:—→|]\\s{0,2})새 ?파일(?=\\s*(?:$|[.,)|]))`],
  ['unchanged', `(?:변경|수정|변화) ?(?:없음|없다|없습니다)${end}`],
  [
    'kept',
    `(?:아직 |여전히 )?(?:존재한다|존재합니다|존재함|그대로 있다|그대로 있습니다|남아 있다|남아 있습니다)${end}`,
    'now',
  ],
  ['deleted', `더 ?이상 (?:존재하지 않|없)(?:는다|음|습니다|다|았다)${end}`, 'now'],
  ['undone', `(?:실행|수행|완료|시작|착수)(?:된|한) 적이? 없(?:다|음|습니다)${end}`],
  ['undone', `(?:아직 )?(?:끝나지|시작되지|시작하지|착수하지) ?않${denialEnding}${end}`],
  ['done', `(?:끝났다|끝났습니다|끝남|끝냈다|마쳤다|마쳤습니다|마침)${end}`],
  ['undone', `(?<=[(:—→|]\\s{0,2})(?:대기|보류|할 ?일|미정)(?=\\s*(?:$|[.,)|]))`, 'open'],
  [
    'passed',
    '(?:오류|에러|실패|문제|경고|회귀)[가는은도]? ?(?:없음|없이|없다|없습니다|없었다|없었음|없었습니다|없고)(?![\\uac00-\\ud7a3])',
  ],
  ['passed', '(?<!\\d)0 ?[건개]?(?:의)? ?(?:실패|오류)|(?:실패|오류) ?:? ?0 ?[건개]?(?!\\d)'],
  [
    'failed',
    `(?:오류|에러)[가는] (?:발생했다|발생했습니다|발생함|났다|났습니다|남아 있다|남아 있습니다|발생한다)${end}`,
  ],
  ['unfixed', `(?:고쳐지지|고치지) ?(?:않${denialEnding}|못(?:했다|했습니다|함|했음))${end}`],
  ['fixed', `(?:고쳤다|고쳤습니다|고침|고쳐졌다|고쳐졌습니다|고쳐짐|고쳤고)${end}`],
  ['kept', `지우지 ?(?:않${denialEnding}|못했다)${end}`],
  ['deleted', `(?:지웠다|지웠습니다|지움|지워졌다)${end}`],
  ['kept', `(?:남겨 ?(?:두었다|뒀다|둠|두었습니다)|그대로 (?:두었다|뒀다|둠|두었습니다|남아 있다))${end}`],
  ['uncreated', `만들지 ?(?:않${denialEnding}|못했다)${end}`],
  ['created', `(?:만들었다|만들었습니다|만듦)${end}`],
  ['unchanged', `(?:바꾸지|건드리지) ?않${denialEnding}${end}`],
  ['changed', `(?:바꿨다|바꾸었다|바꿨습니다|바꿈)${end}`],
  ['failed', `(?:작동|동작)하지 ?않${denialEnding}${end}`, 'now'],
  ['passed', `(?:정상 ?)?(?:작동|동작)(?:한다|합니다|함)${end}`, 'now'],
  ['running', `(?:실행|동작|구동|가동) 중(?:이다|입니다|임|)${end}`, 'now'],
  ['undone', `(?:진행|작업|수정|조사|보류|대기|처리) 중(?:이다|입니다|임|)${end}|미착수`, 'open'],
  ['failed', `깨(?:졌다|졌습니다|짐|진다|져 있다)${end}`],
];

/** Korean. */
export const koreanStatuses: StatusWords = {
  patterns: statusPatterns([...own, ...forVerbs(verbs, verbPhrases)]),
  before: /만약|만일|추후|앞으로|다음 ?단계/,
  after: /^\s*(?:시(?:에|\s)|후(?:에)? |때|경우|는지|예정|필요|여부|가능성|것으로 (?:보|예상))/,
  now: /현재|지금|아직|여전히|모두|모든|전부/,
};
