/** Every public call that takes text or messages, made with what is given. */
import { callsOnMessages } from './calls-on-messages.ts';
import { callsOnNames } from './calls-on-names.ts';
import { callsOnStores } from './calls-on-stores.ts';
import { callsOnTexts } from './calls-on-texts.ts';
import { callsWithModels } from './calls-with-models.ts';
import type { HostileCall } from './given.ts';

export const hostileCalls: readonly HostileCall[] = [
  ...callsOnTexts,
  ...callsOnNames,
  ...callsOnMessages,
  ...callsOnStores,
  ...callsWithModels,
];
