/** What a `SKILL.md` says of itself: a head in YAML between two lines `---`. */
import { isJsonObject } from '@palimpsest/core/settings';

/** What the index shows. */
export interface SkillHead {
  readonly name: string;
  /** What it does, and when it is to be used. */
  readonly description: string;
  /** False where only a person is to begin it. */
  readonly isForModels: boolean;
}

/** Nobody describes a skill in more. */
const mostHeadChars = 16_000;
const mostNameChars = 64;

/** Reads the head of a file in the folder of that name; a text says what is wrong, as the end of "it is not shown: …". */
export async function readSkillHead(text: string, folder: string): Promise<SkillHead | string> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  const end = lines.findIndex((line, at) => at > 0 && isMark(line));
  if (!isMark(lines[0] ?? '') || end < 0)
    return 'it does not begin with a name and a description between two lines ---';
  const inner = lines.slice(1, end).join('\n');
  if (inner.length > mostHeadChars) return `its head has more than ${mostHeadChars} characters`;
  const members = await membersOf(inner);
  if (typeof members === 'string') return members;
  const name = oneLine(textOf(members.name) ?? folder).slice(0, mostNameChars);
  const description = oneLine(textOf(members.description) ?? '');
  if (description === '') return 'its head has no description, which tells the model when to use it';
  if (name === '') return 'its head has an empty name';
  return {
    name: name.toWellFormed(),
    description,
    isForModels: members['disable-model-invocation'] !== true,
  };
}

const isMark = (line: string): boolean => /^---[ \t]*$/.test(line);

type Members = Readonly<Record<string, unknown>>;

async function membersOf(head: string): Promise<Members | string> {
  const { parse } = await import('yaml');
  try {
    // Aliases of aliases would grow without end.
    const read: unknown = parse(head, { maxAliasCount: 0, logLevel: 'error' });
    return isJsonObject(read) ? read : 'its head is no list of members such as description: …';
  } catch (error) {
    // Many a description has a colon in it and no quotes, and other agents take it.
    const loose = looseMembers(head);
    if (loose.description !== undefined) return loose;
    const reason = error instanceof Error ? oneLine(error.message).slice(0, 120) : 'it cannot be read';
    return `its head is no YAML (${reason})`;
  }
}

/** The lines `name: …` and `description: …`, word for word. */
const looseMembers = (head: string): Members =>
  Object.fromEntries(
    [...head.matchAll(/^(name|description):[ \t]*(?![|>&*![{])(\S.*)$/gm)].map(([, key, value]) => [key, value]),
  );

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;

const oneLine = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
