/** A folder with a conversation, and a provider that writes summaries of it. */
import { type FakeProvider, type FakeProviderOptions, startFakeProvider } from '@palimpsest/core/testing';
import { inFolder, type Outcome, runHere } from '../support/command-line.ts';
import { chatFile } from '../support/small-session.ts';

export const chat: string = chatFile(30);
export const base: readonly string[] = ['compress', 'chat.json', '--target', '3000'];

export interface Setting {
  readonly provider: FakeProvider;
  readonly cwd: string;
  /** `compress chat.json --target 3000` with more words. */
  readonly run: (words: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Outcome>;
}

/** A folder with `chat.json` and other files, and a provider that lets in `test-key`. */
export async function withProvider(
  use: (setting: Setting) => Promise<void>,
  { files = {}, ...options }: FakeProviderOptions & { readonly files?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  await using provider = await startFakeProvider({ apiKey: 'test-key', ...options });
  await inFolder({ 'chat.json': chat, ...files }, (cwd) =>
    use({
      provider,
      cwd,
      run: (words, env = {}) => runHere([...base, ...words], { cwd, env: { PALIMPSEST_API_KEY: 'test-key', ...env } }),
    }),
  );
}

/** The flags that name its address. */
export const at = ({ baseUrl }: FakeProvider): readonly string[] => ['--base-url', baseUrl('openai-chat')];
/** What was said on standard error, with one address for every run. */
export const plain = (outcome: Outcome, { url }: FakeProvider): string =>
  outcome.stderr.replaceAll(url, 'http://127.0.0.1');
