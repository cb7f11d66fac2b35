/**
 * The person of the week: what they say and do, in the order in which they do it, whatever shows it to them. Forty requests, from
 * Monday to Friday, in one conversation.
 */

/** What the memory is told on Monday, and what is put right on Tuesday. */
export const oldMemory = 'The studio opens at 8:00.';
export const newMemory = 'The studio opens at 9:30.';
/** The old one in whatever words. */
export const oldMemoryWords: RegExp = /opens at 8:00/;

/** Everything that the person says, by a name for each. */
export const texts = {
  lookAround:
    'Hello! This folder holds kiln, a small library of mine. Look around and tell me in a few sentences what it does.',
  runTests: 'Run the tests, and tell me which of them fails and what it says.',
  fixBug: 'Please fix that bug. Change the function, not the test.',
  remember: 'Please remember for our later conversations: the studio opens at 8:00.',
  rule: 'A rule for everything you do here: never change anything under data/, those are the real logs of our kiln, and never install a package.',
  cones:
    'I need the temperatures of cones. Write src/cones.ts with a function coneTemperature(cone) for the cones 010, 06, 04, 5, 6 and 10, and a test for it.',
  stoneware: 'Which of those cones would you take for our stoneware mugs, and why?',
  heatWork: 'Explain to me in detail what heat work is, and how cones measure it.',
  log: 'Leave that for another day. How many firings are in data/log.csv, and which of them took the longest?',
  paste: `Here is the plan for next week. Please save it as plans/next-week.csv, exactly as it is:

day,kind,owner,ware,cone
2026-09-07,bisque,Ada,mugs,06
2026-09-07,glaze,Chiyo,bowls,6
2026-09-08,bisque,Bruno,plates,06
2026-09-08,glaze,Edda,vases,6
2026-09-09,bisque,Dilek,tiles,06
2026-09-09,glaze,Ada,mugs,6
2026-09-10,bisque,Chiyo,teapots,06
2026-09-10,glaze,Bruno,plates,5
2026-09-11,bisque,Edda,test rings,010
2026-09-11,glaze,Dilek,tiles,6
2026-09-12,glaze,Chiyo,teapots,10`,
  table: 'Now show me that plan as a table, with the weekday of each firing.',
  japanese: '素焼きは何度で焼けばいいですか。日本語で短く教えてください。',
  cooling:
    'The kiln may only be opened below 60 °C. Make schedule() wait until it has cooled that far before the next firing: assume 90 °C an hour, and call the function coolingMinutes.',
  roundUp: 'One more thing about the cooling: round it up to the next five minutes.',
  wordForWord: 'What did the test say that failed this morning? I need it word for word.',
  readme: 'Please add a section "Cones" to the README that says how coneTemperature is used.',
  version: 'And when that is done, set the version in package.json to 0.4.0.',
  morning: 'Good morning! Where did we stop yesterday?',
  german: 'Kannst du mir auf Deutsch kurz erklären, was schedule() jetzt anders macht?',
  correct: 'One correction: the studio opens at 9:30, not at 8:00. Please put that right in your memory.',
  rename:
    'Please rename Ramp to Segment and rampMinutes to segmentMinutes everywhere, and move src/ramp.ts to src/segment.ts.',
  touched: 'Which files of src/ use the new name now?',
  suite: 'Run all the tests again and give me the numbers.',
  opens: 'At what time does the studio open?',
  planTable:
    'Write a function planTable(slots) in src/plan-table.ts that makes a Markdown table of slots, with start and end as times of day, and a test for it.',
  cutOff: 'You were cut off. Look at what is there, please, and finish planTable.',
  countsFrom: 'From which time of day does planTable count?',
  longest: 'Which firing was it again that took the longest, and how many hours?',
  glaze: 'How many minutes does a glaze firing to cone 6 take at 150 °C an hour, with a hold of 20 minutes?',
  belowSixty: 'Is there a test for a firing that ends below 60 °C? If there is none, add one.',
  whichRule: 'Which rule did I give you about the logs?',
  room: 'Where is the temperature of the room defined, and what is it?',
  roomUsers: 'Which other files use that constant?',
  functions: 'List the functions that src/ exports, one a line.',
  french: 'How would the first sentence of the README read in French?',
  notes: 'Write plans/notes.md with three sentences about what has changed this week.',
  readBack: 'Read me the second of those sentences.',
  lastRun: 'It is Friday: run the tests one last time, please.',
  bisque: 'Which temperature did you name on Monday for bisque, and in which language?',
  thanks: 'Thank you, that was a good week. What was the most important change, in one sentence?',
} as const;

export type TextName = keyof typeof texts;

/** The file in it. */
export const pastedPlan: string = texts.paste.split('\n\n')[1] ?? '';

/** What the person does. A request is over when the agent has answered. */
export type Act =
  | Said
  /** Stops the answer to a request in the middle; a draft that was begun meanwhile is kept, and thrown away later. */
  | { readonly type: 'stop'; readonly says: TextName; readonly draft: string }
  /** Says something more while the agent works: for its next step, or for when it is done. */
  | {
      readonly type: 'meanwhile';
      readonly says: TextName;
      readonly adds: TextName;
      readonly how: 'steer' | 'follow_up';
      readonly answer: RegExp;
    }
  /** Pins the newest request. */
  | { readonly type: 'pin' }
  | { readonly type: 'compress'; readonly topic: string }
  | { readonly type: 'title'; readonly title: string }
  /** Goes on with the model whose window is a quarter the size. */
  | { readonly type: 'small_model' }
  /** Leaves, and comes back. */
  | { readonly type: 'restart'; readonly by: 'continue' | 'title' }
  /** The program is killed while it answers, and started again. */
  | { readonly type: 'kill'; readonly says: TextName }
  /** Says yes to what the memory waits with, where the answer names it. */
  | { readonly type: 'confirm'; readonly what: TextName }
  /** A command that only shows something. */
  | { readonly type: 'look'; readonly at: 'usage' | 'memory' | 'search' | 'conversations' };

/** A request with the answer that it is to get. */
export interface Said {
  readonly type: 'say';
  readonly says: TextName;
  readonly how?: 'paste';
  readonly answer: RegExp;
}

const say = (says: TextName, answer: RegExp): Said => ({ type: 'say', says, answer });

/** The week. */
export const week: readonly Act[] = [
  // Monday
  say('lookAround', /plans the firings of one kiln/i),
  say('runTests', /-90 !== 150/),
  say('fixBug', /3 pass/),
  say('remember', /remember/i),
  say('rule', /nothing under data\//),
  { type: 'pin' },
  say('cones', /\d pass.* 0 fail/),
  say('stoneware', /cone 6.*1222/i),
  { type: 'stop', says: 'heatWork', draft: 'and what are pyrometric' },
  say('log', /270 firings.*31\.5/s),
  { type: 'say', says: 'paste', how: 'paste', answer: /11 firings/ },
  say('table', /Saturday/),
  say('japanese', /998/),
  { type: 'meanwhile', says: 'cooling', adds: 'roundUp', how: 'steer', answer: /0 fail/ },
  say('wordForWord', /-90 !== 150/),
  { type: 'meanwhile', says: 'readme', adds: 'version', how: 'follow_up', answer: /0\.4\.0/ },
  { type: 'title', title: 'Kiln week' },
  { type: 'restart', by: 'continue' },
  // Tuesday
  say('morning', /0\.4\.0/),
  say('german', /abgekühlt/),
  say('correct', /9:30/),
  { type: 'confirm', what: 'correct' },
  say('rename', /0 fail/),
  say('touched', /firing\.ts/),
  say('suite', /0 fail/),
  { type: 'compress', topic: 'cones and cooling' },
  say('opens', /9:30/),
  { type: 'kill', says: 'planTable' },
  // Wednesday
  say('cutOff', /0 fail/),
  say('countsFrom', /9:30/),
  say('longest', /31\.5/),
  say('glaze', /501/),
  { type: 'look', at: 'usage' },
  { type: 'look', at: 'memory' },
  { type: 'look', at: 'search' },
  say('belowSixty', /0 fail/),
  // Thursday
  { type: 'small_model' },
  say('whichRule', /data\//),
  say('room', /firing\.ts.*20/s),
  say('roomUsers', /schedule\.ts/),
  say('functions', /coneTemperature/),
  say('french', /four/),
  say('notes', /plans\/notes\.md/),
  say('readBack', /cool/),
  { type: 'look', at: 'conversations' },
  { type: 'restart', by: 'title' },
  // Friday
  say('lastRun', /0 fail/),
  say('bisque', /998.*Japanese/is),
  say('thanks', /kiln/i),
];
