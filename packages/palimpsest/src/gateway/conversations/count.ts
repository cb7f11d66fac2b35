/**
 * Counts of tokens, which clients ask for to decide when they summarise. A client counts its own list; where the conversation goes out
 * with a handoff, that list is never sent. So a count of a conversation with a view is asked for its view, and every other one as it
 * came. Nothing is kept of a count, and nothing is compressed for one.
 */
import { PalimpsestError } from '@palimpsest/core';
import type { Prepared, Received } from '../middle.ts';
import type { Shared } from './call.ts';
import { type Doing, headersFor, toldOf } from './doing.ts';
import { readBodyOf } from './read-request.ts';
import { saidBody } from './said-form.ts';
import { splicedBody, unpackedHeaders } from './sent.ts';

/** What is sent for a count of tokens. */
export function counted({ views, isDryRun }: Shared, received: Received): Prepared {
  const other: Doing = { type: 'passed', why: 'other-act' };
  const asItCame = { body: received.body, responseHeaders: headersFor(other), told: toldOf(other) };
  const read = isDryRun ? undefined : readBodyOf(received);
  if (read?.body === undefined) return asItCame;
  const said = saidBody(read.body);
  const view = views.find({ list: said, user: received.user });
  if (!view) return asItCame;
  const doing: Doing = { type: 'counted', sessionId: view.sessionId };
  try {
    return {
      body: Buffer.from(splicedBody({ body: read.body, said }, view.messages, { isCount: true })),
      headers: unpackedHeaders(received.headers),
      responseHeaders: headersFor(doing),
      told: toldOf(doing),
    };
  } catch (error) {
    // What does not fit the dialect is sent as it came, too.
    if (PalimpsestError.isInstance(error)) return asItCame;
    throw error;
  }
}
