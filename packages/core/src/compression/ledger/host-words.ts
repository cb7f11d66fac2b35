/**
 * What host programs say, without what they put around it. A tag, a caveat and the sentence that leads to a memory file
 * tell nothing, and a reminder behind a result is not the tool's.
 */

/** Elements with nothing to tell: what was typed behind a command is the person's, its name stands in another element. */
const empty = ['command-message', 'command-args', 'local-command-caveat', 'turn_aborted'];

/** Sentences that hosts put before and behind what they hand over. */
const around = new RegExp(
  `^\\s*(?:${[
    '\\[Request interrupted by user[^\\]]*\\]$',
    '# (?:claudeMd|AGENTS\\.md instructions for .*)$',
    'Contents of \\S+ \\([^)]*\\):$',
    'Caveat: The messages below were generated',
    'Base directory for this skill: ',
    'As you answer the user.s questions, you can use the following context:?$',
    'Codebase and user instructions are shown below',
    'IMPORTANT: this context may or may not be relevant',
    'Continue if you have next steps, or stop and ask for clarification',
    'This is a reminder that your todo list is ',
    'The (?:TodoWrite|task) tools? ha(?:s|ve)n.t been used recently',
    'Make sure that you NEVER mention this reminder',
    'Whenever you read a file, you should consider whether it (?:looks|would be)',
    '(?:SessionStart|UserPromptSubmit|PreToolUse|PostToolUse|Stop)(?::\\w+)? hook (?:success|additional context): *(?:Success)?$',
  ].join('|')})`,
);

/** The words of a text that a host wrote in somebody's place. Linear. */
export const hostWords = (text: string): string =>
  empty
    .reduce(withoutElement, text)
    .split('\n')
    .map(withoutTags)
    .filter((line) => !around.test(line))
    .join('\n');

function withoutElement(text: string, name: string): string {
  const [opening, ending] = [`<${name}>`, `</${name}>`];
  let rest = text;
  let kept = '';
  for (;;) {
    const start = rest.indexOf(opening);
    const end = rest.indexOf(ending, start);
    if (start < 0 || end < 0) return kept + rest;
    kept += rest.slice(0, start);
    rest = rest.slice(end + ending.length);
  }
}

const tagFirst = /^<\/?[a-z][\w-]*(?: [^<>]*)?>/i;

/** A line without the tags at its beginning and its end; what stands amid the words may be code. */
function withoutTags(line: string): string {
  let text = line.trim();
  for (let tag = tagFirst.exec(text); tag; tag = tagFirst.exec(text)) text = text.slice(tag[0].length).trimStart();
  while (text.endsWith('>')) {
    const start = text.lastIndexOf('<');
    if (start < 0 || tagFirst.exec(text.slice(start))?.[0].length !== text.length - start) break;
    text = text.slice(0, start).trimEnd();
  }
  return text;
}

const reminder = '<system-reminder>';
const reminderEnd = '</system-reminder>';

/** What a tool printed, without the reminders that the host put behind it. */
export function withoutReminders(result: string): string {
  let text = result;
  while (text.trimEnd().endsWith(reminderEnd)) {
    const start = text.lastIndexOf(reminder);
    // One amid a line stands in what was printed.
    if (start < 0 || (start > 0 && text[start - 1] !== '\n')) break;
    text = text.slice(0, start);
  }
  return text;
}

/** How hosts say that the user did not let a call happen. */
const refusal =
  /\b(?:user|person)\b.{0,40}\b(?:doesn't want|does not want|rejected|denied|declined|cancell?ed)|\b(?:rejected|denied|declined|cancell?ed) by (?:the )?user\b/i;
const refusalWords = /\bthe user said:\s*([^\n]*)/;
/** This the host says in the user's place. */
const ofHost = /^The user wants to clarify/;
const refusalChars = 600;

/** What a result tells of a person who did not let the call happen: in what words, where there are any. */
export function refusalIn(result: string): { readonly words: string } | undefined {
  const opening = result.slice(0, refusalChars);
  if (!refusal.test(opening.split('\n', 1)[0] ?? '')) return undefined;
  const words = refusalWords.exec(opening)?.[1]?.trim() ?? '';
  return { words: ofHost.test(words) ? '' : words };
}
