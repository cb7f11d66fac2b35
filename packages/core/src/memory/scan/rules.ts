/** Which ideas, said together in one sentence, are a threat. */
import type { Sign } from '../../language/threat-signs.ts';

/** What a text may try. */
export type ThreatClass =
  | 'override'
  | 'identity'
  | 'prompt-leak'
  | 'safety'
  | 'concealment'
  | 'command-and-control'
  | 'exfiltration'
  | 'persistence'
  | 'credential'
  | 'hidden-text'
  | 'sleeper'
  | 'forged-structure'
  /** No rule has a name for it: it reads like what is planted. */
  | 'planted';

/**
 * What is to be done with a text: `blocked` must not be written; `quarantine` may be written if the person, who sees it
 * word for word, says so.
 */
export type ThreatGrade = 'blocked' | 'quarantine';

export interface ThreatRule {
  readonly class: ThreatClass;
  /** @default 'blocked' */
  readonly grade?: ThreatGrade;
  /** For the person: what the text does. */
  readonly what: string;
  /** What is ordered. Banned (`never send …`) it is no threat, unless `mayBan`. */
  readonly act: Sign;
  /** What must stand near, each in one of these ways. */
  readonly with: readonly (readonly Sign[])[];
  /** How far apart, in signs. */
  readonly near: number;
  readonly mayBan?: true;
  /** No comma may stand between. */
  readonly isClose?: true;
  /** A threat only if banned: `do not mention`. */
  readonly isBan?: true;
  /** What it is done to stands behind the act in languages of this order; in others on either side. */
  readonly isForward?: true;
}

/** In the order in which a person wants to hear of them. */
export const threatRules: readonly ThreatRule[] = [
  {
    class: 'override',
    what: 'sets earlier instructions aside',
    act: 'drop',
    with: [['orders', 'limits'], ['earlier']],
    near: 48,
    mayBan: true,
    isForward: true,
  },
  {
    class: 'override',
    what: 'says that earlier instructions are void',
    act: 'void',
    with: [['orders', 'limits'], ['earlier']],
    near: 60,
    mayBan: true,
  },
  { class: 'identity', what: 'gives the agent another identity', act: 'become', with: [], near: 0, mayBan: true },
  { class: 'identity', what: 'puts the agent into a mode without limits', act: 'mode', with: [['reader']], near: 60 },
  { class: 'prompt-leak', what: 'asks for the prompt', act: 'reveal', with: [['prompt']], near: 48, isForward: true },
  {
    class: 'exfiltration',
    what: 'sends secrets to an address',
    act: 'send',
    with: [['secret'], ['address', 'outside']],
    near: 120,
  },
  {
    class: 'exfiltration',
    what: 'sends what was said to an address',
    act: 'send',
    with: [['talk'], ['address', 'outside']],
    near: 90,
  },
  { class: 'persistence', what: 'plants itself where programs start', act: 'write', with: [['hardPlace']], near: 100 },
  {
    class: 'persistence',
    what: 'changes startup files or the settings of an agent',
    act: 'write',
    with: [['softPlace'], ['startup', 'address', 'unasked', 'run', 'drop']],
    near: 110,
  },
  {
    class: 'command-and-control',
    what: 'reports to a controller',
    act: 'beacon',
    with: [['controller'], ['reader', 'startup', 'address', 'tasks', 'fetch']],
    near: 90,
  },
  {
    class: 'command-and-control',
    what: 'reports to an address again and again',
    act: 'beacon',
    with: [['startup'], ['address', 'controller']],
    near: 110,
  },
  {
    class: 'command-and-control',
    what: 'takes orders from an address',
    act: 'fetch',
    with: [
      ['tasks', 'run'],
      ['address', 'controller'],
      ['run', 'startup'],
    ],
    near: 100,
  },
  {
    class: 'safety',
    what: 'removes safety checks',
    act: 'disable',
    with: [['guards']],
    near: 32,
    isForward: true,
    isClose: true,
  },
  {
    class: 'safety',
    what: 'acts without asking',
    act: 'unasked',
    with: [
      ['run', 'approve', 'harm', 'send', 'disable'],
      ['blanket', 'reader', 'harm'],
    ],
    near: 48,
    mayBan: true,
  },
  { class: 'safety', what: 'approves everything', act: 'alwaysApprove', with: [], near: 0 },
  { class: 'concealment', what: 'keeps something from the user', act: 'conceal', with: [], near: 0, mayBan: true },
  {
    class: 'concealment',
    what: 'acts in secret',
    act: 'silently',
    with: [
      ['send', 'fetch', 'run', 'write', 'disable', 'harm'],
      ['address', 'outside', 'secret', 'talk', 'reader', 'startup', 'when'],
    ],
    near: 40,
    mayBan: true,
  },
  {
    class: 'sleeper',
    what: 'changes whom to pay or to call',
    act: 'swapped',
    with: [['account'], ['number', 'address', 'account']],
    near: 60,
    mayBan: true,
  },
  {
    class: 'sleeper',
    what: 'changes where software comes from',
    act: 'swapped',
    with: [['source'], ['address']],
    near: 80,
    mayBan: true,
  },
  {
    class: 'sleeper',
    what: 'waits to mislead the user',
    act: 'mislead',
    with: [['when'], ['person', 'address', 'blanket']],
    near: 70,
  },
  {
    class: 'sleeper',
    what: 'waits to do harm',
    act: 'harm',
    with: [['when'], ['blanket', 'secret', 'unasked', 'number', 'address', 'silently']],
    near: 60,
  },
  {
    class: 'sleeper',
    what: 'waits to send something to an address',
    act: 'send',
    with: [['when', 'startup'], ['address'], ['person', 'reader', 'blanket', 'talk', 'when']],
    near: 60,
  },
];
