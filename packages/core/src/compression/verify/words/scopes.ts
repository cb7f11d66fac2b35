/** Words that speak of all there is of something. */

const all =
  /(?<!\p{L})(?:all|every(?:thing|one|body)?|whole|entire|any|always|alle[rsnm]?|alles|sämtliche[rsnm]?|jede[rsnm]?|immer|tous|toutes?|toujours|todos|todas|siempre)(?!\p{L})|所有|全部|全都|均|都|总是|一律|すべて|全て|全テスト|全部|常に|모든|모두|전부|항상/iu;

/** True for a line that speaks of all of something. Linear. */
export const saysAll = (text: string): boolean => all.test(text);
