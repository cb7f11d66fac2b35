/** A turn that is over, in which the model says that it saved something and saved nothing. */
import { personMessage } from '../../compression/handoff-block.ts';
import { reportUnsaved } from '../../memory/entries/claims.ts';
import { redact } from '../../redaction/redact.ts';
import type { Message } from '../../transcript/message.ts';
import { messageText, resultText, toolCalls, toolResults } from '../../transcript/text.ts';
import { note } from '../call-hooks.ts';
import type { Step } from '../live.ts';
import { isKeptByProvider } from './provider-tools.ts';

const shownChars = 200;

/** Tells the person, once the model asks for no more tools. */
export function noteUnsaved(step: Step, reply: Message): void {
  const { memory } = step.runtime.settings;
  if (!memory || toolCalls(reply).length > 0) return;
  const { said } = step.asked;
  const turn = said.slice(said.findLastIndex((message) => personMessage(message) !== undefined) + 1);
  const results = new Map(turn.flatMap(toolResults).map((part) => [part.callId, resultText(part)]));
  const made = turn.flatMap(toolCalls);
  if (made.some((call) => isKeptByProvider(memory, call, results.get(call.callId)))) return;
  const calls = made.map(({ callId, name }) => ({ name, result: results.get(callId) }));
  const [claim] = reportUnsaved({ text: messageText(reply), calls });
  if (!claim) return;
  const sentence = redact(claim.sentence).slice(0, shownChars).toWellFormed();
  const message = `The model says that it keeps something, but nothing was saved in this turn: "${sentence}"`;
  note(step, { type: 'memory', level: 'warn', message });
}
