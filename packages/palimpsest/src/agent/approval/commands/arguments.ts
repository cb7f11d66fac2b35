/** Reads the words behind a program by the options that are known of it: one that is not known makes all of them unknown. */
import type { ShellWord } from '../shell/read-command.ts';

/** What is known of a program, or of a command of one. */
export interface KnownArguments {
  /** Options without a value, between spaces: `-l --all`. Single letters may stand together. */
  readonly flags?: string;
  /** Options with a value, behind `=`, in the same word behind one letter, or in the next word. */
  readonly values?: string;
  /** True where `-20` is a number of lines. */
  readonly hasNumbers?: boolean;
}

export interface ReadArguments {
  /** The words that are no options, in their order. */
  readonly operands: readonly ShellWord[];
  /** The options that were given, without their values. */
  readonly options: ReadonlySet<string>;
}

/** Undefined where an option is not known. */
export function readArguments(words: readonly ShellWord[], known: KnownArguments): ReadArguments | undefined {
  const flags = namesOf(known.flags);
  const values = namesOf(known.values);
  const operands: ShellWord[] = [];
  const options = new Set<string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === undefined) break;
    const { text } = word;
    if (text === '--') return { operands: [...operands, ...words.slice(i + 1)], options };
    if (text === '-' || !text.startsWith('-')) {
      operands.push(word);
      continue;
    }
    const found = optionsOf(text, { flags, values, hasNumbers: known.hasNumbers ?? false });
    if (found === undefined) return undefined;
    for (const name of found.names) options.add(name);
    if (found.takesNext) i++;
    if (i >= words.length) return undefined;
  }
  return { operands, options };
}

const namesOf = (names = ''): ReadonlySet<string> => new Set(names.split(' ').filter(Boolean));

interface Names {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly hasNumbers: boolean;
}

function optionsOf(
  text: string,
  { flags, values, hasNumbers }: Names,
): { readonly names: readonly string[]; readonly takesNext: boolean } | undefined {
  if (flags.has(text)) return { names: [text], takesNext: false };
  if (values.has(text)) return { names: [text], takesNext: true };
  if (hasNumbers && /^-\d{1,9}$/.test(text)) return { names: [], takesNext: false };
  const equals = text.indexOf('=');
  // Names that are cut short are not read: what they stand for is the program's to say.
  if (text.startsWith('--') || equals > 0) {
    const name = text.slice(0, equals);
    return equals > 0 && values.has(name) ? { names: [name], takesNext: false } : undefined;
  }
  const names: string[] = [];
  for (let i = 1; i < text.length; i++) {
    const name = `-${text[i]}`;
    names.push(name);
    if (values.has(name)) return { names, takesNext: i === text.length - 1 };
    if (!flags.has(name)) return undefined;
  }
  return { names, takesNext: false };
}
