/**
 * Puts a prompt together: the data first, each kind in an element of its own, then the task, the headings and the rules
 * that hold for this conversation, so that the last words the model reads are ours.
 */

import { redact } from '../../redaction/redact.ts';
import { clip, flat } from '../ledger/names.ts';
import type { SectionContent, Template } from '../ledger/templates.ts';
import type { Ref } from '../ref.ts';
import { summaryLines } from '../summary-lines.ts';
import * as prompts from './prompts.ts';
import type { promptElements } from './record-text.ts';
import { unforged } from './record-text.ts';

/** A heading and what belongs under it, as the model is told. */
export interface PromptSection {
  readonly heading: string;
  readonly instruction: string;
  readonly holds: readonly SectionContent[];
}

/** Whether a person speaks in the records, outside them, or nowhere in the session. */
export type UserPresence = 'here' | 'elsewhere' | 'nowhere';

/** What every prompt of one summary shares. */
export interface PromptFrame {
  readonly sections: readonly PromptSection[];
  readonly focusTopic?: string;
  /** The newest requests, one a line, where no topic is named. */
  readonly requests: readonly string[];
  /** What is known of dates; empty for nothing. */
  readonly dates: string;
}

/** What one call is about. */
export interface PromptTask {
  /** Records, or the summaries of parts. */
  readonly type: 'records' | 'merge';
  /** The texts of either. */
  readonly texts: readonly string[];
  readonly budgetTokens: number;
  readonly user: UserPresence;
  /** The newest message of the user among the records. */
  readonly newest?: Ref;
  readonly previous?: string;
  readonly facts?: string;
  /** Which part of how many the records are. */
  readonly part?: { readonly part: number; readonly of: number };
}

/** The headings of a template with their instructions. */
export function sectionsOf(template: Template): readonly PromptSection[] {
  return template.sections.map(({ heading, holds, instruction }) => {
    const told = holds.map((content) => prompts.contentInstructions[content]);
    const listed = told.length > 1 ? told.map((one) => `- ${one}`).join('\n') : told[0];
    return {
      heading: flat(redact(heading)).replace(/^#+ /, ''),
      instruction: unforged(redact(instruction?.trim() || (listed ?? prompts.otherInstruction))),
      holds,
    };
  });
}

/** The prompt of one call. What it shows of the conversation is redacted and cannot pass for the prompt's own words. */
export function buildPrompt(frame: PromptFrame, task: PromptTask): string {
  const { type, texts, previous, facts } = task;
  const data = [
    previous === undefined ? '' : element('summary-so-far', unforged(redact(previous.trim()))),
    element(type === 'records' ? 'records' : 'part-summaries', texts.join('\n\n')),
    facts === undefined ? '' : element('facts', unforged(redact(facts.trim()))),
  ];
  return [...data, ...tasksOf(task), headings(frame), ...rulesOf(frame, task)].filter(Boolean).join('\n\n');
}

const element = (name: (typeof promptElements)[number], text: string): string => `<${name}>\n${text}\n</${name}>`;

function tasksOf({ type, part, previous }: PromptTask): readonly string[] {
  const source = type === 'merge' ? 'part summaries' : 'records';
  const merge = type === 'merge' ? [prompts.mergeTask] : [];
  if (previous !== undefined) {
    return [...merge, fill(prompts.updateTask, { source, numbering: numberingAfter(previous) })];
  }
  if (part) return [fill(prompts.partTask, { part: String(part.part), of: String(part.of) })];
  return type === 'merge' ? merge : [prompts.firstTask];
}

/** Where the numbers of the earlier summary end; empty where it has none. */
function numberingAfter(previous: string): string {
  const numbers = summaryLines(previous).flatMap(({ type, text }) => {
    const number = type === 'text' ? /^ ?(\d{1,4})[.)]\s/.exec(text)?.[1] : undefined;
    return number === undefined ? [] : [Number(number)];
  });
  const last = Math.max(0, ...numbers);
  return last === 0 ? '' : ` Its last number is ${last}: go on with ${last + 1}.`;
}

const headings = ({ sections }: PromptFrame): string =>
  [
    'The headings, and what belongs under each:',
    ...sections.map(({ heading, instruction }) => `## ${heading}\n${instruction}`),
  ].join('\n\n');

function rulesOf(frame: PromptFrame, task: PromptTask): readonly string[] {
  const { sections, focusTopic, requests, dates } = frame;
  const { facts, budgetTokens } = task;
  const topic = focusTopic === undefined ? '' : JSON.stringify(clip(unforged(redact(focusTopic)), maxTopicChars));
  return [
    facts === undefined ? '' : prompts.factsRule,
    userRule(frame, task),
    prompts.reversalRule,
    dates ? fill(prompts.datesRule, { dates }) : '',
    fill(prompts.budgetRule, { tokens: String(budgetTokens) }),
    topic ? fill(prompts.focusRule, { topic, share: focusShare }) : '',
    !topic && requests.length > 0 ? fill(prompts.autoFocusRule, { requests: requests.join('\n') }) : '',
    fill(prompts.closing, { heading: sections[0]?.heading ?? '' }),
  ];
}

const maxTopicChars = 500;
/** Per cent of the summary. */
const focusShare = '60 to 70';

function userRule({ sections }: PromptFrame, { user, newest, previous, facts }: PromptTask): string {
  switch (user) {
    case 'here':
      return newest === undefined ? '' : fill(prompts.newestRequestRule, { ref: newest });
    case 'elsewhere': {
      const known = [previous === undefined ? '' : 'the summary so far', facts === undefined ? '' : 'the facts'];
      const source = known.filter(Boolean).join(' or ');
      return fill(prompts.userElsewhereRule, { source: source && ` but what ${source} already quotes` });
    }
    case 'nowhere': {
      const told = sections
        .filter(({ holds }) => holds.includes('task') || holds.includes('asks'))
        .map(({ heading }) => heading);
      return fill(prompts.noUserRule, { headings: told.join(', ') || 'under any heading' });
    }
  }
}

/** The text with `{name}` replaced by values, which are never read for names themselves. */
const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
