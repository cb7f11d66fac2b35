/** ★ Start here: everything a conversation at a terminal is made of, opened in the order in which it is needed. */
import type { MemoryPlace } from '@palimpsest/core/ai-sdk';
import { createMemory, type Memory, type MemoryProvider } from '@palimpsest/core/memory';
import { createAgent } from '../../agent/agent.ts';
import type { Agent } from '../../agent/agent-types.ts';
import { createApproval } from '../../agent/approval/approval.ts';
import { openProject, type Project } from '../../agent/approval/project.ts';
import type { ApprovalAnswer, ApprovalPolicy, ApprovalQuestion } from '../../agent/approval/request.ts';
import { openApprovalRules } from '../../agent/approval/rules-file.ts';
import type { OnAgentEvent } from '../../agent/events.ts';
import { createAgentTools } from '../../agent/tools/create-agent-tools.ts';
import { dataFolder, userFolder } from '../../config/folders.ts';
import { ownSkillPlaces } from '../../config/skills.ts';
import { hooksFromConfig } from '../../hooks/hooks-from-config.ts';
import { type ChosenEngine, chooseEngine } from '../../plugins/choose-engine.ts';
import { makeProvider } from '../memory-provider.ts';
import { filesPlace } from '../open-memory.ts';
import { type OpenedStore, openStoreFor, type StoreFlags } from '../open-store.ts';
import { given, projectFolder } from '../option-values.ts';
import { linesOf } from '../render/text.ts';
import { type HeardSettings, heardSettings, providerNotes } from '../settings.ts';
import { makePrompt } from '../system-prompt.ts';
import type { Terminal } from '../terminal.ts';
import { type ChatModel, type ChatModels, chatModels } from './chat-model.ts';
import { guardMemory, leftBehind } from './guard-memory.ts';

/** The options of `palimpsest chat`. */
export interface ChatFlags extends StoreFlags {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly contextLength?: string;
  readonly project?: string;
  /** An id or a title; true without one. */
  readonly resume?: string | true;
  readonly continue?: boolean;
  readonly prompt?: string;
  readonly title?: string;
  readonly yes?: boolean;
  readonly policy?: 'ask' | 'auto-edit' | 'read-only';
}

/** A conversation that can be held. */
export interface Chat extends OpenedStore, AsyncDisposable {
  readonly agent: Agent;
  readonly project: string;
  readonly heard: HeardSettings;
  readonly memory: Memory;
  readonly models: ChatModels;
  /** The model that it begins with. */
  readonly model: ChatModel;
  /** What is not asked, as it is now. */
  policy(): ApprovalPolicy;
}

/** Who hears what the agent does, and who is asked. */
export interface ChatDoor {
  readonly onEvent: OnAgentEvent;
  /** Undefined where nobody can be asked. */
  readonly ask: ((question: ApprovalQuestion, signal: AbortSignal | undefined) => Promise<ApprovalAnswer>) | undefined;
}

/** Opens the store, the memory and the model, and makes the agent over them; nothing is sent or stored yet. */
export async function openChat(flags: ChatFlags, here: Terminal, door: ChatDoor): Promise<Chat> {
  const folder = projectFolder(flags.project ?? '.', here.cwd);
  const terminal = { ...here, cwd: folder };
  const heard = await heardSettings(terminal);
  const models = chatModels(flags, heard, terminal.env);
  // Before anything is made on the disk: without a model there is nothing to do.
  const model = await models.named(flags.model);
  const opened = await openStoreFor(flags, terminal, { mayBeNew: true });
  try {
    return await chatOver(opened, { flags, terminal, heard, models, model, door });
  } catch (error) {
    await opened.store.close();
    throw error;
  }
}

interface ChatParts {
  readonly flags: ChatFlags;
  readonly terminal: Terminal;
  readonly heard: HeardSettings;
  readonly models: ChatModels;
  readonly model: ChatModel;
  readonly door: ChatDoor;
}

async function chatOver(opened: OpenedStore, parts: ChatParts): Promise<Chat> {
  const { flags, terminal, heard, models, model, door } = parts;
  const { store, path } = opened;
  const onEvent: OnAgentEvent = (event) => {
    const isNew = event.type === 'session' && event.messages === 0;
    // A title that is taken gets a number; a conversation without one is found by its first words.
    if (isNew && flags.title !== undefined) store.sessions.title(event.sessionId, flags.title).catch(() => undefined);
    door.onEvent(event);
  };
  const notice = noticeTo(onEvent);
  const { isNamed: _, notes: memoryNotes, ...place } = await filesPlace(flags, path, terminal);
  const agentProject = projectOf({ folder: place.folder, path }, parts);
  const project = agentProject.folder;
  const memory = createMemory({ store, ...place, project });
  const left = await leftBehind(memory);
  const { policy, tools } = agentTools({ project: agentProject, folder: place.folder, memory }, parts);
  const provider = await providerOf(heard, terminal);
  const { engine, warning } = await engineOf(heard, notice);
  const { config } = heard.all;
  const agent = createAgent({
    store,
    project,
    model,
    ...given({ engine }),
    config: config.compression,
    output: config.output,
    cache: { ttl: config.model.cacheTtl },
    hooks: hooksFromConfig(heard.hooks, { cwd: project, env: terminal.env, onNotice: notice }),
    memory: { memory, toolSources, ...given({ provider }) },
    async prompt({ memory: remembered, provider: ofProvider }, { name, contextLength }) {
      const known = { memory: remembered, provider: ofProvider === '' ? [] : [ofProvider] };
      const made = await makePrompt({ ...flags, project, model: name }, terminal, {
        ...known,
        ...given({ contextLength }),
      });
      for (const note of made.notes) notice(note);
      return made.text;
    },
    tools: tools.tools,
    toolShare: config.prompt.toolShare,
    onEvent,
  });
  return {
    ...opened,
    notes: [
      ...model.notes,
      ...opened.notes,
      ...memoryNotes,
      ...heard.all.notes,
      ...heard.notes,
      ...providerNotes(heard),
      ...linesOf(warning, left),
    ],
    agent,
    project,
    heard,
    memory,
    models,
    model,
    policy,
    async [Symbol.asyncDispose]() {
      await agent.close();
      await tools.close();
      await store.close();
    },
  };
}

/** Whose words the tools bring, for the memory: what a command prints or a file holds is nobody's wish. */
const toolSources: NonNullable<MemoryPlace['toolSources']> = {
  terminal: 'outside-tool',
  delegate: 'outside-tool',
  read_file: 'document',
  search_files: 'document',
  write_file: 'own-tool',
  patch: 'own-tool',
};

function projectOf(kept: { readonly folder: string; readonly path: string }, { terminal }: ChatParts): Project {
  const { env, platform, cwd } = terminal;
  // A store has files beside it, with what was written last.
  const store = ['', '-wal', '-shm'].map((end) => `${kept.path}${end}`);
  const ownFolders = linesOf(dataFolder(env, platform), userFolder(env, platform), kept.folder, store);
  const home = env.HOME ?? env.USERPROFILE;
  return openProject({ folder: cwd, home, ownFolders, skillFolders: ownSkillPlaces({ env, platform }) });
}

interface Working {
  readonly project: Project;
  /** Of the memory. */
  readonly folder: string;
  readonly memory: Memory;
}

/** The tools of the project, and who decides what they may do. */
function agentTools({ project, folder, memory }: Working, { flags, terminal, door }: ChatParts) {
  const { env, platform } = terminal;
  const onNotice = noticeTo(door.onEvent);
  const rules = openApprovalRules({ folder: dataFolder(env, platform) ?? folder, project: project.folder });
  const policy = (): ApprovalPolicy => (flags.yes ? 'yes' : (flags.policy ?? (door.ask ? 'ask' : 'no')));
  const approve = createApproval({ project, rules, ask: door.ask, policy, onNotice });
  const tools = createAgentTools({
    project,
    approve,
    env,
    onOutput: ({ callId, text }) => door.onEvent({ type: 'tool_output', id: callId, text }),
    watch: guardMemory(memory, onNotice),
  });
  return { policy, tools };
}

async function providerOf(heard: HeardSettings, terminal: Terminal): Promise<MemoryProvider | undefined> {
  const { provider: name, providers } = heard.memory;
  if (name === null) return undefined;
  return (await makeProvider({ name, settings: providers[name] ?? {} }, heard, terminal)).provider;
}

const engineOf = (
  { engine: name, places, plugins }: HeardSettings,
  onNotice: (message: string) => void,
): Promise<ChosenEngine> =>
  chooseEngine({ name, places, options: plugins.options, timeoutMs: plugins.timeoutSeconds * 1_000, onNotice });

const noticeTo =
  (onEvent: OnAgentEvent) =>
  (message: string): void =>
    onEvent({ type: 'notice', notice: { type: 'hook', level: 'warn', message } });
