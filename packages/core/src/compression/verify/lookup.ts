/** Whether and where the conversation says an atom of a summary. */
import type { LedgerFacts } from '../ledger/facts.ts';
import { type Atom, numberIn } from './atoms.ts';
import type { Source } from './source.ts';
import { numberOf, wordsOf } from './words-of.ts';

/** Searching every passage for a text is for the few atoms that no word led to. */
const maxTextSearches = 400;

export class Lookup {
  readonly #source: Source;
  /** The ledger follows `cd`, and knows files under paths that nobody wrote out. */
  readonly #paths: ReadonlySet<string>;
  readonly #known = new Map<string, readonly number[]>();
  readonly #holding = new Map<string, readonly number[]>();
  readonly #folders = new Map<string, ReadonlySet<number>>();
  #searches = 0;

  constructor(source: Source, { files, actions }: LedgerFacts) {
    this.#source = source;
    this.#paths = new Set([...files.map(({ path }) => path), ...actions.map(({ target }) => target)].flatMap(endsOf));
  }

  /** Passages that say an atom, rising; empty when none does. */
  passagesOf(atom: Atom): readonly number[] {
    const key = `${atom.type} ${atom.text}`;
    const found = this.#known.get(key) ?? this.#find(atom);
    this.#known.set(key, found);
    return found;
  }

  #find(atom: Atom): readonly number[] {
    if (atom.isCut) return atom.text.length < 3 ? anywhere : this.#source.textSearch(bare(atom.text));
    switch (atom.type) {
      case 'number':
        return this.#source.passagesWith(numberIn(atom));
      case 'path':
        return this.#pathPassages(atom);
      case 'id':
        return this.#idPassages(atom);
      case 'url':
        return this.#urlPassages(atom);
      case 'version':
      case 'identifier':
        return this.#namePassages(atom.text);
    }
  }

  #pathPassages({ text }: Atom): readonly number[] {
    const path = bare(text);
    const segments = path.split('/').filter(Boolean);
    const last = segments.at(-1) ?? path;
    const held = this.#holdingName(last, path);
    if (held.length > 0 || segments.length < 2) return held.length > 0 ? held : this.#searched(path);
    const whole = this.#searched(path);
    if (whole.length > 0) return whole;
    if (this.#paths.has(path) || this.#paths.has(text)) return anywhere;
    // A name and its folder may be said one after the other: `cd src/foo`, then `bar.ts`.
    return this.#joined(segments.slice(0, -1).join('/'), last);
  }

  /** Passages with the name where a passage close by in the same message has the folder. */
  #joined(folder: string, name: string): readonly number[] {
    const near = this.#messagesWith(folder);
    if (near.size === 0) return [];
    return this.#holdingName(name, name).filter((at) => {
      const message = this.#source.messageOf(at);
      return near.has(message) || near.has(message - 1);
    });
  }

  /** Messages that hold the folder; remembered, for many files lie in one. */
  #messagesWith(folder: string): ReadonlySet<number> {
    const found =
      this.#folders.get(folder) ??
      new Set(this.#holdingName(folder.split('/').at(-1) ?? folder, folder).map(this.#source.messageOf));
    this.#folders.set(folder, found);
    return found;
  }

  /** Of the passages with a word those that hold the whole name. */
  #holdingName(word: string, name: string): readonly number[] {
    const key = `${word} ${name}`;
    const found =
      this.#holding.get(key) ?? this.#wordPassages(word).filter((at) => holdsName(this.#source.text(at), name));
    this.#holding.set(key, found);
    return found;
  }

  #idPassages({ text }: Atom): readonly number[] {
    if (/^#?\d+$/.test(text)) return this.#numbered(numberOf(text.replace('#', '')));
    const exact = this.#namePassages(text);
    if (exact.length > 0 || !/^[0-9a-f]{7,64}$/i.test(text)) return exact;
    // A commit is named by its beginning, shorter or longer.
    const id = text.toLowerCase();
    for (const name of this.#source.names) {
      const other = name.toLowerCase();
      if (other.length >= 7 && (other.startsWith(id) || id.startsWith(other)) && /^[0-9a-f]+$/.test(other)) {
        return this.#source.textSearch(name);
      }
    }
    return [];
  }

  /** `#12`, as a pull request, an issue or a task is named. */
  #numbered(number: string): readonly number[] {
    const named = new RegExp(
      `(?:[#/!]|\\b(?:prs?|pull|request|issues?|tasks?|tickets?|mr|bug|id|number|no)\\W{0,6})${number}(?!\\d)`,
      'i',
    );
    return this.#source.passagesWith(number).filter((at) => {
      const text = this.#source.text(at);
      return named.test(text) || (this.#source.speakerOf(at) === 'call' && text.trim() === number);
    });
  }

  #urlPassages({ text }: Atom): readonly number[] {
    const found = this.#searched(text.replace(/\/+$/, ''));
    const without =
      found.length > 0 ? found : this.#searched(text.replace(/^[a-z]+:\/\/(?:www\.)?/i, '').replace(/\/+$/, ''));
    return without.length > 0 ? without : this.#composed(text);
  }

  /** `http://host:5001` where the host and the port are both said, and nothing else stands in it. */
  #composed(text: string): readonly number[] {
    const [, host, port] = /^[a-z]+:\/\/([\w.-]+):(\d{2,5})\/?$/i.exec(text) ?? [];
    if (host === undefined || port === undefined) return [];
    const ports = this.#source.passagesWith(port).length > 0 || this.#source.textSearch(`:${port}`).length > 0;
    return ports ? this.#searched(host) : [];
  }

  #namePassages(name: string): readonly number[] {
    const text = name.replace(/^v(?=\d+\.)/i, '');
    const held = this.#holdingName(text, text);
    if (held.length > 0) return held;
    const whole = this.#searched(text);
    if (whole.length > 0 || !/[.:]/.test(text) || /^\d/.test(text)) return whole;
    // `Class.method` where the class and the method stand apart.
    const pieces = text.split(/[.:]+/).filter((piece) => piece.length > 2);
    const apart = pieces.map((piece) => this.#holdingName(piece, piece));
    return apart.length > 1 && apart.every((list) => list.length > 0) ? (apart[0] ?? []) : [];
  }

  #wordPassages(name: string): readonly number[] {
    let best: readonly number[] = [];
    wordsOf(name, (word, { isPiece }) => {
      if (!isPiece && best.length === 0) best = this.#source.passagesWith(word);
    });
    return best;
  }

  /** Passages that hold the text, wherever words begin and end there. */
  #searched(text: string): readonly number[] {
    if (text.length < 3 || this.#searches >= maxTextSearches) return [];
    this.#searches++;
    return this.#source.textSearch(text).filter((at) => holdsName(this.#source.text(at), text));
  }
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
