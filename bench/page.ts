/** docs/reference/benchmarks.md: one heading a section; a section that was not measured stays as it is. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, type SectionName, sectionNames } from './options.ts';

/** What was measured, as Markdown. */
export interface Section {
  readonly name: SectionName;
  readonly title: string;
  readonly paragraphs: readonly string[];
}

const path = join(root, 'docs/reference/benchmarks.md');

const opening = `# Benchmarks

Made by \`npm run bench -- all --write\`; do not edit. The transcripts and the evaluation kit are not in this repository, for
reasons of licence; nothing here depends on them. The figures are those of data that was looked at while the compression was
made, so they say how well it does there and not how well it will do elsewhere.`;

/** The section as it is printed and written. */
export const sectionText = ({ name, title, paragraphs }: Section, machine: string): string =>
  [`## ${title}`, `\`npm run bench -- ${name}\` on ${machine}.`, ...paragraphs].join('\n\n');

/** Puts the measured sections in place of their older selves. */
export function writeSections(texts: ReadonlyMap<SectionName, string>): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  writeFileSync(path, pageOf(texts, before));
}

/** The page with new texts for some sections, and the old ones for the others. */
export function pageOf(texts: ReadonlyMap<SectionName, string>, before: string): string {
  const old = before.split(/^(?=## )/m);
  const kept = (name: SectionName): string | undefined =>
    old.find((text) => text.includes(`\`npm run bench -- ${name}\``) && text.startsWith('## '))?.trim();
  const sections = sectionNames.flatMap((name) => texts.get(name) ?? kept(name) ?? []);
  return `${[opening, ...sections].join('\n\n')}\n`;
}
