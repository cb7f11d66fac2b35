/** One small session in four languages, and the prompts that a summariser makes of it. */

import type { FakeRequest } from '@palimpsest/core/testing';
import { templates } from '../../packages/core/src/compression/ledger/templates.ts';
import type { Summarizer } from '../../packages/core/src/compression/summarize/summarizer.ts';
import { type WrittenSummary, writeSummary } from '../../packages/core/src/compression/summarize/write-summary.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';
import { assistant, call, result, user } from '../support/conversations.ts';

export const languages = ['en', 'zh', 'ja', 'ko'] as const;
export type Language = (typeof languages)[number];

/** What is said in a session. */
interface Lines {
  readonly rule: string;
  readonly found: string;
  readonly question: string;
}

const lines: Readonly<Record<Language, Lines>> = {
  en: {
    rule: 'Make the importer accept empty rows. Never change the file format.',
    found: 'The importer stops at the first empty row. I will skip such rows.',
    question: 'Can we also read files with 1200 columns?',
  },
  zh: {
    rule: '请让导入程序接受空行。不要修改文件格式。',
    found: '导入程序在遇到第一个空行时就停止了，我会跳过这些行。',
    question: '我们还能读取有 1200 列的文件吗？',
  },
  ja: {
    rule: 'インポーターが空の行を受け入れるようにしてください。ファイル形式は変更しないでください。',
    found: 'インポーターは最初の空行で止まります。その行を読み飛ばすようにします。',
    question: '1200 列のファイルも読めますか？',
  },
  ko: {
    rule: '가져오기 프로그램이 빈 행을 받아들이게 해 주세요. 파일 형식은 변경하지 마세요.',
    found: '가져오기 프로그램이 첫 번째 빈 행에서 멈춥니다. 그런 행은 건너뛰겠습니다.',
    question: '1200개의 열이 있는 파일도 읽을 수 있나요?',
  },
};

/** The session; `page` is what a web page says that the assistant opened. */
export function sessionIn(
  language: Language,
  page = 'Empty rows are common in exports of version 2.4.1.',
): readonly Message[] {
  const { rule, found, question } = lines[language];
  const asks = (id: string, name: string, input: object): Message => ({
    role: 'assistant',
    parts: [call(id, name, input)],
  });
  return [
    user(rule),
    asks('c1', 'read_file', { path: 'src/import/rows.ts' }),
    result('c1', 'export function rows(text: string) {\n  return text.split("\\n");\n}'),
    assistant(found),
    asks('c2', 'bash', { command: 'npm test -- rows' }),
    result('c2', JSON.stringify({ output: 'Error: unexpected end of row\n1 failed, 11 passed', exit_code: 1 })),
    asks('c3', 'fetch', { url: 'https://example.org/rows' }),
    result('c3', page),
    asks('c4', 'bash', { command: 'npm test -- rows --all' }),
    result('c4', JSON.stringify({ output: '12 passed', exit_code: 0 })),
    user(question),
  ];
}

/** Has a port write the summary of a session. */
export function summaryBy(summarizer: Summarizer, messages: readonly Message[]): Promise<WrittenSummary> {
  return writeSummary({
    messages: messages.map((message, at) => ({ ref: `m${at + 1}`, message })),
    template: templates.handoff,
    budgetTokens: 1_000,
    focusMessages: 0,
    count: (text) => Math.ceil(text.length / 3),
    summarizer,
  });
}

/** A request that carries a prompt, as a script sees it. */
export const requestWith = (prompt: string): FakeRequest => ({
  number: 1,
  dialect: 'openai-chat',
  method: 'POST',
  path: '/v1/chat/completions',
  headers: {},
  body: {},
  model: 'm',
  stream: false,
  messages: [user(prompt)],
  status: undefined,
  aborted: false,
  ended: Promise.resolve(),
});

/** The prompt that a session leads to. */
export async function promptOf(messages: readonly Message[]): Promise<string> {
  let seen = '';
  const spy: Summarizer = {
    name: 'spy/prompt',
    write: async ({ prompt }) => {
      seen = prompt;
      return { text: '## Goal\nNothing else is asked here than to look at the prompt of this call.', finish: 'stop' };
    },
  };
  await summaryBy(spy, messages).catch(() => undefined);
  return seen;
}
