/** The sizes in a provider's words: what its model takes, how much there was, and how much output would fit. */

/** What a provider said about sizes, in tokens. What it did not say is absent. */
export interface FailureLimits {
  /** The window: between `windowRange.from` and `windowRange.to`. */
  readonly contextLength?: number;
  /** The most output that this call could have asked for. */
  readonly outputTokens?: number;
  /** How large the provider found the request: as a whole where it says so, else the prompt. */
  readonly requestedTokens?: number;
}

/** No window is smaller or larger; what is, is another number. */
export const windowRange = { from: 1_024, to: 10_000_000 } as const;

/** True for a number that can be a window. */
export const isWindow = (tokens: number | undefined): tokens is number =>
  tokens !== undefined && Number.isInteger(tokens) && tokens >= windowRange.from && tokens <= windowRange.to;

/** The sizes of a text, by their names in `sizeWordings`. */
export type Sizes = Readonly<Partial<Record<SizeName, number>>>;

type SizeName =
  | ('window' | 'prompt' | 'more' | 'images' | 'atLeast' | 'chars')
  | ('output' | 'total' | 'room' | 'cap' | 'below');

/** Finds the sizes; `tier` also takes the limits of an account for one. */
export function sizesIn(text: string, { tier = false }: { tier?: boolean } = {}): Sizes {
  const sizes: Partial<Record<SizeName, number>> = {};
  for (const pattern of tier ? tierPatterns : sizePatterns) {
    const groups = pattern.exec(text)?.groups;
    if (!groups) continue;
    for (const [name, digits] of Object.entries(groups)) {
      const tokens = Number(digits.replaceAll(/[,_]/g, ''));
      // The groups are named in `sizeWordings`, by these names.
      if (Number.isSafeInteger(tokens)) sizes[name as SizeName] ??= tokens;
    }
  }
  return sizes;
}

/** A character of mixed text is about a third of a token: rather too much than too little. */
const charsPerToken = 3;

/** Tokens of the prompt as the provider counted them; an estimate where it counted characters. */
export function promptIn({ prompt, more, images, chars }: Sizes): number | undefined {
  if (prompt !== undefined) return prompt + (more ?? 0) + (images ?? 0);
  return chars === undefined ? undefined : Math.ceil(chars / charsPerToken);
}

/**
 * Output that would have fitted. Where the prompt is known the rest of the window is; where only its least size is, the
 * rest may be as much as was asked for, so half of that is tried.
 */
export function roomIn(sizes: Sizes): number | undefined {
  const { window, output, atLeast, room, cap, below } = sizes;
  const prompt = promptIn(sizes);
  const rests = [
    room,
    cap,
    below === undefined ? undefined : below - 1,
    isWindow(window) && prompt !== undefined ? window - prompt : undefined,
    atLeast !== undefined && output !== undefined ? Math.floor(output / 2) : undefined,
  ].filter((rest) => rest !== undefined && rest > 0);
  return rests.length === 0 ? undefined : Math.min(...rests.map(Number));
}

/** The limits that the sizes amount to. `output` says whether too much output was the trouble. */
export function limitsOf(sizes: Sizes, { output }: { output: boolean }): FailureLimits {
  const room = output ? roomIn(sizes) : undefined;
  const requested = sizes.total ?? promptIn(sizes) ?? sizes.atLeast;
  return {
    ...(isWindow(sizes.window) ? { contextLength: sizes.window } : {}),
    ...(room === undefined ? {} : { outputTokens: room }),
    ...(requested === undefined ? {} : { requestedTokens: requested }),
  };
}

/**
 * How providers name sizes when a request does not fit. `<name>` stands for a number:
 *
 * | name | what it is |
 * |---|---|
 * | `window` | what the model takes, prompt and output together, or the prompt alone |
 * | `prompt`, `more`, `images` | tokens of the prompt; the parts are added up |
 * | `atLeast` | the prompt has this many tokens or more: they stopped counting |
 * | `chars` | the prompt in characters |
 * | `output` | tokens of output that were asked for |
 * | `total` | the request as a whole |
 * | `room` | tokens of output that would fit |
 * | `cap`, `below` | the most output the model writes, or one more than that |
 *
 * Every wording is tried, and the first to name a size has it. A number beside no such words is never taken: MiniMax ends its
 * message with "(2013)", which is a code, and Ollama with the tokens that are too many.
 */
const sizeWordings: readonly string[] = [
  // OpenAI, Azure, DeepSeek, vLLM, SGLang, OpenRouter and whoever copied them.
  'max(?:imum)? (?:context|prompt|model|sequence) length (?:is|of) (?:only )?<window>',
  'context_length_exceeded: <window>',
  'requested (?:about |a total of )?<total> tokens',
  'messages resulted in <prompt> tokens',
  '\\(<prompt> (?:tokens )?(?:in the messages|in your prompt|of text input|in the prompt)[,;] <output> (?:in|for) the (?:completion|output)',
  '\\(<prompt> in the messages, <more> in the functions,? and <output> in the completion',
  '\\(<prompt> of text input, <more> of (?:tool|text) input, <output> in the output',
  '\\(<prompt> of text input, <images> of image input, <output> in the output',
  '<prompt> tokens from the input messages and <output> tokens for the completion',
  // vLLM.
  'your request has <prompt> input tokens',
  'requested <output> output tokens and your prompt contains at least <atLeast> input tokens',
  'requested <output> output tokens and your prompt contains <prompt> input tokens',
  'requested <output> output tokens and your prompt contains <chars> characters',
  'prompt \\(length <prompt>\\) is longer than the maximum model length of <window>',
  'maximum (?:context|sequence) length(?: of|:)? \\(?<window>',
  'configured limit of <window>',
  'max_model_len(?:gth)?(?: is| of|:|=| \\()? ?<window>',
  'prompt length (?:of )?<prompt> exceeds the max_model_len',
  'prompt \\((?:total )?length <prompt>\\) is too long to fit into the model \\(context length <window>\\)',
  // SGLang, Together.
  "input \\(<prompt> tokens\\) is longer than the model's context length \\(<window> tokens\\)",
  "input length \\(?<prompt>(?: tokens)?\\)? exceeds (?:the )?(?:model's )?maximum (?:allowed )?(?:(?:input|context) )?length (?:of )?\\(?<window>",
  // Anthropic, Bedrock, Vertex.
  'prompt is too long: <prompt> tokens > <window> maximum',
  'exceed context limit: <prompt> \\+ <output> > <window>',
  'max_tokens: <output> > <cap>, which is the maximum allowed',
  'max_tokens: <output> > context_window: <window> - input_tokens: <prompt> = available_tokens: <room>',
  'available_tokens: <room>',
  'maximum tokens you requested exceeds the model limit of <cap>',
  'max\\w{0,20}tokens?\\w{0,20}: <output> is not less or equal to <cap>',
  // Gemini.
  'input token count \\(<prompt>\\) exceeds the maximum number of tokens allowed \\(<window>\\)',
  'exceeds the maximum number of tokens allowed \\(?<window>',
  'input token count is <prompt> but (?:the )?model only supports up to <window>',
  // Not "up to 8192 output tokens", and not "up to 16 images", whose number is too small for a window.
  'supports? up to (?:a maximum of )?<window>(?![\\d,_]| ?(?:output|completion))',
  'supports? up to <cap> (?:output|completion) tokens',
  'max_output_tokens must be in the range \\[1, ?<below>\\)',
  'maxOutputTokens value of <output> but the supported range is from 1 \\(inclusive\\) to <below> \\(exclusive\\)',
  // Mistral.
  'prompt contains <prompt> tokens.{0,40}too large for model with <window> maximum context length',
  // Pydantic: Mistral and servers in Python. MiniMax.
  'max_\\w{0,20}tokens: input should be less than or equal to <cap>',
  'max_\\w{0,20}tokens: input should be less than <below>',
  'max_\\w{0,20}tokens must be less than <below>',
  // DashScope, DeepSeek, Z.AI: the output, and then the input.
  'range of max_(?:completion_|output_)?tokens (?:should be|is) \\[1, ?<cap>\\]',
  'max_tokens参数非法.{0,20}\\[1, ?<cap>\\]',
  'range of input length should be \\[1, ?<window>\\]',
  // Cloudflare, Amazon's own models.
  'maximum output tokens \\(<total>\\) exceeded this model context window limit \\(<window>\\)',
  'max input tokens: <window>, request input token count: <prompt>',
  // Nobody's in particular.
  "max_?\\w{0,20}tokens.{0,40} (?:exceeds?|exceed|greater than|no more than) (?:the )?(?:model'?s? )?(?:maximum |max )?(?:output tokens |limit |value )?(?:of |is )?\\(?<cap>",
  'max_?\\w{0,20}tokens.{0,60}\\[ ?1 ?[,，~] ?<cap> ?\\]',
  '\\btokens \\(?<prompt>\\)? exceeds? (?:the )?(?:model )?(?:maximum|max|limit)(?: limit)?(?: of)? \\(?<window>',
  // Chinese.
  'tokens? ?数?量? ?[(（]<prompt>[)）] ?(?:超过|超出).{0,10}[(（]<window>',
  '最大输出.{0,10}(?:不能超过|不能大于|最大为)[^\\d]{0,4}<cap>',
  'max_?tokens.{0,12}(?:超出|超过|大于)了?最大值?(?:限制)?[^\\d]{0,4}<cap>',
  'max_?tokens.{0,8}(?:不能超过|不能大于|必须小于等于|应小于等于|最大值?为)[^\\d]{0,4}<cap>',
  '最大(?:输入|上下文)?(?:长度|tokens?数?)(?:限制)?(?:为|是|：|:)?[ (（]?<window>',
  // Kimi.
  'model token limit: <window> \\(requested: <total>\\)',
  'model token limit: <window>',
  'max length: ?<window>',
  // llama.cpp, LM Studio, Ollama, DwarfStar.
  'request \\(<prompt> tokens\\) exceeds the available context size \\(<window> tokens\\)',
  'n_ctx: <window>',
  'n_prompt_tokens: <prompt>',
  'n_keep:? ?\\(?<prompt>\\)? ?>= ?n_ctx:? ?\\(?<window>',
  'prompt tokens \\(<prompt>\\) exceeds context size \\(<window>\\)',
  'keep the first <prompt> tokens when .{0,60}context length of only <window>',
  'prompt has <prompt> tokens, but the configured context size is <window>',
  '<prompt> tokens exceeds max context window of <window>',
  // xAI, Copilot, GitHub Models, Volcengine, text-generation-inference.
  'maximum prompt length is <window> but the request contains <prompt>',
  'prompt token count of <prompt> exceeds (?:the limit|max token count) of <window>',
  'requested <total> tokens, max <window> tokens per request',
  'max size: <window> tokens',
  'current length is <prompt> while limit is <window>',
  'limit for this model is <window> tokens',
  'cannot exceed <window> - received <prompt>',
  'must have less than <window> tokens\\. given: <prompt>',
  'must be <= <window>\\. given: <prompt> `inputs` tokens and <output>',
  'length of prompt_tokens \\(<prompt>\\) must be less than max_seq_len \\(<window>\\)',
  // The most that a model writes.
  'supports at most <cap> (?:completion |output )?tokens',
  'max_(?:completion_)?tokens`? is limited to <cap>',
  'output limit (?:of|is) <cap>',
  'maximum output tokens (?:is )?\\(?<cap>',
  'max_(?:completion_)?tokens`? must be (?:less than or equal to|at most|<=) `?<cap>',
  'expected a value <= <cap>, but got <output>',
];

/** The request against what an account may send in a minute, or without a higher tier. */
const tierWordings: readonly string[] = ['limit <window>, requested <total>', ...sizeWordings];

/** Digits are bounded, for a long run of them would be tried from each of them on. */
const patternOf = (wording: string): RegExp =>
  new RegExp(wording.replaceAll(/<(\w+)>/g, '(?<$1>\\d[\\d,_]{0,24})'), 'i');
const sizePatterns: readonly RegExp[] = sizeWordings.map(patternOf);
const tierPatterns: readonly RegExp[] = tierWordings.map(patternOf);
