/** Which texts bid an agent do what only its person may bid: about data, money, credentials, packages, hosts, and honesty. */
import { dutyWords } from '../../language/instruction.ts';
import { ruleWords } from '../../language/requests.ts';
import { everyTime } from '../../language/standing.ts';
import type { Sign } from '../../language/threat-signs.ts';
import { foldText } from '../scan/fold.ts';
import { plainIdeasIn } from '../scan/ideas.ts';
import { remoteAddress } from './shell-source.ts';

/** It says how things are to be done from now on. */
export function isStanding(text: string): boolean {
  if (everyTime.test(text) || ruleWords.test(text) || dutyWords.test(text)) return true;
  // A name such as `check:all` says nothing of all.
  const said = plainIdeasIn(foldText(text).text.replaceAll(/\S*[:/@_\\]\S*/g, ' '));
  return (['when', 'startup', 'blanket'] as const).some((idea) => (said.get(idea)?.length ?? 0) > 0);
}

const acts: readonly Sign[] = [
  'send',
  'mislead',
  'conceal',
  'silently',
  'unasked',
  'disable',
  'approve',
  'harm',
  'reveal',
  'account',
];

/** It may bid an act, such as to send or to say something: a finding needs none. */
export function maybeBids(text: string): boolean {
  const said = plainIdeasIn(foldText(text).text);
  return acts.some((idea) => (said.get(idea)?.length ?? 0) > 0);
}

/** All ideas of one line said together are such an order; `far` is an address on another machine. */
const orders: readonly (readonly (Sign | 'far' | 'standing')[])[] = [
  ['send', 'far'],
  ['send', 'outside'],
  ['send', 'secret', 'standing'],
  ['send', 'talk', 'standing'],
  ['send', 'account', 'standing'],
  ['secret', 'far'],
  ['secret', 'reveal', 'standing'],
  ['account', 'number'],
  ['account', 'swapped'],
  ['account', 'far'],
  ['source', 'far', 'swapped'],
  ['source', 'far', 'fetch'],
  ['source', 'far', 'run'],
  ['source', 'far', 'standing'],
  ['fetch', 'far', 'run'],
  ['fetch', 'far', 'standing'],
  ['beacon', 'far'],
  ['harm', 'account'],
  ['harm', 'blanket'],
  ['disable', 'guards'],
  ['conceal'],
  ['unasked', 'run'],
  ['alwaysApprove'],
  ['mislead', 'standing'],
  ['mislead', 'person'],
];

/** It bids the agent something that harms if it is false, whoever found it. */
export function isGrave(text: string): boolean {
  const folded = foldText(text).text;
  const said = plainIdeasIn(folded);
  const standing = isStanding(text);
  const isFar = remoteAddress.test(folded) || /[\w.+-]@[\w-]+\.\w/.test(folded) || isHostOutside(folded);
  return orders.some((order) =>
    order.every((sign) =>
      sign === 'far' ? isFar : sign === 'standing' ? standing : (said.get(sign)?.length ?? 0) > 0,
    ),
  );
}

/** The name of a host, not of a file. */
const isHostOutside = (folded: string): boolean =>
  /(?<![\w/.@-])(?:[a-z0-9-]{1,63}\.){1,4}(?:com|net|org|io|dev|app|ai|cloud|ru|cn|jp|kr|de|fr|es|uk|eu|xyz|top|site|online|info|biz|example|test|invalid|onion|co|sh|me|cc)(?![\w-])/.test(
    folded,
  );
