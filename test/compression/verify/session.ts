/**
 * A short session that the tests of the verifier hold summaries against: a person, in one of four languages, has a
 * small web service changed; the same things happen in each language.
 */
import type { Message, Part } from '../../../packages/core/src/transcript/message.ts';

export type Language = 'en' | 'zh' | 'ja' | 'ko';
export const languages: readonly Language[] = ['en', 'zh', 'ja', 'ko'];

/** What the person said: what to do, a rule, an answer, and a last question. */
export const said: Readonly<
  Record<Language, { readonly task: string; readonly rule: string; readonly remark: string; readonly question: string }>
> = {
  en: {
    task: 'Add a rate limit of 120 requests a minute to src/server/limiter.ts and cover it with tests.',
    rule: 'Never touch the file config/limits.json without asking me first.',
    remark: 'The counter should reset on the full minute.',
    question: 'Which response header tells the client how long to wait?',
  },
  zh: {
    task: '请在 src/server/limiter.ts 里加入每分钟 120 次请求的限流，并补上测试。',
    rule: '没有先问过我，绝对不要改动 config/limits.json 文件。',
    remark: '计数器应该在整分钟时清零。',
    question: '哪个响应头告诉客户端要等待多久？',
  },
  ja: {
    task: 'src/server/limiter.ts に毎分 120 リクエストの流量制限を追加して、テストも書いてください。',
    rule: '私に確認せずに config/limits.json を変更しないでください。',
    remark: 'カウンターは毎分ちょうどにリセットしてほしい。',
    question: 'クライアントの待ち時間を伝えるレスポンスヘッダーはどれですか？',
  },
  ko: {
    task: 'src/server/limiter.ts 에 분당 120회 요청 제한을 추가하고 테스트도 작성해 주세요.',
    rule: '먼저 나에게 묻지 않고 config/limits.json 파일을 건드리지 마세요.',
    remark: '카운터는 매 정각 분에 초기화되어야 합니다.',
    question: '클라이언트가 얼마나 기다려야 하는지 알려 주는 응답 헤더는 무엇인가요?',
  },
};

const text = (role: 'user' | 'assistant', words: string): Message => ({ role, parts: [{ type: 'text', text: words }] });

/** A call and its result; a failed one exits with 1. */
function step(callId: string, call: { readonly command: string; readonly output: string; readonly failed?: true }) {
  const { command, output, failed } = call;
  const run: Part = { type: 'toolCall', callId, name: 'bash', input: JSON.stringify({ command }), inputType: 'json' };
  const result: Part = {
    type: 'toolResult',
    callId,
    content: [{ type: 'text', text: output }],
    ...(failed ? { isError: true } : {}),
  };
  return [
    { role: 'assistant', parts: [run] },
    { role: 'tool', parts: [result] },
  ] as const satisfies readonly Message[];
}

/** The session in a language: m1 task, m2–m5 two steps, m6 rule, m7 remark, m8–m15 four steps, m16 report, m17 question. */
export function sessionIn(language: Language): readonly Message[] {
  const { task, rule, remark, question } = said[language];
  return [
    text('user', task),
    ...step('c1', {
      command: 'cat src/server/limiter.ts',
      output: 'export function createLimiter(perMinute: number) {}',
    }),
    ...step('c2', {
      command: 'npm test -- limiter',
      output: 'not ok 3 - rejects the call above the limit\nError: expected 429, got 200\n# pass 17\n# fail 1',
      failed: true,
    }),
    text('user', rule),
    text('user', remark),
    ...step('c3', {
      command: "cat > src/server/limiter.ts <<'END'\nexport function createLimiter(perMinute = 120) {}\nEND",
      output: '',
    }),
    ...step('c4', { command: 'npm test -- limiter', output: '# tests 18\n# pass 18\n# fail 0\n# duration_ms 412' }),
    ...step('c5', {
      command: 'git commit -am "Limit the rate of requests"',
      output: '[feature/rate-limit 4f2a91c] Limit the rate of requests\n 2 files changed, 57 insertions(+)',
    }),
    ...step('c6', {
      command: 'git push origin feature/rate-limit',
      output: "error: failed to push some refs to 'https://git.example.org/team/service.git'",
      failed: true,
    }),
    text('assistant', 'The limiter of version 2.4.1 rejects the 121st request with 429; pushing failed.'),
    text('user', question),
  ];
}
