/** What an earlier conversation came to, written from the record without a model: for a summary, a handoff and a recap. */
import { estimateTextTokens } from '@palimpsest/core';
import { ledgerOf } from '@palimpsest/core/engine';
import type { Lineage } from '@palimpsest/core/search';
import type { ReadableParts } from './project-store.ts';
import { nameOf } from './tools/recall.ts';

/** A handoff, and the conversation that it is of. */
export interface WrittenHandoff {
  /** `conversation 0193…, "Oven timer drift"`. */
  readonly name: string;
  readonly lineage: Lineage;
  readonly body: string;
}

export interface HandoffWish {
  readonly budgetTokens: number;
  readonly focus?: string | undefined;
  /** True for how each request ended, and nothing else. */
  readonly spineOnly?: boolean;
}

/** From what the newest session shows: an earlier handoff in it stands for what came before. Credentials are masked. */
export async function writeHandoff(
  store: ReadableParts,
  lineage: Lineage,
  { budgetTokens, focus, spineOnly = false }: HandoffWish,
): Promise<WrittenHandoff> {
  const view = await store.messages.view(lineage.tip.id);
  const ledger = ledgerOf(
    view.map(({ message }) => message),
    { count: estimateTextTokens },
  );
  const { body } = ledger.handoff({ budgetTokens, spineOnly, ...(focus === undefined ? {} : { focusTopic: focus }) });
  return { name: await nameOf(store, lineage), lineage, body };
}
