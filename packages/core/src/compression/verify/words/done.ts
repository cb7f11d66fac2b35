import { isNegated } from './negations.ts';
import { statusClaims } from './statuses.ts';

/** Headings under which a summary tells what was done, and words by which a line tells only of an attempt. */

const headings =
  /\b(?:completed|done|finished|accomplished|achieved|what was done)\b|已完成|完成(?:的|した|済)|完了|완료|erledigt|abgeschlossen|terminé|accompli|réalis|completad|terminad|realizad/iu;

/** True for a heading such as `Completed Actions`. */
export const isDoneHeading = (heading: string): boolean => headings.test(heading);

const trying =
  /(?<!\p{L})(?:tri(?:ed|es|al)|attempt\w*|ran|run|re-?ran|executed|checked|looked|read|found|identified|diagnosed|investigat\w+|reproduc\w+|confirmed|verified|compared|discussed|analy[sz]\w+|explor\w+|search\w*|review\w*|discovered|learned|noted|asked|explained|reported|started|began|stopp\w+|abort\w*|block\w*|fail\w*|error\w*|crash\w*|broke\w*|red|partial\w*|half|versuch\w*|geprüft|untersucht|gefunden|gelesen|ausgeführt|gestartet|scheiter\w*|fehl\w*|abgebrochen|blockiert|essay\w*|tent\w+|vérifi\w*|trouvé\w*|lu|échou\w*|erreur\w*|bloqué\w*|intent\w+|prob\w+|revis\w+|encontr\w+|leíd\w+|fall\w+|bloquead\w*)(?!\p{L})|尝试|试|检查|查看|发现|定位|分析|失败|错误|阻塞|中断|試|確認|調査|発見|失敗|エラー|中断|시도|확인|조사|발견|실패|오류|에러|중단/iu;

/** True for a line that tells of looking, trying or failing rather than of work that is done. Linear. */
export const isTrying = (line: string): boolean => trying.test(line);

const stuck =
  /(?<!\p{L})(?:still (?:red|broken|fail\w*|open|behind|pending|missing|there|down|stuck|unfixed)|remains?|un(?:touched|changed|finished|available|done)|stuck|refuse[sd]?|reject\w*|den(?:y|ied)|abort\w*|klemmt|hakt|weiterhin|immer noch|abgelehnt|abgebrochen|refus\p{L}*|rejet\p{L}*|arrêt\p{L}*|toujours (?:en panne|cassé\p{L}*|rouge)|sigue|interrump\p{L}*|rechaz\p{L}*|se detuvo)(?!\p{L})|被拒|拒绝|仍然|还是|拒否|止まり|止められ|そのまま|거절|거부|막혔|남아|멈췄|중단|필요합니다|필요해/iu;

/** True for a clause that says that something is not so, failed, or is as it was. Linear. */
export function isAdmission(clause: string): boolean {
  const claims = statusClaims(clause).filter(({ hedged }) => !hedged);
  // `No errors` denies and admits nothing.
  if (claims.length > 0) return claims.some(({ positive }) => !positive);
  return isNegated(clause) || stuck.test(clause);
}
