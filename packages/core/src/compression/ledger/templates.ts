/** Which sections a handoff has, and what the ledger puts under each heading. */

import type { OwnTemplate, TemplateName } from '../../context/settings.ts';
import { templateHeadings } from '../../language/headings.ts';
import { redact } from '../../redaction/redact.ts';
import { PalimpsestError } from '../../shared/errors.ts';

/** What a section may hold. */
export const sectionContents = [
  /** The newest request, word for word. */
  'task',
  /** The first request. */
  'goal',
  /** Standing rules and things taken back. */
  'constraints',
  /** What a summary says with which the list began, by its own headings. */
  'earlier',
  /** Requests, what was done for each and how it ended, with the lines worth having, step by step. */
  'actions',
  /** Effects that must not be repeated. */
  'state',
  /** How each kind of check ended last. */
  'checks',
  /** What is under way: the agent's last words, changes that nothing checked, checks that fail, entries of its plan. */
  'progress',
  /** What the user was asked, and nobody answered. */
  'waiting',
  /** Failures that nothing fixed. */
  'blocked',
  'decisions',
  /** Questions of the user and what was answered. */
  'answers',
  /** Requests that no answer closed. */
  'asks',
  'files',
  /** Entries of the agent's own plan that are to come. */
  'remaining',
  /** What was seen where: names without their lines. */
  'names',
] as const;
/** A kind of content that a section can hold. */
export type SectionContent = (typeof sectionContents)[number];

/** One heading of a handoff and what stands under it. */
export interface TemplateSection {
  readonly heading: string;
  readonly holds: readonly SectionContent[];
  /** What belongs under it in words, for a model that writes the summary; without it, what the contents say. */
  readonly instruction?: string;
}

/** A handoff's shape. What no section holds goes to the section that holds `actions`, or to the last one. */
export interface Template {
  readonly name: string;
  readonly sections: readonly TemplateSection[];
}

const section = (heading: string, ...holds: SectionContent[]): TemplateSection => ({ heading, holds });

/** Above what was told by a summary that came with the list. */
export const earlierHeading = 'Earlier Summary';

/** The templates that ship: `handoff` in full, `progress` by state of work, `brief` for small windows. */
export const templates: Readonly<Record<TemplateName, Template>> = {
  handoff: {
    name: 'handoff',
    sections: [
      section('Active Task', 'task'),
      section('Goal', 'goal'),
      section('Constraints & Preferences', 'constraints'),
      section(earlierHeading, 'earlier'),
      section('Completed Actions', 'actions'),
      section('Active State', 'checks', 'state'),
      section('In Progress', 'progress'),
      section('Blocked', 'waiting', 'blocked'),
      section('Key Decisions', 'decisions'),
      section('Resolved Questions', 'answers'),
      section('Pending User Asks', 'asks'),
      section('Relevant Files', 'files'),
      section('Remaining Work', 'remaining'),
      section('Critical Context'),
      section('Index of Names', 'names'),
    ],
  },
  progress: {
    name: 'progress',
    sections: [
      section('Goal', 'task', 'goal'),
      section('Constraints & Preferences', 'constraints'),
      section(earlierHeading, 'earlier'),
      section('Progress: Done', 'actions', 'checks', 'state'),
      section('Progress: In Progress', 'progress'),
      section('Progress: Blocked', 'waiting', 'blocked'),
      section('Key Decisions', 'decisions', 'answers'),
      section('Relevant Files', 'files'),
      section('Next Steps', 'asks', 'remaining'),
      section('Critical Context'),
      section('Index of Names', 'names'),
    ],
  },
  brief: {
    name: 'brief',
    sections: [
      section('Task Context', 'task', 'goal', 'constraints', 'earlier', 'actions', 'checks', 'state'),
      section('Key Decisions Resolved', 'decisions', 'answers'),
      section('Active Files', 'files'),
      section('Pending Questions', 'asks', 'waiting', 'blocked'),
      section('Remaining Work', 'progress', 'remaining'),
      section('Index of Names', 'names'),
    ],
  },
};

/** The template of a name, or the caller's own after a check. @throws BAD_OPTION for a name or section nobody knows. */
export function resolveTemplate(template: string | Template | OwnTemplate | undefined): Template {
  if (template === undefined) return templates.handoff;
  if (typeof template !== 'string') return clean(checked('name' in template ? template : fromHeadings(template)));
  const known = Object.values(templates).find(({ name }) => name === template);
  if (known) return known;
  const names = Object.keys(templates).join(', ');
  throw new PalimpsestError('BAD_OPTION', `Expected a template (${names}), got "${template}". Name one of these.`);
}

/** Headings of one's own stand in every handoff: without credentials. The same template where there are none. */
function clean(template: Template): Template {
  const sections = template.sections.map((one) => ({ ...one, heading: redact(one.heading) }));
  const isChanged = sections.some(({ heading }, at) => heading !== template.sections[at]?.heading);
  return isChanged ? { ...template, sections } : template;
}

/** A template from the configuration: what a section holds follows from its heading. */
function fromHeadings(own: OwnTemplate): Template {
  const taken = new Set<SectionContent>();
  const sections = own.sections.map(({ heading, instruction }): TemplateSection => {
    const fitting = templateHeadings.filter(([words, content]) => words.test(heading) && !taken.has(content));
    const holds = fitting.map(([, content]) => content);
    for (const content of holds) taken.add(content);
    return { heading, holds, ...(instruction?.trim() ? { instruction } : {}) };
  });
  return { name: 'own', sections };
}

function checked(template: Template): Template {
  const { name, sections } = template;
  if (sections.length === 0 || sections.some(({ heading }) => !heading.trim())) {
    throw new PalimpsestError('BAD_OPTION', `Template "${name}" needs sections, each with a heading.`);
  }
  const unknown = sections.flatMap(({ holds }) => holds).find((content) => !sectionContents.includes(content));
  if (unknown === undefined) return template;
  const known = sectionContents.join(', ');
  throw new PalimpsestError('BAD_OPTION', `Template "${name}" holds "${unknown}"; sections hold: ${known}.`);
}
