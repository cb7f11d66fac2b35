/** The facts of the first pass of a chain, in words of the record, and whether a context still says them. */
import type { Message, Ref } from '@palimpsest/core';
import type { LedgerFacts } from '@palimpsest/core/engine';
import { readableText } from '../../packages/core/src/transcript/text.ts';

export const factTypes = ['request', 'rule', 'decision', 'side effect', 'open error', 'file'] as const;

export type FactType = (typeof factTypes)[number];

/** Something that was true at the first pass, with the words by which it is found again. */
export interface FirstFact {
  readonly type: FactType;
  readonly ref: Ref;
  /** Letters and digits alone; for a file the end of its path. */
  readonly probe: string;
  readonly text: string;
  /** False once the record says something newer of it: an error that was fixed, a file that was deleted. */
  readonly holds: (now: LedgerFacts) => boolean;
}

/** Shorter words, such as "go on", are found everywhere. */
const leastProbe = 12;

/** Facts that the record has at the first pass, each once. */
export function firstFacts(facts: LedgerFacts): readonly FirstFact[] {
  const all = [...saidFacts(facts), ...doneFacts(facts), ...fileFacts(facts)];
  const seen = new Set<string>();
  return all.filter(({ type, probe }) => {
    const key = `${type} ${probe}`;
    if (probe.length < leastProbe || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const always = (): boolean => true;

function saidFacts({ asks, decisions }: LedgerFacts): readonly FirstFact[] {
  return [
    ...asks.map(({ ref, type, text }): FirstFact => {
      const isRule = type === 'constraint' || type === 'reversal';
      return { type: isRule ? 'rule' : 'request', ref, probe: lettersIn(text.slice(0, 160)), text, holds: always };
    }),
    ...decisions.map(({ ref, text }): FirstFact => {
      return { type: 'decision', ref, probe: lettersIn(text.slice(0, 100)), text, holds: always };
    }),
  ];
}

function doneFacts({ sideEffects, errors }: LedgerFacts): readonly FirstFact[] {
  return [
    ...sideEffects.map(({ ref, target }): FirstFact => {
      return { type: 'side effect', ref, probe: lettersIn(target.slice(0, 60)), text: target, holds: always };
    }),
    ...errors
      .filter(({ fixed }) => fixed === undefined)
      .map(({ ref, tool, line }): FirstFact => {
        const isSame = (other: LedgerFacts['errors'][number]): boolean => other.ref === ref && other.line === line;
        return {
          type: 'open error',
          ref,
          probe: lettersIn(line.slice(0, 80)),
          text: `${tool}: ${line}`,
          // A turn that ended with words dealt with what failed in it, or gave it up.
          holds: (now) =>
            numberIn(ref) > lastAnswer(now) && now.errors.some((other) => isSame(other) && other.fixed === undefined),
        };
      }),
  ];
}

const numberIn = (ref: Ref): number => Number(ref.slice(1));
const lastAnswer = ({ asks }: LedgerFacts): number =>
  Math.max(0, ...asks.map(({ answer }) => (answer?.text ? numberIn(answer.ref) : 0)));

function fileFacts({ files }: LedgerFacts): readonly FirstFact[] {
  return files
    .filter(({ state }) => state !== 'read')
    .map(({ ref, path, state }): FirstFact => {
      return {
        type: 'file',
        ref,
        probe: path.split('/').slice(-2).join('/').toLowerCase(),
        text: `${state} ${path}`,
        holds: (now) =>
          now.files.some((other) => other.path === path && (other.state === state || !isGone(other.state))),
      };
    });
}

const isGone = (state: LedgerFacts['files'][number]['state']): boolean => state === 'deleted';

/** What a model reads of a context, ready to be searched. */
export interface Reading {
  readonly letters: string;
  readonly lower: string;
  /** White space as single blanks. */
  readonly flat: string;
}

export function readingOf(messages: readonly Message[]): Reading {
  // Arguments of calls are JSON, whose line breaks are no letters.
  const text = messages.map(readableText).join('\n').replaceAll('\\n', ' ');
  return { letters: lettersIn(text), lower: text.toLowerCase(), flat: flat(text) };
}

export const isSaid = ({ type, probe }: FirstFact, { letters, lower }: Reading): boolean =>
  type === 'file' ? lower.includes(probe) : letters.includes(probe);

export const lettersIn = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

export const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();
