/** What the memory and earlier conversations say about a request, found by the runtime where its program finds nothing itself. */
import type { TurnRecallReport } from '../../recall/turn/options.ts';
import { createTurnRecall } from '../../recall/turn/turn-recall.ts';
import { defined } from '../../shared/defined.ts';
import type { MemoryEntry } from '../../store/memory-store.ts';
import { note } from '../call-hooks.ts';
import type { RecallRequest } from '../hooks.ts';
import { type Step, turnOf } from '../live.ts';
import type { MemoryUse } from '../options.ts';

/** The text, undefined where nothing is sure enough; why is kept for whoever asks. @throws what the store throws */
export async function recallFromMemory(step: Step, request: RecallRequest): Promise<string | undefined> {
  const { runtime, basis, live } = step;
  const { store, memory: use, now, timers } = runtime.settings;
  if (!use || use.recall === false) return undefined;
  const project = use.memory.project ?? live.session.project;
  const recall = createTurnRecall({
    ...use.recall,
    store,
    entries: () => entriesOf(use),
    tokenizer: basis.tokenizer,
    clock: { now, ...defined({ timers }) },
    ...defined({ project }),
  });
  const report = await recall.explain(request);
  live.explained = { turn: turnOf(live), report };
  if (report.text !== undefined) note(step, { type: 'memory', level: 'log', message: lineOf(report) });
  return report.text;
}

/** Those that may be shown to a model, of this project and of everywhere. */
async function entriesOf({ memory }: MemoryUse): Promise<readonly MemoryEntry[]> {
  const { check } = memory.files();
  const live = await memory.entries.list({ project: memory.project ?? null });
  return live.filter(({ text, confirmedAt }) => confirmedAt !== undefined || check(text) === undefined);
}

const mostNamed = 5;

function lineOf({ candidates, confidence, needed }: TurnRecallReport): string {
  const ids = candidates.filter(({ outcome }) => outcome === 'recalled').map(({ id }) => id.slice(0, 8));
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : '';
  return `Recalled for this request: ${ids.slice(0, mostNamed).join(', ')}${more} (confidence ${confidence.toFixed(2)}, needed ${needed}).`;
}
