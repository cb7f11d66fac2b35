/** `palimpsest status` and `config show`: what is set up, when compression starts, how full a window is. */
import { cacheTargetOf } from '@palimpsest/core';
import type { ModelConfig } from '../../config/config.ts';
import type { Setting, Source } from '../../config/load.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { Call } from '../commands/build.ts';
import { type InputFlags, type LoadedConversation, loadConversation } from '../load.ts';
import { engineName } from '../plugins/run-engine.ts';
import { bar, gives, legend, tableOf } from '../render/table.ts';
import { counted, linesOf, oneLine, percent, thousands, wrap } from '../render/text.ts';
import { heardSettings, isUnheard, readSettings, withoutKeys } from '../settings.ts';
import { writeResult } from '../terminal.ts';
import * as sized from '../window.ts';

type Measure = sized.Measure;

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

type StatusFlags = InputFlags & sized.ModelFlags;
type ConfigFlags = sized.ModelFlags & { readonly changed?: boolean };

export async function runStatus({ words: [file], flags, terminal }: Call<StatusFlags>): Promise<void> {
  const heard = await heardSettings(terminal);
  const { compression, model: modelConfig } = heard.all.config;
  const isAboutFile = file !== undefined || flags.example === true;
  const loaded = isAboutFile ? await loadConversation(file, flags, { terminal }) : undefined;
  const measure = loaded && (await sized.measureFor(loaded, flags));
  const window = measure?.window ?? sized.windowFor(flags, undefined);
  const model = measure?.model ?? flags.model;
  const sizes = sized.sizesFor(window, compression, model);
  const promptCache = model === undefined ? null : promptCacheOf(model, modelConfig);
  const fullness = loaded && measure && fullnessOf(measure, { sizes, loaded, enabled: compression.enabled });
  const { engine, warning } = await engineName(heard);
  const onOff = compression.enabled ? 'on' : 'off';
  await writeResult(terminal, {
    json: () => ({ command: 'status', engine, window, sizes, promptCache, file: fullness ?? null }),
    notes: linesOf(heard.all.notes, heard.notes, warning, loaded?.notes, measure?.notes),
    lines: (screen) =>
      linesOf(
        fullness && [...fullnessLines(fullness, window, screen), ''],
        sized.sizeLines(sizes, window, screen),
        '',
        `  engine ${oneLine(engine)}; automatic compression ${onOff}`,
        promptCache !== null && `  ${promptCacheLine(promptCache)}`,
      ),
  });
}

/** Whether a model is told where the prefixes end that it may cache, by whom they are read, and how long they hold. */
function promptCacheOf(model: string, { cacheTtl }: ModelConfig) {
  const target = cacheTargetOf({ model });
  return { model, breakpoints: target !== undefined, target: target ?? null, ttl: target ? cacheTtl : null };
}

const ttlWords = { '5m': '5 minutes', '1h': '1 hour' } as const;
const targetWords: Readonly<Record<string, string>> = { anthropic: 'the Anthropic API', openrouter: 'OpenRouter' };

function promptCacheLine({ model, target, ttl }: ReturnType<typeof promptCacheOf>): string {
  const name = oneLine(model);
  if (target === null || ttl === null)
    return `prompt cache: no breakpoints for ${name}; only Claude over the Anthropic API or OpenRouter needs them`;
  const where = targetWords[target] ?? target;
  return `prompt cache: breakpoints on for ${name} over ${where}; cached for ${ttlWords[ttl]} (model.cache_ttl)`;
}

function fullnessOf(
  measure: Measure,
  { sizes, loaded, enabled }: { sizes: sized.Sizes; loaded: LoadedConversation; enabled: boolean },
): Fullness {
  const { title, messages } = loaded;
  const messageTokens = sized.tokensOfAll(messages, measure);
  const promptTokens = messageTokens + measure.toolTokens;
  const isOver = promptTokens >= sizes.thresholdTokens;
  const distance = thousands(Math.abs(sizes.thresholdTokens - promptTokens));
  return {
    title,
    messages: messages.length,
    systemTokens: sized.tokensOfAll(
      messages.filter(({ role }) => role === 'system'),
      measure,
    ),
    toolTokens: measure.toolTokens,
    messageTokens,
    promptTokens,
    exact: measure.tokenizer.exact,
    wouldCompress: enabled && isOver,
    reason: !enabled
      ? 'automatic compression is off (compression.enabled)'
      : isOver
        ? `compression would start now: ${distance} tokens over the threshold`
        : `compression would not start yet: ${distance} tokens below the threshold; --context-length ${sized.smallerWindow(promptTokens)} shows a window that would be full`,
  };
}

function fullnessLines(fullness: Fullness, window: sized.Window, screen: Screen): readonly string[] {
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

export async function runConfigShow({ flags, terminal }: Call<ConfigFlags>): Promise<void> {
  const { all, own, trust } = await readSettings(terminal);
  const { config, notes } = all;
  const settings = all.settings
    .filter(({ source }) => !flags.changed || source.type !== 'default')
    .map((setting): ShownSetting => {
      if (!isUnheard(setting, trust)) return shown(setting);
      const used = own.settings.find(({ key }) => key === setting.key);
      return { ...shown(setting), inEffect: false, used: used && shown(used).value };
    });
  const window = sized.windowFor(flags, undefined);
  const sizes = sized.sizesFor(window, config.compression, flags.model);
  await writeResult(terminal, {
    json: () => ({ command: 'config show', settings, window, sizes }),
    notes,
    lines: (screen) => [
      ...(settings.length > 0 ? settingLines(settings, screen) : ['  all settings have their defaults']),
      '',
      ...sized.sizeLines(sizes, window, screen),
    ],
  });
}

const shown = (setting: Setting): Setting =>
  setting.key === 'memory.providers' ? { ...setting, value: withoutKeys(setting.value) } : setting;

/** A setting; what a project wishes and does not get comes with the value that is used instead. */
interface ShownSetting extends Setting {
  readonly inEffect?: false;
  readonly used?: unknown;
}

const settingLines = (settings: readonly ShownSetting[], screen: Screen): readonly string[] =>
  tableOf(
    settings,
    [
      ['setting', ({ key }) => key],
      ['value', ({ value }) => valueText(value), gives],
      ['from', originText],
    ],
    { screen, rowStyle: (row) => (settings[row]?.source.type === 'default' ? undefined : 'bold') },
  );

/** As a file would write it: texts without quotes, everything else as JSON. */
const valueText = (value: unknown): string => oneLine(typeof value === 'string' ? value : JSON.stringify(value));

const originText = ({ source, inEffect, used }: ShownSetting): string =>
  inEffect === false ? `ignored (${valueText(used)} is used): ${sourceText(source)}` : sourceText(source);

function sourceText(source: Source): string {
  if (source.type === 'environment') return source.name;
  return source.type === 'file' ? oneLine(source.path) : 'default';
}
