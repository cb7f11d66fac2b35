/** Pins the newest message of the person in the store at a path, and dies at once. */
import assert from 'node:assert/strict';
import { openStore } from '@palimpsest/core/store';
import { runtimeOver } from '../agent.ts';

const [path = ''] = process.argv.slice(2);
const store = await openStore({ path });
const [{ tip } = assert.fail()] = await store.sessions.list();
await runtimeOver(store).pin({ sessionId: tip.id });
process.kill(process.pid, 'SIGKILL');
