/** Ideas of threats that no language owns: addresses, files, numbers, who reads, and set phrases. */
import type { Idea } from './threats.ts';

/** Ideas of words, and those that are written alike in all languages. */
export type Sign = Idea | 'address' | 'number' | 'quoted' | 'hardPlace' | 'softPlace' | 'reader' | 'alwaysApprove';

/** Ideas that are written alike in all languages. */
export const universalSigns: Readonly<Partial<Record<Sign, RegExp>>> = {
  address:
    /(?:https?|wss?|ftp|tcp|hxxps?):\/\/(?!localhost|127\.|10\.|192\.168\.|0\.0\.0\.0|[\w-]{1,40}(?:\.[\w-]{1,40}){0,3}\.(?:local|internal|lan|intern|home|svc)(?![\w-]))[^\s]|(?<=[\w.+-])@[\w-]{1,63}\.\w|(?<![\d.])(?!10\.|127\.|192\.168\.|0\.0\.0\.0|172\.(?:1[6-9]|2\d|3[01])\.)\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)|(?<![\w/.-])[\w-]{1,63}(?:\.[\w-]{1,63}){0,3}\.(?:com|net|org|io|ru|cn|xyz|top|dev|app|site|online|info|biz|evil|example|test|invalid|onion|co|me|sh|cc|tk|click|link)(?![\w-])|\[\.\]|\/dev\/tcp\//giu,
  quoted: /["“”„«「『"][^"“”„«»「」『』\n]{2,40}["”“»」』]/gu,
  number:
    /(?<![a-z])[a-z]{2}\d{2} ?[\da-z]{4} ?[\da-z]{4}|0x[\da-f]{4}|(?<!\w)(?:bc1|1|3)[a-z\d]{20,62}|(?<!\d)\+?\d[\d -]{6,20}\d/giu,
  hardPlace:
    /authorized_keys|(?<!\w)crontab|\/etc\/(?:cron|rc\.local|profile|init\.d|ld\.so\.preload|sudoers)|launch(?:agents|daemons)|systemd(?: user)? (?:unit|service|timer)|\.config\/(?:systemd|autostart)|startup folder|currentversion\\run|runonce|schtasks|cron ?job|\bcron\b|计划任务|启动项|自启动|定时任务|クーロン|cronジョブ|스케줄러/giu,
  softPlace:
    /\.(?:bashrc|zshrc|bash_profile|profile|zprofile|zshenv|vimrc|gitconfig|npmrc|pypirc|ssh\/config|cursorrules|windsurfrules|clinerules)|(?:claude|agents|gemini|soul|memory|user|copilot-instructions)\.md|\.git\/hooks|(?:git |pre-commit |post-commit |post-checkout )hooks?|pre-commit|postinstall|\.(?:claude|cursor|codex|gemini|hermes)\/[^\s]|mcp(?:\.json| config)|settings\.json|config\.(?:toml|ya?ml)|sitecustomize|config\.fish|(?:agent|system) (?:config|prompt file|rules file)|sudoers|\.env(?!\w)/giu,
  alwaysApprove:
    /(?:user|human|owner|operator) has (?:already )?(?:agreed|consented|approved|pre-?approved|authori[sz]ed)(?: to)? (?:all|any|every|future)|(?:approve|auto-?approve|accept|grant|authori[sz]e|allow|permit|trust|comply with|obey)(?= (?:all|any|every))|(?:always|automatically|blindly) (?:approve|accept|grant|authori[sz]e|obey|comply)|never (?:refuse|decline|reject)|自动批准|(?:总是|一律|始终|全部|都)(?:批准|同意|允许|通过)|(?:常に|必ず|すべて|全て|自動で|自動的に|無条件で?に?)(?:を|の.{0,8}を)?(?:承認|許可)|(?:항상|모두|무조건|자동으로|언제나) ?(?:승인|허용|허가)|immer (?:genehmig|zustimm|akzeptier|bestatig)\p{L}*|genehmige (?:immer|alle)|(?:approuve|accepte|autorise)[zr]? (?:toujours|tou[ts])\p{L}*|toujours (?:approuver|accepter)|(?:aprueba|acepta|autoriza|aprove|aceite|autorize|approva|accetta) (?:siempre|sempre|tod|tutt|cualquier|qualquer)\p{L}*|(?:siempre|sempre) (?:aprueba|acepta|aprove|aceite|approva)|всегда (?:одобряй|подтверждай|разрешай|соглашайся)|одобряй (?:все|любы)/giu,
  reader:
    /(?<![\p{L}])(?:you|your|yourself|the (?:assistant|agent|model|ai)|du|dein\p{L}*|sie|tu|ton|tes|vous|votre|vos|tus?|usted|você|seu|sua|ты|тебе|твой|вы|агент|ассистент)(?!\p{L})|你|您|助手|助理|代理|智能体|あなた|君は|アシスタント|エージェント|너|당신|네가|에이전트|어시스턴트/giu,
};

/** Spelled letter by letter there are no words left to see the ends of: the few phrases that nobody else spells out. */
export const spelledOut: RegExp =
  /(?:ignore|disregard|forget|override|bypass)[a-z]{0,16}(?:instruction|rule|prompt|directive|guideline|order|previous|prior|safety)|systemprompt|(?:donot|dont|never)tell|youarenow|(?:send|reveal|upload)[a-z]{0,16}(?:key|token|password|secret|prompt)|alwaysapprove|disable[a-z]{0,12}(?:safety|filter|sandbox)|ignorier[a-z]{0,16}anweisung|ignore[a-z]{0,16}(?:consigne|instrucc)/u;
