/** Hooks as they are called: under their names, each as a method of what they came in. */

import { PalimpsestError } from '../shared/errors.ts';
import { nearest } from '../shared/options/nearest.ts';
import { isObject } from '../shared/options/schema.ts';
import type { ConversationHooks } from './hooks.ts';
import { wrongOption } from './wrong-option.ts';

const names: readonly (keyof ConversationHooks)[] = Object.keys({
  onCompressionStart: true,
  onCompressionEnd: true,
  onSessionStart: true,
  onSessionContinue: true,
  onSessionEnd: true,
} satisfies Record<keyof ConversationHooks, true>) as (keyof ConversationHooks)[]; // the object has these keys and no others

/** A name that is none would never be called. @throws BAD_OPTION */
export function knownHooks(hooks: ConversationHooks): ConversationHooks {
  const given: unknown = hooks;
  if (!isObject(given)) throw wrongOption('hooks', 'an object with functions', given);
  const stranger = Object.keys(hooks).find((name) => isHookName(name, hooks) && !names.some((known) => known === name));
  if (stranger !== undefined) {
    const near = nearest(stranger, names);
    const meant = near === undefined ? `the hooks are ${names.join(', ')}` : `did you mean ${near}?`;
    const message = `expected the name of a hook, got ${stranger.slice(0, 40)}: ${meant}`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: 'hooks' } });
  }
  const wished = names.filter((name) => (hooks[name] ?? undefined) !== undefined);
  const broken = wished.find((name) => typeof hooks[name] !== 'function');
  if (broken) throw wrongOption(`hook ${broken}`, 'a function', hooks[broken]);
  return Object.fromEntries(wished.map((name) => [name, hooks[name]?.bind(hooks)]));
}

/** An object of a class may have fields of its own. */
function isHookName(name: string, hooks: object): boolean {
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(hooks));
  return isPlain || /^on[A-Z]/.test(name);
}
