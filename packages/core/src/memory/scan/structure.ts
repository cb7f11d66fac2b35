/** Marks by which a text pretends to be more than a memory, and commands that no memory needs. */
import type { ThreatClass } from './rules.ts';

export interface Shape {
  readonly class: ThreatClass;
  readonly what: string;
  readonly found: RegExp;
}

/** Read in the folded text, which is small and has one space for many. */
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
      /<\/?(?:memory[-_ ]context|memor(?:y|ies)|system(?:[-_](?:reminder|prompt|message|note|instructions?))?|developer|tool[-_]?(?:result|results|response|output|call|calls|use)|function[-_]?(?:results?|calls?|response)|assistant|human|user(?:[-_](?:message|query|input|turn))?|admin|antml:\w+|im_start|im_end|thinking|conversation|operator|policy|untrusted\w*|trusted\w*|document|recalled\w*)(?: [^<>]{0,80})?\/?>/gu,
  },
  {
    class: 'forged-structure',
    what: 'signs of a chat template',
    found:
      /<\|[\w ]{1,40}\|?>|<\/?s>(?=.{0,20}\[)|\[\/?inst\]|<<\/?sys>>|<(?:start|end)_of_turn>|<(?:bos|eos)>|\[(?:system|assistant|user|tool)[ _](?:message|prompt|output|result|instructions?)\]|<｜[^｜]{1,30}｜>|\[\/?(?:tool_results?|tool_calls|available_tools|system_prompt)\]/gu,
  },
  {
    class: 'forged-structure',
    what: 'words in the mouth of the system or of another speaker',
    found:
      /(?:^|\n|[.!"'] )(?:#{1,4} ?)?(?:\*\*)?\[?(?:system|assistant|developer|(?<=[\n.!"'] ?(?:#{1,4} ?)?\[?)(?:human|user|function)|tool result|tool output|system message|system note|system notice|system override|system prompt|系统(?:消息|提示)?|システム(?:メッセージ)?|시스템(?: 메시지)?|systemnachricht|message système|mensaje del sistema|mensagem do sistema|системное сообщение)\]?(?:\*\*)? ?[:：](?! ?(?:ubuntu|linux|macos|windows|debian|\d|node))(?! ?$)/gu,
  },
  {
    class: 'forged-structure',
    what: 'a claim of who said or checked it',
    found:
      /[[(<{](?:[^\][(){}<>\n]{0,30} )?(?:(?:verified|approved|confirmed)(?! by (?:tests?|ci|\p{L}+ scan))|authori[sz]ed|signed|trusted|authenticated|validated|source ?[:=]|provenance ?[:=]|trust(?: level)? ?[:=]|role ?[:=]|from ?:|由用户|已验证|已确认|用户(?:确认|批准|验证)|検証済み|確認済み|承認済み|확인됨|검증됨|승인됨|bestätigt|verifiziert|vérifié|verificado|подтверждено|проверено)(?:[^\][(){}<>\n]{0,60})[\])>}]|"(?:role|type)" ?: ?"(?:system|assistant|developer|tool|user|tool_result|tool_use|function)"|(?:this|the) (?:memory|note|entry|instruction|message) (?:was|is|has been|comes|came) (?:\p{L}+ )?(?:verified|approved|signed|authori[sz]ed|confirmed|written|from)(?: \p{L}+)? (?:by |from )?(?:the )?(?:user|system|admin\w*|developer|operator|anthropic|openai|security team)/gu,
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
    class: 'persistence',
    what: 'a command that plants itself where programs start',
    found:
      /(?:>>|\btee -a|\btee) ?(?:~|\$home|\/)[^\n ]{0,60}(?:authorized_keys|rc(?!\w)|profile|cron)|crontab -|ssh-(?:rsa|ed25519) aaaa|\* \* \* \* |@reboot|systemctl (?:--user )?enable|launchctl load|chmod \+s|reg add [^\n]{0,80}run/gu,
  },
];
