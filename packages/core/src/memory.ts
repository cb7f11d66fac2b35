/** `@palimpsest/core/memory`: what is remembered beyond sessions. */

export { fence, sanitize, unfence } from './memory/fence/fence.ts';
export { createScrubber, type Scrubber, scrub, scrubbed } from './memory/fence/scrubber.ts';
export {
  defaultMemoryLimits,
  type MemoryLimits,
  type MemoryTarget,
  memoryFileNames,
} from './memory/files/entries.ts';
export type { LockOptions } from './memory/files/lock.ts';
export {
  type HeldEntry,
  type MemoryFile,
  type MemoryFiles,
  type MemoryFilesOptions,
  type MemoryOutcome,
  openMemoryFiles,
} from './memory/files/memory-files.ts';
export { createMemoryTool, type MemoryTool, type MemoryToolOptions } from './memory/files/memory-tool.ts';
export type { EntryName, MemoryOperation, MemoryRefusal, Refusal } from './memory/files/operations.ts';
export type { BlockedEntry, MemorySnapshot, MemoryUsage } from './memory/files/snapshot.ts';
export type { ThreatClass, ThreatGrade } from './memory/scan/rules.ts';
export { scanMemory, type Threat } from './memory/scan/scan-memory.ts';
