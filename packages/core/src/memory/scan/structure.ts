/** Marks by which a text pretends to be more than a memory, and commands that no memory needs. */
import {
  consentingWords,
  fieldNames,
  provenanceWords,
  systemSpeakers,
  turnSpeakers,
} from '../../language/threat-marks.ts';
import { foldMarks } from './fold.ts';
import type { ThreatClass, ThreatGrade } from './rules.ts';

export interface Shape {
  readonly class: ThreatClass;
  readonly what: string;
  /** @default 'blocked' */
  readonly grade?: ThreatGrade;
  readonly found: RegExp;
}

/** The words of a language as the folded text writes them. */
const read = (source: string): RegExp => new RegExp(foldMarks(source), 'gu');

/** Tags that open: of these names, since `<context>` and `<result>` stand in ordinary notes. */
const tagNames = fieldNames
  .split('|')
  .filter(
    (name) =>
      !/^(?:context|notes?|entry|entries|summary|session|message|prompt|result|root|documents?|private|internal|user|permissions?)$/.test(
        name,
      ),
  )
  .join('|');

/** Read in the folded lines, which are small and have one space for many. */
export const shapes: readonly Shape[] = [
  {
    class: 'forged-structure',
    what: 'the mark between two memories',
    found: /(?:^|[\n ])§(?:[\n ](?!\d)|$)/gu,
  },
  {
    class: 'forged-structure',
    what: 'tags of a conversation or of a block of memory',
    found:
      /<\/?(?:(?:memory|recalled|system|tool|function|user|external|untrusted|assistant)[-_ ]\w[\w-]{0,30}|system|assistant|developer|handoff|antml:\w+|im_(?:start|end))(?: [^<>]{0,80})?\/?>/gu,
  },
  {
    class: 'forged-structure',
    what: 'tags like those of a conversation',
    grade: 'quarantine',
    found: read(`<\\/(?:${fieldNames})(?: [^<>]{0,80})?>|<(?:${tagNames})(?: [^<>]{0,80})?\\/?>`),
  },
  {
    class: 'forged-structure',
    what: 'a fence of a block of memory or of a conversation',
    found: read(
      `(?:={3,}|-{3,}|#{3,}|\\*{3,}|_{3,}|~{3,}|<{2,}|>{2,}|\\[{2,}|\\]{2,}|━{2,}|─{2,}|═{2,}|【|\\[) ?(?:end|begin|start|close|stop|eof|ende|beginn|anfang|fin|début|inicio|fim|início|конец|начало|结束|开始|以上|終わり|開始|ここまで|終了|끝|시작|종료)(?: (?:of|der|des|de|del|do|da|la|le|du))*[ :_-]?(?:the )?(?:${fieldNames}|data|block|quote|untrusted\\w*|daten|block)[^\\n]{0,30}`,
    ),
  },
  {
    class: 'forged-structure',
    what: 'signs of a chat template',
    found:
      /<\|[\w ]{1,40}\|?>|<\/?s>(?=.{0,20}\[)|\[\/?inst\]|<<\/?sys>>|<(?:start|end)_of_(?:turn|text|role)>|<(?:bos|eos|endoftext|sep|pad|eot_id|eot|end)>|\[(?:system|assistant|user|tool)[ _](?:message|prompt|output|result|instructions?|call)\]|<｜[^｜]{1,30}｜>|\[\/?(?:tool_results?|tool_calls|available_tools|system_prompt|system|sys)\]|<\/?(?:s|user|assistant|human|bot)_?(?:start|end)?\|>|(?:^|\n)#{2,4} ?(?:instruction|input|response|system|human|assistant|user)s? ?:|\{\{[#/]?(?:system|user|assistant|memory|~)[^{}]{0,40}\}\}|<(?:unused\d+|extra_id_\d+|reserved_\w+|fim_\w+|\|?eom\|?)>|(?:^|\n)(?:event|data) ?: ?(?:message|content|tool)_\w+|<\/?(?:invoke|parameter|function)(?: name=[^<>]{0,60})?>|\bchatml\b|"tool_(?:use_id|call_id|calls)" ?:/gu,
  },
  {
    class: 'forged-structure',
    what: 'words in the mouth of the system or of another speaker',
    found: read(
      `(?:^|\\n|[.!"'。」”>] ?)(?:#{1,4} ?)?[*_]{0,2}[[(【（<]?(?:${systemSpeakers})[\\])】）>]?[*_]{0,2} ?(?:[:：](?! ?(?:ubuntu|linux|macos|windows|debian|\\d|node|arch|fedora))(?! ?$)|(?<=[\\])】）>]) )`,
    ),
  },
  {
    class: 'forged-structure',
    what: 'turns of a conversation',
    found: read(
      `\\n(?:[*_]{0,2}|- ?)(?:${turnSpeakers})[*_]{0,2} ?[:：] ?(?:(?:${consentingWords})(?!\\p{L})|[^\\n]{0,400}\\n(?:[*_]{0,2}|- ?)(?:${turnSpeakers})[*_]{0,2} ?[:：])`,
    ),
  },
  {
    class: 'forged-structure',
    what: 'a claim of who said or checked it',
    grade: 'quarantine',
    found: read(
      `[[(<{【（〔《](?:[^\\][(){}<>\\n【】（）]{0,30}[ :：、，,])?(?:${provenanceWords})(?:[^\\][(){}<>\\n【】（）]{0,60})[\\])>}】）〕》]|["'](?:role|type|source|author)["'] ?: ?["'](?:system|assistant|developer|tool|user|tool_result|tool_use|function|person|human|admin)["']|(?:^|\\n)(?:source|trust|role|provenance|verified|approved|confirmed|scope|priority|status)(?:[_ ]by)? ?[:=] ?(?:user|person|owner|system|true|yes|high|verified|trusted|confirmed|approved|admin|operator)(?!\\p{L})|(?:this|the) (?:memory|note|entry|instruction|message) (?:was|is|has been|comes|came) (?:\\p{L}+ )?(?:verified|approved|signed|authori[sz]ed|confirmed|written|from)(?: \\p{L}+)? (?:by |from )?(?:the )?(?:user|system|admin\\w*|developer|operator|anthropic|openai|security team)`,
    ),
  },
  {
    class: 'command-and-control',
    what: 'runs a text from the net unread',
    found:
      /(?<!\w)(?:curl|wget|iwr|irm|invoke-webrequest)(?!\w)[^|\n]{0,160}\| ?(?:sudo )?(?:ba|z|da|k)?(?:sh|python3?|node|perl|iex)(?!\w)|\/dev\/tcp\/|(?<!\w)nc (?:-\w+ ){0,3}-\w*e(?!\w)|(?:bash|sh|eval|source) ?(?:-c )?["']?(?:<\(|\$\() ?(?:curl|wget)|powershell[^\n]{0,40} -e(?:nc|ncodedcommand)? |downloadstring\(|base64 (?:-d|--decode)[^\n]{0,20}\| ?(?:ba)?sh|mkfifo [^\n]{0,80}(?:nc|sh) /gu,
  },
  {
    class: 'exfiltration',
    what: 'a picture or link whose address takes data along',
    found:
      /!?\[[^\]\n]{0,80}\]\((?:https?:)?\/\/[^)\n]{0,200}[?&/=](?:[^)\n]{0,60}[?&/=])?(?:\{|%7b|\$|<|\[|data=|secret|token|key=|conversation|history|context=|base64|prompt=)/gu,
  },
  {
    class: 'exfiltration',
    what: 'a command that sends secrets',
    found:
      /(?<!\w)(?:curl|wget|nc|scp|rsync|http|iwr)(?!\w)[^\n]{0,200}(?:\$\{?\w{0,40}(?:key|token|secret|pass|cred)|\.env(?!\w)|id_rsa|id_ed25519|\.ssh\/|\.aws\/|\/etc\/(?:passwd|shadow)|\$\((?:cat|env|printenv)|@~\/|netrc)|(?:cat|env|printenv|tar)(?: [^\n|]{0,100})?\| ?(?:base64[^|\n]{0,20}\| ?)?(?:curl|nc|wget|xxd)(?!\w)/gu,
  },
  {
    class: 'safety',
    what: 'a setting that takes the checks away',
    grade: 'quarantine',
    found:
      /--?(?:dangerously[\w-]*|yolo|full-auto|trust-all[\w-]*|allow-all[\w-]*|no-sandbox|skip-permissions?[\w-]*|bypass[\w-]*|auto-?approve[\w-]*|unsafe[\w-]*)(?![\w-])|(?:approval|permission|sandbox|safety|confirm\w*|guard\w*|review|auto_?approve\w*|trust\w*|security)[\w.-]{0,24} ?[:=] ?["']?(?:never|none|off|false|disabled|bypass\w*|allow(?:-?all)?|full|yolo|danger[\w-]*|always|skip|0)(?![\w-])["']?|(?:auto_?approve|always_?allow|bypass_?permissions|skip_?confirm\w*|allow_?all)\w* ?[:=] ?["']?(?:true|1|yes|on|\*|all|always)|bypasspermissions|acceptedits|strict_?host_?key_?checking[ =]no|node_tls_reject_unauthorized ?= ?["']?0|sslverify[ =]+false|git_ssl_no_verify/gu,
  },
  {
    class: 'exfiltration',
    what: 'an address that takes data along',
    grade: 'quarantine',
    found:
      /[<{[$][^<>{}[\]\n]{2,60}[>}\]]\.[\w-]{1,40}\.[\w.-]{2,60}|https?:\/\/[^\s]{0,160}[<{[$][^<>{}[\]\n]{0,40}(?:key|token|secret|pass|cred|conversation|chat|history|prompt|memory|env|message|content|data|answer|reply|first \d)[^<>{}[\]\n]{0,40}[>}\]]/gu,
  },
  {
    class: 'persistence',
    what: 'a command that plants itself where programs start',
    found:
      /(?:>>|\btee -a|\btee) ?(?:~|\$home|\/)[^\n ]{0,60}(?:authorized_keys|rc(?!\w)|profile|cron)|crontab -|ssh-(?:rsa|ed25519) aaaa|\* \* \* \* |@reboot|systemctl (?:--user )?enable|launchctl load|chmod \+s|reg add [^\n]{0,80}run/gu,
  },
];
