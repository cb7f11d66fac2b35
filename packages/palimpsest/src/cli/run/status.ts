/** `palimpsest status`: when compression starts, and how full the window of a conversation is. */

import { cacheTargetOf } from '@palimpsest/core';
import type { ModelConfig } from '../../config/config.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type InputFlags, type LoadedConversation, loadConversation } from '../load.ts';
import { loadSettings } from '../load-settings.ts';
import { engineName } from '../plugins/engine-for.ts';
import { heardSettings } from '../plugins/heard-settings.ts';
import { bar, legend } from '../render/bar.ts';
import type { Screen } from '../render/screen.ts';
import { counted, oneLine, percent, thousands, wrap } from '../render/text.ts';
import { type Terminal, writeResult } from '../terminal.ts';
import {
  type Measure,
  type ModelFlags,
  measureFor,
  type Sizes,
  sizeLines,
  sizesFor,
  smallerWindow,
  tokensOfAll,
  type Window,
  windowFor,
} from '../window.ts';

export interface StatusFlags extends InputFlags, ModelFlags {}

/** Whether a model is told where the prefixes end that it may cache, and how long they hold. */
interface PromptCache {
  readonly model: string;
  readonly breakpoints: boolean;
  /** Who reads the breakpoints, and how long cached text is kept after its last use; null without them. */
  readonly target: string | null;
  readonly ttl: ModelConfig['cacheTtl'] | null;
}

/** How full a window is. */
interface Fullness {
  readonly title: string;
  readonly messages: number;
  readonly systemTokens: number;
  readonly toolTokens: number;
  readonly messageTokens: number;
  readonly promptTokens: number;
  readonly exact: boolean;
  readonly wouldCompress: boolean;
  readonly reason: string;
}

export async function runStatus(file: string | undefined, flags: StatusFlags, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadSettings(terminal);
  const { compression } = settings.config;
  const heard = await heardSettings(terminal);
  const isAboutFile = file !== undefined || flags.example === true;
  const loaded = isAboutFile ? await loadConversation(file, flags, { terminal }) : undefined;
  const measure = loaded && (await measureFor(loaded, flags));
  const window = measure?.window ?? windowFor(flags, undefined);
  const model = measure?.model ?? flags.model;
  const sizes = sizesFor(window, compression, model);
  const promptCache = model === undefined ? null : promptCacheOf(model, settings.config.model);
  const fullness = loaded && measure && fullnessOf(measure, { sizes, loaded, enabled: compression.enabled });
  const { engine, warning } = await engineName(heard);
  const engineNotes = [...heard.notes, ...(warning === undefined ? [] : [warning])];
  const notes = [...settings.notes, ...engineNotes, ...(loaded?.notes ?? []), ...(measure?.notes ?? [])];
  const json = (): object => ({ command: 'status', engine, window, sizes, promptCache, file: fullness ?? null });
  const engineLine = `engine ${oneLine(engine)}; automatic compression ${compression.enabled ? 'on' : 'off'}`;
  const facts = [engineLine, ...(promptCache ? [promptCacheLine(promptCache)] : [])].map((line) => `  ${line}`);
  const lines = (screen: Screen): readonly string[] => {
    const about = fullness ? [...fullnessLines(fullness, window, screen), ''] : [];
    return [...about, ...sizeLines(sizes, window, screen), '', ...facts];
  };
  await writeResult({ json, notes, lines }, flags, terminal);
  return exitCodes.fine;
}

function promptCacheOf(model: string, { cacheTtl }: ModelConfig): PromptCache {
  const target = cacheTargetOf({ model });
  return { model, breakpoints: target !== undefined, target: target ?? null, ttl: target ? cacheTtl : null };
}

const ttlWords = { '5m': '5 minutes', '1h': '1 hour' } as const;
const targetWords: Readonly<Record<string, string>> = { anthropic: 'the Anthropic API', openrouter: 'OpenRouter' };

function promptCacheLine({ model, target, ttl }: PromptCache): string {
  const name = oneLine(model);
  if (target === null || ttl === null)
    return `prompt cache: no breakpoints for ${name}; only Claude over the Anthropic API or OpenRouter needs them`;
  const where = targetWords[target] ?? target;
  return `prompt cache: breakpoints on for ${name} over ${where}; cached for ${ttlWords[ttl]} (model.cache_ttl)`;
}

function fullnessOf(
  measure: Measure,
  { sizes, loaded, enabled }: { sizes: Sizes; loaded: LoadedConversation; enabled: boolean },
): Fullness {
  const systemMessages = loaded.messages.filter((message) => message.role === 'system');
  const messageTokens = tokensOfAll(loaded.messages, measure);
  const promptTokens = messageTokens + measure.toolTokens;
  const isOver = promptTokens >= sizes.thresholdTokens;
  const distance = thousands(Math.abs(sizes.thresholdTokens - promptTokens));
  return {
    title: loaded.title,
    messages: loaded.messages.length,
    systemTokens: tokensOfAll(systemMessages, measure),
    toolTokens: measure.toolTokens,
    messageTokens,
    promptTokens,
    exact: measure.tokenizer.exact,
    wouldCompress: enabled && isOver,
    reason: !enabled
      ? 'automatic compression is off (compression.enabled)'
      : isOver
        ? `compression would start now: ${distance} tokens over the threshold`
        : `compression would not start yet: ${distance} tokens below the threshold; --context-length ${smallerWindow(promptTokens)} shows a window that would be full`,
  };
}

function fullnessLines(fullness: Fullness, window: Window, screen: Screen): readonly string[] {
  const { title, messages, systemTokens, toolTokens, messageTokens, promptTokens, exact, reason } = fullness;
  const filling = { tools: toolTokens, system: systemTokens, messages: messageTokens - systemTokens };
  const width = Math.max(10, Math.min(56, screen.columns - 34));
  const figures = `${thousands(promptTokens)}  ${percent(promptTokens, window.tokens)}`;
  return [
    `${oneLine(title)}: ${counted(messages, 'message')}, ${thousands(promptTokens)} tokens (${exact ? 'counted' : 'estimated'})`,
    `  ${bar(filling, { window: window.tokens, width }, screen)} ${figures}`,
    `  ${legend([filling], screen)}`,
    ...wrap(reason, screen.columns - 2).map((line) => `  ${line}`),
  ];
}
