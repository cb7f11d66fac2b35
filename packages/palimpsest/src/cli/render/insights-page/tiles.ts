/** The figures at the top of the page. */
import {
  cacheShareOf,
  costLabel,
  costOf,
  type Insights,
  moneyLabel,
  promptTokensIn,
  savingsOf,
} from '@palimpsest/core/usage';
import { shortCount } from '../short-count.ts';
import { counted, percent, thousands } from '../text.ts';
import { escaped } from './markup.ts';

export function tiles({ totals, activity }: Insights): string {
  const prompt = promptTokensIn(totals);
  const savings = savingsOf(totals);
  const share = cacheShareOf(totals);
  const { conversations, messages, sides, compressions } = activity;
  const money = (amount: number): string => moneyLabel({ status: 'estimated', amount });
  const saved = savings && (savings.saved < 0 ? `cost ${money(-savings.saved)} more` : money(savings.saved));
  const part = totals.unpriced > 0 ? 'on calls with a known price; ' : '';
  const least = costOf(totals).status === 'part' ? 'at least ' : '';
  const more = [
    ...(sides > 0 ? [counted(sides, 'sub-agent')] : []),
    ...(compressions > 0 ? [counted(compressions, 'compression')] : []),
  ];
  const all: readonly (readonly [name: string, value: string, remark: string])[] = [
    ['Price', costLabel(totals), costOf(totals).status === 'part' ? 'at least, by list prices' : 'by list prices'],
    ...(saved && savings
      ? [['Saved by the cache', saved, `${part}without it ${least}${money(savings.without)}`] as const]
      : []),
    ...(share === undefined
      ? []
      : [['Cache reads', percent(totals.cacheReadTokens, prompt), `of ${shortCount(prompt)} tokens`] as const]),
    ['Output', shortCount(totals.outputTokens), 'output tokens'],
    ['Calls', thousands(totals.calls), `in ${counted(conversations, 'conversation')}`],
    ['Messages', thousands(messages), more.join(', ')],
  ];
  const shown = all.map(
    ([name, value, remark]) =>
      `<div><dt>${escaped(name)}</dt><dd>${escaped(value)}<small>${escaped(remark)}</small></dd></div>`,
  );
  return `<dl class="tiles">${shown.join('')}</dl>`;
}
