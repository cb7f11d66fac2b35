/** Which of the settings that let code of others run are heard: a project's own only where the person trusts it. */
import { dataFolder } from '../../config/files.ts';
import type { HooksConfig } from '../../config/hooks.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { PluginsConfig } from '../../config/plugins.ts';
import { builtInEngines } from '../../plugins/choose-engine.ts';
import { type PluginPlaces, pluginPlaces } from '../../plugins/places.ts';
import { isFromProject, letsCodeRun, readSettings } from '../load-settings.ts';
import type { Terminal } from '../terminal.ts';

/** What may decide which code runs. */
export interface HeardSettings {
  /** The configuration as it is, and the same without the project's file. */
  readonly all: LoadedConfig;
  readonly own: LoadedConfig;
  /** `context.engine`. */
  readonly engine: string;
  readonly plugins: PluginsConfig;
  readonly hooks: HooksConfig;
  /** True where the person trusts the project in the current folder. */
  readonly isTrusted: boolean;
  readonly places: PluginPlaces;
  /** What of the project's file is not heard, for people. */
  readonly notes: readonly string[];
}

/** Throws what loading the configuration throws. */
export async function heardSettings(terminal: Terminal): Promise<HeardSettings> {
  const { cwd, env, platform } = terminal;
  const { all, own, trust } = await readSettings(terminal);
  const { isTrusted, moved } = trust;
  const { trustedProjects } = own.config.plugins;
  const { context, plugins, hooks } = isTrusted ? all.config : own.config;
  const isOurs = builtInEngines.includes(all.config.context.engine);
  return {
    all,
    own,
    engine: isOurs ? all.config.context.engine : context.engine,
    // Whom to trust is nobody's to say but the person's.
    plugins: { ...plugins, trustedProjects },
    hooks,
    isTrusted,
    places: pluginPlaces({
      dataFolder: dataFolder(env, platform),
      trustedProject: isTrusted ? cwd : undefined,
      packages: plugins.packages,
    }),
    notes: isTrusted ? [] : [...moved.map(movedNote), ...unheard(all)],
  };
}

const movedNote = ({ path, to }: { readonly path: string; readonly to: string }): string =>
  `${path} in plugins.trusted_projects now leads to ${to}, so this project is not trusted. To trust it, run: palimpsest plugins trust`;

function unheard({ settings }: LoadedConfig): readonly string[] {
  const given = settings.filter((setting) => isFromProject(setting.source) && letsCodeRun(setting));
  const [first] = given;
  if (first?.source.type !== 'file') return [];
  const keys = given.map(({ key }) => key).join(', ');
  const verb = given.length === 1 ? 'is' : 'are';
  return [
    `${keys} in ${first.source.path} ${verb} ignored: code and commands of a project run only if you trust it (palimpsest plugins trust).`,
  ];
}
