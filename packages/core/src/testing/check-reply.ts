/** Says what is wrong with a reply before it is sent: tests are often written without a compiler. */

import { aText, checkMembers, type KnownOptions, type OptionRule } from '../shared/options/known-options.ts';
import { isObject } from '../shared/options/schema.ts';
import type { Finish } from '../transcript/wire/answer.ts';
import type { BadReply } from './misbehaviours/misbehaviour.ts';
import type { Reply, ReplyCall, ReplyError, ReplyUsage, Script } from './reply.ts';

/** @throws BAD_OPTION for what is neither a reply nor a function; what a function gives is checked when it is asked */
export function checkScript(script: Script): void {
  if (typeof script !== 'function') checkReply(script);
}

/** @throws BAD_OPTION that names the member, what was expected there and what came */
export function checkReply(reply: Reply): void {
  checkMembers('a reply', reply, replyRules);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isAmount = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && value < Number.MAX_SAFE_INTEGER;
/** As far as HTTP knows one. */
const isStatus = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const texts: OptionRule = { expected: 'a list of texts', holds: isTexts };
const flag: OptionRule = { expected: 'true or false', holds: (value) => typeof value === 'boolean' };
const tokens: OptionRule = { expected: 'a number of tokens from 0', holds: isAmount };
const milliseconds: OptionRule = { expected: 'milliseconds from 0', holds: isAmount };
const status: OptionRule = { expected: 'an HTTP status from 200 to 599', holds: isStatus };

const callRules: KnownOptions<ReplyCall> = {
  name: { ...aText, expected: 'the name of a tool', isNeeded: true },
  input: {
    expected: 'the arguments as an object, or as the text to send',
    holds: (value) => isText(value) || isObject(value),
    isNeeded: true,
  },
  id: aText,
};

const usageRules: KnownOptions<ReplyUsage> = {
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
  reasoningTokens: tokens,
};

const errorRules: KnownOptions<ReplyError> = {
  status: { ...status, isNeeded: true },
  type: aText,
  code: aText,
  param: aText,
  message: aText,
  headers: {
    expected: 'an object of texts',
    holds: (value) => isObject(value) && isTexts(Object.values(value)),
  },
  inStream: flag,
};

const rawRules: KnownOptions<NonNullable<Reply['raw']>> = {
  status,
  contentType: { ...aText, isNeeded: true },
  body: { ...aText, isNeeded: true },
};

const finishes: Readonly<Record<Finish, true>> = {
  stop: true,
  length: true,
  refusal: true,
  toolCalls: true,
  contentFilter: true,
};

/** Those of a misbehaviour too, which tell a test what is wrong about it. */
const replyRules: KnownOptions<BadReply> = {
  text: aText,
  reasoning: aText,
  toolCalls: {
    expected: 'a list of calls, each with name and input',
    holds: Array.isArray,
    inside: (calls, owner) => {
      for (const [at, call] of Object.entries(Object(calls))) checkMembers(`call ${at} in ${owner}`, call, callRules);
    },
  },
  finish: {
    expected: `one of ${Object.keys(finishes).join(', ')}`,
    holds: (value) => typeof value === 'string' && Object.hasOwn(finishes, value),
  },
  usage: {
    expected: "an object of token counts, or 'none'",
    holds: (value) => value === 'none' || isObject(value),
    inside: (usage, owner) => {
      if (usage !== 'none') checkMembers(owner, usage, usageRules);
    },
  },
  delayMs: milliseconds,
  pieceChars: { expected: 'a number of characters from 1', holds: (value) => isAmount(value) && Number(value) >= 1 },
  pieceDelayMs: milliseconds,
  error: {
    expected: 'a failure with its status',
    holds: isObject,
    inside: (error, owner) => checkMembers(owner, error, errorRules),
  },
  closeAfter: { expected: 'a number of characters from 0', holds: isAmount },
  hang: flag,
  hangAfter: { expected: 'a number of characters from 0', holds: isAmount },
  malformed: flag,
  raw: {
    expected: 'an answer with contentType and body',
    holds: isObject,
    inside: (raw, owner) => checkMembers(owner, raw, rawRules),
  },
  planted: texts,
  lost: texts,
};
