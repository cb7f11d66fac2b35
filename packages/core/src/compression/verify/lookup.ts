/** Whether and where the conversation says an atom of a summary. */
import type { LedgerFacts } from '../ledger/facts.ts';
import type { Atom } from './atoms.ts';
import { numberIn } from './atoms.ts';
import type { Source } from './source.ts';
import { numberOf, wordsOf } from './words-of.ts';

/** Passages that say an atom, rising; empty when none does. */
export interface Lookup {
  passagesOf(atom: Atom): readonly number[];
}

/** Searching every passage for a text is for the few atoms that no word led to. */
const maxTextSearches = 400;

export function createLookup(source: Source, facts: LedgerFacts): Lookup {
  const known = new Map<string, readonly number[]>();
  // The ledger follows `cd`, and knows files under paths that nobody wrote out.
  const paths = new Set(
    [...facts.files.map(({ path }) => path), ...facts.actions.map(({ target }) => target)].flatMap(endsOf),
  );
  const holding = new Map<string, readonly number[]>();
  const folders = new Map<string, ReadonlySet<number>>();
  let searches = 0;

  function find(atom: Atom): readonly number[] {
    if (atom.isCut) return atom.text.length < 3 ? anywhere : source.textSearch(bare(atom.text));
    switch (atom.type) {
      case 'number':
        return source.passagesWith(numberIn(atom));
      case 'path':
        return pathPassages(atom);
      case 'id':
        return idPassages(atom);
      case 'url':
        return urlPassages(atom);
      case 'version':
      case 'identifier':
        return namePassages(atom.text);
    }
  }

  function pathPassages({ text }: Atom): readonly number[] {
    const path = bare(text);
    const segments = path.split('/').filter(Boolean);
    const last = segments.at(-1) ?? path;
    const held = holdingName(last, path);
    if (held.length > 0 || segments.length < 2) return held.length > 0 ? held : searched(path);
    const whole = searched(path);
    if (whole.length > 0) return whole;
    if (paths.has(path) || paths.has(text)) return anywhere;
    // A name and its folder may be said one after the other: `cd src/foo`, then `bar.ts`.
    return joined(segments.slice(0, -1).join('/'), last);
  }

  /** Passages with the name where a passage close by in the same message has the folder. */
  function joined(folder: string, name: string): readonly number[] {
    const folders = messagesWith(folder);
    if (folders.size === 0) return [];
    return holdingName(name, name).filter((at) => {
      const message = source.messageOf(at);
      return folders.has(message) || folders.has(message - 1);
    });
  }

  /** Messages that hold the folder; remembered, for many files lie in one. */
  function messagesWith(folder: string): ReadonlySet<number> {
    const found =
      folders.get(folder) ?? new Set(holdingName(folder.split('/').at(-1) ?? folder, folder).map(source.messageOf));
    folders.set(folder, found);
    return found;
  }

  /** Of the passages with a word those that hold the whole name. */
  function holdingName(word: string, name: string): readonly number[] {
    const key = `${word} ${name}`;
    const found = holding.get(key) ?? wordPassages(word).filter((at) => holdsName(source.text(at), name));
    holding.set(key, found);
    return found;
  }

  function idPassages({ text }: Atom): readonly number[] {
    if (/^#?\d+$/.test(text)) return numbered(numberOf(text.replace('#', '')));
    const exact = namePassages(text);
    if (exact.length > 0 || !/^[0-9a-f]{7,64}$/i.test(text)) return exact;
    // A commit is named by its beginning, shorter or longer.
    const id = text.toLowerCase();
    for (const name of source.names) {
      const other = name.toLowerCase();
      if (other.length >= 7 && (other.startsWith(id) || id.startsWith(other)) && /^[0-9a-f]+$/.test(other)) {
        return source.textSearch(name);
      }
    }
    return [];
  }

  /** `#12`, as a pull request, an issue or a task is named. */
  function numbered(number: string): readonly number[] {
    const named = new RegExp(
      `(?:[#/!]|\\b(?:prs?|pull|request|issues?|tasks?|tickets?|mr|bug|id|number|no)\\W{0,6})${number}(?!\\d)`,
      'i',
    );
    return source.passagesWith(number).filter((at) => {
      const text = source.text(at);
      return named.test(text) || (source.speakerOf(at) === 'call' && text.trim() === number);
    });
  }

  function urlPassages({ text }: Atom): readonly number[] {
    const found = searched(text.replace(/\/+$/, ''));
    const without =
      found.length > 0 ? found : searched(text.replace(/^[a-z]+:\/\/(?:www\.)?/i, '').replace(/\/+$/, ''));
    return without.length > 0 ? without : composed(text);
  }

  /** `http://host:5001` where the host and the port are both said, and nothing else stands in it. */
  function composed(text: string): readonly number[] {
    const [, host, port] = /^[a-z]+:\/\/([\w.-]+):(\d{2,5})\/?$/i.exec(text) ?? [];
    if (host === undefined || port === undefined) return [];
    const ports = source.passagesWith(port).length > 0 || source.textSearch(`:${port}`).length > 0;
    return ports ? searched(host) : [];
  }

  function namePassages(name: string): readonly number[] {
    const text = name.replace(/^v(?=\d+\.)/i, '');
    const held = holdingName(text, text);
    if (held.length > 0) return held;
    const whole = searched(text);
    if (whole.length > 0 || !/[.:]/.test(text) || /^\d/.test(text)) return whole;
    // `Class.method` where the class and the method stand apart.
    const pieces = text.split(/[.:]+/).filter((piece) => piece.length > 2);
    const apart = pieces.map((piece) => holdingName(piece, piece));
    return apart.length > 1 && apart.every((list) => list.length > 0) ? (apart[0] ?? []) : [];
  }

  function wordPassages(name: string): readonly number[] {
    let best: readonly number[] = [];
    wordsOf(name, (word, { isPiece }) => {
      if (!isPiece && best.length === 0) best = source.passagesWith(word);
    });
    return best;
  }

  /** Passages that hold the text, wherever words begin and end there. */
  function searched(text: string): readonly number[] {
    if (text.length < 3 || searches >= maxTextSearches) return [];
    searches++;
    return source.textSearch(text).filter((at) => holdsName(source.text(at), text));
  }

  return {
    passagesOf(atom) {
      const key = `${atom.type} ${atom.text}`;
      const found = known.get(key) ?? find(atom);
      known.set(key, found);
      return found;
    },
  };
}

/** Said, but nobody can tell where. */
const anywhere: readonly number[] = [0];

/** A path and every end of it that still has a folder, without what stands in front. */
function endsOf(path: string): readonly string[] {
  if (!path.includes('/') || path.length > 300 || /\s/.test(path)) return [path];
  const segments = path.split('/').filter(Boolean);
  return [path, ...segments.map((_, at) => segments.slice(at).join('/'))].slice(0, 12);
}

/** A path without what only says from where: `./`, `~/`, `…/`, the sides of a diff. */
export const bare = (path: string): string => path.replace(/^(?:[ab]\/(?=.*\/)|[.~…]*\/)+/, '').replace(/\/+$/, '');

/** True when the text holds the name and not merely as a part of a longer one. */
export function holdsName(text: string, name: string): boolean {
  const [where, what] = [text.toLowerCase(), name.toLowerCase()];
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + 1)) {
    if (!joins(text, at - 1, at) && !joins(text, at + what.length - 1, at + what.length)) return true;
  }
  return false;
}

const wordSign = /[A-Za-z0-9_]/;

/** True when the characters at both places belong to one word. */
function joins(text: string, left: number, right: number): boolean {
  const [a, b] = [text[left], text[right]];
  if (a === undefined || b === undefined || !wordSign.test(a) || !wordSign.test(b)) return false;
  // The pieces of `camelCase` are names of their own, and `v1.2` is 1.2.
  return !(/[a-z0-9]/.test(a) && /[A-Z]/.test(b)) && !(/v/i.test(a) && /\d/.test(b));
}
