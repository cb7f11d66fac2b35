/**
 * Refusals that say nothing: short, and without a word for a part of a request or for a mistake in it. "Invalid JSON" and
 * "messages is required" are short as well; they say what is wrong, and fewer messages would not mend it.
 */
import type { FailureFacts } from './facts.ts';

/** Longer texts explain something, whatever their words are. */
const explainingChars = 30;

/** Parts of a request. Not among them: `request`, `input` and `prompt`, which stand for the whole. */
const parts =
  'json|ya?ml|xml|utf-?8|unicode|encoding|surrogates?|bod(?:y|ies)|payloads?|messages?|roles?|contents?|turns?|tools?|' +
  'functions?|arguments? of|fields?|param(?:eter)?s?|propert(?:y|ies)|members?|keys?|names?|ids?|types?|values?|strings?|arrays?|' +
  'lists?|objects?|numbers?|integers?|booleans?|schemas?|formats?|syntax|headers?|quer(?:y|ies)|urls?|images?|files?|audio|' +
  'videos?|documents?|temperature|top_?[pk]|stop|seed|logprobs|thinking|reasoning|signatures?|versions?|betas?|' +
  'characters?|tokens?|tool_\\w+|max_\\w+|response_format';
/** Words for a mistake. */
const mistakes =
  'malformed|missing|required|requires?|unsupported|(?:not|n.t) (?:support|allow|permit|found|accept)\\w*|duplicated?|empty|' +
  'null|blank|must|should|expect(?:s|ed)|pars(?:e|ed|ing)|decod(?:e|ed|ing)|deserializ\\w+|unmarshal|validation|alternat\\w+|' +
  'order|between|ranges?|mismatch\\w*|unterminated|illegal|deprecated';
const telling = new RegExp(`(?<![a-z_])(?:${parts}|${mistakes})(?![a-z])`, 'i');
/** The same in Chinese, whose words stand without spaces. */
const tellingInChinese =
  /参数|消息|字段|角色|格式|请求体|内容|工具|函数|图片|文件|类型|名称|缺少|缺失|必填|为空|解析|非法|不支持|不允许|顺序|重复/;

/** Members that stand for the whole request: an error that points at one of them points at nothing. */
const whole = new Set(['messages', 'message', 'prompt', 'input', 'contents', 'body', 'request', '']);

/** Codes that name a mistake in the form of a request. */
const tellingCode = /json|pars|schema|param|field|role|malformed|missing|required|unsupported|tool|type_|_type/;

/** True when neither the texts nor the codes nor the member that it points at say what is wrong. */
export function saysNothing({ messages, codes, members }: FailureFacts): boolean {
  return (
    messages.every((message) => !tells(message)) &&
    members.every((member) => whole.has(member)) &&
    !codes.some((code) => tellingCode.test(code))
  );
}

function tells(message: string): boolean {
  if (message.length >= explainingChars) return true;
  // Of the answer, and not of the request: the SDK of OpenAI writes "400 status code (no body)".
  const words = message.replace(/\(no body\)|\bmessage:|\brequest[ _-]?id\b/gi, '');
  return telling.test(words) || tellingInChinese.test(words);
}
