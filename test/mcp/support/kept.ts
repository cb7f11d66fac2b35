/** A folder with a store of two projects, and the command that serves one of them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../packages/core/src/store/open-store.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { inFolder } from '../../support/command-line.ts';
import { assistant, user } from '../../support/conversations.ts';

export const secret = 'ghp_q7Wm2Zx9Lk4Vb8Nc1Rt5Yp3Sd6Fg0Hj2Ka9';
const log = `${Array.from({ length: 3_000 }, (_, i) => `request ${i + 1} took ${i % 9} ms`).join('\n')}\nError: missing symbol foo\npassword=${secret}\n`;

export interface KeptFolder {
  readonly cwd: string;
  /** The project that is served. */
  readonly oven: string;
  /** Another one. */
  readonly garden: string;
  readonly ids: {
    /** `Oven timer drift`, with a credential in its third message. */
    readonly drift: string;
    /** Of the garden. */
    readonly tulips: string;
    /** The id of a message of the garden. */
    readonly tulipMessage: string;
    /** Saved results of the oven and of the garden. */
    readonly ovenLog: string;
    readonly gardenLog: string;
  };
}

const driftMessages: readonly Message[] = [
  user('Why does the oven timer drift by 7 seconds?'),
  assistant('The crystal is divided by 32767 in src/timer.ts; it has to be 32768.'),
  user(`Use the token ${secret} for the board, and fix it.`),
  assistant('Fixed: the divider is 32768 now, and npm test passes.'),
];

/** Gone after `use`. */
export async function withKept(use: (kept: KeptFolder) => Promise<void>): Promise<void> {
  await inFolder({}, async (cwd) => {
    const [oven, garden] = [join(cwd, 'oven'), join(cwd, 'garden')];
    for (const folder of [oven, garden]) mkdirSync(folder);
    await using store = await openStore({ path: join(cwd, 'kept.db') });
    const begin = async (project: string, title: string, messages: readonly Message[]): Promise<string> => {
      const { id } = await store.sessions.create({ source: 'claude-code', project, title });
      await store.messages.append(id, messages);
      return id;
    };
    const tulips = await begin(garden, 'Tulip bulbs', [
      user('Where do the quagmire tulips go?'),
      assistant('Along the zephyrine fence.'),
    ]);
    const drift = await begin(oven, 'Oven timer drift', driftMessages);
    const [tulipMessage = ''] = await store.messages.viewIds(tulips);
    const ovenLog = (await store.outputs.save(log, { tool: 'bash', sessionId: drift })).id;
    const gardenLog = (await store.outputs.save(`${log}quagmire\n`, { tool: 'bash', sessionId: tulips })).id;
    await use({ cwd, oven, garden, ids: { drift, tulips, tulipMessage, ovenLog, gardenLog } });
  });
}
