/** The English sentences. */
import type { Tongue } from './wording.ts';

const months = 'January February March April May June July August September October November December'.split(' ');

export const english: Tongue = {
  topics: {
    home: {
      says: [
        '{who} lives in {v}.',
        'Home is {v}.',
        "{who}'s flat is in {v}, so events there suit best.",
        'Based in {v}.',
      ],
      turns: ['{who} moved to {v} at the weekend.', 'New address: {v}; {old} is history.', 'Has left {old} for {v}.'],
    },
    boss: {
      says: ['{who} reports to {v}.', "{who}'s manager is {v}.", 'Holiday requests are signed by {v}, the boss.'],
      turns: [
        '{v} took over as manager of {who}.',
        'Since the reorganisation {who} answers to {v}.',
        'Boss is now {v}; {old} retired.',
      ],
    },
    editor: {
      says: [
        'Works in {v}.',
        '{who} edits code with {v}; give key bindings for it.',
        'Editor of choice: {v}.',
        '{v} is open all day on this machine.',
      ],
      turns: [
        'Gave up {old}, uses {v}.',
        '{who} switched editors: it is {v} these days.',
        '{v} has become the everyday editor.',
      ],
    },
    workStart: {
      says: [
        'Starts work at {v}.',
        'No calls before {v}; that is when {who} sits down.',
        'The working day begins at {v}.',
      ],
      turns: [
        'Because of the school run, the day begins at {v} from now on.',
        '{who} begins at {v} these days, no longer at {old}.',
      ],
    },
    commute: {
      says: ['Gets to the office {v}.', '{who} comes in {v}.', 'The way to work is done {v}.'],
      turns: ['{who} comes {v} now.', 'No more {old}: goes to the office {v}.'],
    },
    freeDay: {
      says: [
        '{who} does not work on {v}.',
        '{v} is off.',
        'Part-time: free every {v}.',
        "Don't plan meetings on {v}, that day belongs to the family.",
      ],
      turns: ['The free day has moved from {old} to {v}.', 'From this month {who} has {v} off.'],
    },
    laptop: {
      says: ['The machine is a {v}.', '{who} works on a {v}.', 'Hardware here: {v}, 32 GB.'],
      turns: ['The {old} broke; a {v} has replaced it.', '{who} got a new laptop, a {v}.'],
    },
    answers: {
      says: ['Wants answers {v}.', '{who} likes replies {v}.', 'Please write {v} when explaining.'],
      turns: ['Changed mind on style: answers {v}, please.', '{who} asked today for replies {v} in place of {old}.'],
    },
    bank: {
      says: ['Banks with {v}.', 'The account for expenses is at {v}.', "{who}'s current account: {v}."],
      turns: ['Closed the account at {old}, moved to {v}.', '{who} changed banks and is at {v} now.'],
    },
    dog: {
      says: ['The dog is called {v}.', '{who} walks {v}, the dog, at noon.', 'Has one dog, {v}.'],
      turns: ['After {old} died, a new dog came: {v}.', 'The only dog in the house is {v} now.'],
    },
    packageManager: {
      says: [
        'Dependencies are installed with {v}.',
        'Package manager: {v}.',
        'Use {v} here to add libraries.',
        'The lock file belongs to {v}.',
      ],
      turns: [
        'We switched to {v}.',
        '{old} was replaced by {v} for installs.',
        'Moved the workspace over to {v}, the old lock file is deleted.',
      ],
    },
    port: {
      says: [
        'The API listens on port {v}.',
        'Local API: http://localhost:{v}',
        'curl localhost:{v}/health tells whether the API is up.',
        'API port is {v}.',
      ],
      turns: [
        'The API has a new port, {v}.',
        '{old} clashed with the proxy, so the API answers on {v}.',
        'API port changed to {v}.',
      ],
    },
    branch: {
      says: ['Default branch: {v}.', 'Pull requests go against {v}.', 'We branch off {v}.'],
      turns: [
        'The default branch was renamed to {v}.',
        '{old} is called {v} since Tuesday.',
        'Pull requests target {v} after the rename.',
      ],
    },
    database: {
      says: ['Data lives in {v}.', 'The main store is {v}.', 'Production runs on {v}.', 'Queries are written for {v}.'],
      turns: ['Migrated the main store to {v}.', 'After the migration production runs on {v} rather than {old}.'],
    },
    deployDay: {
      says: ['Releases go out on {v}.', 'We deploy every {v}.', 'Release day is {v}.'],
      turns: ['Release day is now {v}.', 'Deploys were shifted from {old} to {v}.'],
    },
    testCommand: {
      says: ['Run the tests with `{v}`.', '`{v}` runs the whole suite.', 'Before a commit: `{v}`.'],
      turns: ['The suite is started by `{v}` since the clean-up.', '`{old}` is gone; type `{v}` to test.'],
    },
    reviewer: {
      says: ['{v} reviews all changes.', 'Ask {v} for a review.', 'Code owner: {v}.'],
      turns: ['{v} has become code owner.', 'Reviews are done by {v}, as {old} changed teams.'],
    },
    runtime: {
      says: ['Runs on {v}.', 'Target runtime is {v}.', 'CI and servers have {v}.'],
      turns: ['Upgraded to {v}.', 'We left {old}: everything runs on {v}.'],
    },
    staging: {
      says: ['Staging is at {v}.', 'The staging host: {v}.', 'To try things before release, use {v}.'],
      turns: ['Staging was rebuilt and sits at {v}.', '{old} is switched off, staging moved to {v}.'],
    },
    coverage: {
      says: ['Coverage must stay above {v}.', 'CI fails below {v} coverage.', 'Tests have to cover at least {v}.'],
      turns: ['The coverage threshold was set to {v}.', 'Instead of {old} we ask for {v} coverage.'],
    },
    tracker: {
      says: ['Tickets are in {v}.', 'Bugs get filed in {v}.', 'We plan with {v}.'],
      turns: ['Tickets were imported into {v}; {old} is read-only.', 'Planning happens in {v} from this sprint on.'],
    },
    licence: {
      says: ['Licence: {v}.', 'The code is published under {v}.', 'Headers name {v} as the licence.'],
      turns: ['Relicensed under {v}.', 'The owners agreed on {v} in place of {old}.'],
    },
  },
  values: {
    commute: ['by bike', 'by train', 'by car', 'on foot', 'by ferry'],
    freeDay: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
    deployDay: ['Monday', 'Tuesday', 'Wednesday', 'Thursday'],
    answers: [
      'short and plain',
      'long, with examples',
      'as bullet points',
      'with sources at the end',
      'without code unless asked',
    ],
  },
  working: {
    tasks: [
      'the race in the upload queue',
      'the missing header row of the CSV export',
      'the memory leak in the preview worker',
      'the login loop on Safari',
      'the slow search index',
      'the rounding error in invoices',
      'the flaky calendar test',
      'the dark theme of the settings page',
      'the import of old contacts',
      'the broken deep links',
      'the retry storm after an outage',
      'the wrong time zone in reminders',
    ],
    going: [
      'Currently debugging {task}.',
      'In the middle of {task}; not done yet.',
      '{task}: still hunting the cause.',
      "Today's work: {task}.",
      'Half way through with {task}, continue tomorrow.',
    ],
    done: [
      'Finished {task}.',
      '{task} is solved, the fix is merged.',
      'Closed the ticket about {task}.',
      'Done with {task}; it was a matter of two lines.',
      'Shipped the work on {task}.',
    ],
  },
  limited: [
    'Until {date} the staging database is read-only.',
    '{name} is on leave up to {date}; {name2} stands in.',
    'Code freeze, ends {date}.',
    'The trial of the profiler runs out on {date}.',
    'The lift in the office is out of order until {date}.',
  ],
  asidePerson: [
    '{name} from the team lives in {city}.',
    '{who} grew up in {city}.',
    'Allergic to {food}.',
    'Does not like {food}.',
    'The cat of {name} is a frequent guest in video calls.',
    'The conference in {city} is planned for next spring.',
    '{name} uses another editor and cannot help with key bindings.',
  ],
  asideProject: [
    'The mail catcher listens on port {number}.',
    'The metrics endpoint has port {number}.',
    '{name} looks after the translations.',
    'A branch called release-{number} exists for the customer in {city}.',
    'Decided: no ORM, plain SQL in files.',
    'Log lines never contain mail addresses.',
    'Learned: the cache ignores keys longer than {number} bytes.',
    'Old reports are kept for {number} weeks.',
    'Amounts are stored in cents.',
    'Analytics has a database of its own with {number} tables.',
    'Error pages are static files.',
  ],
  claims: [
    'According to the page of a vendor: {s}',
    'The README of the clone says: {s}',
    'A forum post holds that {s}',
    'Search result: {s}',
    'A guest wrote in the ticket: {s}',
  ],
  cities: ['Aarhus', 'Lisbon', 'Ghent', 'Leeds', 'Turin', 'Bergen', 'Galway', 'Utrecht', 'Porto'],
  names: [
    'Marta Quist',
    'Kofi Mensah',
    'Idris Bell',
    'Ruth Oduya',
    'Tomasz Wrona',
    'Lena Marsh',
    'Omar Said',
    'Agnes Vuori',
    'Jonas Pike',
  ],
  foods: ['hazelnuts', 'celery', 'mussels', 'soy', 'kiwi', 'coriander', 'mustard'],
  date: (at) => `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`,
};
