/** ★ Start here: everything a conversation at a terminal is made of, opened in the order in which it is needed. */
import type { Summarizer } from '@palimpsest/core';
import type { MemoryPlace } from '@palimpsest/core/ai-sdk';
import { createMemory, type Memory, type MemoryProvider } from '@palimpsest/core/memory';
import type { ToolSet } from 'ai';
import { type Agent, type AgentModel, createAgent } from '../../agent/agent.ts';
import type { OnAgentEvent } from '../../agent/events.ts';
import { hooksFromConfig } from '../../hooks/hooks-from-config.ts';
import { mainModel } from '../../models/main-model.ts';
import { chooseEngine } from '../../plugins/choose-engine.ts';
import { makeProvider } from '../memory-provider.ts';
import { filesPlace } from '../open-memory.ts';
import { type OpenedStore, openStoreFor, type StoreFlags } from '../open-store.ts';
import { given, projectFolder, tokenCountOf } from '../option-values.ts';
import { type HeardSettings, heardSettings, providerNotes } from '../settings.ts';
import type { Terminal } from '../terminal.ts';

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
  readonly policy?: string;
}

/** A conversation that can be held. */
export interface Chat extends OpenedStore, AsyncDisposable {
  readonly agent: Agent;
  readonly project: string;
  readonly heard: HeardSettings;
  readonly memory: Memory;
  /** Another model by its name, as `/model` names one. Throws what `mainModel` throws. */
  model(named: string): Promise<AgentModel & { readonly notes: readonly string[] }>;
}

/** Who hears what the agent does. */
export interface ChatDoor {
  readonly onEvent: OnAgentEvent;
}

/** Opens the store, the memory and the model, and makes the agent over them; nothing is sent or stored yet. */
export async function openChat(flags: ChatFlags, here: Terminal, door: ChatDoor): Promise<Chat> {
  const project = projectFolder(flags.project ?? '.', here.cwd);
  const terminal = { ...here, cwd: project };
  const heard = await heardSettings(terminal);
  const models = modelsOf(flags, heard, terminal);
  // Before anything is made on the disk: without a model there is nothing to do.
  const model = await models(flags.model);
  const opened = await openStoreFor(flags, terminal, { mayBeNew: true });
  const { store, path } = opened;
  try {
    const { isNamed: _, notes: memoryNotes, ...place } = await filesPlace(flags, path, terminal);
    const memory = createMemory({ store, ...place, project });
    const provider = await providerOf(heard, terminal);
    const { engine, warning } = await engineOf(heard, door.onEvent);
    const { config } = heard.all;
    const agent = createAgent({
      store,
      project,
      model,
      ...given({ engine }),
      config: config.compression,
      output: config.output,
      cache: { ttl: config.model.cacheTtl },
      hooks: hooksFromConfig(heard.hooks, { cwd: project, env: terminal.env, onNotice: hookNotice(door.onEvent) }),
      memory: { memory, toolSources, ...given({ provider: provider?.provider }) },
      prompt: ({ memory: remembered }) => `You work in the project of the person.\n${remembered}`,
      tools: {} satisfies ToolSet,
      onEvent: door.onEvent,
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
        ...(warning === undefined ? [] : [warning]),
      ],
      agent,
      project,
      heard,
      memory,
      model: models,
      async [Symbol.asyncDispose]() {
        await agent.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
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

type NamedModel = AgentModel & { readonly notes: readonly string[] };

function modelsOf(
  flags: ChatFlags,
  { own }: HeardSettings,
  { env }: Terminal,
): (named: string | undefined) => Promise<NamedModel> {
  const { model } = own.config;
  return async (named) => {
    const isTyped = named === flags.model;
    const contextLength =
      isTyped && flags.contextLength !== undefined
        ? tokenCountOf('--context-length', flags.contextLength, 1_000)
        : model.contextLength;
    const baseUrl = isTyped ? (flags.baseUrl ?? model.baseUrl) : model.baseUrl;
    const main = await mainModel({ ...given({ named }), config: { ...model, baseUrl, contextLength }, env });
    const summarizer: Summarizer | undefined = undefined;
    return {
      model: main.model,
      name: main.name,
      notes: main.notes,
      ...given({ contextLength: main.contextLength, summarizer }),
    };
  };
}

async function providerOf(heard: HeardSettings, terminal: Terminal): Promise<{ provider: MemoryProvider } | undefined> {
  const { provider: name, providers } = heard.memory;
  return name === null ? undefined : makeProvider({ name, settings: providers[name] ?? {} }, heard, terminal);
}

const engineOf = ({ engine: name, places, plugins }: HeardSettings, onEvent: OnAgentEvent) =>
  chooseEngine({
    name,
    places,
    options: plugins.options,
    timeoutMs: plugins.timeoutSeconds * 1_000,
    onNotice: hookNotice(onEvent),
  });

const hookNotice =
  (onEvent: OnAgentEvent) =>
  (message: string): void =>
    onEvent({ type: 'notice', notice: { type: 'hook', level: 'warn', message } });
