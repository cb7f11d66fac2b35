/**
 * What a tool does, by its name, for the tools of Claude Code, Codex, Copilot CLI, Gemini CLI, Cursor, pi, opencode,
 * Hermes, SWE-agent and MCP servers. Stubs, outcomes and the ledger treat tools of one kind alike.
 */
import { isJsonObject, type JsonObject, parseJson } from '../shared/json.ts';
import type { ToolCallPart } from '../transcript/message.ts';

export type ToolKind =
  | 'shell'
  | 'code'
  | 'read'
  | 'write'
  | 'edit'
  | 'search'
  | 'web'
  | 'browser'
  | 'delegate'
  | 'todo'
  | 'memory'
  | 'skill'
  | 'ask'
  | 'notebook'
  | 'other';

/** Names in lower case without separators, so that `read_file`, `ReadFile` and `read-file` are one name. */
const namesOfKind: Readonly<Record<Exclude<ToolKind, 'browser' | 'other'>, string>> = {
  shell:
    'bash shell terminal sh zsh powershell pwsh cmd execcommand executecommand localshell localshellcall shellcommand ' +
    'containerexec shellexec execshell remoteexec executeshell executeshellcommand bashcommand execute exec runterminalcmd runterminalcommand runshellcommand runcommand unifiedexec writestdin writebash ' +
    'readbash stopbash bashoutput killshell killbash process bashcodeexecution runinterminal command terminalcommand',
  code: 'executecode codeexecutor codeexecution codeinterpreter python runpython ipython jupyter runcode repl javascript evaluate',
  read:
    'read readfile view viewfile cat open openfile goto scrollup scrolldown readmanyfiles readmcpresource viewimage ' +
    'readmcpresourcetool readoutput getfilecontents gettextfilecontents fsread readtextfile readmultiplefiles readmediafile',
  write: 'write writefile create createfile writetofile fswrite savefile deletefile',
  edit:
    'edit editfile multiedit patch applypatch strreplace strreplaceeditor strreplacebasededittool replace insert ' +
    'replaceinfile searchreplace texteditor texteditorcodeexecution undoedit editblock',
  search:
    'grep glob search find list ls rg ripgrep searchfiles searchfile searchdir findfile listdir listdirectory listfiles ' +
    'grepfiles grepsearch filesearch codebasesearch codesearch searchfilecontent lsp toolsearch sessionsearch searchoutput searchcode',
  web:
    'webfetch websearch webextract webcrawl fetch fetchurl googlewebsearch readurl openurl httprequest urlfetch ' +
    'fetchwebpage fetchcopilotclidocumentation',
  delegate:
    'task agent delegate delegatetask spawnagent sendinput wait subagent dispatchagent readagent taskoutput taskstop ' +
    'agentoutput mixtureofagents newtask runsubagent',
  todo:
    'todo todowrite todoread updateplan updatetodo taskcreate taskupdate taskget tasklist writetodos manageTodolist ' +
    'todolist exitplanmode enterplanmode plan reportintent',
  memory: 'memory savememory storememory remember updatememory recall',
  skill: 'skill skillview skillslist skillmanage slashcommand useskill activateskill',
  ask: 'askuserquestion askuser clarify question requestuserinput askfollowupquestion askquestions',
  notebook: 'notebookedit notebookread editnotebook readnotebook runnotebookcell',
};

const kindOfName: ReadonlyMap<string, ToolKind> = new Map(
  // Object.entries keeps the literal keys of a constant record, which its type forgets.
  (Object.entries(namesOfKind) as [ToolKind, string][]).flatMap(([kind, names]) =>
    names.split(' ').map((name): [string, ToolKind] => [name.toLowerCase(), kind]),
  ),
);

/** What the tool of a call does. Unknown tools are `other`; tools with several commands are told apart by the input. */
export function toolKind(call: { readonly name: string; readonly input?: string }): ToolKind {
  const name = plainName(call.name);
  const compact = name.replace(/[^a-z0-9]/g, '');
  if (/^(browser|computer|playwright|puppeteer)/.test(name) || browserServer.test(call.name)) return 'browser';
  const kind = kindOfName.get(compact) ?? 'other';
  return kind === 'edit' && call.input?.includes('"command"') ? editorKind(call.input) : kind;
}

/** Servers that drive a browser, by the part of a name that says which server a tool is of. */
const browserServer = /^mcp__[a-z_-]*(?:playwright|puppeteer|browser|chrome|selenium)/i;

/** Words in names of tools that bring something and change nothing. */
const bringing =
  /(?:^|_)(?:get|list|search|find|lookup|query|fetch|read|show|view|describe|scrape|extract|snapshot|console|text|content|ocr)(?:_|$)/;

/** True for a tool whose results are mostly the words of others: what it read, found or fetched. */
export function returnsContent(kind: ToolKind, { name }: { readonly name: string }): boolean {
  if (['read', 'search', 'web', 'delegate', 'ask'].includes(kind)) return true;
  const words = plainName(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2')).replaceAll('-', '_');
  return ['browser', 'other', 'memory', 'notebook'].includes(kind) && bringing.test(words);
}

/** True for a call that reads a file of JSON, whose fields are not those of the tool. */
export function readsJson(call: ToolCallPart): boolean {
  const values = toolKind(call) === 'read' ? Object.values(callArguments(call)) : [];
  return values.some((value) => typeof value === 'string' && /\.(?:json[lc5]?|ipynb|webmanifest|har)$/i.test(value));
}

/** What a search was asked for; empty for every other tool. */
export function searchedWords(kind: ToolKind, call: ToolCallPart): string {
  if (kind === 'read') return '';
  const { query, pattern, regex, q, search } = callArguments(call);
  return [query, pattern, regex, q, search].filter((one) => typeof one === 'string').join(' ');
}

/** The name without the server or namespace before it: `mcp__files__read_file` and `functions.read_file` are `read_file`. */
export function plainName(name: string): string {
  return name
    .replace(/^mcp__.*?__/, '')
    .replace(/^.*[./:](?=[^./:]+$)/, '')
    .toLowerCase();
}

/** The arguments of a call as an object; empty for free-form or broken input. */
export function callArguments(call: ToolCallPart): JsonObject {
  if (call.inputType === 'text') return {};
  const value = parseJson(call.input);
  return isJsonObject(value) ? value : {};
}

function editorKind(input: string): ToolKind {
  const value = parseJson(input);
  const command = isJsonObject(value) ? value.command : undefined;
  if (command === 'view') return 'read';
  return command === 'create' ? 'write' : 'edit';
}
