/** docs/reference/library/: every name that a door exports, a page a door. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSources, type SourceFile } from '../../test/architecture/source-file.ts';
import { type Declaration, declarationsOf } from './declarations.ts';
import { anchorsOf, page, table } from './markdown.ts';

const root = join(import.meta.dirname, '..', '..');

/** One door of a package. */
export interface Door {
  readonly name: string;
  readonly source: string;
  /** The page's name in docs/reference/library. */
  readonly file: string;
  /** The comment at its head. */
  readonly intro: string;
  readonly declarations: readonly Declaration[];
}

/** The doors that the manifests of both packages name, the front first. */
export function doors(): readonly Door[] {
  const sources = readSources(root, ['packages/core/src', 'packages/palimpsest/src']);
  const files = new Map(sources.map((file) => [file.path, file]));
  return ['core', 'palimpsest'].flatMap((folder) => {
    // Our own manifests.
    const { name, exports } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as {
      name: string;
      exports: Readonly<Record<string, string>>;
    };
    return Object.entries(exports)
      .filter(([, target]) => target.endsWith('.ts'))
      .map(([key, target]) => {
        const source = join('packages', folder, target);
        const door = files.get(source);
        if (!door) throw new Error(`Expected the door ${source}; found none.`);
        return {
          ...{ name: name + key.slice(1), source, intro: introOf(door), declarations: declarationsOf(door, files) },
          file: `${key === '.' ? folder : key.slice(2)}.md`,
        };
      });
  });
}

/** Examples of the front's doc comments, by the name that they are of. */
export const examples = (): readonly (readonly [name: string, code: string])[] =>
  doors().flatMap(({ declarations }) =>
    declarations.flatMap(({ name, comment }) => comment.examples.map((code) => [name, code] as const)),
  );

/** Every page by its file name, with an index of all names in README.md. */
export function libraryPages(all: readonly Door[] = doors()): ReadonlyMap<string, string> {
  const places = placesOf(all);
  return new Map([
    ['README.md', indexPage(all, places)],
    ...all.map((door) => [door.file, doorPage(door, places)] as const),
  ]);
}

const groups = [
  ['Functions', 'function'],
  ['Classes', 'class'],
  ['Values', 'value'],
  ['Types', 'type'],
] as const;

type Group = (typeof groups)[number][1];
const groupOf = ({ kind }: Declaration): Group => (kind === 'interface' ? 'type' : kind);

/** The names of a group in the order of the alphabet, capitals and small letters alike. */
const inGroup = (declarations: readonly Declaration[], wanted: Group): readonly Declaration[] =>
  declarations
    .filter((declaration) => groupOf(declaration) === wanted)
    .toSorted((a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase(), 'en') || (a.name < b.name ? -1 : 1));

/** Where each declaration is explained: the first door that shows it. */
type Places = ReadonlyMap<string, { readonly door: Door; readonly declaration: Declaration; readonly link: string }>;

const keyOf = ({ path, name }: Declaration): string => `${path} ${name}`;

function placesOf(all: readonly Door[]): Places {
  const places = new Map<string, { door: Door; declaration: Declaration; link: string }>();
  for (const door of all) {
    const own = door.declarations.filter((declaration) => !places.has(keyOf(declaration)));
    const sorted = groups.map(([title, group]) => [title, inGroup(own, group)] as const);
    const headings = sorted.flatMap(([title, found]) =>
      found.length === 0 ? [] : [`## ${title}`, ...found.map(({ name }) => `### \`${name}\``)],
    );
    const anchors = anchorsOf([`# ${door.name}`, ...headings].join('\n'));
    const named = anchors.slice(1).filter((_, at) => headings[at]?.startsWith('### '));
    for (const [at, declaration] of sorted.flatMap(([, found]) => found).entries())
      places.set(keyOf(declaration), { door, declaration, link: `${door.file}#${named[at]}` });
  }
  return places;
}

function indexPage(all: readonly Door[], places: Places): string {
  const rows = all.map(({ name, file, intro, declarations }) => [
    `[\`${name}\`](${file})`,
    String(declarations.length),
    firstSentence(intro),
  ]);
  const lists = all.map(({ name, declarations }) => {
    const links = groups.flatMap(([, group]) => inGroup(declarations, group)).map((found) => linkTo(found, places));
    return `## \`${name}\`\n\n${links.join(', ')}`;
  });
  return page(
    'The library',
    'Every name that the packages export, by the door it is imported from. Comments, types and defaults are those of the source.',
    table(['door', 'names', 'what it holds'], rows),
    ...lists,
  );
}

const firstSentence = (text: string): string => /^[\s\S]*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;

const linkTo = (declaration: Declaration, places: Places, own?: Door): string => {
  const place = places.get(keyOf(declaration));
  const link = place?.link ?? '';
  return `[\`${declaration.name}\`](${place?.door === own ? link.slice(link.indexOf('#')) : link})`;
};

function doorPage(door: Door, places: Places): string {
  const own = door.declarations.filter((declaration) => places.get(keyOf(declaration))?.door === door);
  const elsewhere = door.declarations.filter((declaration) => places.get(keyOf(declaration))?.door !== door);
  const sections = groups.flatMap(([title, group]) => {
    const found = inGroup(own, group);
    return found.length === 0 ? [] : [`## ${title}`, ...found.map((one) => entry(one, door, places))];
  });
  const links = elsewhere.map((declaration) => linkTo(declaration, places, door)).sort();
  const also =
    links.length > 0 ? ['## Also exported here', `Declared once, explained there: ${links.join(', ')}.`] : [];
  return page(`\`${door.name}\``, door.intro, ...sections, ...also);
}

function entry(declaration: Declaration, door: Door, places: Places): string {
  const { name, signature, comment, members } = declaration;
  const see = mentioned(declaration, places, door);
  const blocks = [
    `### \`${name}\``,
    fence(signature),
    comment.text,
    comment.params.map((param) => `- ${param.replace(/^(\S+)/, '`$1`')}`).join('\n'),
    comment.throws.map(sentence).join('\n\n'),
    memberTable(members, (name, type) => inherited(declaration, places, { name, type })),
    ...comment.examples.map(fence),
    see.length > 0 ? `See ${see.join(', ')}.` : '',
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

const fence = (code: string): string => `\`\`\`ts\n${code}\n\`\`\``;

/** Members in the order of the source; `default` only where one has a default. */
function memberTable(members: Declaration['members'], otherwise: (name: string, type: string) => string): string {
  if (members.length === 0) return '';
  const hasDefault = members.some(({ comment }) => comment.default !== undefined);
  const rows = members.map(({ name, type, comment }) => [
    name === '' ? '' : code(name),
    code(type),
    ...(hasDefault ? [comment.default === undefined ? '–' : plainCell(comment.default)] : []),
    plainCell([comment.text, ...comment.throws.map(sentence)].join(' ')) || otherwise(name, type),
  ]);
  return table(['member', 'type', ...(hasDefault ? ['default'] : []), 'meaning'], rows);
}

/** What a member without a comment means: what the class or interface above says of it, else what its type is. */
function inherited(
  { signature }: Declaration,
  places: Places,
  { name, type }: { readonly name: string; readonly type: string },
): string {
  const known = [...places.values()].flatMap(({ declaration }) => declaration);
  const named = (word: string): Declaration | undefined => known.find((other) => other.name === word);
  const above = signature.match(/\b[A-Z]\w+/g)?.slice(1) ?? [];
  const sources = above.flatMap((word) => named(word)?.members ?? []).filter((member) => member.name === name);
  const text = sources.find(({ comment }) => comment.text !== '')?.comment.text ?? named(type)?.comment.text ?? '';
  return plainCell(firstSentence(text)) || '–';
}

/** `BAD_OPTION for x` as a sentence, its codes as code. */
const sentence = (thrown: string): string =>
  `Throws ${thrown.replaceAll(/(?<![\w`])([A-Z]+_[A-Z_]+)(?![\w`])/g, '`$1`').replace(/\.?$/, '.')}`;

const code = (text: string): string => `\`${text}\``;
const plainCell = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The other public names in a declaration: this door's own of a name before another door's. */
function mentioned(declaration: Declaration, places: Places, door: Door): readonly string[] {
  const words = new Set(
    [declaration.signature, ...declaration.members.map(({ type }) => type)]
      .join(' ')
      .replaceAll(/'[^'\n]*'|\/\*[\s\S]*?\*\//g, '')
      .match(/\b[A-Z]\w+/g),
  );
  words.delete(declaration.name);
  return [...words].sort().flatMap((word) => {
    const here = door.declarations.find(({ name }) => name === word);
    if (here) return [linkTo(here, places, door)];
    const place = [...places.values()].find(({ declaration: { name } }) => name === word);
    return place ? [`[\`${word}\`](${place.link})`] : [];
  });
}

/** The comment at the head of a door, without the names that the title repeats. */
function introOf(door: SourceFile): string {
  const [comment] = door.tokens;
  const text = (comment?.text ?? '')
    .replace(/^\/\*\*/, '')
    .replace(/\*\/$/, '')
    .replaceAll(/^[ \t]*\*(?: |$)/gm, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/^\s*(?:`[^`]+`|Palimpsest): /, '')
    .trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
