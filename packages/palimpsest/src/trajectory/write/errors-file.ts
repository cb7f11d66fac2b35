/** Where the list of broken records may stand: never in the place of what is read or written, nor of a file that is there. */
import { PalimpsestError } from '@palimpsest/core';
import { isObject, parseJson } from '@palimpsest/core/settings';
import type { PlannedFile } from '../read/find-inputs.ts';
import { metricsPath } from './metrics-path.ts';
import { firstLines, isNoFile, partialOf, placeOf, sizeAt } from './partial-output.ts';

/** What the list must leave alone. */
export interface ErrorsFileOptions {
  readonly files: readonly PlannedFile[];
  /** Files that the run writes beside its outputs and their metrics. @default none */
  readonly kept?: readonly string[];
  /** True replaces a file that is there. */
  readonly force: boolean;
  /** True replaces a list that the same run made before it was stopped. @default false */
  readonly isResumed?: boolean;
}

/** Throws `BAD_OPTION` where the list would take the place of something else, or of what is no file. The path is whole. */
export async function refuseErrorsFile(path: string, options: ErrorsFileOptions): Promise<void> {
  const { files, kept = [], force, isResumed = false } = options;
  if (await isNoFile(path)) throw taken(path, 'is no file');
  const place = await placeOf(path);
  const isOneOf = async (others: readonly string[]): Promise<boolean> =>
    (await Promise.all(others.map(placeOf))).includes(place);
  if (await isOneOf(files.flatMap((file) => file.path ?? []))) throw taken(path, 'is an input');
  const outputs = files.map(({ output }) => output).filter((output) => output !== '');
  const written = outputs.flatMap((output) => [output, partialOf(output), metricsPath(output)]);
  if (await isOneOf([...written, ...kept])) throw taken(path, 'is written by this run');
  if (force || (await sizeAt(path)) === undefined || (isResumed && (await isList(path)))) return;
  throw taken(path, 'already exists', 'another file, or use --force to replace it');
}

async function isList(path: string): Promise<boolean> {
  if ((await sizeAt(path)) === 0) return true;
  const value = parseJson((await firstLines(path, 1))[0] ?? '');
  return isObject(value) && ['file', 'line', 'code', 'message'].every((key) => key in value);
}

const taken = (path: string, what: string, instead = 'another file'): PalimpsestError =>
  new PalimpsestError('BAD_OPTION', `the list of errors cannot be written to ${path}, which ${what}: name ${instead}`, {
    evidence: { path },
  });
