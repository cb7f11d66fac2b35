/** How models decline, and how they give a user words that nobody said, in the languages we check. */

/** Openings of a reply, or of what stands under its only headings, by which a model declines. */
export const refusalOpenings: readonly RegExp[] = [
  /^(?:i(?:'|’)?m (?:really |very |so )?sorry|i apologi[sz]e|sorry|unfortunately|apologies)\b[^\n]{0,80}\b(?:can(?:'|’)?t|cannot|can not|unable|not able|won(?:'|’)?t|must decline|not (?:something|comfortable))/i,
  /^(?:i|we) (?:can(?:'|’)?t|cannot|can not|won(?:'|’)?t|will not|must decline|have to decline|am (?:unable|not able|not comfortable|not allowed)|are unable)\b/i,
  /^(?:i(?:'|’)?m|i am) (?:unable|not able|not comfortable|not allowed|just an ai|an ai)\b/i,
  /^as an (?:ai|artificial|assistant|language model)\b/i,
  /^(?:this|that|your) (?:request|content|conversation)\b[^\n]{0,60}\b(?:violates|goes against|is against|cannot be (?:processed|summarized|summarised)|was (?:blocked|flagged))/i,
  /^(?:非常|很|十分|真的)?(?:抱歉|对不起|對不起|不好意思)[^\n]{0,60}(?:无法|無法|不能|不可以|没办法|沒辦法|未能)/,
  /^(?:我|本(?:模型|助手|人))(?:目前|现在|暂时|實在|实在|恐怕)?(?:无法|無法|不能|没办法|沒辦法|不便|拒绝|不会|不會)[^\n]{0,40}(?:帮|幫|协助|協助|提供|回答|完成|满足|滿足|处理|處理|总结|總結|生成|执行)/,
  /^(?:作为|作為)(?:一个|一個|一名)?(?:AI|人工智能|人工智慧|语言模型|語言模型|大模型|助手)/i,
  /^(?:大変|誠に|本当に|まことに)?(?:申し訳(?:ありません|ございません|ない|なく)|すみません|恐れ入りますが|ごめんなさい|恐縮ですが)[^\n]{0,80}(?:できません|できかね|致しかね|いたしかね|ません|お断り|不可能)/,
  /^(?:その|この|そのような|このような)?ご?(?:依頼|要求|リクエスト|要望|内容|ご質問|質問|ご要望)[^\n]{0,30}(?:には|は|を|に)?[^\n]{0,30}(?:お応え|応じ|お答え|対応|お手伝い|要約)[^\n]{0,12}(?:できません|できかね|致しかね|いたしかね)/,
  /^(?:お手伝い|お答え|回答|対応|要約)(?:すること)?(?:は|が)?(?:できません|できかねます|致しかねます|いたしかねます)/,
  /^(?:AI|人工知能|言語モデル)(?:アシスタント)?(?:として|なので|ですので)/i,
  /^(?:정말 |대단히 |매우 )?(?:죄송|미안|유감|송구)[^\n]{0,80}(?:없습니다|없어요|않습니다|못합니다|어렵습니다|불가능|거부)/,
  /^(?:저는|제가|그|이|해당|이런|그런)?\s?[^\n]{0,30}(?:요청|질문|내용|작업|요약)[^\n]{0,30}(?:도와드릴|도울|응할|답변(?:해 ?드릴|할)|처리할|수행할|제공할|들어드릴|요약할)\s?수(?:는|가)?\s?없/,
  /^(?:저는 )?(?:AI|인공지능|언어 모델)(?: 어시스턴트)?(?:로서|이므로|이기 때문에|라서)/i,
];

/** Lines that say a user asked, wanted or approved something. */
export const userClaims: readonly RegExp[] = [
  /(?:\b(?:the|our|your) user|^User) (?:has |had |also |then |first |just |explicitly |later |is |was |now ){0,3}(?:ask(?:ed|s|ing)?|request(?:ed|s|ing)?|want(?:ed|s|ing)?|sa(?:id|ys)|told|instruct(?:ed|s)|prefer(?:red|s)?|approv(?:ed|es)|confirm(?:ed|s)|demand(?:ed|s)|insist(?:ed|s)|wish(?:ed|es)|decided|chose|expects?|expected|would like)\b/i,
  /\b(?:as )?(?:requested|asked|instructed|approved|wanted) by (?:the |our )?user\b|\b(?:at|per|on) the user(?:'|’)s (?:request|instructions?|wish)/i,
  /用户(?:曾|还|又|已经?|明确|随后|先|再|后来|也|们)?(?:要求|请求|希望|想要?|说|表示|指示|提出|询问|问|同意|批准|确认|偏好|决定|让|需要)|用戶(?:曾|還|又|已經?|明確|隨後)?(?:要求|請求|希望|想|說|表示|指示|詢問|同意|確認|決定)|(?:按照?|根据|应)用户的?(?:要求|请求|指示)/,
  /(?:ユーザー?|利用者)(?:は|が|から(?:の|は)?|より)[^\n。]{0,60}(?:依頼|要求|要望|指示|希望|頼|求め|尋ね|質問|承認|言|述べ|望|許可|決め)/,
  /사용자(?:는|가|께서|로부터|의)[^\n.]{0,60}(?:요청|요구|지시|원하|원했|바라|바랐|말했|말하|물었|질문|승인|부탁|결정|선호|확인해)/,
];

/** Lines that say that there is no user, in words that the patterns above would take for a claim. */
export const noUserClaims: RegExp =
  /\b(?:no|without (?:an?|any)|not (?:an?|any)) (?:user|human|person)\b|(?:没有|沒有|无|無)(?:任何)?(?:用户|用戶)|(?:ユーザー?|利用者)(?:の発言|のメッセージ)?(?:は|が)?(?:い?ない|なし|いません|ありません|存在しな)|사용자(?:의? ?(?:메시지|발언|요청))?(?:가|는|이|은)? ?(?:없|존재하지)/i;

/** A closing remark to whoever reads the reply, as its last paragraph. */
export const closingRemark: RegExp =
  /^(?:(?:please )?let me know|(?:i )?hope this|feel free|if you (?:need|want|would like|have|wish)|is there anything|(?:would|do) you (?:like|want) me|如果(?:您|你)?(?:还|有|需要|想)|希望(?:这|以上)|请(?:告诉我|让我知道)|以上(?:です|となります)|(?:何か)?ご(?:不明|質問|要望)|他に(?:何か|ご)|(?:추가로|더) (?:필요|궁금)|궁금한|도움이 (?:되|필요)|필요하시면)/i;

/** What stands under a heading that has nothing to say. */
export const nothingSaid: RegExp =
  /^(?:none(?: (?:in|known|so far|yet|recorded|at)\b[^\n]{0,60})?|nothing(?: to (?:report|say))?|n\/?a|not applicable|empty|暂?无|無|没有|沒有|不适用|(?:特に)?(?:なし|無し|ありません)|該当なし|없음|해당 ?(?:사항 ?)?없음|없습니다|keine?s?|nichts|aucune?|ninguno?|nada)[.。!]?$/i;

/** A place that was left to be filled in. */
export const placeholder: RegExp =
  /^(?:\[(?!REDACTED|image|file|m\d)[^\]]{0,200}\]|<[^>]{0,200}>|\{[^}]{0,200}\}|\(\.{3}\)|\.{2,}|…+|_{3,}|-{3,}|TBD|TODO|to be (?:filled|added|determined|completed)[^\n]{0,40}|待填写|待补充|未記入|(?:ここに)?記入(?:してください)?|작성 ?(?:예정|필요))[.。:]?$/i;
