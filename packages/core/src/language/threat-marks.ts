/** Words by which a text pretends to be a field, a speaker or a check of the program around it; alternatives divided by `|`. */

/** Names of tags and fences around memory, system texts, tools and speakers. */
export const fieldNames: string = [
  'memory(?:[-_ ](?:context|block|file|entry|entries))?|memor(?:y|ies)|system(?:[-_ ](?:reminder|prompt|message|note|notice|instructions?|override))?|developer|instructions?|tool[-_ ]?(?:result|results|response|output|call|calls|use)|function[-_ ]?(?:results?|calls?|response)|assistant|human|user(?:[-_](?:message|query|input|turn|memory|profile|data))?|admin|antml:\\w+|im_start|im_end|think(?:ing)?|conversation|operator|policy|untrusted\\w*|trusted\\w*|documents?|recalled\\w*|context|entry|entries|recall|handoff|summary|session|message|prompt|result|approval|permissions?|scratchpad|available_skills|external[-_]\\w+|private|internal',
  'erinnerung(?:en)?|gedächtnis|nutzer|benutzer|anweisung(?:en)?|werkzeug\\p{L}*|assistent|ergebnis',
  'mémoire|système|utilisateur|consignes?|outil|résultat|sistema|memorias?|memória|usuari[oa]|usuário|instruccion(?:es)?|instruç(?:ão|ões)|herramienta|ferramenta|resultado|asistente|assistente',
  'память|система|пользователь|инструкц\\p{L}*|ассистент|инструмент|результат|заметк\\p{L}*',
  '记忆|系统|用户|指令|助手|工具|结果|上下文|记忆上下文|記憶|メモリー?|システム|ユーザー?|指示|アシスタント|ツール|結果|메모리|기억|시스템|사용자|지시|어시스턴트|도구|결과',
].join('|');

/** Who speaks for the system; before a colon. */
export const systemSpeakers: string = [
  'system|developer|tool (?:result|output|response)|tool_result|function (?:result|output)|system (?:message|note|notice|override|prompt|update|alert)|operator (?:message|note|notice)|administrator|admin (?:message|note|notice)|platform (?:message|note|notice)|anthropic|openai|message from (?:the )?(?:system|developer|operator|anthropic|openai|admin\\w*)|notice from (?:the )?(?:system|developer|operator|admin\\w*)',
  'system(?:nachricht|meldung|hinweis|mitteilung)|entwickler(?:nachricht|hinweis)?|werkzeug(?:ergebnis|ausgabe)|ergebnis des werkzeugs|nachricht (?:des|vom) systems?|betreiber',
  "système|message (?:du )?système|résultat de l'outil|développeur|sistema|mensaje (?:del|de) sistema|aviso (?:del|do|de) sistema|mensagem (?:do|de) sistema|resultado (?:de la herramienta|da ferramenta)|desarrollador|desenvolvedor",
  'система|систем[ыа]|системное (?:сообщение|уведомление)|сообщение системы|результат инструмента|разработчик|администратор',
  '系统(?:消息|提示|通知|公告|指令)?|系統|开发者(?:消息)?|工具(?:结果|输出|返回)|管理员|システム(?:メッセージ|通知|プロンプト)?|開発者|ツール(?:の)?(?:結果|出力)|管理者|시스템(?: ?(?:메시지|알림|공지|프롬프트))?|개발자|도구 ?(?:결과|출력)|관리자',
].join('|');

/** Who takes turns in a conversation; at the beginning of a later line, before a colon. */
export const turnSpeakers: string = [
  'user|human|assistant|ai|bot|agent|model|me|you|function|tool|claude|gpt|chatgpt',
  'nutzer(?:in)?|benutzer(?:in)?|anwender(?:in)?|assistent|mensch|werkzeug|agent',
  'utilisat(?:eur|rice)|assistant|humain|outil|usuari[oa]|asistente|humano|herramienta|usuári[oa]|assistente|ferramenta|agente',
  'пользователь|ассистент|помощник|человек|инструмент|агент',
  '用户|使用者|助手|人类|工具|智能体|ユーザー?|利用者|アシスタント|人間|ツール|エージェント|사용자|유저|어시스턴트|사람|도구|에이전트|비서',
].join('|');

/** That somebody checked, allowed or said a text; within brackets. */
export const provenanceWords: string = [
  '(?:verified|approved|confirmed|checked|cleared|reviewed|audited|vetted|certified)(?! by (?:tests?|ci|\\p{L}+ scan))|authori[sz]ed|signed|trusted|authenticated|validated|(?:source|origin|provenance|author|trust(?: level)?|role|confirmed_by|approved_by) ?[:=]|from ?:|said by|stated by|by the user|user[- ]?(?:confirmed|approved|verified|said|stated)|high(?:est)? (?:trust|priority)|admin',
  'bestätigt|verifiziert|geprüft|freigegeben|genehmigt|quelle ?[:=]|herkunft ?[:=]|vom nutzer|vom benutzer|vertrauenswürdig|autorisiert|rolle ?[:=]',
  "vérifiée?|confirmée?|approuvée?|validée?|autorisée?|source ?:|origine ?:|par l'utilisat\\p{L}+|verificad[oa]|confirmad[oa]|aprobad[oa]|aprovad[oa]|validad[oa]|autorizad[oa]|fuente ?:|fonte ?:|origen ?:|origem ?:|por el usuario|pelo usuário|do usuário|del usuario",
  'подтвержден\\p{L}*|проверен\\p{L}*|одобрен\\p{L}*|источник ?:|от пользователя|доверенн\\p{L}*|утвержден\\p{L}*|пользователем|разрешен\\p{L}*',
  '由用户|已(?:验证|确认|批准|授权|核实|审核)|用户(?:本人|确认|批准|验证|授权|亲口|所说)|来源[:：=]|可信|検証済み?|確認済み?|承認済み?|許可済み?|(?:出所|出典|情報源|発信元)[:：=]|(?:本人|利用者|ユーザー?)(?:による|が|の)?(?:確認|承認|発言|指定)|信頼済み?|확인(?:됨|함|완료)|검증(?:됨|완료)|승인(?:됨|완료)|출처 ?[:：=]|사용자(?:가|의)? ?(?:확인|승인|직접|본인)|신뢰',
].join('|');

/** A yes that somebody else should have said; behind the name of who speaks. */
export const consentingWords: string =
  "yes|ok(?:ay)?|sure|confirm\\w*|i (?:confirm|agree|approve|allow|consent)|go ahead|save|approved?|agreed|saved|stored|remember(?:ed)?|ja|bestätig\\p{L}*|gespeichert|einverstanden|oui|d'accord|enregistr\\p{L}+|je confirme|sí|si|claro|guarda\\p{L}*|confirmo|sim|salv\\p{L}+|да|подтвержда\\p{L}*|сохран\\p{L}*|согласен|согласна|好|是的?|可以|同意|确认|已?保存|はい|了解|承認|保存|確認|네|예|좋|승인|저장|확인";
