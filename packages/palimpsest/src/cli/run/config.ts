/** `palimpsest config show`: every setting with its origin, and the sizes that follow. */
import type { Setting, Source } from '../../config/settings.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { isUnheard, readSettings } from '../load-settings.ts';
import type { Screen } from '../render/screen.ts';
import { table } from '../render/table.ts';
import { oneLine } from '../render/text.ts';
import { type GlobalFlags, type Terminal, writeResult } from '../terminal.ts';
import { type ModelFlags, sizeLines, sizesFor, windowFor } from '../window.ts';

export interface ConfigFlags extends GlobalFlags, ModelFlags {
  readonly changed?: boolean;
}

export async function runConfigShow(flags: ConfigFlags, terminal: Terminal): Promise<ExitCode> {
  const { all, own, trust } = await readSettings(terminal);
  const { config, notes } = all;
  const settings = all.settings.map((setting): ShownSetting => {
    if (!isUnheard(setting, trust)) return setting;
    return { ...setting, inEffect: false, used: own.settings.find(({ key }) => key === setting.key)?.value };
  });
  const shown = flags.changed ? settings.filter(({ source }) => source.type !== 'default') : settings;
  const window = windowFor(flags, undefined);
  const sizes = sizesFor(window, config.compression, flags.model);
  const json = (): object => ({ command: 'config show', settings: shown, window, sizes });
  const lines = (screen: Screen): readonly string[] => {
    const rows = shown.length > 0 ? settingLines(shown, screen) : ['  all settings have their defaults'];
    return [...rows, '', ...sizeLines(sizes, window, screen)];
  };
  await writeResult({ json, notes, lines }, flags, terminal);
  return exitCodes.fine;
}

/** A setting; what a project wishes and does not get comes with the value that is used instead. */
interface ShownSetting extends Setting {
  readonly inEffect?: false;
  readonly used?: unknown;
}

function settingLines(settings: readonly ShownSetting[], screen: Screen): readonly string[] {
  const rows = settings.map((setting) => [setting.key, valueText(setting.value), originText(setting)]);
  const columns = [{ title: 'setting' }, { title: 'value', gives: true as const }, { title: 'from' }];
  const isChanged = (row: number): boolean => settings[row]?.source.type !== 'default';
  return table(columns, rows, { screen, rowStyle: (row) => (isChanged(row) ? 'bold' : undefined) });
}

/** As a file would write it: texts without quotes, everything else as JSON. */
const valueText = (value: unknown): string => oneLine(typeof value === 'string' ? value : JSON.stringify(value));

const originText = ({ source, inEffect, used }: ShownSetting): string =>
  inEffect === false ? `ignored (${valueText(used)} is used): ${sourceText(source)}` : sourceText(source);

function sourceText(source: Source): string {
  switch (source.type) {
    case 'default':
      return 'default';
    case 'file':
      return oneLine(source.path);
    case 'environment':
      return source.name;
  }
}
