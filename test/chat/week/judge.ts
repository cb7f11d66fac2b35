/**
 * Whether the week went as it must: read from what the provider was sent and from what the store has, not from what anybody says
 * about it. Each judge throws with the request that is wrong.
 */
import assert from 'node:assert/strict';
import { expandSession, lineageOf } from '@palimpsest/core/search';
import type { Conversation, Store } from '@palimpsest/core/store';
import { type FakeRequest, systemText } from '@palimpsest/core/testing';
import { promptTokens } from '../../../packages/core/src/testing/answer.ts';
import { readableText } from '../../../packages/core/src/transcript/text.ts';
import { dialectNamed } from '../../../packages/core/src/transcript/wire/dialects.ts';
import { newestSaid, partsOf } from './mind.ts';
import { type Act, newMemory, oldMemoryWords, type TextName, texts } from './person.ts';
import { type WeekProvider, windows } from './provider.ts';

/** What the person did, and how many requests the provider had had by then. */
export interface Done {
  readonly act: Act['type'] | 'said';
  readonly says?: TextName;
  /** Set for what was said while the agent worked: it is heard when the agent comes to it. */
  readonly isQueued?: true;
  readonly at: number;
}

/** What is judged. */
export interface WeekRecord {
  readonly provider: WeekProvider;
  readonly done: readonly Done[];
}

/** Requests of the agent's own loop, in order. */
export function agentRequests({ provider: { fake, report } }: WeekRecord): readonly FakeRequest[] {
  return fake.requests.filter(({ number }) => report.kinds.get(number) === 'agent');
}

/** A program also asks a server what it is, and where it is not that, gets 404. */
const isForModel = ({ path }: FakeRequest): boolean => /\/v1\/(?:chat\/completions|messages)$/.test(path);

const named = ({ number, model }: FakeRequest): string => `request ${number} to ${model}`;

/** The times that a request may be too long for the provider: its tokens are estimated, and the small window has no room for that. */
const mostOverflows = 3;

/** The provider took every request but the few that were too long, which were sent again. */
export function judgeValidity({ provider }: WeekRecord): void {
  const asked = provider.fake.requests.filter(isForModel);
  const refused = asked.filter(({ status }) => status !== 200);
  const isTooLong = (request: FakeRequest): boolean =>
    promptTokens(dialectNamed(request.dialect), request) > (windows[request.model] ?? 0);
  assert.deepEqual(
    refused.filter((request) => !isTooLong(request)).map((one) => `${named(one)}: ${one.status}`),
    [],
  );
  assert.ok(refused.length <= mostOverflows, `${refused.length} requests were too long`);
  assert.deepEqual(provider.report.troubles, []);
}

/** Invariant 3: what the person said last stands in the request word for word, and nothing older passes for it. */
export function judgeNewestWords(record: WeekRecord): void {
  const said = record.done.filter(({ says }) => says !== undefined);
  for (const request of agentRequests(record)) {
    const before = said.filter(({ at }) => at < request.number);
    // What waits in the queue may be heard with this step or a later one.
    const queued = before.findLastIndex(({ isQueued }) => !isQueued);
    const allowed = before.slice(Math.max(0, queued)).map(({ says }) => says);
    const newest = newestSaid(request.messages);
    assert.ok(allowed.includes(newest), `${named(request)} is about "${newest}", not about ${allowed.join(' or ')}`);
  }
}

/** A7: the pinned words stand in every request after the pin, byte for byte. */
export function judgePin(record: WeekRecord, pinned: TextName): void {
  const { at } = record.done.find(({ act }) => act === 'pin') ?? assert.fail('nothing was pinned');
  for (const request of agentRequests(record).filter(({ number }) => number > at)) {
    const holds = request.messages.some(
      (message) => message.role !== 'tool' && readableText(message).includes(texts[pinned]),
    );
    assert.ok(holds, `${named(request)} has lost the pinned message`);
  }
}

/** From the first session after the correction on, no prompt has the old memory, and where one is shown it is the new one. */
export function judgeMemory(record: WeekRecord): void {
  const corrected = record.done.findIndex(({ says }) => says === 'correct');
  const next = record.done
    .slice(corrected)
    .find(({ act }) => act === 'compress' || act === 'restart' || act === 'kill');
  const { at } = next ?? assert.fail('no session began after the correction');
  const later = agentRequests(record).filter(({ number }) => number > at);
  assert.ok(later.length > 0);
  for (const request of later)
    assert.ok(!oldMemoryWords.test(systemText(request)), `${named(request)} shows the old memory`);
  assert.ok(
    later.some((request) => systemText(request).includes(newMemory)),
    'no prompt shows the new memory',
  );
}

/**
 * C3: a request begins with the bytes of the one before, tools included, so that a cache finds them; but behind a compression, and
 * for another model. Behind a request that was refused for its length it begins as the one before without what was recalled.
 */
export function judgePrefixes(record: WeekRecord): { readonly kept: number; readonly changed: number } {
  const requests = agentRequests(record);
  const counts = { kept: 0, changed: 0 };
  for (const [i, request] of requests.entries()) {
    const before = requests[i - 1];
    if (!before) continue;
    const isOther = before.model !== request.model || handoffOf(before) !== handoffOf(request);
    const [all, now] = [wireParts(before), wireParts(request)];
    const old = isRefusedBetween(record, before, request) ? all.filter((part) => !isRecalled(part)) : all;
    const at = old.findIndex((part, index) => part !== now[index]);
    if (at >= 0 && !isOther) {
      assert.fail(`${named(request)} does not begin as request ${before.number}: part ${at} of ${old.length}
was ${old[at]?.slice(0, 400)}
is  ${now[at]?.slice(0, 400)}`);
    }
    counts[at < 0 ? 'kept' : 'changed']++;
  }
  return counts;
}

function isRefusedBetween({ provider }: WeekRecord, before: FakeRequest, behind: FakeRequest): boolean {
  const between = provider.fake.requests.filter(({ number }) => number > before.number && number < behind.number);
  return between.some((one) => isForModel(one) && one.status !== 200 && one.model === behind.model);
}

const isRecalled = (part: string): boolean =>
  /^\{"role":"user","part":\{"type":"text","text":"<recalled-context /.test(part);

/** Tools, prompt and messages as they were sent. */
const wireParts = ({ body }: FakeRequest): readonly string[] => [
  ...partsOf(body.tools),
  ...partsOf(body.system),
  ...partsOf(body.messages),
];

const handoffOf = ({ messages }: FakeRequest): string =>
  messages
    .filter(({ role }) => role !== 'tool')
    .map((message) => /<handoff [\s\S]*?<\/handoff>/.exec(readableText(message))?.[0] ?? '')
    .join('');

/** After a restart or a kill the first request knows what was said before. */
export function judgeResumed(record: WeekRecord): void {
  for (const { act, at } of record.done.filter(({ act }) => act === 'restart' || act === 'kill')) {
    const first = agentRequests(record).find(({ number }) => number > at) ?? assert.fail(`nothing follows the ${act}`);
    const said = record.done.filter((one) => one.at < at && one.says).map(({ says }) => says);
    const knows = first.messages.some((message) =>
      said.some((says) => says && readableText(message).includes(texts[says])),
    );
    assert.ok(knows || handoffOf(first) !== '', `${named(first)} begins an empty conversation after the ${act}`);
  }
}

/** Invariant 1: one conversation, with every request of the person, each brought back whole; compressed at least three times. */
export async function judgeStore(store: Store, { done }: WeekRecord): Promise<Conversation> {
  const conversations = await store.sessions.list({ limit: 100 });
  const [conversation, ...others] = conversations;
  assert.ok(conversation, 'the store has no conversation');
  assert.deepEqual(
    others.map(({ preview }) => preview),
    [],
    'there are other conversations',
  );
  const { tip, sessions } = conversation;
  assert.ok(sessions > 3, `expected at least 3 compressions, got ${sessions - 1}`);
  const { size } = await lineageOf(store, tip.id);
  const expanded = await expandSession(store, tip.id, `m1-m${size}`);
  const words = expanded.filter(({ message }) => message.role === 'user').map(({ message }) => readableText(message));
  const missing = done.filter(({ says }) => says && !words.some((text) => text.includes(texts[says])));
  assert.deepEqual(
    missing.map(({ says }) => says),
    [],
    'what the person said is not in the record',
  );
  const report = await store.care.check();
  assert.deepEqual(
    report.findings.filter(({ ok }) => !ok),
    [],
  );
  return conversation;
}
