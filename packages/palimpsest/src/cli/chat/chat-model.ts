/** The models of a conversation: the one it begins with, those it goes on with, and who writes its summaries. */
import type { AgentModel } from '../../agent/agent-types.ts';
import { type MainModel, mainModel } from '../../models/main-model.ts';
import type { ModelRequest } from '../../models/resolve-model.ts';
import { sessionSummarizer } from '../../models/session-summarizer.ts';
import { given, tokenCountOf } from '../option-values.ts';
import type { HeardSettings } from '../settings.ts';

/** A model, and what is known of where it is. */
export interface ChatModel extends AgentModel {
  readonly main: MainModel;
  readonly notes: readonly string[];
}

/** Models by their names. */
export interface ChatModels {
  /** The model of that name, as `--model` and `/model` take it; without one, the usual one. Throws what `mainModel` throws. */
  named(name: string | undefined): Promise<ChatModel>;
}

interface ModelFlags {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly contextLength?: string;
}

/** What was typed goes before the person's own settings, for the model that was typed with it. */
export function chatModels(flags: ModelFlags, { own }: HeardSettings, env: ModelRequest['env']): ChatModels {
  const typed =
    flags.contextLength === undefined ? undefined : tokenCountOf('--context-length', flags.contextLength, 1_000);
  return {
    async named(name) {
      const { model, auxiliary } = own.config;
      const isTyped = name === flags.model;
      const config = {
        ...model,
        baseUrl: flags.baseUrl ?? model.baseUrl,
        contextLength: (isTyped ? typed : undefined) ?? model.contextLength,
      };
      const main = await mainModel({
        ...given({ named: name, baseUrl: isTyped ? flags.baseUrl : undefined }),
        config,
        env,
      });
      const contextLength = (isTyped ? typed : undefined) ?? main.contextLength;
      const writer = await sessionSummarizer({ config: auxiliary.compression, main: config, live: main, env });
      return {
        model: main.model,
        name: main.name,
        main,
        summarizer: writer.summarizer,
        notes: [...main.notes, ...writer.notes],
        ...given({ contextLength }),
      };
    },
  };
}
