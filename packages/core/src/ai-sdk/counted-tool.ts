/** The tool `memory` through the calls of one turn, in which its failures are counted. */
import type { MemoryFiles } from '../memory/files/memory-files.ts';
import { createMemoryTool, type MemoryTool } from '../memory/files/memory-tool.ts';

/** The tool of a turn: it counts its failures, and writes each time by the newest writer. */
export interface CountedTool {
  run(files: MemoryFiles, given: unknown): Promise<string>;
}

export function countedTool(): CountedTool {
  let tool: MemoryTool | undefined;
  let files: MemoryFiles;
  return {
    run(newest, given) {
      files = newest;
      tool ??= createMemoryTool({
        files: {
          folder: newest.folder,
          check: newest.check,
          read: (target) => files.read(target),
          apply: (target, operations) => files.apply(target, operations),
          snapshot: () => files.snapshot(),
        },
      });
      return tool.run(given);
    },
  };
}
