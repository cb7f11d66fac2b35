/** Calls that read a name, a title, a time or one value: short as a rule, but whatever a person or a program writes there. */
import {
  badPlugin,
  focusOn,
  intentOf,
  outcomeOf,
  parseTokenCount,
  reasonOf,
  toolSchemaTokens,
} from '@palimpsest/core/engine';
import { indexesOf, isTitle, isTitleStart, transcriptTitle } from '@palimpsest/core/search';
import {
  checkKnownOptions,
  graphemes,
  nearest,
  parseJson,
  parseWhen,
  snakeCase,
  unknownKey,
} from '@palimpsest/core/settings';
import { cleanTitle, placeholderFor, readStartAnswer, redactPiece, titleNumber } from '@palimpsest/core/store';
import { ratesFor } from '@palimpsest/core/usage';
import { type HostileCall, onText, whateverComes } from './given.ts';

const names = ['threshold', 'thresholdTokens', 'protectLastN', 'template'];

const callOf = (input: string, inputType: 'json' | 'text') =>
  ({ type: 'toolCall', callId: 'call-1', name: 'bash', input, inputType }) as const;
const resultOf = (text: string) =>
  ({ type: 'toolResult', callId: 'call-1', name: 'bash', content: [{ type: 'text', text }] }) as const;

export const callsOnNames: readonly HostileCall[] = [
  onText('cleanTitle', (text) => () => [cleanTitle(text, 'user'), cleanTitle(text, 'source')]),
  onText('titleNumber', (text) => () => titleNumber(text)),
  onText('isTitle', (text) => () => isTitle(text, text.toUpperCase())),
  onText('isTitleStart', (text) => () => isTitleStart(text, `${text.slice(0, -10)}…`)),
  onText('transcriptTitle', (text) => () => transcriptTitle({ title: text, messages: [] })),
  onText(
    'transcriptTitle: the first request',
    (text) => () => transcriptTitle({ messages: [{ role: 'user', parts: [{ type: 'text', text }] }] }),
  ),
  onText('indexesOf', (text) => () => whateverComes(() => indexesOf(text, 2_000))),
  onText('parseWhen', (text) => () => parseWhen(text, { now: 0 })),
  onText('parseTokenCount', (text) => () => whateverComes(() => parseTokenCount(text))),
  onText('parseJson', (text) => () => [parseJson(text), parseJson(`[${text}`), parseJson(`{"a":"${text}`)]),
  onText('graphemes', (text) => () => graphemes(text)),
  onText('nearest', (text) => () => [nearest(text, names), unknownKey(text, names)]),
  onText('snakeCase', (text) => () => snakeCase(text)),
  onText(
    'checkKnownOptions',
    (text) => () => whateverComes(() => checkKnownOptions('bench', { [text]: 1 }, { [names[0] ?? '']: true })),
  ),
  onText('ratesFor', (text) => () => ratesFor(text, 1_000)),
  onText('placeholderFor', (text) => () => placeholderFor('password', text)),
  onText('redactPiece', (text) => () => redactPiece(text, { start: 400_000, end: 500_000 })),
  onText('readStartAnswer', (text) => () => [readStartAnswer({ veto: text, keep: text }), readStartAnswer(text)]),
  onText('reasonOf', (text) => () => [reasonOf(new Error(text)), badPlugin(text)]),
  onText('focusOn: the topic', (text) => () => focusOn(text)('Please look at the importer.')),
  onText('focusOn: the text', (text) => () => focusOn('the importer of ledgers')(text)),
  onText('intentOf', (text) => () => [intentOf(callOf(text, 'text')), intentOf(callOf(commandOf(text), 'json'))]),
  onText('outcomeOf', (text) => () => outcomeOf(callOf(commandOf('npm test'), 'json'), resultOf(text))),
  onText('outcomeOf: the command', (text) => () => outcomeOf(callOf(commandOf(text), 'json'), resultOf('done'))),
  onText(
    'toolSchemaTokens',
    (text) => () =>
      toolSchemaTokens([{ name: 'bash', description: text }], {
        name: 'bench',
        exact: false,
        count: ({ length }) => length,
      }),
  ),
];

const commandOf = (command: string): string => JSON.stringify({ command });
