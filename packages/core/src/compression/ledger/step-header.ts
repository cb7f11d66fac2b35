/** The row under which the lines of a step stand in a handoff. */
import type { Ref } from '../ref.ts';
import type { Action } from './facts.ts';
import { flat, toolName, withinRow } from './names.ts';

const mostTools = 3;

/** `m12 Bash npm test failed (exit 1):` for the calls of one message, with what became of them. */
export function stepHeader(ref: Ref, actions: readonly Action[]): string {
  const tools = [...new Set(actions.map(({ tool }) => toolName(tool)))].slice(0, mostTools).join(', ') || 'result';
  const failed = actions.find(({ ok }) => ok === false);
  const exit = failed?.exitCode === undefined ? '' : ` (exit ${failed.exitCode})`;
  return `${ref} ${tools}${shortTarget(withinRow(flat(actions[0]?.target ?? '')))}${failed ? ` failed${exit}` : ''}:`;
}

/** Enough of a target to tell steps apart; its whole text is a line like any other. */
const targetChars = 24;
const isPath = /^[\w./~@-]*\/[\w.@-]+$/;

function shortTarget(target: string): string {
  const text = isPath.test(target) ? target.slice(target.lastIndexOf('/') + 1) : target;
  if (text.length <= targetChars) return text && ` ${text}`;
  const space = text.lastIndexOf(' ', targetChars);
  return ` ${text.slice(0, space > targetChars / 3 ? space : targetChars)}…`;
}
