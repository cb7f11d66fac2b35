/** The tools of an agent in a project on disk, called as the SDK calls them. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRequest, ApprovalResult } from '../../../packages/palimpsest/src/agent/approval/request.ts';
import {
  type AgentTools,
  type AgentToolsOptions,
  createAgentTools,
} from '../../../packages/palimpsest/src/agent/tools/create-agent-tools.ts';
import { temporaryProject } from '../approval/project.ts';

export interface Workshop extends AsyncDisposable {
  readonly root: string;
  readonly folder: string;
  readonly agent: AgentTools;
  /** Everything that was asked for. */
  readonly requests: ApprovalRequest[];
  call(name: string, given: unknown, signal?: AbortSignal): Promise<string>;
  read(path: string): string;
  write(path: string, text: string | Uint8Array): void;
}

export interface WorkshopOptions extends Partial<AgentToolsOptions> {
  readonly files?: Readonly<Record<string, string>>;
  /** @default everything is allowed */
  readonly decide?: (request: ApprovalRequest) => ApprovalResult;
}

export function workshop({ files, decide, ...options }: WorkshopOptions = {}): Workshop {
  const place = temporaryProject(files);
  const { folder } = place.project;
  const requests: ApprovalRequest[] = [];
  const agent = createAgentTools({
    project: place.project,
    env: { PATH: process.env.PATH, HOME: join(place.root, 'home') },
    approve: async (request) => {
      requests.push(request);
      return decide?.(request) ?? { allowed: true, by: 'policy' };
    },
    ...options,
  });
  return {
    root: place.root,
    folder,
    agent,
    requests,
    call: async (name, given, signal) => {
      const run = agent.tools[name]?.execute;
      assert.ok(run, name);
      const options = { toolCallId: 'c1', messages: [], context: undefined, ...(signal && { abortSignal: signal }) };
      return String(await run(given, options));
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    write: (path, text) => writeFileSync(join(folder, path), text),
    [Symbol.asyncDispose]: async () => {
      await agent.close();
      place[Symbol.dispose]();
    },
  };
}
