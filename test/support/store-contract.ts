/**
 * What every adapter of the store must do, written once over the port. An adapter's test opens its own stores; a place is
 * what two stores share to see the same content, such as the path of a file.
 */
import { describe, test } from 'node:test';
import { conversationPromises } from './store-contract/conversations.ts';
import { deletionPromises } from './store-contract/deletion.ts';
import { episodePromises } from './store-contract/episodes.ts';
import { leasePromises } from './store-contract/leases.ts';
import { memoryPromises } from './store-contract/memory.ts';
import { messagePromises } from './store-contract/messages.ts';
import { outputPromises } from './store-contract/outputs.ts';
import { pinPromises } from './store-contract/pins.ts';
import { randomPromises } from './store-contract/random-work.ts';
import type { StoreBench, StorePromises } from './store-contract/store-bench.ts';
import { takenBackPromises } from './store-contract/taken-back.ts';
import { usagePromises } from './store-contract/usage.ts';
import { vectorPromises } from './store-contract/vectors.ts';

const groups: Readonly<Record<string, StorePromises>> = {
  'messages and views': messagePromises,
  conversations: conversationPromises,
  deletion: deletionPromises,
  leases: leasePromises,
  'usage and small values': usagePromises,
  'saved output': outputPromises,
  memory: memoryPromises,
  episodes: episodePromises,
  pins: pinPromises,
  'what is taken back': takenBackPromises,
  'vectors of messages': vectorPromises,
  'any work in any order': randomPromises,
};

/** Describes the contract for one adapter. */
export function storeContract(name: string, bench: StoreBench): void {
  for (const [group, promises] of Object.entries(groups)) {
    describe(`${group} over ${name}`, () => {
      for (const [title, holds] of Object.entries(promises)) test(title, (t) => holds(t, bench));
    });
  }
}
