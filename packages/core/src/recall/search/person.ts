/** Whether a query speaks of what the user said, or of what the assistant said. */

const ofUser = /\b(?:I|me|my|mine|I'm|I've|I'd)\b|[我俺]|私|わたし|僕|(?:^|\s)(?:나|내|제)(?:는|가|의|\s)/u;
const ofAssistant =
  /\b(?:did|have|had|were|could|would) you\b.*\b(?:recommend|suggest|say|said|tell|told|explain|advise|propose|write|wrote|give|gave|list|mention)|\byou(?:'d| had)? (?:recommended|suggested|said|told|explained|advised|proposed|wrote|gave|listed|mentioned)|\byour (?:advice|answer|recommendation|suggestion|explanation|reply|response)\b|你(?:推荐|建议|说过?|告诉|提到)|(?:あなた|君)(?:が|の)/i;

/** What a first or second person in the query tells of the speaker that is meant. */
export function speaksOf(query: string): 'of the user' | 'of the assistant' | 'of neither' {
  if (ofAssistant.test(query)) return 'of the assistant';
  return ofUser.test(query) ? 'of the user' : 'of neither';
}
