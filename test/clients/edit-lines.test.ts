/** Settings in TOML, YAML and `.env`: one line is set, and everything else stays byte for byte. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientRows, isHandClient } from '../../packages/palimpsest/src/clients/client-list.ts';
import { connectText, disconnectText } from '../../packages/palimpsest/src/clients/connection.ts';
import { envEditor } from '../../packages/palimpsest/src/clients/edit-env.ts';
import { tomlEditor } from '../../packages/palimpsest/src/clients/edit-toml.ts';
import { yamlEditor } from '../../packages/palimpsest/src/clients/edit-yaml.ts';
import type { Editor } from '../../packages/palimpsest/src/clients/editor.ts';

const toml = [{ path: ['openai_base_url'], value: 'http://127.0.0.1:4780/v1' }];
const line = 'openai_base_url = "http://127.0.0.1:4780/v1"';
const env = [{ path: ['GOOGLE_GEMINI_BASE_URL'], value: 'http://127.0.0.1:4780' }];
const envLine = 'GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:4780';

const cases: readonly (readonly [what: string, editor: Editor, edits: typeof toml, before: string, after: string])[] = [
  ['a TOML file that is empty', tomlEditor, toml, '', `${line}\n`],
  [
    'a TOML file that begins with a table',
    tomlEditor,
    toml,
    '# mine\n[profiles.a]\nopenai_base_url = "x" # not this one\n',
    `${line}\n# mine\n[profiles.a]\nopenai_base_url = "x" # not this one\n`,
  ],
  [
    'a TOML file with all kinds of values in front',
    tomlEditor,
    toml,
    'a = 1979-05-27 07:32:00\nb.c = [ "x", # ]\n  { d = \'}\' },\n]\nnote = """\n[not a table]\nopenai_base_url = "y"\n"""\n\n[t]\n',
    `${line}\na = 1979-05-27 07:32:00\nb.c = [ "x", # ]\n  { d = '}' },\n]\nnote = """\n[not a table]\nopenai_base_url = "y"\n"""\n\n[t]\n`,
  ],
  [
    'a TOML file with texts that end in their own quotes',
    tomlEditor,
    toml,
    'a = """x\\\\"""\nb = """a ""b"""""\nc = \'\'\'\'x\'\'\'\'\n[t]\n',
    `${line}\na = """x\\\\"""\nb = """a ""b"""""\nc = ''''x''''\n[t]\n`,
  ],
  [
    'a TOML file that has another address',
    tomlEditor,
    toml,
    'model = "m"\r\n"openai_base_url"  =  \'https://other.example/v1\'   # ours\r\n',
    'model = "m"\r\n"openai_base_url"  =  "http://127.0.0.1:4780/v1"   # ours\r\n',
  ],
  ['a .env file that is empty', envEditor, env, '', `${envLine}\n`],
  ['a .env file', envEditor, env, '# keys\nGEMINI_API_KEY=k\n', `# keys\nGEMINI_API_KEY=k\n${envLine}\n`],
  [
    'a .env file that has another address',
    envEditor,
    env,
    'export GOOGLE_GEMINI_BASE_URL=https://other.example # ours\nB=1',
    `export ${envLine} # ours\nB=1`,
  ],
];

for (const [what, editor, edits, before, after] of cases) {
  test(`K2 ${what} gets the one line, and loses it again`, () => {
    const connected = connectText({ text: before }, edits, editor);
    assert.equal(connected.text, after);
    const back = disconnectText(connected.text, connected.edits, editor).text;
    // How an address was quoted is known of the file as it was, which the command puts back.
    assert.equal(back.replaceAll('"https', "'https").replaceAll('/v1"   #', "/v1'   #"), before);
  });
}

for (const [what, text] of [
  ['a line without an equals sign', 'model\n'],
  ['a text that does not end', 'model = "m\n'],
  ['a list that does not end', 'a = [1,\n'],
  ['something behind a value', 'a = "b" c\n'],
  ['a number for an address', 'openai_base_url = 5\n'],
  ['an address twice', 'openai_base_url = "a"\nopenai_base_url = "b"\n'],
] as const) {
  test(`K2 TOML with ${what} is refused with its line`, () => {
    assert.throws(() => connectText({ text: text }, toml, tomlEditor), {
      code: 'BAD_CONFIG',
      message: /^line \d+: expected/,
    });
  });
}

const models = `# my models
name: Mine
models:
  - name: Sonnet   # daily
    provider: anthropic
    model: claude-sonnet-4-5
    apiKey: \${{ secrets.KEY }}
  - provider: openai
    apiBase: https://api.openai.com/v1/ # usual
    model: gpt-5.2
  - name: Home
    provider: openai
    apiBase: http://localhost:11434/v1
    model: qwen
`;

const continueEdits = (text: string) => {
  const row = clientRows.find(({ name }) => name === 'continue');
  assert.ok(row && !isHandClient(row));
  return row.edits('http://127.0.0.1:4780', text);
};

test('K2 in the YAML of Continue models of the providers get an address, and one on a server of the person does not', () => {
  const connected = connectText({ text: models }, continueEdits(models), yamlEditor);
  const expected = models
    .replace('secrets.KEY }}', 'secrets.KEY }}\n    apiBase: "http://127.0.0.1:4780/v1"')
    .replace('https://api.openai.com/v1/ #', '"http://127.0.0.1:4780/v1" #');
  assert.equal(connected.text, expected);
  const back = disconnectText(connected.text, connected.edits, yamlEditor).text;
  assert.equal(back, models.replace('https://api.openai.com/v1/ #', '"https://api.openai.com/v1/" #'));
});

test('K2 YAML that is broken is refused with its line, and mappings in one line are refused', () => {
  assert.throws(() => continueEdits('models: [\n'), { code: 'BAD_CONFIG', message: /^line \d+: expected YAML/ });
  const flow = 'models:\n  - { provider: openai, model: m }\n';
  assert.throws(() => connectText({ text: flow }, continueEdits(flow), yamlEditor), { code: 'BAD_CONFIG' });
});

const twin = '  - provider: openai\n    name: Twin\n    model: m\n';

test('K2 of models that look alike each gets back what it had, where that is sure', () => {
  const back = (text: string): readonly [text: string, lost: number] => {
    const { text: now, edits } = connectText({ text }, continueEdits(text), yamlEditor);
    const swapped = now.replace('models:\n', 'models:\n  - provider: gemini\n    name: New\n');
    const done = disconnectText(swapped, edits, yamlEditor);
    return [done.text.replace('  - provider: gemini\n    name: New\n', ''), done.lost.length];
  };
  assert.deepEqual(back(`models:\n${twin}${twin}`), [`models:\n${twin}${twin}`, 0]);
  const usual = `${twin}    apiBase: "https://api.openai.com/v1"\n`;
  const [text, lost] = back(`models:\n${twin}${usual}`);
  assert.deepEqual([text.match(/4780/g)?.length, lost], [2, 2]);
  const home = `${twin}    apiBase: "http://localhost:11434/v1"\n`;
  assert.deepEqual(back(`models:\n${home}${twin}`), [`models:\n${home}${twin}`, 0]);
});

test('K2 a model at a host that only begins like the one of its provider keeps its address', () => {
  assert.deepEqual(continueEdits(`models:\n${twin}    apiBase: https://api.openai.com.example/v1\n`), []);
});
