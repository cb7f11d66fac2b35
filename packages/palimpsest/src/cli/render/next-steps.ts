/** What a person can do now: commands to copy, each with what it does. */
import { type Screen, styled } from './screen.ts';
import { fill } from './text.ts';
import { widthOf } from './width.ts';

/** A command line, and what it does. */
export type NextStep = readonly [command: string, what: string];

const indent = '  ';

/** The steps below a heading; a command that is too long goes on in the next line, as a shell reads it. */
export function nextSteps(steps: readonly NextStep[], screen: Screen): readonly string[] {
  if (steps.length === 0) return [];
  const width = Math.max(...steps.map(([command]) => widthOf(command)));
  const isTable = steps.every(([, what]) => width + 2 * indent.length + widthOf(what) <= screen.columns);
  const lines = steps.flatMap(([command, what]) =>
    isTable
      ? [`${styled(fill(command, width), 'bold', screen)}${indent}${styled(what, 'dim', screen)}`]
      : [
          ...(what === '' ? [] : [styled(`# ${what}`, 'dim', screen)]),
          ...brokenCommand(command, screen.columns - indent.length).map((line) => styled(line, 'bold', screen)),
        ],
  );
  return ['', 'next', ...lines.map((line) => (indent + line).trimEnd())];
}

/** The command in lines that a shell takes for one. A word is never broken, and neither is one in quotation marks. */
function brokenCommand(command: string, width: number): readonly string[] {
  const words = command.match(/'(?:[^']|'\\'')*'|\S+/g) ?? [];
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) + 2 > width) {
      lines.push(`${line} \\`);
      line = `  ${word}`;
    } else line = longer;
  }
  return [...lines, line];
}
