/** Whether a command only looks, at what may be looked at: then it runs without a question. */
import type { Project } from '../project.ts';
import type { ShellCommand, ShellReading, ShellWord } from '../shell/read-command.ts';
import { type ReadArguments, readArguments } from './arguments.ts';
import { findOperators, type ReadingProgram, readingGit, readingPrograms, sedScript } from './reading-programs.ts';

/** A command, and the folder that it runs in as far as a `cd` before it says. */
export interface PlacedCommand {
  readonly command: ShellCommand;
  readonly folder: string;
}

/**
 * The commands of a line in the folders that they run in: a first `cd FOLDER &&` is followed, and left out. Undefined where
 * it leads out of the project, and where another `cd` makes it depend on what happens.
 */
export function placedCommands(reading: ShellReading, project: Project): readonly PlacedCommand[] | undefined {
  let folder = project.folder;
  let { commands } = reading;
  const [first, second] = commands;
  if (first?.words[0]?.text === 'cd' && (second === undefined || second.joint === 'and')) {
    const target = first.words[1];
    if (first.words.length !== 2 || target === undefined || target.hasGlob || !isPlainPath(target.text))
      return undefined;
    const place = project.look(target.text);
    if (!place.isInside) return undefined;
    folder = place.path;
    commands = commands.slice(1);
  }
  const moves = /^(?:cd|pushd|popd|chdir)$/;
  if (commands.some(({ words }) => moves.test(words[0]?.text ?? ''))) return undefined;
  return commands.map((command) => ({ command, folder }));
}

/** True for a command that changes nothing, and shows nothing from outside of the project and nothing of credentials. */
export function isReading({ command, folder }: PlacedCommand, project: Project): boolean {
  const [program, ...words] = command.words;
  if (program === undefined || program.hasGlob) return false;
  if (program.text === 'git') return isReadingGit(words, { folder, project });
  const known = Object.hasOwn(readingPrograms, program.text) ? readingPrograms[program.text] : undefined;
  if (!known) return false;
  const given = program.text === 'find' ? words.filter(({ text }) => !findOperators.has(text)) : words;
  const read = readArguments(given, known);
  if (!read) return false;
  if (program.text === 'sed' && !isPrintingSed(read)) return false;
  return isShownHere(read, known, { folder, project });
}

const isPrintingSed = ({ options, operands }: ReadArguments): boolean =>
  options.has('-n') && sedScript.test(operands[0]?.text ?? '');

interface Here {
  readonly folder: string;
  readonly project: Project;
}

function isShownHere(read: ReadArguments, known: ReadingProgram, here: Here): boolean {
  const { operands, options } = read;
  if (known.needsOption && options.size === 0) return false;
  if (operands.length > (known.mostOperands ?? Number.POSITIVE_INFINITY)) return false;
  if (known.pattern && !operands.every(({ text }) => known.pattern?.test(text))) return false;
  switch (known.operands) {
    case 'none':
      return operands.length === 0;
    case 'text':
      return true;
    case 'names':
      return pathsOf(read, known).every((word) => isHere(word, here));
    case 'files': {
      const files = pathsOf(read, known).filter(({ text }) => text !== '-');
      if (!files.every((word) => !word.hasGlob && isHere(word, here) && !isSecret(word, here))) return false;
      const searches = known.searches === 'always' || isAny(known.searches, options);
      const where = files.length > 0 ? files.map(({ text }) => text) : ['.'];
      const hidden = known.hiddenWith === undefined || isAny(known.hiddenWith, options);
      return (
        !searches ||
        where.every((path) => !here.project.holdsSecrets(here.project.look(path, here.folder).path, { hidden }))
      );
    }
  }
}

/** The words that are paths: those before them are text, unless an option has brought that. */
function pathsOf(
  { operands, options }: ReadArguments,
  { textFirst = 0, textIn }: ReadingProgram,
): readonly ShellWord[] {
  return isAny(textIn, options) ? operands : operands.slice(textFirst);
}

const isAny = (names: string | undefined, options: ReadonlySet<string>): boolean =>
  names?.split(' ').some((name) => options.has(name)) ?? false;

const isHere = ({ text }: ShellWord, { folder, project }: Here): boolean =>
  text === '-' || (isPlainPath(text) && project.look(text, folder).isInside);

const isSecret = ({ text }: ShellWord, { folder, project }: Here): boolean => project.look(text, folder).isSecret;

/** False where links make it a question what `..` leads back from. */
function isPlainPath(path: string): boolean {
  return !/(?:^|\/)(?!\.\.?\/)[^/]+\/(?:.*\/)?\.\.(?:\/|$)/.test(path) && !path.startsWith('~');
}

function isReadingGit(given: readonly ShellWord[], here: Here): boolean {
  const [first, ...rest] = given;
  if (first === undefined || given.some(({ hasGlob }) => hasGlob)) return false;
  if (first.text === '--version' && rest.length === 0) return true;
  // Any other option before the command may change what runs: -c, -C, --exec-path.
  const [command, ...words] = first.text === '--no-pager' ? rest : given;
  const name = command?.text ?? '';
  const known = Object.hasOwn(readingGit, name) ? readingGit[name] : undefined;
  if (!known || here.project.gitRunsPrograms(here.folder)) return false;
  const read = readArguments(words, known);
  if (!read || !isShownHere(read, known, here)) return false;
  // `HEAD:.env` names a file as well.
  return pathsOf(read, known).every(({ text }) =>
    text.split(':').every((part) => part === '' || isHereInGit(part, here)),
  );
}

const isHereInGit = (path: string, { folder, project }: Here): boolean => {
  const place = project.look(path, folder);
  return place.isInside && !place.isSecret;
};
