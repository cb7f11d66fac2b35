/** Tools over real files for an agent without a command of its own: as few lines as do it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jsonSchema, type Tool } from 'ai';

type Texts = Readonly<Record<string, string>>;

function tool(description: string, names: readonly string[], run: (args: Texts) => string): Tool<Texts, string> {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const inputSchema = jsonSchema<Texts>({ type: 'object', properties, required: [...names] });
  return {
    description,
    inputSchema,
    // A failure is a result: the model decides what comes of it.
    execute: (args) => {
      try {
        return run(args);
      } catch (error) {
        return `failed: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
  };
}

/** The tools for a folder. */
export function simpleTools(project: string): Readonly<Record<string, Tool<Texts, string>>> {
  const at = (path = ''): string => join(project, path);
  return {
    terminal: tool('Runs a command in the project.', ['command'], ({ command = '' }) => {
      const env = { PATH: process.env.PATH, HOME: project };
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: project, env, encoding: 'utf8' });
      return `exit ${status}\n${stdout}${stderr}`;
    }),
    read_file: tool('Reads a file.', ['path'], ({ path }) => readFileSync(at(path), 'utf8')),
    write_file: tool('Writes a file.', ['path', 'content'], ({ path, content = '' }) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
      return `wrote ${path}`;
    }),
    patch: tool('Replaces a text that is in a file once.', ['path', 'old_text', 'new_text'], (args) => {
      const { path, old_text: old = '', new_text: next = '' } = args;
      const parts = readFileSync(at(path), 'utf8').split(old);
      if (parts.length !== 2) return `failed: the old text is in ${path} ${parts.length - 1} times`;
      writeFileSync(at(path), parts.join(next));
      return `changed ${path}`;
    }),
    search_files: tool('Finds lines with a text.', ['pattern'], ({ pattern = '' }) =>
      ['src', 'test']
        .flatMap((folder) => readdirSync(at(folder)).map((name) => `${folder}/${name}`))
        .flatMap((path) =>
          readFileSync(at(path), 'utf8')
            .split('\n')
            .map((line, i) => `${path}:${i + 1}:${line}`),
        )
        .filter((line) => line.includes(pattern))
        .join('\n'),
    ),
  };
}
