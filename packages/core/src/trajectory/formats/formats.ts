/** Every format of training data, in the order in which they are tried. */
import { PalimpsestError } from '../../shared/errors.ts';
import { type TrajectoryFormat, trajectoryFormats } from '../turn.ts';
import { anthropicEntries } from './anthropic.ts';
import type { EntryFormat } from './entry.ts';
import { openAiEntries } from './openai.ts';
import { shareGptEntries } from './sharegpt.ts';

/** The one that takes all that has a role comes last. */
export const entryFormats: readonly EntryFormat[] = [shareGptEntries, anthropicEntries, openAiEntries];

/** The format of a name. @throws FORMAT_UNKNOWN */
export function entryFormatOf(name: TrajectoryFormat): EntryFormat {
  const found = entryFormats.find(({ format }) => format === name);
  if (found) return found;
  const message = `expected a format of training data (${trajectoryFormats.join(', ')}), got ${JSON.stringify(name)}`;
  throw new PalimpsestError('FORMAT_UNKNOWN', message);
}
