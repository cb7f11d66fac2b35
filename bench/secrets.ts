/**
 * Measures redaction: whether a planted credential reaches anything that is written about a conversation, how much
 * ordinary text is masked by mistake, and how long the worst inputs take.
 *
 *   node bench/secrets.ts            all three
 *   node bench/secrets.ts --show     also what was masked in ordinary text
 *   node bench/secrets.ts --only hostile
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import {
  type CompressionResult,
  compress,
  compressionDefaults,
  exactTokenizer,
  fromOpenAiChat,
  loadEncoding,
  type Message,
} from '@palimpsest/core';
import { findSecrets, redact } from '../packages/core/src/redaction/redact.ts';
import { table } from '../scripts/reference/markdown.ts';
import { hostileTexts } from '../test/redaction/hostile-texts.ts';
import { diceOf } from './invented-texts.ts';
import { type PlantedSecret, plantedSession } from './planted-secrets.ts';
import { both, medianOf, ms, stopwatch, type Time } from './stopwatch.ts';

const sessions = 20;
const secretsEach = 10;
const messagesEach = 300;

const encoding = await loadEncoding('o200k_base');
const tokenizer = exactTokenizer(encoding);
const root = join(import.meta.dirname, '..');

async function plantedRuns(): Promise<void> {
  const dice = diceOf(20_240_501);
  const rows: string[][] = [];
  const all: PlantedSecret[] = [];
  const leaks: string[] = [];
  let masked = 0;
  for (let seed = 0; seed < sessions; seed++) {
    const { messages, planted } = plantedSession(messagesEach, seed, { dice, secrets: secretsEach });
    all.push(...planted);
    for (const [name, result] of await compressions(fromOpenAiChat(messages))) {
      const written = writtenIn(result.messages, result, fromOpenAiChat(messages));
      masked += written.split('[REDACTED:').length - 1;
      for (const one of planted)
        if (leaksInto(one, written)) leaks.push(`seed ${seed}, ${name}: ${one.rule}: ${one.text}`);
    }
  }
  rows.push([
    String(all.length),
    String(new Set(all.map(({ rule }) => rule)).size),
    String(masked),
    String(leaks.length),
  ]);
  console.log(
    'Credentials planted into the older part of invented sessions, compressed in four ways; everything that is\nwritten about them is searched for any 12 characters in a row of a credential.\n',
  );
  console.log(table(['credentials', 'kinds', 'placeholders written', 'credentials that came through'], rows));
  for (const leak of leaks.slice(0, 20)) console.log(`  LEAK ${leak}`);
}

/** The same list in four ways: by default, small, with ends of results, and with a focus that names a secret. */
async function compressions(messages: readonly Message[]): Promise<readonly (readonly [string, CompressionResult])[]> {
  const ends = { ...compressionDefaults, prune: { ...compressionDefaults.prune, mode: 'head_tail' as const } };
  const brief = { ...compressionDefaults, summary: { ...compressionDefaults.summary, template: 'brief' as const } };
  const given = { tokenizer, contextLength: 64_000 };
  return [
    ['default', await compress(messages, given)],
    ['small', await compress(messages, { ...given, targetTokens: 6_000, config: brief })],
    ['ends', await compress(messages, { ...given, config: ends, targetTokens: 30_000 })],
    ['focus', await compress(messages, { ...given, focusTopic: 'credential password token secret key' })],
  ];
}

/** Handoff, stubs, fates and explanations: all that is not a message as it came. */
function writtenIn(list: readonly Message[], result: CompressionResult, given: readonly Message[]): string {
  const { messages: _, ...report } = result;
  const original = new Set(given.flatMap(({ parts }) => parts.map((part) => JSON.stringify(part))));
  const made = list.flatMap(({ parts }) =>
    parts.map((part) => JSON.stringify(part)).filter((part) => !original.has(part)),
  );
  return [JSON.stringify(report), ...made].join('\n');
}

const window = 12;

function leaksInto({ secret, rule }: PlantedSecret, written: string): boolean {
  const pieces = secret.split(/\s+/);
  return pieces.some((piece) => {
    // What every credential of a kind begins with is no secret.
    const from = rule === 'paypal-token' || piece.length < window + 4 ? 0 : Math.min(12, piece.length - window);
    for (let at = from; at + Math.min(window, piece.length) <= piece.length; at++) {
      if (written.includes(piece.slice(at, at + window))) return true;
    }
    return false;
  });
}

interface Corpus {
  readonly name: string;
  readonly texts: () => readonly string[];
}

const corpora: readonly Corpus[] = [
  {
    name: 'our own source, tests and guides',
    texts: () => filesOf(root, '{src,test,bench,scripts,docs}/**/*.{ts,md}'),
  },
  {
    name: 'packages',
    texts: () =>
      filesOf(
        root,
        'node_modules/{openai,ai,@ai-sdk/*,@anthropic-ai/sdk,fast-check,commander,yaml}/**/*.{js,mjs,ts,md}',
      ),
  },
  { name: 'agent transcripts', texts: transcriptTexts },
];

const filesOf = (folder: string, pattern: string): readonly string[] =>
  globSync(join(folder, pattern))
    .filter((path) => !path.endsWith('.data.js'))
    .map((path) => readFileSync(path, 'utf8'));

function transcriptTexts(): readonly string[] {
  const folder = join(root, '../shared/data/transcripts');
  if (!existsSync(folder)) return [];
  return globSync(join(folder, '**/*.gz')).flatMap((path) => {
    const text = gunzipSync(readFileSync(path)).toString();
    const values = path.includes('.jsonl') ? text.split('\n').filter(Boolean) : [text];
    return values.flatMap((value) => stringsOf(JSON.parse(value)));
  });
}

function stringsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

function overMasking(isShown: boolean): void {
  const rows: string[][] = [];
  const shown = new Map<string, number>();
  for (const { name, texts } of corpora) {
    let [tokens, masked, finds] = [0, 0, 0];
    for (const text of texts()) {
      tokens += encoding.count(text);
      for (const { start, end, rule } of findSecrets(text)) {
        finds++;
        masked += encoding.count(text.slice(start, end));
        const line =
          `${rule}: ${text.slice(Math.max(0, start - 40), start)}⟦${text.slice(start, end).slice(0, 60)}⟧`.replace(
            /\s+/g,
            ' ',
          );
        shown.set(line, (shown.get(line) ?? 0) + 1);
      }
    }
    rows.push(
      tokens === 0
        ? [name, '0', 'not there', '', '']
        : [name, String(tokens), String(finds), String(masked), ((1000 * masked) / tokens).toFixed(4)],
    );
  }
  console.log('\nWhat is masked in ordinary text, of which next to nothing is a credential. The limit is 1 ‰.\n');
  console.log(table(['texts', 'tokens', 'finds', 'tokens masked', '‰'], rows));
  if (isShown) for (const [line, count] of [...shown].sort((a, b) => b[1] - a[1])) console.log(`  ${count} × ${line}`);
}

function hostileRuns(): void {
  const rows = Array.from(hostileTexts(1_000_000), ([name, text]) => {
    const times = [timeOf(text)];
    // Other work on the machine makes a single run slow now and then.
    while (times.length < 5 && medianOf(times).threadMs > 60) times.push(timeOf(text));
    return { name, fastest: Math.min(...times.map(({ threadMs }) => threadMs)), middle: medianOf(times) };
  });
  rows.sort((a, b) => b.middle.threadMs - a.middle.threadMs);
  console.log(
    `\nThe slowest of ${rows.length} texts of a million characters each, by processor time of the thread; the limit is 200 ms. ` +
      `Load of the machine: ${loadavg()[0]?.toFixed(1)}.\n`,
  );
  const shown = rows.slice(0, 15);
  const cells = shown.map(({ name, fastest, middle }) => [JSON.stringify(name), ms(fastest), both(middle)]);
  console.log(table(['text', 'fastest, ms', 'median, ms (thread)'], cells));
}

function timeOf(text: string): Time {
  const lap = stopwatch();
  redact(text);
  return lap();
}

const { values } = parseArgs({
  options: { show: { type: 'boolean' }, only: { type: 'string' }, help: { type: 'boolean' } },
});
const parts: Readonly<Record<string, () => void | Promise<void>>> = {
  planted: plantedRuns,
  ordinary: () => overMasking(values.show ?? false),
  hostile: hostileRuns,
};
if (values.help) console.log('node bench/secrets.ts [--show] [--only planted|ordinary|hostile]');
else for (const [name, run] of Object.entries(parts)) if ((values.only ?? name) === name) await run();
