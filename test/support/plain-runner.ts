/**
 * Loaded before `node:test`, whose runner follows every promise and every timer of a process by a hook to tell of which test an error is that
 * nobody caught: a tenth to a quarter of the time of tests that wait a lot. Without it such an error still fails its file, and is printed;
 * only the test is not named. `createHook` is itself again for everybody who asks later.
 */
import asyncHooks from 'node:async_hooks';

const { createHook } = asyncHooks;
const idle: asyncHooks.AsyncHook = { enable: () => idle, disable: () => idle };
asyncHooks.createHook = () => idle;
await import('node:test');
asyncHooks.createHook = createHook;
