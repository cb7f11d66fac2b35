/** Too much output for the model, or for what the prompt leaves. Sizes in the message may still say otherwise. */
import { type FailureRule, notTooLong } from './rule.ts';

/** `max_tokens` in the names it has: of OpenAI, Gemini, Amazon's models, Meta, Cohere, MiniMax. */
const name =
  '(?:max(?:imum)?[_ ]?(?:completion_?|output_?|new_?)?tokens?(?:_to_sample|count)?|max_gen_len|tokens_to_generate)';
const quote = '[\'"`]?';

/** What is said of it, after its name. Sums of prompt and output have the window in them, and are no such words. */
const afterTheName: readonly string[] = [
  String.raw`(?: value)?.{0,50}(?:too (?:large|high|big)|valid range|limited to|must be (?:less than|at most|<=|in the range)|cannot exceed|\d > \d)`,
  ".{0,40}(?:is not less or equal to|input should be less than|exceed(?:s|ed)? (?:the )?(?:model'?s? |output |maximum |max )*(?:limit|allowed|value|output|tokens|context limit|\\d))",
  '.{0,24}(?:超出|超过|超限|过大|非法|不合法|不能大于|不能超过|必须小于|应小于|取值|范围)',
];

/** Whole sentences. */
const sentences: readonly string[] = [
  String.raw`range of max_(?:completion_|output_)?tokens|supports at most \d+ (?:completion|output) tokens`,
  'maximum allowed (?:number of )?output tokens|maximum tokens you requested exceeds|maxOutputTokens value of',
  String.raw`= available_tokens: \d|supports up to \d[\d,]* (?:output|completion) tokens`,
  `(?:invalid|illegal) (?:value )?(?:for )?${quote}max_(?:completion_|output_)?tokens`,
  // The output in Chinese, where the input is not in the same sentence.
  '^(?!.*(?:输入|上下文|总)).*(?:最大)?输出.{0,12}(?:超出|超过|超限|过长|过大)',
];

const texts: readonly RegExp[] = [
  ...afterTheName.map((words) => new RegExp(`${name}${quote}${words}`, 'i')),
  ...sentences.map((words) => new RegExp(words, 'im')),
  /max_(?:completion_|output_)?tokens.{0,200}expected a value <=|expected a value <=.{0,200}max_(?:completion_|output_)?tokens/is,
];

export const outputRules: readonly FailureRule[] = texts.map((text) => ({
  reason: 'output_limit',
  not: notTooLong,
  text,
}));

/** Its name and nothing else that is known: asking for less costs nothing but this answer. Tried after all mistakes. */
export const vagueOutputRules: readonly FailureRule[] = [
  { reason: 'output_limit', status: [400, 422, 500, 503], text: /\bmax_(?:completion_|output_|new_)?tokens\b/i },
];
