/**
 * What failures of providers mean, as a table; the first rule that fits wins, so what is special stands above what is
 * general. Sources: the error references of OpenAI, Anthropic, Azure, Amazon Bedrock, Google, OpenRouter, Mistral, DeepSeek,
 * DashScope, Moonshot, Z.AI, MiniMax, xAI and Groq, the sources of vLLM, SGLang, llama.cpp, Ollama and LM Studio, the codes
 * of Node's sockets and of undici, and the reports that `test/provider/fixtures/errors/` names case by case.
 *
 * A refused request (400) is read in this order: images, encrypted or signed reasoning, unknown members and other mistakes
 * that quote names (their text holds "max_tokens"), output, prompt, model and policy, money, rates and keys, prompts in words
 * that are said of rates as well, mistakes in general words, the bare name of max_tokens, and then what says nothing, by the size of the session.
 */
import { accountRules } from './rules/accounts.data.ts';
import { connectionRules, streamRules } from './rules/connections.data.ts';
import { lengthRules, vagueLengthRules } from './rules/lengths.data.ts';
import { modelRules } from './rules/models.data.ts';
import { outputRules, vagueOutputRules } from './rules/outputs.data.ts';
import { refusalRules } from './rules/refusals.data.ts';
import type { FailureRule } from './rules/rule.ts';
import { quotingShapeRules, shapeRules } from './rules/shapes.data.ts';

/** All rules in the order in which they are tried. */
export const failureRules: readonly FailureRule[] = [
  ...refusalRules,
  ...quotingShapeRules,
  ...outputRules,
  ...lengthRules,
  ...modelRules,
  ...accountRules,
  ...vagueLengthRules,
  ...streamRules,
  ...shapeRules,
  ...vagueOutputRules,
  ...connectionRules,
];
