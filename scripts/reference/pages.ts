/** The generated pages of docs/reference/. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliPage } from './cli-page.ts';
import { configPage } from './config-page.ts';
import { errorsPage } from './errors-page.ts';
import { formatsPage } from './formats-page.ts';
import { libraryPages } from './library-pages.ts';
import { promisesPage } from './promises-page.ts';

const root = join(import.meta.dirname, '..', '..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

export interface ReferencePage {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** Every page as the code now says it must be. */
export function referencePages(): readonly ReferencePage[] {
  return [
    { path: 'docs/reference/cli.md', text: cliPage() },
    {
      path: 'docs/reference/config.md',
      text: configPage(
        [
          'palimpsest/src/config/config.ts',
          'palimpsest/src/config/gateway.ts',
          'core/src/context/settings.ts',
          'core/src/output/settings.ts',
        ].map((path) => text(`packages/${path}`)),
      ),
    },
    { path: 'docs/reference/errors.md', text: errorsPage(text('packages/core/src/shared/errors.ts')) },
    { path: 'docs/reference/formats.md', text: formatsPage() },
    { path: 'docs/reference/promises.md', text: promisesPage() },
    ...[...libraryPages()].map(([name, text]) => ({ path: `docs/reference/library/${name}`, text })),
  ];
}

/** The pages whose file holds something else, or is missing. */
export const stalePages = (): readonly ReferencePage[] =>
  referencePages().filter((page) => {
    try {
      return text(page.path) !== page.text;
    } catch {
      // Not written yet.
      return true;
    }
  });
