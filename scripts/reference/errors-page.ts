/** docs/reference/errors.md: every error code, what it means, and the exit code of the command line. */

import { type ErrorCode, PalimpsestError } from '../../packages/core/src/shared/errors.ts';
import { exitCodeHelp, exitCodeOf } from '../../packages/palimpsest/src/cli/exit-codes.ts';
import { unionOf } from './doc-comments.ts';
import { page, table } from './markdown.ts';

/** `source` is the text of src/shared/errors.ts. */
export function errorsPage(source: string): string {
  const codes = unionOf(source, 'ErrorCode').map(({ word, doc }) => {
    // The words were read from the declaration of the union itself.
    const exit = exitCodeOf(new PalimpsestError(word as ErrorCode, ''));
    return [`\`${word}\``, doc, String(exit)];
  });
  return page(
    'Errors',
    'Every error that Palimpsest throws is a `PalimpsestError`. Its message says what was expected, what came and what to ' +
      'do; `code` is for programs and never changes its meaning; `evidence` holds short facts. ' +
      '`PalimpsestError.isInstance(error)` is true for errors of any installed copy of the package. Expected outcomes, ' +
      'such as nothing to compress, are return values.',
    table(['code', 'meaning', 'exit'], codes),
    '## Exit codes',
    table(
      ['exit', 'meaning'],
      exitCodeHelp.map(([code, meaning]) => [String(code), meaning]),
    ),
  );
}
