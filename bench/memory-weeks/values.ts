/** Values that are written the same in all languages, and names of invented people and projects. */
import type { Topic } from './wording.ts';

export const commonValues: Readonly<Partial<Record<Topic, readonly string[]>>> = {
  editor: ['Helix', 'Zed', 'Emacs', 'Neovim', 'Kakoune', 'Sublime Text', 'Lapce', 'Micro'],
  workStart: ['6:30', '7:00', '7:45', '8:15', '9:00', '9:30', '10:00'],
  laptop: ['ThinkPad X13', 'Framework 13', 'MacBook Air', 'Latitude 7450', 'Tuxedo Pulse', 'Zenbook S'],
  bank: ['Nordkap Bank', 'Meridian Trust', 'Kirschwerk Bank', 'Halden & Sohn', 'Tsubame Bank'],
  dog: ['Pixel', 'Mochi', 'Bruno', 'Kiri', 'Waffle', 'Senta', 'Taro'],
  packageManager: ['npm', 'pnpm', 'yarn', 'bun', 'deno'],
  port: ['3000', '4100', '5180', '8080', '8443', '9090', '7007', '6120'],
  branch: ['main', 'master', 'trunk', 'develop', 'stable', 'next'],
  database: ['PostgreSQL 16', 'PostgreSQL 17', 'MariaDB 11', 'SQLite', 'CockroachDB', 'MySQL 8'],
  testCommand: ['make test', 'npm test', 'just check', 'npx vitest run', 'node --test', 'bazel test //...'],
  runtime: ['Node 20', 'Node 22', 'Node 24', 'Bun 1.3', 'Deno 2.5', 'Node 26'],
  staging: ['10.4.0.12', 'heron.internal', '172.16.8.4', 'stage-2.lan', '10.9.3.77', 'moewe.intern'],
  coverage: ['70 %', '75 %', '80 %', '85 %', '90 %', '95 %'],
  tracker: ['Linear', 'Jira', 'GitHub Issues', 'YouTrack', 'Redmine', 'Plane'],
  licence: ['MIT', 'Apache-2.0', 'MPL-2.0', 'AGPL-3.0', 'ISC', 'EUPL-1.2'],
};

export const projects = [
  'harbor-ledger',
  'teapot',
  'nebelhafen',
  'kite-map',
  'sumi',
  'rennsteig',
  'quillbase',
  'date-grid',
  'lantern',
  'mugi',
  'fernweh',
  'tidemark',
] as const;
