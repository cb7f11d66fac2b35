/** The summaries of a data folder that are taken as faithful: ours, reworded ones, and those that real models wrote. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Transcript } from '@palimpsest/core';
import { personMessage, unwrapHandoff } from '../../packages/core/src/compression/handoff-block.ts';
import { contentHash } from '../../packages/core/src/shared/hash.ts';
import { groupsOf } from '../../packages/core/src/transcript/text.ts';
import { readTranscriptFile } from '../files.ts';
import { type Dice, diceOf } from '../invented-texts.ts';
import { type ScriptName, scriptOf } from '../language.ts';
import { trueAtomsIn } from './atoms.ts';
import type { Atom, Base, Language, TrueLine } from './lines.ts';
import { shuffled } from './mutations.ts';
import { recordOf, type SessionRecord } from './record.ts';

/** Shorter conversations say too little; of files with very many, some are enough. */
const fewestMessages = 16;
const mostOfFile = 3;
/** From here on a conversation is also taken up to its middle. */
const longFrom = 120;

const endings = /\.(?:jsonl?|traj)(?:\.gz)?$/;

/** Every transcript file in a folder, at any depth; none where the folder is not there. */
export function sessionFiles(data: string): readonly string[] {
  const folder = existsSync(join(data, 'transcripts')) ? join(data, 'transcripts') : data;
  if (!existsSync(folder)) return [];
  if (!statSync(folder).isDirectory()) return [folder];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => endings.test(name));
  return names.toSorted((a, b) => (a < b ? -1 : 1)).map((name) => join(folder, name));
}

/** The conversations of a file that are long enough, as records; long ones also up to their middle. */
export async function recordsOf(file: string, seed: number): Promise<readonly SessionRecord[]> {
  const all = await readTranscriptFile(file);
  const fit = all.filter(
    ({ messages }) => messages.length >= fewestMessages && messages.some((one) => personMessage(one)),
  );
  const [first, ...others] = fit;
  const chosen = first ? [first, ...shuffled(others, diceFor(file, seed)).slice(0, mostOfFile - 1)] : [];
  return chosen.flatMap(({ messages }) => {
    const name = `${basename(file).replace(endings, '')}#${all.findIndex((one) => one.messages === messages)}`;
    const cuts = messages.length < longFrom ? [messages.length] : [cutNear(messages, 0.55), messages.length];
    return cuts.map((cut) => recordOf(`${name}@${cut}`, messages.slice(0, cut)));
  });
}

function cutNear(messages: Transcript['messages'], share: number): number {
  const wanted = messages.length * share;
  return groupsOf(messages).find(({ end }) => end >= wanted)?.end ?? messages.length;
}

/** Summaries that real models wrote in a file's conversations, with the messages that stood before each. */
export async function realBases(file: string): Promise<readonly { base: Base; record: SessionRecord }[]> {
  const found: { base: Base; record: SessionRecord }[] = [];
  for (const { messages } of await readTranscriptFile(file)) {
    for (const [at, message] of messages.entries()) {
      const body = unwrapHandoff(message)?.body;
      if (body === undefined || at < 4 || body.length < 200) continue;
      const name = `${basename(file).replace(endings, '')}@${at}`;
      const record = recordOf(name, messages.slice(0, at));
      const base: Base = {
        name,
        kind: 'real',
        language: languageOf(scriptOf(record.messages)),
        messages: record.messages,
        lines: linesOf(body, record),
      };
      found.push({ base, record });
    }
  }
  return found;
}

const languageOf = (script: ScriptName): Language =>
  script === 'Japanese' ? 'ja' : script === 'Korean' ? 'ko' : script === 'Chinese' ? 'zh' : 'en';

/** What the ledger would hand over, as a base. */
export function handoffBase(record: SessionRecord, budgetTokens: number): Base {
  const lines = linesOf(record.handoff(budgetTokens), record);
  return {
    name: `${record.name} handoff ${budgetTokens}`,
    kind: 'handoff',
    language: 'en',
    messages: record.messages,
    lines,
  };
}

/** The lines of any summary; code between fences and headings stay as they are. */
function linesOf(text: string, record: SessionRecord): readonly TrueLine[] {
  let isFenced = false;
  return text.split('\n').map((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    const isStill = isFenced || isFence || line.trim() === '' || /^\s*#{1,6} /.test(line);
    if (isFence) isFenced = !isFenced;
    return {
      text: line,
      atoms: isStill ? [] : (quotesIn(line, record) ?? trueAtomsIn(line, record)),
      facts: [],
      ...(isStill ? { isHeading: true as const } : {}),
    };
  });
}

const quoted = /["“「]([^"“”「」]{6,220})["”」]|^(?:### )?m\d+ user: (.{4,200})$/g;

/** Words of the user in a line, where they are the user's; they are what can be falsified in it then. */
function quotesIn(line: string, record: SessionRecord): readonly Atom[] | undefined {
  const quotes = [...line.matchAll(quoted)].flatMap((match): readonly Atom[] => {
    const text = match[1] ?? match[2] ?? '';
    const isHeader = match[2] !== undefined;
    const isUsers = isHeader || /^\s*(?:[-*]|\d+\.)? ?["“「]|user|ユーザー|사용자|用户/i.test(line);
    if (!isUsers || !/\s|[^\x00-\x7f]/.test(text) || !record.said.includes(text.toLowerCase())) return [];
    return [{ type: 'quote', text, start: match.index + match[0].indexOf(text) }];
  });
  return quotes.length > 0 ? quotes : undefined;
}

/** Luck that depends on what it is for and on the seed alone. */
export const diceFor = (what: string, seed: number): Dice =>
  diceOf(Number.parseInt(contentHash(`${basename(what)} ${seed}`).slice(0, 8), 16));
