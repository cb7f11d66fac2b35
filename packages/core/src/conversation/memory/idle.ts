/** The curator of a runtime's memory: while no request comes, the memory is put in order, and the person is told. */
import { reasonOf } from '../../compression/guard/guarded.ts';
import { createIdleCurator, type IdleCurator } from '../../memory/curator/idle.ts';
import type { CuratorReport } from '../../memory/curator/run.ts';
import { defined } from '../../shared/defined.ts';
import { note } from '../call-hooks.ts';
import type { ConversationSettings } from '../options.ts';
import type { ConversationNotice } from '../request.ts';

/** Undefined where there is no memory, or nobody is to put it in order. */
export function idleCuratorFor(settings: ConversationSettings): IdleCurator | undefined {
  const { memory: use, store, now, timers } = settings;
  if (!use || use.curate === false) return undefined;
  const tell = (level: ConversationNotice['level'], message: string): void =>
    note({ runtime: { settings }, asked: { notices: [], call: {} } }, { type: 'memory', level, message });
  return createIdleCurator({
    ...defined({ model: use.writer }),
    ...use.curate,
    memory: use.memory,
    store,
    clock: { now, ...defined({ timers }) },
    onReport: (report) => {
      if (report.acts.length > 0) tell('log', lineOf(report));
      if (report.modelError !== undefined)
        tell('warn', `The model that decides what is in doubt in the memory failed (${report.modelError}).`);
    },
    onError: (error) => tell('warn', `The memory could not be put in order (${reasonOf(error)}).`),
  });
}

const lineOf = ({ acts }: CuratorReport): string => {
  const done = acts.map(({ id, what }) => `${id} (${what})`).join(', ');
  return `While nothing happened, the memory was put in order: ${done}. Undo takes any of them back.`;
};
