/** The English verbs and adjectives that tell how something stands. */
import type { Status } from './status.ts';

export interface Verb {
  readonly base: string;
  readonly third: string;
  readonly past: string;
  readonly participle: string;
  readonly status: Status;
}

export type Form = 'base' | 'third' | 'past' | 'ing';

/** `fix` for the regular ones, else all of base, third person, past, participle and -ing form. */
const table: Readonly<Partial<Record<Status, string>>> = {
  passed: 'pass succeed compile',
  failed: 'fail crash error/errors/errored/errored/erroring',
  fixed: 'fix resolve solve correct repair patch address',
  done: `complete finish accomplish conclude verify test validate run/runs/ran/run/running execute
    review investigate do/does/did/done/doing`,
  undone: 'skip abort postpone cancel/cancels/cancelled/cancelled/cancelling',
  deleted: 'delete remove erase purge wipe/wipes/wiped/wiped/wiping drop',
  kept: 'keep/keeps/kept/kept/keeping preserve retain',
  created: 'create generate write/writes/wrote/written/writing build/builds/built/built/building scaffold',
  changed: `change update modify edit rename move replace rewrite/rewrites/rewrote/rewritten/rewriting refactor add
    implement extend touch migrate convert adjust revise`,
  committed: 'commit',
  pushed: 'push',
  merged: 'merge',
  released: 'release publish deploy ship',
  installed: 'install',
  stopped: 'stop kill terminate',
};

const doubled = /^(?:commit|drop|ship|skip|stop)$/;

function regular(base: string): readonly [string, string, string] {
  if (base.endsWith('e')) return [`${base}s`, `${base}d`, `${base.slice(0, -1)}ing`];
  if (/[^aeiou]y$/.test(base)) return [`${base.slice(0, -1)}ies`, `${base.slice(0, -1)}ied`, `${base}ing`];
  const stem = doubled.test(base) ? base + base.slice(-1) : base;
  return [/(?:s|x|sh|ch)$/.test(base) ? `${base}es` : `${base}s`, `${stem}ed`, `${stem}ing`];
}

export interface VerbForm {
  readonly verb: Verb;
  readonly form: Form;
}

/** Every form of every verb. `past` is the participle as well, which only the words around it can tell apart. */
export const verbForms: ReadonlyMap<string, VerbForm> = new Map(
  // The keys of the table are statuses, which Object.entries forgets.
  (Object.entries(table) as [Status, string][]).flatMap(([status, list]) =>
    list.split(/\s+/).flatMap((entry): [string, VerbForm][] => {
      const [base = '', third, past, participle, ing] = entry.split('/');
      const [ruleThird, rulePast, ruleIng] = regular(base);
      const verb: Verb = {
        base,
        third: third ?? ruleThird,
        past: past ?? rulePast,
        participle: participle ?? past ?? rulePast,
        status,
      };
      return [
        [base, { verb, form: 'base' }],
        [verb.third, { verb, form: 'third' }],
        [ing ?? ruleIng, { verb, form: 'ing' }],
        [verb.past, { verb, form: 'past' }],
        [verb.participle, { verb, form: verb.participle === base ? 'base' : 'past' }],
      ];
    }),
  ),
);

/** Words that say a status by themselves, with the word for its opposite where there is one. */
export const adjectives: ReadonlyMap<string, { readonly status: Status; readonly opposite?: string }> = new Map([
  ['successful', { status: 'passed', opposite: 'unsuccessful' }],
  ['unsuccessful', { status: 'failed', opposite: 'successful' }],
  ['green', { status: 'passed', opposite: 'red' }],
  ['red', { status: 'failed', opposite: 'green' }],
  ['clean', { status: 'passed' }],
  ['broken', { status: 'failed' }],
  ['complete', { status: 'done', opposite: 'incomplete' }],
  ['incomplete', { status: 'undone', opposite: 'complete' }],
  ['unfinished', { status: 'undone', opposite: 'finished' }],
  ['untested', { status: 'undone', opposite: 'tested' }],
  ['unverified', { status: 'undone', opposite: 'verified' }],
  ['unimplemented', { status: 'undone', opposite: 'implemented' }],
  ['canceled', { status: 'undone' }],
  ['unfixed', { status: 'unfixed', opposite: 'fixed' }],
  ['unresolved', { status: 'unfixed', opposite: 'resolved' }],
  ['unsolved', { status: 'unfixed', opposite: 'solved' }],
  ['uncommitted', { status: 'uncommitted', opposite: 'committed' }],
  ['unpushed', { status: 'unpushed', opposite: 'pushed' }],
  ['unmerged', { status: 'unmerged', opposite: 'merged' }],
  ['unreleased', { status: 'unreleased', opposite: 'released' }],
  ['unchanged', { status: 'unchanged', opposite: 'changed' }],
  ['unmodified', { status: 'unchanged', opposite: 'modified' }],
  ['untouched', { status: 'unchanged', opposite: 'changed' }],
]);
