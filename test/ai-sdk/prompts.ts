/** Prompts with everything that the interface of the SDK knows. */
import type { Prompt } from './recorder.ts';

const mark = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** Every kind of message, part, result and option. */
export const everything: Prompt = [
  { role: 'system', content: 'You are brief.', providerOptions: mark },
  { role: 'system', content: 'You speak German.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is in these?', providerOptions: { own: { seen: true } } },
      {
        type: 'file',
        mediaType: 'image/png',
        data: { type: 'data', data: new Uint8Array([137, 80, 78, 71, 1, 2, 3]) },
      },
      { type: 'file', mediaType: 'image', data: { type: 'url', url: new URL('https://example.com/a b.png?x=1') } },
      { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data: { type: 'data', data: 'JVBERi0=' } },
      { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'plain' } },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'reference', reference: { anthropic: 'file_1' } } },
    ],
  },
  { role: 'user', content: [{ type: 'text', text: 'And be quick.' }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'c2lnbmF0dXJl' } } },
      { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'ZGF0YQ' } } },
      { type: 'text', text: 'I look. ', providerOptions: { openai: { itemId: 'msg_1' } } },
      { type: 'tool-call', toolCallId: 'srv_1', toolName: 'web_search', input: { query: 'x' }, providerExecuted: true },
      {
        type: 'tool-result',
        toolCallId: 'srv_1',
        toolName: 'web_search',
        output: { type: 'json', value: [{ url: 'https://example.com', encryptedContent: 'Zm9v' }] },
      },
      { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { itemId: 'cmp_1' } } },
      { type: 'tool-call', toolCallId: 'call_1', toolName: 'look', input: { deep: { list: [1, 2.5, 1e21, null] } } },
      { type: 'tool-call', toolCallId: 'call_2', toolName: 'look', input: 'free text' },
      { type: 'tool-call', toolCallId: 'call_3', toolName: 'look', input: {} },
      { type: 'tool-call', toolCallId: 'call_4', toolName: 'look', input: {}, providerExecuted: false },
    ],
    providerOptions: { own: { kept: 1 } },
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'call_1',
        toolName: 'look',
        output: { type: 'json', value: { a: [1, '2', null] } },
      },
      { type: 'tool-result', toolCallId: 'call_2', toolName: 'look', output: { type: 'error-text', value: 'No.' } },
      {
        type: 'tool-result',
        toolCallId: 'call_3',
        toolName: 'look',
        providerOptions: mark,
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'a' },
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0=' } },
            { type: 'custom', providerOptions: { own: { tool: 'reference' } } },
          ],
        },
      },
      {
        type: 'tool-result',
        toolCallId: 'call_4',
        toolName: 'look',
        output: { type: 'execution-denied', reason: 'not now' },
      },
      { type: 'tool-approval-response', approvalId: 'app_1', approved: true },
    ],
  },
  { role: 'system', content: 'From now on be long.' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: '' },
      { type: 'text', text: 'There.' },
    ],
  },
  { role: 'user', content: [{ type: 'text', text: 'Thanks.' }] },
];

/** A list of steps that fills a small window. */
export const steps = (count: number, characters = 1_500): Prompt =>
  Array.from({ length: count }, (_, i): Prompt => {
    const toolCallId = `call_0123456789abcdef${i}`;
    return [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'look', input: { at: i } }] },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId,
            toolName: 'look',
            output: { type: 'text', value: `row ${i} holds ${i * 17} crates\n`.repeat(characters / 20) },
          },
        ],
      },
    ];
  }).flat();
