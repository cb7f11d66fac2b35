/** The events of an agent as lines of JSON, for scripts: one object a line, with names that stay. */
import { PalimpsestError } from '@palimpsest/core';
import type { AgentEvent, TurnEnd } from '../../agent/events.ts';

/** The object of a line. Errors are told by their code and message; a report of a compression by its sizes. */
export function jsonEvent(event: AgentEvent): object {
  switch (event.type) {
    case 'compressed': {
      const { report, ...rest } = event;
      const { from, to, tokensBefore, tokensAfter, inBackground = false } = report;
      return { ...rest, from, to, tokensBefore, tokensAfter, inBackground };
    }
    case 'notice': {
      const { notice, ...rest } = event;
      const { type: kind, level, message } = notice;
      return { ...rest, kind, level, message };
    }
    case 'turn_end': {
      const { end, ...rest } = event;
      return { ...rest, ...endOf(end) };
    }
    default:
      return event;
  }
}

function endOf(end: TurnEnd): object {
  if (end.reason !== 'failed') return end;
  const { error, ...told } = end;
  return PalimpsestError.isInstance(error) ? { ...told, code: error.code } : told;
}
