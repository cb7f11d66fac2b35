/** Whom or what a text is about besides the person or the project: what is said of another is no claim about them. */
import { frameWords, titledNames } from '../../language/attributes.ts';
import { otherSubjects } from '../../language/project-attributes.ts';
import type { FoundValue } from './known-values.ts';
import { bareName, matches, type Place, type Reader, type Span } from './place.ts';

/** Who or what else it is about. */
export function subjectOf(place: Place, values: readonly FoundValue[]): string {
  const { attribute, text } = place;
  // "Sohn" in the name of a bank is nobody's son.
  const isApart = (span: Span): boolean =>
    !values.some(({ start, end }) => start <= span.start && span.end <= end && end - start > span.end - span.start);
  const others = otherSubjects()
    .filter(([, words]) => matches(words, text).some(isApart))
    .map(([name]) => name);
  const name = attribute.of === 'person' && attribute.value !== 'person' ? namedSubject(place) : undefined;
  const api = attribute.value === 'port' && !/(?<![a-z])api(?![a-z])/iu.test(text) ? ['not the API'] : [];
  const files =
    attribute.of === 'project'
      ? filesIn(text)
          .filter(isApart)
          .map(({ start, end }) => text.slice(start, end))
      : [];
  return [...others, ...api, ...files, ...(name ? [`name: ${name}`] : [])].sort().join(', ');
}

/** Files and folders that a note is about: who reviews one of them need not review the rest. */
const filesIn = (text: string): readonly Span[] =>
  matches(
    /(?<![\w/.:-])(?:[\w.-]+\/)+[\w.*-]+|(?<![\w/.:-])[\w-]+\.(?:ts|js|tsx|md|json|ya?ml|toml|py|rs|go|java|sql|css|html|lock|env|csv)(?![\w-])/gu,
    text,
  );

/** Somebody with another name than the person's, where the text begins with it and goes on with what is said of them. */
function namedSubject({ text, words, reader }: Place): string | undefined {
  const full = /^(\p{Lu}[\p{L}\p{M}'-]+(?: \p{Lu}[\p{L}\p{M}'-]+)*)(?:['’]s)?(?=\s)/u.exec(text);
  const titled = titledNames.exec(text);
  const name = titled?.[1] ?? full?.[1]?.replace(/['’]s$/, '');
  if (name === undefined || isPerson(name, reader)) return undefined;
  if (titled) return name;
  const isPossessive = /^['’]s/.test(text.slice(name.length)) || (full?.[0] ?? '').endsWith('s');
  const next = name.length + (/^['’]s/.test(text.slice(name.length)) ? 3 : 1);
  const isFramed =
    matches(frameWords(), text).some(({ start }) => start === 0) || words.some(({ start }) => start === 0);
  if (isFramed) return undefined;
  const saysOf = words.some(({ start }) => start === next);
  return saysOf || (isPossessive && name.includes(' ')) ? name : undefined;
}

const isPerson = (name: string, { person }: Reader): boolean =>
  person !== undefined && namesOf(name).isSubsetOf(namesOf(person));

const namesOf = (name: string): ReadonlySet<string> => new Set(bareName(name).toLowerCase().split(/\s+/));
