/** The projects that transcripts come from, under names that say nothing about them. */
import { basename, dirname } from 'node:path';
import { readTranscriptFile } from './files.ts';
import { transcriptFiles } from './kit.ts';
import { type ScriptName, scriptOf } from './language.ts';

export interface Project {
  /** Such as `A (codex, Latin)`. */
  readonly label: string;
  readonly script: ScriptName;
}

/** Every project by the start of its file names, as the kit calls it. */
export async function projectsIn(data: string): Promise<ReadonlyMap<string, Project>> {
  const byProject = Map.groupBy(transcriptFiles(data), (file) => basename(file).split('__')[0] ?? file);
  const projects = new Map<string, Project>();
  for (const [name, files] of byProject) {
    const transcripts = (await Promise.all(files.map(readTranscriptFile))).flat();
    const script = scriptOf(transcripts.flatMap(({ messages }) => messages));
    const tools = [...new Set(files.map((file) => basename(dirname(file))))].join(', ');
    projects.set(name, { label: `${String.fromCharCode(65 + projects.size)} (${tools}, ${script})`, script });
  }
  return projects;
}
