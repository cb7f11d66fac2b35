/**
 * Names by which the value of an attribute is known wherever it stands: products, tools and licences that are called the
 * same in all languages. A name that is a word as well counts only beside a word of the attribute.
 */
import { transports } from '../../language/attributes.ts';

/** A value in a text, normalised, and where it stands. */
export interface FoundValue {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

interface KnownNames {
  /** Nothing else has this name. */
  readonly sure?: RegExp;
  /** It means something else as well. */
  readonly hinted?: RegExp;
}

const names = (source: string, flags = 'gu'): RegExp =>
  new RegExp(`(?<![\\w./-])(?:${source})(?![\\w/-]|\\.\\w)`, flags);

const known: Readonly<Record<string, KnownNames>> = {
  editor: {
    sure: names(
      'Neovim|nvim|Vim|vim|GVim|MacVim|Spacemacs|Doom Emacs|Emacs|emacs|Sublime Text|VS ?Code|VSCode|VSCodium|Visual Studio(?: Code)?|IntelliJ(?: IDEA)?|WebStorm|PyCharm|GoLand|RubyMine|PhpStorm|CLion|RustRover|Rider|Notepad\\+\\+|TextMate|BBEdit|Kakoune|Lapce|Eclipse|Xcode|Android Studio|Geany|Theia',
    ),
    hinted: names('Helix|Zed|Atom|Kate|Micro|Nano|nano|Nova|Cursor|Windsurf|Fleet|Lite XL|Pulsar|Brackets|gedit|ed'),
  },
  machine: {
    sure: names(
      "(?:Apple )?MacBook(?: (?:Air|Pro|Neo))?(?: M\\d)?|Mac (?:mini|Studio|Pro)|iMac|ThinkPad(?: [A-Z]\\d+\\w*)?|IdeaPad(?: \\w*\\d\\w*)?|Framework(?: Laptop)? ?\\d+|Tuxedo(?: [A-Z]\\w+)?|Zenbook(?: \\w*[\\dA-Z]\\w*)?|VivoBook(?: \\w*\\d\\w*)?|Latitude(?: \\d+)?|Precision \\d+|XPS(?: ?\\d+)?|Inspiron(?: \\d+)?|Surface(?: (?:Pro|Laptop|Book|Go))?(?: \\d+)?|Chromebook|EliteBook(?: \\d+)?|ProBook(?: \\d+)?|Pavilion(?: \\d+)?|Spectre|Swift \\d|Let[’']?s ?note|System76|Slimbook|NUC|Raspberry Pi(?: \\d)?|Dell|Lenovo|Pangolin|Lemur",
    ),
  },
  'package manager': {
    sure: names('pnpm|yarn|npm(?! (?:run|test|t|start)\\b)'),
    hinted: names(
      'bun(?! \\d| run| test)|deno(?! \\d| run| test)|pip|uv|poetry|pdm|pipenv|conda|mamba|cargo|composer|bundler|gradle|maven|nix|rush|lerna|vcpkg|conan',
      'giu',
    ),
  },
  'main branch': { hinted: names('main|master|trunk|develop|development|stable|next|dev|mainline|unstable') },
  runtime: {
    sure: names(
      '(?:Node(?:\\.js)?|NodeJS|Bun|Deno|Python|CPython|PyPy|Java|JDK|OpenJDK|Ruby|PHP|Go|Golang|\\.NET|Erlang|Elixir|Rust|Perl|Kotlin|Scala|GraalVM) ?v?\\d+(?:\\.\\d+)*(?: LTS)?',
      'giu',
    ),
  },
  database: {
    sure: names(
      '(?:PostgreSQL|Postgres|MySQL|MariaDB|SQLite|MongoDB|CockroachDB|Oracle|SQL Server|MSSQL|DynamoDB|Cassandra|ScyllaDB|DuckDB|ClickHouse|Firestore|FoundationDB|Neo4j|Couchbase|CouchDB|YugabyteDB|TiDB|libSQL|PlanetScale|Aurora|Spanner|InfluxDB|TimescaleDB|Firebird|Db2)(?: v?\\d+(?:\\.\\d+)*)?',
      'giu',
    ),
  },
  licence: {
    sure: names(
      'Apache(?:-| License |-License-)?2\\.0|Apache-2|MIT|ISC|AGPL(?:-3\\.0|v3)?|LGPL(?:-\\d\\.\\d|v\\d)?|GPL(?:-\\d\\.\\d|v\\d)?|EUPL(?:-1\\.2)?|MPL(?:-2\\.0)?|BSD(?:-\\d-Clause)?|0BSD|BSL(?:-1\\.\\d)?|BUSL(?:-1\\.1)?|Unlicense|CC0(?:-1\\.0)?|CC-BY(?:-\\w+)*(?:-4\\.0)?|WTFPL|Zlib|Elastic-2\\.0|SSPL(?:-1\\.0)?|EPL(?:-2\\.0)?|Artistic-2\\.0',
    ),
  },
  tracker: {
    sure: names(
      'Jira|JIRA|GitHub (?:Issues|Projects)|GitLab(?: Issues)?|Trello|Asana|Redmine|YouTrack|Bugzilla|Basecamp|Backlog\\.com|ClickUp|monday\\.com|Shortcut|Azure (?:Boards|DevOps)|OpenProject|Taiga|Phabricator|Wekan|MantisBT?|Codeberg|Forgejo|Todoist',
    ),
    hinted: names('Linear|Plane|Height|Notion|Trac|Pivotal|Backlog|Kanboard|Huly|Focalboard|Zenhub'),
  },
};

/** The values of an attribute whose values are known; those that are words as well only where `hinted`. */
export function knownValues(attribute: string, text: string, hinted: boolean): readonly FoundValue[] {
  if (attribute === 'commute') return hinted ? transportsIn(text) : [];
  const { sure, hinted: unsure } = known[attribute] ?? {};
  const patterns = [sure, hinted ? unsure : undefined].filter((pattern) => pattern !== undefined);
  return outermost(
    patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(({ 0: match, index }) => ({
        value: normal(match),
        start: index,
        end: index + match.length,
      })),
    ),
  );
}

/** How many of an attribute's names that are words as well a text has: two of them side by side are no accident. */
export const unsureCount = (attribute: string, text: string): number =>
  new Set([...text.matchAll(known[attribute]?.hinted ?? /(?!)/g)].map(([match]) => normal(match))).size;

const transportsIn = (text: string): readonly FoundValue[] =>
  outermost(
    transports().flatMap(([value, words]) =>
      [...text.matchAll(words)].map(({ 0: match, index }) => ({ value, start: index, end: index + match.length })),
    ),
  );

/** Values that stand in no longer one, in the order of the text. */
export const outermost = (found: readonly FoundValue[]): readonly FoundValue[] =>
  found
    .filter(
      (one) =>
        !found.some(
          (other) =>
            other !== one &&
            other.start <= one.start &&
            one.end <= other.end &&
            other.end - other.start > one.end - one.start,
        ),
    )
    .sort((a, b) => a.start - b.start);

const normal = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^(?:postgres)(?=\s|$)/, 'postgresql')
    .replace(/^node(?:\.js|js)/, 'node')
    .replace(/^vs ?code|^visual studio code/, 'vscode')
    .replace(/\bv(?=\d)/, '')
    .replaceAll(/\s+/g, ' ');
