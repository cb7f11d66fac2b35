/** docs/reference/formats.md: every transcript format. */
import { formats } from '../../packages/core/src/transcript/registry.ts';
import { page, table } from './markdown.ts';

export function formatsPage(): string {
  return page(
    'Formats',
    'A file is recognised by its content; `--from` names the format where that fails. Within a format, reading and writing ' +
      'gives equal records back; between formats, what the target has no place for is left out.',
    table(['format', 'what it is', 'read', 'write'], formatRows()),
  );
}

/** One row a format; the README shows the same. */
export const formatRows = (): readonly (readonly string[])[] =>
  formats.map(({ name, title, write }) => [`\`${name}\``, title, 'yes', write ? 'yes' : 'no']);
