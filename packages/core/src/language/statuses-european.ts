/** The commonest German, French and Spanish words for how something stands. */
import { forVerbs, type PhraseTable, type Status, type StatusPhrase } from './status.ts';

/** English has no words with these, and no `nicht`: most lines need no look at these tables. */
export const europeanSigns: RegExp =
  /[àâçèéêëîïôûùäöüßñáíóú]|(?<!\p{L})(?:nicht|noch|muss|werden|wird|der|die|das|und|el|la|le|les|los|alle|tous|toutes|wurde|wurden|sind|ist|pas|est|sont|sin|fue|las|los|keine|bestanden|fertig)(?!\p{L})/iu;

// The commonest German, French and Spanish words for how something stands.
const words = (source: string): RegExp => new RegExp(`(?<![\\p{L}\\d_/-])(?:${source})(?![\\p{L}\\d_])`, 'giu');

const german: Readonly<Partial<Record<Status, string>>> = {
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

const french: Readonly<Partial<Record<Status, string>>> = {
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

const spanish: Readonly<Partial<Record<Status, string>>> = {
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
  {
    words: words(`(?:noch )?nicht (?:mehr )?(?:alle |vollständig |ganz )?${verb}`),
    status: denied,
    negated: true,
    turned: (text) =>
      /mehr|alle/.test(text) ? undefined : text.replace(/^(?:noch )?nicht (?:vollständig |ganz )?/i, ''),
  },
  { words: words(`erfolgreich ${verb}`), status, turned: (text) => text.replace(/^erfolgreich/i, 'nicht') },
  // `bestanden` and its kin end in -n, -t; with -e, -er, -es they describe a noun.
  { words: words(verb), status, turned: (text) => `nicht ${text}` },
];

const inFrench = (verb: string, status: Status, denied: Status): readonly StatusPhrase[] => [
  {
    words: words(`(?:n['’](?:a|ont|est|sont) pas|ne sont pas|pas) (?:encore )?(?:été )?(?:encore )?${verb}`),
    status: denied,
    negated: true,
  },
  { words: words(`(?:a|ont|est|sont|été|tous|toutes|déjà|tests?) ${verb}`), status },
  { words: words('sans erreurs?|aucune erreur|aucun échec'), status: 'passed', negated: true },
];

const inSpanish = (verb: string, status: Status, denied: Status): readonly StatusPhrase[] => [
  { words: words(`no (?:se )?(?:(?:ha|han|fue|fueron|está|están) )?(?:sido )?${verb}`), status: denied, negated: true },
  { words: words(`(?:(?:se|ha|han|fue|fueron|está|están|sido|ya|pruebas|tests) )${verb}`), status },
  { words: words('sin errores|sin fallos'), status: 'passed', negated: true },
];

const outcomes: readonly StatusPhrase[] = [
  { words: words('ohne Fehler|keine Fehler|fehlerfrei'), status: 'passed', negated: true },
  { words: words('schlug fehl|schlugen fehl'), status: 'failed' },
  {
    words: words('schlägt(?: \\p{L}{2,12}){0,2} fehl|schlagen(?: \\p{L}{2,12}){0,2} fehl'),
    status: 'failed',
    current: true,
  },
  { words: words('(?:läuft|laufen) (?:alle )?durch'), status: 'passed', current: true },
];

/** All of them. */
export const europeanStatuses: PhraseTable = {
  phrases: [...outcomes, ...forVerbs(german, inGerman), ...forVerbs(french, inFrench), ...forVerbs(spanish, inSpanish)],
  before:
    /(?<!\p{L})(?:muss|müssen|müsste|soll|sollen|sollte|sollten|wird|werden|wenn|falls|sobald|bevor|bitte|noch zu|doit|doivent|devrait|faut|va|vont|si|avant|afin|debe|deben|debería|hay que|van|antes|falta)(?!\p{L})/iu,
  after: /^\s*(?:werden|wird|sein soll)(?!\p{L})/u,
  now: /(?<!\p{L})(?:jetzt|derzeit|aktuell|nun|noch|maintenant|actuellement|ahora|actualmente|alle)(?!\p{L})/iu,
};

/** The code that a command ended with, in any language. */
export const exitCodeWords: RegExp = /\bexit(?:ed)?\b|退出码|終了コード|종료 ?코드|Exit-Code/i;
