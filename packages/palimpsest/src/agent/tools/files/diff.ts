/** What changes between two texts, as lines of a diff for a person. Pure. */

const around = 3;
/** Changes between more lines than that are shown as the old lines and then the new ones. */
const mostLines = 1_500;
const mostShown = 400;

/** Lines that begin with `-`, `+` or a space, with a head of numbers before each group; empty where nothing changes. */
export function lineDiff(before: string, after: string): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const changes = changesOf(a.slice(start, a.length - end), b.slice(start, b.length - end));
  if (changes.length === 0) return '';
  const lead = a.slice(Math.max(0, start - around), start).map((text) => ({ sign: ' ', text }) as const);
  const trail = a.slice(a.length - end, a.length - end + around).map((text) => ({ sign: ' ', text }) as const);
  const lines = shown([...lead, ...changes, ...trail], Math.max(0, start - around) + 1);
  const rest = lines.length - mostShown;
  return [...lines.slice(0, mostShown), ...(rest > 0 ? [`… ${rest} more lines`] : [])].join('\n');
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** By the longest common sequence of lines. */
function changesOf(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const all = (lines: readonly string[], sign: '-' | '+') => lines.map((text) => ({ sign, text }));
  if (a.length > mostLines || b.length > mostLines) return [...all(a, '-'), ...all(b, '+')];
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const changes: DiffLine[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      changes.push({ sign: ' ', text: a[i] ?? '' });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1)))
      changes.push({ sign: '-', text: a[i++] ?? '' });
    else changes.push({ sign: '+', text: b[j++] ?? '' });
  }
  return changes;
}

/** Long stretches without a change are left out; a head says where the lines go on. */
function shown(lines: readonly DiffLine[], first: number): readonly string[] {
  const isNear = lines.map((_, i) =>
    lines.slice(Math.max(0, i - around), i + around + 1).some(({ sign }) => sign !== ' '),
  );
  const texts: string[] = [];
  let [before, after] = [first, first];
  for (const [i, { sign, text }] of lines.entries()) {
    if (isNear[i] && !isNear[i - 1]) texts.push(`@@ line ${before} → ${after} @@`);
    if (isNear[i]) texts.push(`${sign}${text}`);
    if (sign !== '+') before++;
    if (sign !== '-') after++;
  }
  return texts;
}
