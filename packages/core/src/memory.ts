/** `@palimpsest/core/memory`: durable knowledge outside sessions. */

export type { ThreatClass } from './memory/scan/rules.ts';
export { scanMemory, type Threat } from './memory/scan/scan-memory.ts';
