/** docs/reference/config.md: every setting, with its default, its range and what it does. */
import { configDefaults, configField } from '../../packages/palimpsest/src/config/config.ts';
import { environmentName, leavesOf, settingKey, settingsOf } from '../../packages/palimpsest/src/config/load.ts';
import { interfacesOf, type Member } from './doc-comments.ts';
import { page, table } from './markdown.ts';

type Interfaces = ReadonlyMap<string, readonly Member[]>;

/** `sources` are the texts of the files that declare the configuration's interfaces. */
export function configPage(sources: readonly string[]): string {
  const interfaces: Interfaces = new Map(sources.flatMap((source) => [...interfacesOf(source)]));
  const defaults = new Map(settingsOf(configDefaults).map(({ key, value }) => [key, value]));
  const rows = leavesOf(configField).map(({ path, field }) => {
    const key = settingKey(path);
    return [`\`${key}\``, `\`${JSON.stringify(defaults.get(key))}\``, field.expected, described(path, interfaces)];
  });
  const [first] = leavesOf(configField);
  return page(
    'Configuration',
    'Settings come from `palimpsest.yaml` (`.yml`, `.json`) in the working folder, then from `config.yaml` in your ' +
      'configuration folder; a variable of the environment beats both. `palimpsest config show` prints every value and ' +
      'where it came from. An unknown key is an error that names the nearest known one.',
    `A variable is named like its setting: \`${first ? settingKey(first.path) : ''}\` is \`${first ? environmentName(first.path) : ''}\`. ` +
      'In code the same keys are written in camelCase.',
    table(['setting', 'default', 'value', 'meaning'], rows),
  );
}

/** The comments on the way to a setting: the one of its group, then its own. */
function described(path: readonly string[], interfaces: Interfaces): string {
  let members = interfaces.get('Config');
  let group = '';
  for (const [i, key] of path.entries()) {
    const member = members?.find(({ name }) => name === key);
    if (!member)
      throw new Error(
        `Expected a member ${path.slice(0, i + 1).join('.')} in the interfaces of the configuration; found none.`,
      );
    if (i === path.length - 1) return member.doc || group;
    group = member.doc;
    members = interfaces.get(member.type);
  }
  return group;
}
