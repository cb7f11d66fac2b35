/** `/model`: another model goes on with the conversation; for a smaller window it is compressed first. */
import type { CompressReport } from '@palimpsest/core';
import { compressFeedback } from '../../models/compression-lines.ts';
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
  const { agent, models, heard } = chat;
  const to = await models.named(name);
  const { sessionId, model: from } = agent;
  if (sessionId !== undefined) {
    const prepared = await prepareSwitch({
      from,
      to,
      contextTokens,
      config: heard.all.config.compression,
      compress: ({ contextLength }) => agent.compress({ signal, nextModel: { ...to, contextLength } }),
    });
    if (prepared.type === 'refused') return print([[{ text: prepared.advice, style: 'red' }]]);
    if (prepared.type === 'compressed') {
      // How much smaller it is was told as it happened.
      await agent.useModel(to);
      await agent.reload(prepared.report.sessionId);
      return print([...failureLines(prepared.report), said(to), ...noteLines(to.notes)]);
    }
  }
  await agent.useModel(to);
  print([said(to), ...noteLines(to.notes)]);
}

const noteLines = (notes: readonly string[]): readonly Line[] =>
  notes.map((note) => [{ text: `! ${note}`, style: 'yellow' }]);

const failureLines = (report: CompressReport): readonly Line[] =>
  compressFeedback(report).failures.map((line) => [`  ${line}`]);

const said = ({ name, contextLength }: { readonly name: string; readonly contextLength?: number }): Line =>
  `  From here on: ${name}${contextLength === undefined ? '' : `, ${shortCount(contextLength)} tokens`}`;
