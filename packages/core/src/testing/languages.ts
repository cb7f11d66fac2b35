/** The four languages that the fake writes and lies in, and what it needs to say in each. */

/** A language of the fake. */
export type Language = 'en' | 'zh' | 'ja' | 'ko';

/** The language of a text by its script; English for everything that is none of the others. */
export function languageOf(text: string): Language {
  const hangul = count(text, /[\uac00-\ud7af]/g);
  const kana = count(text, /[\u3040-\u30ff]/g);
  const han = count(text, /[\u4e00-\u9fff]/g);
  const latin = count(text, /[A-Za-z]+/g);
  if (hangul + kana + han === 0 || latin > 4 * (hangul + kana + han)) return 'en';
  if (hangul >= kana + han) return 'ko';
  return kana * 8 > han ? 'ja' : 'zh';
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** The phrases of a faithful summary. */
export interface Phrases {
  readonly none: string;
  readonly noUser: string;
  /** How a call is told, with its outcome. */
  readonly ran: (what: string, outcome: string) => string;
  readonly ok: string;
  readonly failed: string;
  readonly unknown: string;
  readonly underWay: string;
  readonly unsolved: (what: string) => string;
}

const noUser = 'None (no user messages)';

/** By language. */
export const phrases: Readonly<Record<Language, Phrases>> = {
  en: {
    none: 'None',
    noUser,
    ran: (what, outcome) => `Ran ${what}: ${outcome}`,
    ok: 'succeeded',
    failed: 'failed',
    unknown: 'outcome not recorded',
    underWay: 'Under way.',
    unsolved: (what) => `${what} failed and nothing has solved it yet`,
  },
  zh: {
    none: 'None',
    noUser,
    ran: (what, outcome) => `运行 ${what}：${outcome}`,
    ok: '成功',
    failed: '失败',
    unknown: '结果没有记录',
    underWay: '正在进行。',
    unsolved: (what) => `${what} 失败，原因还没有解决`,
  },
  ja: {
    none: 'None',
    noUser,
    ran: (what, outcome) => `${what} を実行：${outcome}`,
    ok: '成功',
    failed: '失敗',
    unknown: '結果の記録なし',
    underWay: '作業中。',
    unsolved: (what) => `${what} が失敗したままで、まだ解決していない`,
  },
  ko: {
    none: 'None',
    noUser,
    ran: (what, outcome) => `${what} 실행: ${outcome}`,
    ok: '성공',
    failed: '실패',
    unknown: '결과 기록 없음',
    underWay: '진행 중.',
    unsolved: (what) => `${what} 실패, 아직 해결되지 않음`,
  },
};

/** Words by which a person lays down a rule, in any of the languages. */
export const ruleWords: RegExp =
  /\b(?:never|always|must|don't|do not|only|without|no new)\b|不要|不得|必须|请勿|禁止|务必|必ず|しないで|禁止|だけ|항상|반드시|하지\s?마|금지|말고/i;
