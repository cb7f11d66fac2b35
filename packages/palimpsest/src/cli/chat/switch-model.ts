/** `/model`: another model goes on with the conversation; for a smaller window it is compressed first. */
import { compressionLines, toldReport } from '../../models/compression-lines.ts';
import { prepareSwitch } from '../../models/prepare-switch.ts';
import type { Line } from '../../terminal/spans.ts';
import { shortCount } from '../render/text.ts';
import type { Chat } from './open-chat.ts';

interface ModelSwitch {
  readonly chat: Chat;
  readonly name: string;
  /** Tokens of the newest request. */
  readonly contextTokens: number;
  print(lines: readonly Line[]): void;
  readonly signal: AbortSignal;
}

/** Prints what became of it. Stays with the model there is where not even a compressed conversation fits. */
export async function switchModel({ chat, name, contextTokens, print, signal }: ModelSwitch): Promise<void> {
  const { agent, models, store, heard, memory } = chat;
  const to = await models.named(name);
  const { sessionId, model: from } = agent;
  if (sessionId !== undefined) {
    const prepared = await prepareSwitch({
      store,
      sessionId,
      from,
      to,
      contextTokens,
      config: heard.all.config.compression,
      signal,
      beside: { memory: { memory, show: false } },
    });
    if (prepared.type === 'refused') return print([[{ text: prepared.advice, style: 'red' }]]);
    if (prepared.type === 'compressed') {
      print(compressionLines(toldReport(prepared.report)).map((text) => [{ text: `· ${text}`, style: 'cyan' }]));
      await agent.useModel(to);
      await agent.reload(prepared.report.sessionId);
      return print([said(to)]);
    }
  }
  await agent.useModel(to);
  print([said(to), ...to.notes.map((note): Line => [{ text: `! ${note}`, style: 'yellow' }])]);
}

const said = ({ name, contextLength }: { readonly name: string; readonly contextLength?: number }): Line =>
  `  From here on: ${name}${contextLength === undefined ? '' : `, ${shortCount(contextLength)} tokens`}`;
