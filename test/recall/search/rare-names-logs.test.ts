/** Rare names in real logs, where they are at hand; nothing of those logs is in this repository. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readTranscriptFile } from '../../../bench/files.ts';
import { compareNames } from '../../../bench/search/rare-names.ts';
import { atLeastAsOften } from './at-least-as-often.ts';

describe('Q3 a rare name', () => {
  const folder = join(import.meta.dirname, '../../../../shared/data/transcripts');
  const skip = !existsSync(folder) && 'there are no recorded transcripts beside the checkout';
  test('is found as often as by plain search in recorded transcripts', { skip }, async () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.gz'))
      .map((name) => join(folder, name))
      // The smaller half: the whole is `node bench/rare-names.ts`.
      .sort((a, b) => statSync(a).size - statSync(b).size)
      .slice(0, 8);
    const transcripts = (await Promise.all(files.map(readTranscriptFile))).flat();
    const conversations = transcripts.map(({ messages }) => messages.map(({ source: _, ...message }) => message));
    atLeastAsOften(await compareNames(conversations, { most: 60, kind: 'name' }));
    const capitals = await compareNames(conversations, { most: 100, kind: 'capital' });
    atLeastAsOften(capitals.filter(({ how }) => how === 'alone'));
  });
});
