/** Which page of a damaged database belongs to which table or index, also where the pages above it are gone. */
import { contentOf, kindOf, type PageKind, type Pages, type RescuedRow } from './pages.ts';

/** The tables and indexes of a damaged database. */
export interface Trees {
  /** Every row of a table or an index that can be read, in no order. */
  rows(name: string): Generator<RescuedRow>;
  /** Pages that are gone, and rows that cannot be read on others. */
  readonly lost: { readonly pages: number; unreadRows: number };
}

/** What can be told of a page whose table or index nothing names. */
export interface UnnamedPage {
  readonly rows: readonly RescuedRow[];
  readonly kind: PageKind;
  /** The root page above it, where that is known. */
  readonly root: number | undefined;
}

/** Tells the table or index of a page by what is on it; undefined where that is not sure. */
export type Guess = (page: UnnamedPage) => string | undefined;

export function treesOf(pages: Pages, guess: Guess): Trees {
  const map = pointerMap(pages);
  const roots = rootsOf(pages, map);
  const owners = new Map<number, string>();
  for (const [name, root] of roots) claim(pages, { name, root, owners });
  const names = new Map([...roots].map(([name, root]) => [root, name]));
  const free = freePages(pages);
  const lost = { pages: 0, unreadRows: 0 };
  const byName = new Map<string, number[]>();
  for (let number = 1; number <= pages.count; number++) {
    const page = pages.page(number);
    const use = map.entry(number)?.type;
    const isFree = use === 'free' || free.has(number);
    // The page of the lock is never used (sqlite.org/fileformat.html#the_lock_byte_page).
    const isGone = number === 1 ? !pages.first : !page && !isFree && number !== lockPage(pages);
    if (isGone) lost.pages++;
    const kind = page && kindOf(number, page);
    if (!page || !kind || map.isMap(number)) continue;
    const name = owners.get(number) ?? (isFree || use === 'overflow' ? undefined : ownerOf(number, page, kind));
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), number]);
  }

  /** By the pages above it, which the map of pages tells even where they are gone; else by what is on it. */
  function ownerOf(number: number, page: Buffer, kind: PageKind): string | undefined {
    let at = number;
    let root: number | undefined;
    for (let depth = 0; depth < maxDepth && root === undefined; depth++) {
      const known = owners.get(at) ?? names.get(at);
      if (known !== undefined) return known;
      const entry = map.entry(at);
      if (entry?.type === 'root') root = at;
      else if (entry?.type === 'tree') at = entry.parent;
      else break;
    }
    return guess({ rows: contentOf(pages, number, page).rows, kind, root });
  }

  return {
    lost,
    *rows(name) {
      for (const number of byName.get(name) ?? []) {
        const page = pages.page(number);
        if (!page) continue;
        const { rows, unread } = contentOf(pages, number, page);
        lost.unreadRows += unread;
        yield* rows;
      }
    },
  };
}

/** Far deeper than any tree of pages. */
const maxDepth = 30;

const lockPage = ({ size }: Pages): number => 2 ** 30 / size + 1;

/** The root pages by name, from the schema; pages of it that nothing leads to are known by their rows. */
function rootsOf(pages: Pages, map: PointerMap): ReadonlyMap<string, number> {
  const roots = new Map<string, number>();
  const note = ({ values }: RescuedRow): void => {
    const [, name, , root] = values;
    if (isOfSchema(values) && typeof name === 'string' && typeof root === 'number' && root > 1 && !roots.has(name))
      roots.set(name, root);
  };
  const owners = new Map<number, string>();
  claim(pages, { name: 'schema', root: 1, owners });
  for (const number of owners.keys()) {
    const page = pages.page(number);
    if (page) for (const row of contentOf(pages, number, page).rows) note(row);
  }
  if ([...owners.keys()].every((number) => pages.page(number))) return roots;
  for (let number = 2; number <= pages.count; number++) {
    const page = owners.has(number) || map.entry(number)?.type === 'free' ? undefined : pages.page(number);
    if (page?.[0] !== 13) continue;
    const { rows } = contentOf(pages, number, page);
    if (rows.length > 0 && rows.every(({ values }) => isOfSchema(values))) rows.forEach(note);
  }
  return roots;
}

const isOfSchema = (values: RescuedRow['values']): boolean =>
  values.length === 5 &&
  ['table', 'index'].some((type) => type === values[0]) &&
  [values[1], values[2]].every((value) => typeof value === 'string') &&
  typeof values[3] === 'number' &&
  (values[4] === null || typeof values[4] === 'string');

/** Takes every page that a root leads to. */
function claim(
  pages: Pages,
  { name, root, owners }: { readonly name: string; readonly root: number; readonly owners: Map<number, string> },
): void {
  const open = [root];
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    if (owners.has(number)) continue;
    owners.set(number, name);
    const page = pages.page(number);
    if (page) open.push(...contentOf(pages, number, page).children);
  }
}

type Pointer = { readonly type: 'root' | 'free' | 'overflow' } | { readonly type: 'tree'; readonly parent: number };

interface PointerMap {
  /** What the file says of a page; undefined where it does not, or that part of it is gone. */
  entry(number: number): Pointer | undefined;
  isMap(number: number): boolean;
}

/** The map that a database has whose free pages can be given back (sqlite.org/fileformat.html#pointer_map_or_ptrmap_pages). */
function pointerMap(pages: Pages): PointerMap {
  const hasMap = pages.first === undefined || pages.first.readUInt32BE(52) !== 0;
  const each = Math.floor(pages.usable / 5);
  const mapOf = (number: number): number => {
    const map = Math.floor((number - 2) / (each + 1)) * (each + 1) + 2;
    return map === lockPage(pages) ? map + 1 : map;
  };
  const known = new Map<number, Buffer | undefined>();
  const isMap = (number: number): boolean => hasMap && number > 1 && mapOf(number) === number;
  return {
    isMap,
    entry(number) {
      if (!hasMap || number < 3 || isMap(number)) return undefined;
      const map = mapOf(number);
      if (!known.has(map)) known.set(map, pages.page(map));
      const at = 5 * (number - map - 1);
      const page = known.get(map);
      if (!page || at + 5 > page.length) return undefined;
      switch (page[at]) {
        case 1:
          return { type: 'root' };
        case 2:
          return { type: 'free' };
        case 3:
        case 4:
          return { type: 'overflow' };
        case 5:
          return { type: 'tree', parent: page.readUInt32BE(at + 1) };
        default:
          return undefined;
      }
    },
  };
}

/** Pages that hold what was deleted: nobody wants that back (sqlite.org/fileformat.html#the_freelist). */
function freePages(pages: Pages): ReadonlySet<number> {
  const free = new Set<number>();
  let trunk = pages.first?.readUInt32BE(32) ?? 0;
  while (trunk !== 0 && !free.has(trunk)) {
    free.add(trunk);
    const page = pages.page(trunk);
    if (!page) break;
    const count = Math.min(page.readUInt32BE(4), Math.floor(pages.usable / 4) - 2);
    for (let i = 0; i < count; i++) free.add(page.readUInt32BE(8 + 4 * i));
    trunk = page.readUInt32BE(0);
  }
  return free;
}
