/** What a command has written: all of it while that is little, else its start and its end. Pure. */

export interface KeptOutput {
  add(text: string): void;
  /** Everything so far, with a line in place of what was dropped. */
  text(): string;
  /** What came since the last call. */
  news(): string;
}

/** So much is kept: a conversation saves what is too large for its window, and looks things up in it. */
export const mostOutputChars = 1_000_000;

export function createKeptOutput(most: number = mostOutputChars): KeptOutput {
  const all = keptText(most);
  let fresh = keptText(most);
  return {
    add: (text) => {
      all.add(text);
      fresh.add(text);
    },
    text: () => all.text(),
    news: () => {
      const text = fresh.text();
      fresh = keptText(most);
      return text;
    },
  };
}

function keptText(most: number): Pick<KeptOutput, 'add' | 'text'> {
  const headChars = Math.floor(most / 2);
  let head = '';
  let tail: string[] = [];
  let tailChars = 0;
  let dropped = 0;
  return {
    add: (text) => {
      const room = headChars - head.length;
      head += text.slice(0, Math.max(0, room));
      const rest = text.slice(Math.max(0, room));
      if (rest === '') return;
      tail.push(rest);
      tailChars += rest.length;
      // Joined only when twice as much has come: work in proportion to what is written.
      if (tailChars <= 2 * headChars) return;
      const joined = tail.join('');
      tail = [joined.slice(-headChars)];
      dropped += joined.length - headChars;
      tailChars = headChars;
    },
    text: () => {
      const joined = tail.join('');
      const end = joined.slice(-headChars);
      const gone = dropped + joined.length - end.length;
      const mark =
        gone > 0 ? `\n[… ${gone} characters left out here: write the output to a file to see all of it …]\n` : '';
      return `${head}${mark}${end}`.toWellFormed();
    },
  };
}

/** What a screen would show of it: no colours, no movements, of a line that was written again and again the last one. */
export function plainOutput(text: string): string {
  return text
    .replaceAll(/\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?/g, '')
    .replaceAll(/\u001b\[[0-?]*[ -/]*[@-~]/g, '')
    .replaceAll(/\u001b[ -/]*[0-~]?/g, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) =>
      line.slice(line.lastIndexOf('\r', line.length - 2) + 1).replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ''),
    )
    .join('\n');
}
