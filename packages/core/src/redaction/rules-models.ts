/** Keys of model providers and of what agents are built with. The shapes are those that the vendors document. */
import { looksRandom } from './looks.ts';
import { prefixed, type Rule, shaped, uuid } from './rule.ts';

const word = '[\\w-]';

/** `sk-` also opens names made of words. */
function isPlainKey(secret: string): boolean {
  const rest = secret.slice(3);
  return /^(?=.{0,60}[0-9A-Z]|[a-z]{20})[A-Za-z0-9]+$/.test(rest) || looksRandom(rest, 16);
}

const isRandomBehind = (start: number) => (secret: string) => looksRandom(secret.slice(start), 20);

export const modelRules: readonly Rule[] = [
  prefixed('anthropic-key', 'sk-ant-', { chars: word }),
  prefixed('openai-project-key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', { chars: word }),
  prefixed('openrouter-key', 'sk-or-', { chars: word }),
  prefixed('langfuse-key', 'sk-lf-', { chars: '[0-9a-f-]' }),
  prefixed('sk-key', 'sk-', { chars: word, check: isPlainKey }),
  prefixed('google-api-key', 'AIza', { chars: word, least: 30 }),
  prefixed('google-access-token', 'ya29.', { chars: word }),
  prefixed('google-client-secret', 'GOCSPX-', { chars: word }),
  prefixed('google-refresh-token', '1//0', { chars: word, least: 30 }),
  prefixed('huggingface-token', 'hf_ api_org_', { least: 20 }),
  prefixed('groq-key', 'gsk_'),
  prefixed('xai-key', 'xai-', { least: 20 }),
  prefixed('replicate-token', 'r8_', { least: 20 }),
  prefixed('perplexity-key', 'pplx-', { least: 20 }),
  prefixed('nvidia-key', 'nvapi-', { chars: word, least: 20 }),
  prefixed('cerebras-key', 'csk-', { least: 20 }),
  prefixed('fireworks-key', 'fw_', { least: 20, check: isRandomBehind(3) }),
  prefixed('together-key', 'tgp_v1_', { chars: word }),
  prefixed('langsmith-key', 'lsv2_pt_ lsv2_sk_', { chars: '\\w' }),
  prefixed('tavily-key', 'tvly-', { chars: word, least: 20 }),
  prefixed('firecrawl-key', 'fc-', { chars: '[0-9a-f]', least: 32 }),
  prefixed('pinecone-key', 'pcsk_', { chars: '\\w', least: 20 }),
  prefixed('jina-key', 'jina_', { chars: word, least: 30 }),
  prefixed('e2b-key', 'e2b_', { chars: '[0-9a-f]', least: 20 }),
  prefixed('mem0-key', 'm0-', { least: 30 }),
  prefixed('cursor-key', 'crsr_ key_', { chars: '[0-9a-f]', least: 40 }),
  prefixed('elevenlabs-key', 'sk_', { chars: '[0-9a-f]', least: 40 }),
  prefixed('llamacloud-key', 'llx-', { chars: word, least: 30 }),
  prefixed('runpod-key', 'rpa_', { least: 30 }),
  prefixed('apikey-secret', 'esecret_', { least: 20 }),
  prefixed('modal-token', 'ak- as-', { least: 20, check: isRandomBehind(3) }),
  prefixed('brave-key', 'BSA', { chars: word, least: 27, check: isRandomBehind(3) }),
  prefixed('browserbase-key', 'bb_live_ bb_test_', { chars: '[\\w-]', least: 20 }),
  prefixed('vectara-key', 'zut_ zqt_', { chars: '[\\w-]', least: 30 }),
  prefixed('daytona-key', 'dtn_', { least: 40 }),
  prefixed('wandb-key', 'wandb_v1_', { chars: '\\w', least: 20 }),
  shaped('voyage-key', 'pa-', 'pa-[\\w-]{40,60}', { check: isRandomBehind(3) }),
  shaped('deepl-key', ':fx', `(?<=(?<![0-9A-Za-z])(?<lead>${uuid})):fx(?![0-9A-Za-z])`, { startsWord: false }),
];
