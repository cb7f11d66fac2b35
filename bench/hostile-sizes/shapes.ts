/** Texts that make slow programs slow: one piece again and again, most of them with a number that makes it another one. */
import type { Message } from '@palimpsest/core';

const signs: Readonly<Record<string, (at: number) => string>> = {
  'one letter': () => 'a',
  'line breaks': () => '\n',
  'carriage returns': () => '\r',
  blanks: () => ' ',
  tabs: () => '\t',
  'blanks and line breaks': () => ' \n',
  'wide blanks': () => '\u00a0\u3000',
  backticks: () => '`',
  'fences that open': (at) => `\`\`\`ts\nconst a${at} = ${at};\n`,
  'fences alone': () => '```\n',
  quotes: () => '"',
  apostrophes: () => "'",
  'quotes and apostrophes': () => `'"`,
  'curly quotes that open': () => '“',
  'quotes never closed': (at) => `"unclosed ${at}\n`,
  'quotes of the user': (at) => `The user said "please do thing ${at} with the importer now".\n`,
  'quotes in one line': (at) => `"please do thing ${at} now" `,
  'round brackets that open': () => '(',
  'brackets that open': () => '([{<',
  'brackets that close': () => ')]}>',
  'brackets that open and close': () => '[]',
  'objects in objects': () => '{"a":',
  'lists in lists': () => '[',
  'first headings': () => '#',
  headings: (at) => `## Heading ${at}\n`,
  'one heading': () => '## Active Task\n',
  bullets: (at) => `- Changed src/module${at}/file${at}.ts at line ${at} with 'quoted ${at}' and m${at % 2000}\n`,
  'empty bullets': () => '- \n',
  'bullets in bullets': (at) => `${' '.repeat(at % 400)}- item ${at}\n`,
  'rows of the user': (at) => `m${at + 1} user: Please look at case ${at} of the importer.\n`,
  'rows of m1': () => 'm1 user: again\n',
  'rows of steps': (at) => `m${at + 1} read src/case-${at}.ts → ok\n + names here foo_bar${at}\n`,
  'numbered items': (at) => `${at + 1}. Ran npm test in src/${at} and it failed with exit code ${at % 256}\n`,
  'names and values': (at) => `key${at}=value${at} `,
  addresses: (at) => `https://example.com/${at}/path?query=${at}#part `,
  'one address': () => 'http://a',
  paths: (at) => `/usr/lib/module${at}/src/file_${at}.test.ts `,
  'one path': () => '/a',
  'relative paths': () => '../',
  'path of blanks': () => 'a / b \\ ',
  'tags that open': (at) => `<tag${at % 50}>`,
  'comments that open': () => '<!--',
  'thoughts that open': () => '<think>',
  'reminders that open': () => '<system-reminder>\n',
  'facts that open': () => '<facts>\n',
  'summaries that open': () => '<part-summary>',
  'summaries half open': () => '<part-summary ',
  'records of calls': (at) => `[m${at + 1} TOOL CALL bash${at}]\nnpm test\n`,
  'one record again': () => '[m1 TOOL CALL bash]\n',
  'results without calls': () => '[m1 TOOL RESULT bash → failed]\n',
  'calls that fail': (at) => `[m${at + 1} TOOL CALL bash]\nls ${at}\n[m${at + 1} TOOL RESULT bash → failed, exit 1]\n`,
  'labels of blanks': (at) =>
    at === 0 ? '[m1 TOOL CALL a' : at < 400_000 ? ' ' : at === 400_000 ? 'b]\n' : '## Goal\n',
};

const rows: Readonly<Record<string, (at: number) => string>> = {
  base64: (at) =>
    Buffer.from(`${at * 7919} bytes ${at}`)
      .toString('base64')
      .replace(/=/g, ''),
  'base64 of an image': (at) => (at === 0 ? 'data:image/png;base64,' : 'iVBORw0KGgoAAAANSUhEUg'),
  hexadecimal: (at) => (at * 2_654_435_761).toString(16),
  digits: () => '1',
  numbers: (at) => `${at} `,
  'digits and marks': () => '1,',
  CJK: (at) => `请修改解析器第${at}行，然后运行测试。`,
  'CJK without marks': (at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
  Hangul: (at) => `파일 ${at}을 수정하고 테스트를 실행해 주세요. `,
  Thai: () => 'กรุณาแก้ไขไฟล์',
  emoji: () => '👨‍👩‍👧‍👦',
  joiners: () => '\u200d',
  'combining marks': () => 'e\u0301\u0302\u0303',
  'marks alone': () => '\u0301',
  'lone surrogates': () => '\ud800',
  'surrogates in the wrong order': () => '\udc00\ud83d',
  'right to left': (at) => `‮מחק את הקובץ ${at}‬ `,
  'terminal colours': (at) => `\u001b[3${at % 8}mline ${at}\u001b[0m\n`,
  'terminal starts': () => '\u001b[',
  'control characters': () => '\u0000\u0001',
  'lines of a diff': (at) => `${at % 9 === 0 ? '@@ -1,7 +1,9 @@' : '+-'[at % 2]} const row${at} = ${at};\n`,
  'starts of diffs': (at) => `diff --git a/f${at} b/f${at}\n--- a/f${at}\n+++ b/f${at}\n`,
  'stack traces': (at) => `TypeError: x is ${at}\n    at run (/srv/app/src/file${at}.ts:${at}:7)\n`,
  'lines of failures': (at) => `ERROR: case ${at} failed: expected ${at}, got ${at + 1}\n`,
  'lines of JSON': (at) => `{"id":${at},"type":"item","text":"line ${at}","ok":${at % 2 === 0}}\n`,
  'escaped quotes': () => '\\"',
  backslashes: () => '\\',
  'labels of credentials': () => 'password: ',
  'credentials without values': () => 'api_key=\n',
  'credentials with values': (at) => `token_${at} = "gh${at}Zx81kQpLmVbTrEw${at}"\n`,
  'starts of mail addresses': () => 'a@',
  'mail addresses': (at) => `user${at}@example.com `,
  'chains of equals': () => '=',
  'names and equals': () => 'a=',
  hyphens: () => '-',
  'hyphens and underscores': () => '-_',
  'dots and colons': () => '.:',
  dots: () => '.',
  'letters and blanks': () => 'a ',
  'two letters': () => 'ab',
  'letters and line breaks': () => 'a\n',
  'letters and dots': () => 'a.',
  stars: () => '*',
  'bold words': (at) => `**word${at}** `,
  'rows of a table': (at) => `| ${at} | name${at} | \`src/a${at}.ts\` |\n`,
  pipes: () => '|',
  'long words': (at) => `${'x'.repeat(7_000)}${at}\n`,
  'different words': (at) => `word${at.toString(36)} `,
  'questions and commas': (at) => `why ${at}, `,
  'requests of the user': (at) => `The user asked to delete the ${at} importer and told the agent to push it.\n`,
  'commands of a shell': (at) => `cd /srv/app${at} && npm run build -- --file=${at} | tee out${at}.log; `,
  'quotes in commands': () => 'echo "',
  'results of tests': (at) => `ok ${at} - case ${at} # time=${at}ms\nnot ok ${at + 1} - case ${at + 1}\n`,
  'spilled results': (at) => `[spilled: bash | 90,000 characters | output ${at.toString(16).padStart(16, '0')}]\n`,
  'dates and times': (at) => `2026-01-${String((at % 28) + 1).padStart(2, '0')}T10:00:00Z `,
  'lines of a log': (at) =>
    `2026-03-04 12:${String(at % 60).padStart(2, '0')}:07.${at % 1000} INFO [worker-${at % 8}] GET /api/items/${at} 200 ${at % 90}ms user=u${at}\n`,
};

const pieces: typeof rows = { ...signs, ...rows };

/** The names of all shapes. */
export const shapeNames: readonly string[] = Object.keys(pieces);

/** A text of the shape, of exactly so many characters. */
export function textOf(shape: string, characters: number): string {
  const piece = pieces[shape];
  if (!piece) throw new Error(`there is no shape "${shape}"`);
  const made: string[] = [];
  for (let at = 0, length = 0; length < characters; at++) {
    const next = piece(at);
    made.push(next);
    length += next.length;
  }
  return made.join('').slice(0, characters);
}

/** How a text becomes a conversation. */
export const arrangements = ['message', 'messages', 'result', 'results', 'arguments'] as const;
export type Arrangement = (typeof arrangements)[number];

const text = (role: Message['role'], said: string): Message => ({ role, parts: [{ type: 'text', text: said }] });
const call = (id: string, input: string): Message => ({
  role: 'assistant',
  parts: [{ type: 'toolCall', callId: id, name: 'bash', input, inputType: 'json' }],
});
const result = (id: string, said: string): Message => ({
  role: 'tool',
  parts: [{ type: 'toolResult', callId: id, name: 'bash', content: [{ type: 'text', text: said }] }],
});

/** A conversation that holds the whole text: in one message, or in pieces of a thousand characters. */
export function conversationOf(whole: string, arrangement: Arrangement): readonly Message[] {
  const open = [text('system', 'You are an agent.'), text('user', 'Please look at the importer.')];
  const end = [text('assistant', 'I looked at it.'), text('user', 'Go on.')];
  const command = JSON.stringify({ command: 'npm test' });
  if (arrangement === 'message') return [...open, text('assistant', 'What does it say?'), text('user', whole), ...end];
  if (arrangement === 'result') return [...open, call('call-1', command), result('call-1', whole), ...end];
  if (arrangement === 'arguments') {
    return [...open, call('call-1', JSON.stringify({ command: whole })), result('call-1', 'done'), ...end];
  }
  const parts = Array.from({ length: Math.ceil(whole.length / 1_000) }, (_, at) =>
    whole.slice(at * 1_000, (at + 1) * 1_000),
  );
  const said = parts.flatMap((part, at) =>
    arrangement === 'messages'
      ? [text(at % 2 === 0 ? 'assistant' : 'user', part)]
      : [call(`call-${at}`, command), result(`call-${at}`, part)],
  );
  return [...open, ...said, ...end];
}
