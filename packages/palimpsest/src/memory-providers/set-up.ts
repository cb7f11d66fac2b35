/** Setting a provider up: what it is asked, and what becomes of the answers. Pure. */

import { answerProblems, type ProviderQuestion } from './provider-host.ts';
import { rowOf } from './provider-list.ts';

/** What setting up a provider comes to. Nothing has been written. */
export type ProviderSetUp =
  | {
      readonly type: 'ready';
      /** For `memory.providers.<name>` of the configuration. Without secrets and without what is the default anyway. */
      readonly settings: Readonly<Record<string, string>>;
      /** Variables of the environment that hold the secrets. A configuration is no place for them. */
      readonly variables: Readonly<Record<string, string>>;
      /** The package to install; undefined where none is needed. */
      readonly packageName?: string;
    }
  | { readonly type: 'wrong'; readonly problems: readonly string[] };

/** What a provider has to know, in the order in which to ask. @throws BAD_OPTION for a name that nobody has */
export const providerQuestions = (name: string): readonly ProviderQuestion[] => rowOf(name).questions;

/**
 * What to write where, for these answers by the keys of `providerQuestions`; an answer that is left out or blank takes its
 * default. Whether the service accepts them, `probeProvider` tells.
 *
 * @throws BAD_OPTION for a name that nobody has
 *
 * @example
 * import { setUpProvider } from 'palimpsest';
 * setUpProvider('mem0', { api_key: 'm0-example', user: 'alice' }); // { type: 'ready', settings: { user: 'alice' }, … }
 */
export function setUpProvider(name: string, answers: Readonly<Record<string, string>>): ProviderSetUp {
  const { questions, packageName } = rowOf(name);
  const known = questions.map((question) => ({ question, answer: (answers[question.key] ?? '').trim() }));
  const problems = answerProblems(name, questions, answers);
  if (problems.length > 0) return { type: 'wrong', problems };
  const told = known.filter(({ question, answer }) => answer !== '' && answer !== question.default);
  return {
    type: 'ready',
    settings: Object.fromEntries(
      told.filter(({ question }) => !question.isSecret).map(({ question, answer }) => [question.key, answer]),
    ),
    variables: Object.fromEntries(
      told.flatMap(({ question: { isSecret, variable }, answer }) =>
        isSecret && variable !== undefined ? [[variable, answer]] : [],
      ),
    ),
    ...(packageName === undefined ? {} : { packageName }),
  };
}
