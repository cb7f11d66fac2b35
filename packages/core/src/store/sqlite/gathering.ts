/** When the gathered writes of a connection are kept, and who hears of it (docs/decisions/0051-gathered-writes.md). */
import { setImmediate } from 'node:timers/promises';
import type { Work } from '../record/database.ts';
import type { Transactions } from './transactions.ts';

/** Runs work while no other statement runs. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export interface GatheringParts {
  readonly transactions: Transactions;
  readonly inTurn: InTurn;
  /** As `inTurn`, after the writes that were asked for before. */
  readonly inOrder: InTurn;
}

export interface Gathering {
  /** Writes in one transaction with all that are asked for before the process hears what came meanwhile. */
  write<T>(work: Work<T>): Promise<T>;
  /** What it shows of gathered writes is told once they are kept. Where they could not be, they are not there either. */
  read<T>(work: Work<T>): Promise<T>;
  /** In order, and in no transaction of others. */
  apart: InTurn;
}

/** So many writes share a transaction at most. */
const mostGathered = 32;

export function createGathering({ transactions, inTurn, inOrder }: GatheringParts): Gathering {
  /** Set while they are to be kept once the process has heard what came meanwhile. */
  let isSet = false;
  /** Those that have waited long enough: nothing more joins them. */
  let due: object | undefined;

  /** Who waits for it hears how it went. */
  const keepSoon = async (): Promise<void> => {
    isSet = false;
    const which = transactions.gathered;
    due = which;
    await inTurn(() => transactions.keep(which))
      .catch((error: unknown) => inTurn(async () => transactions.drop(error, which)))
      .catch(() => undefined);
  };
  const keepDue = async (): Promise<void> => {
    if (due !== undefined) await transactions.keep(due);
  };

  return {
    write: async (work) => {
      const { result, writes, end } = await inOrder(async () => {
        await keepDue();
        return transactions.gather(work);
      });
      if (writes >= mostGathered) void keepSoon();
      else if (!isSet) {
        isSet = true;
        void setImmediate().then(keepSoon);
      }
      await end;
      return result;
    },
    read: async (work) => {
      const { among, alone } = await inTurn(async () => {
        // Where a lock is in the way, it reads among them: they are kept or dropped by others.
        await keepDue().catch(() => undefined);
        const among = await transactions.readAmong(work);
        return among ? { among } : { alone: { result: await transactions.read(work) } };
      });
      if (alone) return alone.result;
      const isKept = await among.end.then(
        () => true,
        () => false,
      );
      if (isKept && among.result.status === 'fulfilled') return among.result.value;
      return inTurn(async () => {
        await transactions.keep();
        return transactions.read(work);
      });
    },
    apart: (work) =>
      inOrder(async () => {
        await transactions.keep();
        return work();
      }),
  };
}
