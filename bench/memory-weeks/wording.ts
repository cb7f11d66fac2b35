/** What the sentences of all languages have in common: which subjects there are, and what a language has to say of each. */

export type Language = 'en' | 'de' | 'ja';

/** Of these a person has one at a time: a newer one replaces the older. */
export const personTopics = [
  'home',
  'boss',
  'editor',
  'workStart',
  'commute',
  'freeDay',
  'laptop',
  'answers',
  'bank',
  'dog',
] as const;

/** Of these a project has one at a time. */
export const projectTopics = [
  'packageManager',
  'port',
  'branch',
  'database',
  'deployDay',
  'testCommand',
  'reviewer',
  'runtime',
  'staging',
  'coverage',
  'tracker',
  'licence',
] as const;

export type Topic = (typeof personTopics)[number] | (typeof projectTopics)[number];

/** `says` states a value `{v}`, each in other words; `turns` tells that it changed, from `{old}` where that is named. */
export interface Wording {
  readonly says: readonly string[];
  readonly turns: readonly string[];
}

/** `{task}` is under way, and later done; both lists go together by nothing but the task. */
export interface Working {
  readonly tasks: readonly string[];
  readonly going: readonly string[];
  readonly done: readonly string[];
}

/** All that a language says. Places for words stand in braces: `{who}`, `{v}`, `{city}`, `{name}`, `{number}`, `{date}`. */
export interface Tongue {
  readonly topics: Readonly<Record<Topic, Wording>>;
  readonly values: Readonly<Partial<Record<Topic, readonly string[]>>>;
  readonly working: Working;
  /** True until `{date}`, and of no use afterwards. */
  readonly limited: readonly string[];
  /** Look like facts above and contradict none of them. */
  readonly asidePerson: readonly string[];
  readonly asideProject: readonly string[];
  /** How somebody else's claim `{s}` is told. */
  readonly claims: readonly string[];
  readonly cities: readonly string[];
  readonly names: readonly string[];
  readonly foods: readonly string[];
  readonly date: (at: Date) => string;
}
