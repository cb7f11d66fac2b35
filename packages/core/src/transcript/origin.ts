/**
 * Tells a person's words from what a host program put into a `user` message. Readers set `origin` where the format
 * says so; for plain lists the wrapping tells: hosts put their text into elements of known names or behind known openings, people do not.
 */
import type { Message, Origin, Part, Role } from './message.ts';
import { summaryIn } from './summary-text.ts';
import { carriesResults, messageText } from './text.ts';

/** What host programs write in the user's place as a text of its own; words behind a note in brackets are a person's. */
const hostNotes: readonly RegExp[] = [
  /^\[Request interrupted by user[^\]\n]*\]$/,
  /^\[System:(?:[^[\]]|\[[^\]]*\])*\]$/,
  /^\[System: kept by this program through the compression\]\n/,
  /^\[SYSTEM NOTIFICATION/,
  /^Caveat: The messages below were generated/,
  /^Base directory for this skill: \S/,
  // Older versions of both, without an element around it.
  /^This is the (?:Gemini CLI|Qwen Code)\. We are setting up the context for our chat\./,
  // opencode, behind a summary of its own.
  /^Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed\.$/,
  /^# AGENTS\.md instructions for [^\n]*\s*\n<INSTRUCTIONS>[\s\S]*<\/INSTRUCTIONS>/,
];

/** An element at the start of a text, such as `<environment_context>…</environment_context>`. */
const firstElement = /^<([a-z][\w-]*)(?![\w-])[^>]*>[\s\S]*?<\/\1>\s*/i;

/**
 * Words in the names of elements that programs write, as they stand in logs of Claude Code, Codex, Copilot and Gemini CLI.
 * People wrap what they ask too, such as `<task>…</task>`: an element of any other name is theirs.
 */
const hostWords: ReadonlySet<string> = new Set(
  (
    'aborted agents attachments bash caveat collaboration command context cwd datetime diagnostics environment hook ide interrupted ' +
    'local memory notification permissions personality plugins reminder session shell skill skills stderr stdout subagent ' +
    'system teammate terminal tick tool workspace'
  ).split(' '),
);

/**
 * Names that nobody but a program gives to an element. The words above also stand in what people paste or ask, such as
 * `<context>` and `<system-config>`: one of these must be beside it.
 */
const programNames: readonly RegExp[] = [
  /^(?:command-(?:name|message|args|contents)|local-command-\w+|bash-(?:input|stdout|stderr)|ide_\w+|new-diagnostics|tick)$/,
  /^(?:environment_context|environment_info|workspace_info|session_context|turn_aborted|user_shell_command)$/,
  /^(?:(?:user|apps|plugins|skills)_instructions|collaboration_mode|personality_spec|agent-message|user-memory-input)$/,
  /^system(?:[-_](?:note|message))?$/,
  /^reminder$|[-_](?:reminder|notification|hook|datetime|caveat|stdout|stderr|diagnostics)$/,
  /^(?:subagent|teammate)[-_]/,
];

/** A skill that Codex hands to its model. */
const skillOfCodex = /^<skill>\s*<name>/;

const isProgramElement = (name: string): boolean => programNames.some((known) => known.test(name));

const isHostElement = (name: string): boolean =>
  isProgramElement(name) || name.split(/[-_]/).some((word) => hostWords.has(word));

/** True for a text that is nothing but elements that programs write. */
export function isHostElements(text: string): boolean {
  let rest = text.trim();
  let isPrograms = false;
  while (rest !== '') {
    const found = firstElement.exec(rest);
    const name = found?.[1]?.toLowerCase() ?? '';
    if (!found || !isHostElement(name)) return false;
    isPrograms ||= isProgramElement(name) || skillOfCodex.test(rest);
    rest = rest.slice(found[0].length);
  }
  return isPrograms;
}

/** True for a text that a host program wrote in the user's place. */
export function isHostText(text: string): boolean {
  const said = text.trim();
  return hostNotes.some((note) => note.test(said)) || isHostElements(said);
}

/** What a client puts before the text of a slash command, and what was typed behind the command. */
const commandOpening = /^<command-(?:name|message|args)>/;
const commandArgs = /<command-args>([\s\S]*?)<\/command-args>/;
const commandElements = /^(?:<(command-[a-z]+)>[\s\S]*?<\/\1>\s*)+/;

/** True for a slash command alone: the text that the client puts in its place comes as a message of its own. */
export const isSlashCommand = ({ role, parts }: Message): boolean =>
  role === 'user' && parts.length === 1 && parts.every((part) => part.type === 'text' && isOnlyCommand(part.text));

const isOnlyCommand = (text: string): boolean =>
  commandOpening.test(text.trim()) && text.trim().replace(commandElements, '') === '';

/** What a person wrote of a text: without the elements that programs put beside it, and of a slash command what was typed. */
export const ownPart = (text: string): string => splitByWriter(text).own;

/** What a person wrote of a text, and what programs put beside it. */
export function splitByWriter(text: string): { readonly own: string; readonly programs: string } {
  if (!text.includes('</')) return { own: text, programs: '' };
  const said = text.trim();
  if (commandOpening.test(said) && said.replace(commandElements, '').trim() !== '') {
    const own = commandArgs.exec(said)?.[1] ?? '';
    return { own, programs: said };
  }
  const programs: string[] = [];
  const own = text.replace(/<([a-z][\w-]*)\b[^>]*>[\s\S]*?<\/\1>/gi, (element, name: string) => {
    if (!isHostElement(name.toLowerCase())) return element;
    programs.push(element);
    return '';
  });
  return { own, programs: programs.join('\n') };
}

/** What is looked at of a request that only has to be told from others, in UTF-16 units. */
const openingUnits = 2_000;

/**
 * How what a person asks in a message begins: without the texts and elements that programs put before, amid and behind it, and for
 * a slash command the command as it was typed. The whole text where nothing is left. Linear, and at most some 2,000 characters a text.
 */
export function requestOpening(message: Message): string {
  const own = textsOf(saidBy(message, ['user'])).map(openingOf);
  const said = own.filter((text) => text.trim() !== '').join('\n');
  return said === '' ? messageText(message) : said;
}

function openingOf(text: string): string {
  let rest = text.trimStart();
  const command = commandOpening.test(rest) ? commandName.exec(rest)?.[1] : undefined;
  if (command !== undefined) return `${command} ${commandArgs.exec(rest)?.[1] ?? ''}`;
  for (let found = firstElement.exec(rest); found; found = firstElement.exec(rest)) {
    if (!isProgramElement(found[1]?.toLowerCase() ?? '')) break;
    rest = rest.slice(found[0].length);
  }
  return withoutPrograms(rest.slice(0, openingUnits));
}

const commandName = /<command-name>([\s\S]*?)<\/command-name>/;
const anyOpening = /<([a-z][\w-]*)(?![\w-])[^<>]*>/gi;

/** One that is not closed goes on to the end. */
function withoutPrograms(opening: string): string {
  let kept = '';
  let from = 0;
  for (const { 0: tag, 1: name = '', index } of opening.matchAll(anyOpening)) {
    if (index < from || !isProgramElement(name.toLowerCase())) continue;
    kept += opening.slice(from, index);
    const end = opening.indexOf(`</${name}>`, index + tag.length);
    from = end < 0 ? opening.length : end + name.length + 3;
  }
  return kept + opening.slice(from);
}

/** Who is behind a message with role `user`; undefined for every other role, for pure tool results, and where nothing is said. */
export function originOf(message: Message): Origin | undefined {
  if (message.role !== 'user') return undefined;
  if (message.origin) return message.origin;
  const texts = textsOf(message);
  if (texts.length === 0) return message.parts.some(isAttachment) && !carriesResults(message) ? 'person' : undefined;
  const said = texts.find((text) => !isHostText(text));
  if (said !== undefined) return summaryIn(said) ? 'summary' : 'person';
  // Programs write text: what was attached beside it is a person's, as where a reminder is sent with a picture.
  return message.parts.some(isAttachment) ? 'person' : 'host';
}

/**
 * Who said each part of a message: of a message with role `user`, results are a tool's, and what a host program or an
 * earlier summary says is the system's. What a person says beside them stays theirs.
 */
export function rolesOfParts(message: Message): readonly Role[] {
  const { role, parts } = message;
  if (role !== 'user') return parts.map(() => role);
  const origin = originOf(message);
  const isSaid = parts.some((part) => part.type === 'text' && !isHostText(part.text));
  return parts.map((part) => {
    if (part.type === 'toolResult' && !part.server) return 'tool';
    if (origin !== 'person') return origin === undefined ? 'tool' : 'system';
    return isSaid && part.type === 'text' && isHostText(part.text) ? 'system' : 'user';
  });
}

/** Everybody who speaks in a message, in alphabetical order. */
export function rolesIn(message: Message): readonly Role[] {
  const found = new Set(rolesOfParts(message));
  return found.size === 0 ? [message.role] : [...found].sort();
}

/** The message with the parts alone that some roles said; the message itself where all of it is theirs. */
export function saidBy(message: Message, roles: readonly Role[]): Message {
  const said = rolesOfParts(message);
  if (said.every((role) => roles.includes(role))) return message;
  return {
    ...message,
    parts: message.parts.filter((_, at) => said.some((role, i) => i === at && roles.includes(role))),
  };
}

/** True when a person wrote the message. */
export const isFromPerson = (message: Message): boolean => originOf(message) === 'person';

/** Where the first text stands that a program did not write around what was said; -1 when there is none. */
export const saidAt = ({ parts }: Message): number =>
  parts.findIndex((part) => part.type === 'text' && part.text.trim() !== '' && !isHostText(part.text));

const textsOf = ({ parts }: Message): readonly string[] =>
  parts.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : []));

const isAttachment = ({ type }: Part): boolean => type === 'image' || type === 'file' || type === 'other';
