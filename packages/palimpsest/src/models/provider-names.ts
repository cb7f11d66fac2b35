/** Finds providers by their names, and says what to do when there is none. */
import { SummarizerError } from '@palimpsest/core';
import { nearest } from '@palimpsest/core/settings';
import { type ProviderRow, packageNames, providerRows } from './providers.data.ts';

/** The provider of that name or alias. */
export function rowNamed(name: string): ProviderRow | undefined {
  const plain = name.trim().toLowerCase();
  return providerRows.find((row) => row.name === plain || row.aliases?.includes(plain));
}

/** The provider that the name of a model begins with, if we know it. */
export function knownProvider(model: string): string | undefined {
  const slash = model.indexOf('/');
  return slash > 0 ? rowNamed(model.slice(0, slash))?.name : undefined;
}

/** A sentence with the names of all providers. */
export const knownNames = (): string =>
  `Known providers: ${providerRows.map(({ name }) => name).join(', ')}; for any other server, use --base-url.`;

/** The error for a model that nobody serves. */
export const noProvider = (model: string, message: string): SummarizerError =>
  new SummarizerError('no_provider', message, { model });

/** The error for a provider that is neither in the table nor installed. */
export function unknownProvider(
  provider: string,
  { model, packageName }: { readonly model: string; readonly packageName: string },
): SummarizerError {
  const names = providerRows.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const near = nearest(provider, [...names, ...Object.keys(packageNames)]);
  const hint = near === undefined ? '' : `Did you mean "${near}"? `;
  return noProvider(
    `${provider}/${model}`,
    `"${provider}" is not a known provider, and the package ${packageName} is not installed (npm install ${packageName}). ` +
      `${hint}${knownNames()}`,
  );
}
