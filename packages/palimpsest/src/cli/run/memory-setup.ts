/** `palimpsest memory setup`: chooses a memory provider, asks what it has to know, and writes that down. */
import type { JsonObject } from '@palimpsest/core/engine';
import { answerProblems, type ProviderQuestion } from '../../memory-providers/provider-host.ts';
import { memoryProviderNames, providerRows } from '../../memory-providers/provider-list.ts';
import { setUpProvider } from '../../memory-providers/set-up.ts';
import { type Screen, styled } from '../../terminal/screen.ts';
import { changeSettings } from '../change-settings.ts';
import type { Call } from '../commands/build.ts';
import { clientOf, makeProvider, questionsOf } from '../memory-provider.ts';
import { badOption, quoted } from '../option-values.ts';
import { linesOf, oneLine } from '../render/text.ts';
import { heardSettings, isKeyName, loadOwnSettings, providerNotes, withoutKeys } from '../settings.ts';
import { type Terminal, writeLines, writeResult } from '../terminal.ts';
import { type InputLines, inputLines } from '../terminal-question.ts';

interface SetupFlags {
  readonly set?: readonly string[];
  /** Keys go into the file as plain text. */
  readonly saveKey?: boolean;
  readonly remove?: boolean;
}

type Answers = Readonly<Record<string, string>>;

export async function runMemorySetup({ words: [word], flags, terminal }: Call<SetupFlags>): Promise<void> {
  if (flags.remove) return removeProvider(word, terminal);
  await using lines = inputLines(terminal);
  const asking = { lines, terminal, ...flags };
  const name = word ?? (await askName(asking));
  const before = (await ownMemory(terminal)).providers[name] ?? {};
  const settings = await settingsFor(name, before, asking);
  const heard = await heardSettings(terminal);
  const { provider, from } = await makeProvider({ name, settings }, heard, terminal);
  const missing = provider.missing?.();
  const client = await clientOf(name, terminal);
  const path = await changeSettings(
    [
      { path: ['memory', 'provider'], value: name },
      { path: ['memory', 'providers', name], value: Object.keys(settings).length > 0 ? settings : undefined },
    ],
    { whose: 'own', terminal, hasSecret: Object.keys(settings).some(isKeyName) },
  );
  const after = await heardSettings(terminal);
  const shown = withoutKeys(settings);
  const active = after.memory.provider;
  const overruled = `${active ?? 'no provider'} is still used here, not ${name}: another setting takes precedence (palimpsest config show --changed).`;
  await writeResult(terminal, {
    json: () => ({
      command: 'memory setup',
      provider: name,
      from,
      path,
      settings: shown,
      missing: missing ?? null,
      client: client ?? null,
    }),
    notes: linesOf(after.all.notes, after.notes, providerNotes(after), active !== name && overruled),
    lines: (screen) => [
      `memory.provider is now ${oneLine(name)} (${from}), in ${path}`,
      ...secretsOf(name).flatMap((secret) => keyLine(secret, settings, terminal)),
      ...Object.entries(Object(shown)).map(
        ([key, value]) => `  ${oneLine(`memory.providers.${name}.${key}: ${value}`)}`,
      ),
      ...nextLines(linesOf(missing, client?.installed === false && client.install, 'palimpsest memory status'), screen),
    ],
  });
}

/** Where its key comes from, unless that is the file. */
function keyLine({ key, variable = '' }: ProviderQuestion, settings: JsonObject, { env }: Terminal): readonly string[] {
  const isSet = (env[variable] ?? '').trim() !== '';
  if (Object.hasOwn(settings, key) && !isSet) return [];
  return [`  ${key}: read from the variable ${variable}${isSet ? '' : ', which is not set'}`];
}

const nextLines = (steps: readonly string[], screen: Screen): readonly string[] => [
  '',
  styled('next', 'bold', screen),
  ...steps.map((step) => `  ${oneLine(step)}`),
];

/** What the person's own file says, whatever the environment says. */
async function ownMemory(terminal: Terminal) {
  const { PALIMPSEST_MEMORY_PROVIDER: _name, PALIMPSEST_MEMORY_PROVIDERS: _settings, ...env } = terminal.env;
  return (await loadOwnSettings({ ...terminal, env })).config.memory;
}

const secretsOf = (name: string): readonly ProviderQuestion[] => questionsOf(name).filter(({ isSecret }) => isSecret);

// From a terminal or from --set to settings.

interface Asking extends SetupFlags {
  readonly lines: InputLines;
  readonly terminal: Terminal;
}

const isTerminal = ({ terminal }: Asking): boolean => terminal.stderr.isTTY === true;

async function askName(asking: Asking): Promise<string> {
  const expected = `expected the name of a provider: ${memoryProviderNames.join(', ')}, or a plugin`;
  if (!isTerminal(asking)) throw badOption(expected);
  const width = Math.max(...memoryProviderNames.map((name) => name.length));
  await writeLines(
    asking.terminal.stderr,
    providerRows.map(({ name, text }) => `  ${name.padEnd(width)}  ${text}`),
  );
  const answer = await ask('Which provider?', asking);
  if (answer === '') throw badOption(expected);
  return answer;
}

/** Throws `BAD_OPTION` that repeats no answer: it may be a key. */
async function settingsFor(name: string, before: JsonObject, asking: Asking): Promise<JsonObject> {
  const pairs = Object.fromEntries((asking.set ?? []).map(pairOf));
  if (!memoryProviderNames.includes(name)) {
    const secret = Object.keys(pairs).find(isKeyName);
    if (secret !== undefined && !asking.saveKey) throw badOption(keyIsNoSetting({ key: secret }));
    return { ...before, ...pairs };
  }
  const questions = questionsOf(name);
  const [wrong] = answerProblems(name, questions, pairs);
  if (wrong !== undefined) throw badOption(wrong);
  const known = Object.fromEntries(
    questions.flatMap(({ key }) => (typeof before[key] === 'string' ? [[key, before[key]] as const] : [])),
  );
  const answers = { ...known, ...pairs, ...(await askRest(name, { known, pairs, asking })) };
  const setUp = setUpProvider(name, answers);
  if (setUp.type === 'wrong') throw badOption(setUp.problems.join(' '));
  const secrets = secretsOf(name).flatMap(({ key }) => {
    const answer = (answers[key] ?? '').trim();
    return answer === '' ? [] : [[key, answer] as const];
  });
  return { ...setUp.settings, ...Object.fromEntries(secrets) };
}

function pairOf(word: string): readonly [string, string] {
  const at = word.indexOf('=');
  if (at < 1) throw badOption('expected --set to be followed by key=value');
  return [word.slice(0, at).trim(), word.slice(at + 1)];
}

interface Rest {
  readonly known: Answers;
  readonly pairs: Answers;
  readonly asking: Asking;
}

/** The answers that --set does not give: of a person at a terminal, keys only where they are to be written down. */
async function askRest(name: string, { known, pairs, asking }: Rest): Promise<Answers> {
  const answers: Record<string, string> = {};
  for (const question of questionsOf(name)) {
    const { key, isSecret, variable } = question;
    const told = pairs[key];
    if (isSecret && told !== undefined && told.trim() !== '') {
      if (!asking.saveKey) throw badOption(keyIsNoSetting(question));
      if (told === '-') answers[key] = (await asking.lines.next()) ?? '';
      continue;
    }
    if (told !== undefined) continue;
    if (isSecret && !asking.saveKey) continue;
    if (isTerminal(asking)) answers[key] = await askOne(name, question, { known, asking });
    else if (isSecret && known[key] === undefined)
      throw badOption(`expected --set ${key}=- with --save-key, and the key on standard input (or set ${variable})`);
  }
  return answers;
}

function keyIsNoSetting({ key, variable }: Pick<ProviderQuestion, 'key' | 'variable'>): string {
  const where = variable === undefined ? 'your environment' : `the variable ${variable} of your environment`;
  return `${key} is a secret: put it into ${where}. To keep it as plain text in your configuration, add --save-key`;
}

async function askOne(
  name: string,
  question: ProviderQuestion,
  { known, asking }: Omit<Rest, 'pairs'>,
): Promise<string> {
  const { key, text, choices, isSecret } = question;
  const usual = known[key] ?? question.default;
  const shown = isSecret && usual !== undefined ? 'the one in your configuration' : usual;
  const hints = linesOf(choices?.join(' or '), shown !== undefined && `default: ${shown}`).join('; ');
  const about = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${isSecret ? ', which will be seen as you type it' : ''}`;
  for (;;) {
    const answer = (await ask(`${about}${hints === '' ? '' : ` (${hints})`}:`, asking)) || (known[key] ?? '');
    const [problem] = answerProblems(name, [question], { [key]: answer });
    if (problem === undefined) return answer;
    await writeLines(asking.terminal.stderr, [problem]);
  }
}

async function ask(question: string, { lines, terminal }: Asking): Promise<string> {
  terminal.stderr.write(`${question} `);
  const answer = await lines.next();
  if (answer === undefined) {
    await writeLines(terminal.stderr, ['']);
    throw badOption('expected an answer: the input has ended, and nothing was written');
  }
  return answer.trim();
}

async function removeProvider(word: string | undefined, terminal: Terminal): Promise<void> {
  const { provider, providers } = await ownMemory(terminal);
  const name = word ?? provider ?? undefined;
  const isActive = name !== undefined && provider === name;
  const isKnown = name !== undefined && (isActive || Object.hasOwn(providers, name));
  if (name !== undefined && !isKnown) throw badOption(`expected a provider that is set up, got ${quoted(name)}`);
  const path = isKnown
    ? await changeSettings(
        [
          ...(isActive ? [{ path: ['memory', 'provider'], value: undefined }] : []),
          { path: ['memory', 'providers', name], value: undefined },
        ],
        { whose: 'own', terminal },
      )
    : undefined;
  const after = await heardSettings(terminal);
  const active = after.memory.provider;
  await writeResult(terminal, {
    json: () => ({ command: 'memory setup', removed: name ?? null, path: path ?? null, provider: active }),
    notes: linesOf(after.all.notes, providerNotes(after), active !== null && `the memory provider here is ${active}`),
    done:
      name === undefined
        ? 'no memory provider was set in your configuration'
        : `removed ${oneLine(name)} from ${path}; what it keeps stays with it`,
  });
}
