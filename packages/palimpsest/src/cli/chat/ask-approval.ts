/** Puts what an agent wants to do before the person, with what each answer covers. */
import type { ApprovalAnswer, ApprovalQuestion } from '../../agent/approval/request.ts';
import type { Console } from '../../terminal/console.ts';
import type { Line } from '../../terminal/spans.ts';

type Ask = (question: ApprovalQuestion, signal: AbortSignal | undefined) => Promise<ApprovalAnswer>;

const titles = {
  run: 'Run this command?',
  write: 'Change this file?',
  'write-outside': 'Change this file outside the project?',
  'read-outside': 'Read this outside the project?',
  'read-secret': 'Read this? It may hold credentials.',
} as const;

/** Rows of a change that are shown; Ctrl-O shows all. */
const ruleKeys = ['a', 'b', 'c', 'd'] as const;

/** Asks at a console. Esc is a no; what was typed before the question was seen answers nothing. */
export function askApproval(console: Console): Ask {
  return async ({ request, danger, rules, noRule }, signal) => {
    const offered = rules.slice(0, ruleKeys.length).map((rule, at) => ({ ...rule, key: ruleKeys[at] ?? 'a' }));
    const answer = await console.ask({
      title: titles[request.kind],
      lines: [
        [{ text: request.command ?? request.target, style: 'bold' }],
        ...(danger === undefined ? [] : [[{ text: `Careful: it ${danger}.`, style: 'red' }] satisfies Line]),
        ...(noRule === undefined
          ? []
          : [[{ text: `It is asked every time, because it ${noRule}.`, style: 'dim' }] satisfies Line]),
      ],
      ...(request.preview === undefined ? {} : { preview: request.preview.split('\n').map(diffLine) }),
      choices: [
        { key: 'y', label: 'Yes, this once' },
        ...offered.map(({ key, text }) => ({ key, label: `Yes, and do not ask again for ${text}` })),
        { key: 'n', label: 'No (Tab to say why)' },
      ],
      withComment: true,
      ...(signal ? { signal } : {}),
    });
    if (answer.type === 'cancelled') return { type: 'no' };
    const { key, comment } = answer;
    if (key === 'n') return { type: 'no', ...(comment === '' ? {} : { reason: comment }) };
    const rule = offered.find((one) => one.key === key)?.rule;
    return { type: 'yes', ...(rule === undefined ? {} : { rule }) };
  };
}

function diffLine(text: string): Line {
  if (text.startsWith('+')) return [{ text, style: 'green' }];
  if (text.startsWith('-')) return [{ text, style: 'red' }];
  return text;
}
