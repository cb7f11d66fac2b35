/** The commonest words of German, French and Spanish for how something stands, and what they attribute to the user. */
import { attributionPatterns, type LanguageAttributions } from './attribution.ts';
import {
  forVerbs,
  type Status,
  type StatusPhrase,
  type StatusVerbs,
  type StatusWords,
  statusPatterns,
} from './status.ts';

/** English has no words with these, and no `nicht`: most lines need no look at these tables. */
export const europeanSigns: RegExp =
  /[àâçèéêëîïôûùäöüßñáíóú]|(?<!\p{L})(?:nicht|noch|muss|werden|wird|der|die|das|und|el|la|le|les|los|alle|tous|toutes|wurde|wurden|sind|ist|pas|est|sont|sin|fue|las|los|keine|bestanden|fertig)(?!\p{L})/iu;

const german: StatusVerbs = {
  passed: 'bestanden|durchgelaufen|geglückt|grün',
  failed: 'fehlgeschlagen|gescheitert|abgestürzt',
  fixed: 'behoben|repariert|korrigiert|gelöst',
  done: 'erledigt|abgeschlossen|fertiggestellt|fertig|ausgeführt|getestet|geprüft',
  deleted: 'gelöscht|entfernt',
  created: 'erstellt|angelegt|erzeugt',
  changed: 'geändert|angepasst|aktualisiert|hinzugefügt|umbenannt|umgebaut',
  committed: 'committet|eingecheckt',
  pushed: 'gepusht',
  merged: 'gemergt|zusammengeführt',
  released: 'veröffentlicht|ausgerollt|deployt',
  installed: 'installiert',
};

const french: StatusVerbs = {
  passed: 'réussie?s?|réussit|réussissent|passent',
  failed: 'échoué|échoue|échouent|planté',
  fixed: 'corrigée?s?|résolue?s?|réparée?s?',
  done: 'terminée?s?|achevée?s?|exécutée?s?',
  deleted: 'supprimée?s?|effacée?s?',
  created: 'créée?s?|générée?s?',
  changed: 'modifiée?s?|ajoutée?s?|renommée?s?',
  committed: 'commitée?s?',
  pushed: 'poussée?s?',
  merged: 'fusionnée?s?',
  released: 'publiée?s?|déployée?s?',
  installed: 'installée?s?',
};

const spanish: StatusVerbs = {
  passed: 'pasaron|pasan|exitos[oa]s?',
  failed: 'fallaron|falló|fallan|falla|fallado',
  fixed: 'corregid[oa]s?|arreglad[oa]s?|solucionad[oa]s?|resuelt[oa]s?|corrigió|arregló|solucionó|resolvió',
  done: 'completad[oa]s?|terminad[oa]s?|ejecutad[oa]s?|completó|terminó|ejecutó',
  deleted: 'eliminad[oa]s?|borrad[oa]s?|eliminó|borró',
  created: 'cread[oa]s?|generad[oa]s?|creó|generó',
  changed: 'modificad[oa]s?|añadid[oa]s?|renombrad[oa]s?|actualizad[oa]s?|modificó|añadió|renombró|actualizó',
  pushed: 'subid[oa]s?|subió',
  merged: 'fusionad[oa]s?|fusionó',
  released: 'publicad[oa]s?|desplegad[oa]s?|publicó|desplegó',
  installed: 'instalad[oa]s?|instaló',
};

const inGerman = (verb: string, status: Status, denied: Status): readonly StatusPhrase[] => [
  [denied, `(?:noch )?nicht (?:mehr )?(?:alle |vollständig |ganz )?${verb}`],
  [status, `erfolgreich ${verb}`],
  // `bestanden` and its kin end in -n, -t; with -e, -er, -es they describe a noun.
  [status, verb],
];

const inFrench = (verb: string, status: Status, denied: Status): readonly StatusPhrase[] => [
  [denied, `(?:n['’](?:a|ont|est|sont) pas|ne sont pas|pas) (?:encore )?(?:été )?(?:encore )?${verb}`],
  [status, `(?:a|ont|est|sont|été|tous|toutes|déjà|tests?) ${verb}`],
  ['passed', 'sans erreurs?|aucune erreur|aucun échec'],
];

const inSpanish = (verb: string, status: Status, denied: Status): readonly StatusPhrase[] => [
  [denied, `no (?:se )?(?:(?:ha|han|fue|fueron|está|están) )?(?:sido )?${verb}`],
  [status, `(?:(?:se|ha|han|fue|fueron|está|están|sido|ya|pruebas|tests) )${verb}`],
  ['passed', 'sin errores|sin fallos'],
];

const outcomes: readonly StatusPhrase[] = [
  ['passed', 'ohne Fehler|keine Fehler|fehlerfrei'],
  ['failed', 'schlug fehl|schlugen fehl'],
  ['failed', 'schlägt(?: \\p{L}{2,12}){0,2} fehl|schlagen(?: \\p{L}{2,12}){0,2} fehl', 'now'],
  ['passed', '(?:läuft|laufen) (?:alle )?durch', 'now'],
];

/** All of them. */
export const europeanStatuses: StatusWords = {
  patterns: statusPatterns(
    [...outcomes, ...forVerbs(german, inGerman), ...forVerbs(french, inFrench), ...forVerbs(spanish, inSpanish)],
    (words) => new RegExp(`(?<![\\p{L}\\d_/-])(?:${words})(?![\\p{L}\\d_])`, 'giu'),
  ),
  before:
    /(?<!\p{L})(?:muss|müssen|müsste|soll|sollen|sollte|sollten|wird|werden|wenn|falls|sobald|bevor|bitte|noch zu|doit|doivent|devrait|faut|va|vont|si|avant|afin|debe|deben|debería|hay que|van|antes|falta)(?!\p{L})/iu,
  after: /^\s*(?:werden|wird|sein soll)(?!\p{L})/u,
  now: /(?<!\p{L})(?:jetzt|derzeit|aktuell|nun|noch|maintenant|actuellement|ahora|actualmente|alle)(?!\p{L})/iu,
};

const deUser =
  '(?:(?<![\\p{L}-])(?:der|die|vom|von dem) (?:nutzer|benutzer|user|anwender|auftraggeber)|(?<=^[^\\p{L}\\p{N}]{0,16}(?:m\\d+ )?)(?:nutzer|benutzer|anwender))(?:in)?';

const frUser = "(?<![\\p{L}-])l['’]utilisat(?:eur|rice)";

const esUser = '(?<![\\p{L}-])(?:el|la) usuari[oa]';

const dePermission = 'Freigabe|Erlaubnis|Zustimmung|Genehmigung|Einwilligung';

/** German, French and Spanish. */
export const europeanAttributions: LanguageAttributions = {
  mention: /nutzer|anwender|auftraggeber|utilisat|usuari|(?:der|die|des|vom|dem) user/i,
  patterns: attributionPatterns({
    asked: [
      `${deUser} (?:hat (?:\\p{L}+ ){0,3}(?:gebeten|verlangt|gefordert|beauftragt)|bat|verlangte|forderte|beauftragte|fragte)(?!\\p{L})`,
      '(?<!\\p{L})(?:auf wunsch|auf bitte|im auftrag|wunsch|nach vorgabe|laut) (?:des|der|vom) (?:nutzers?|benutzers?|users?|anwenders?)(?:in)?(?!\\p{L})',
      `${frUser} (?:a |nous a |m['’]a )?(?:demandé|demande|exigé)(?!\\p{L})`,
      "à la demande de l['’]utilisateur",
      `${esUser} (?:me |nos |ha )?(?:pidió|pidido|pide|solicitó|solicitado|exigió)(?!\\p{L})`,
      '(?:a petición|a solicitud|por petición) del usuario',
    ],
    wants: [
      `${deUser} (?:möchte|will|wollte|wünscht|wünschte)(?!\\p{L})`,
      `${frUser} (?:veut|voulait|souhaite|souhaitait)(?!\\p{L})`,
      `${esUser} (?:quiere|quería|desea|deseaba)(?!\\p{L})`,
    ],
    said: [
      `${deUser} (?:sagte|meinte|erklärte|bestätigte|schrieb|hat (?:\\p{L}+ ){0,3}(?:gesagt|erklärt))(?!\\p{L})`,
      `${frUser} (?:a )?(?:dit|précisé|signalé|expliqué)(?!\\p{L})`,
      `${esUser} (?:dijo|indicó|señaló|aclaró)(?!\\p{L})`,
      '(?<=^[^\\p{L}\\p{N}]{0,16}(?:m\\d+ )?)(?:(?:be)?nutzer(?:in)?|anwender(?:in)?|utilisat(?:eur|rice)|usuari[oa]) ?[:：]',
    ],
    prefers: [`${deUser} bevorzugt(?:e)?(?!\\p{L})`, `${frUser} préfère(?!\\p{L})`, `${esUser} prefiere(?!\\p{L})`],
    approved: [
      `${deUser} hat (?<content>[^.!?]{2,120}?) (?:zugestimmt|genehmigt|freigegeben|erlaubt|gestattet|gebilligt|abgesegnet)(?!\\p{L})`,
      `${deUser} (?:hat|gab|erteilte) (?:die |seine |ihre )?(?:${dePermission}) (?:für|zur|zum|zu) (?<content>[^.!?]{2,120}?)(?: (?:erteilt|gegeben))?(?=[.!?]|$)`,
      `${deUser} (?:stimmte|genehmigte|hat (?:\\p{L}+ ){0,3}(?:zugestimmt|genehmigt|freigegeben))(?!\\p{L})`,
      `${frUser} (?:a )?(?:accepté|approuvé|validé|autorisé|permis|accepte|approuve|valide|autorise|permet)(?!\\p{L})`,
      `${esUser} (?:ha )?(?:aprobó|aprobado|autorizó|autorizado|aceptó|aceptado|permitió|permitido|aprueba|autoriza|acepta|permite)(?!\\p{L})`,
    ],
    rejected: [
      `${deUser} (?:lehnte|hat (?:\\p{L}+ ){0,3}abgelehnt)(?!\\p{L})`,
      `${frUser} (?:a )?(?:refusé|rejeté|refuse|rejette)(?!\\p{L})`,
      `${esUser} (?:ha )?(?:rechazó|rechazado|rechaza)(?!\\p{L})`,
    ],
  }),
  loose: [],
};
