/** What a client is told of the prompts; nothing is loaded for them. */

export type PromptName = 'handoff' | 'recap';

export interface PromptDefinition {
  readonly name: PromptName;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

export const promptDefinitions: readonly PromptDefinition[] = [
  {
    name: 'handoff',
    title: 'Go on with an earlier conversation',
    description: 'Brings the handoff of an earlier conversation into this one, to go on with its work.',
    arguments: [
      {
        name: 'session_id',
        description: 'Its id, the beginning of one, or its title. Default: the newest.',
        required: false,
      },
      { name: 'focus', description: 'What to go on with above all.', required: false },
    ],
  },
  {
    name: 'recap',
    title: 'Recap of the newest conversations',
    description: 'Asks for a short recap of the newest conversations: what was wanted, what came of it, what is open.',
    arguments: [],
  },
];
