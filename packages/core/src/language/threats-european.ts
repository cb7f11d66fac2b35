/** What a memory may not say, in German, French, Spanish, Portuguese, Italian and Russian; `*` is the rest of a word. */
import type { ThreatWords } from './threats.ts';

/** Each language, its commonest words for each idea. */
export const europeanThreats: readonly ThreatWords[] = [
  {
    drop: 'ignoriere?n?|missachten?|missachte|vergiss|vergessen sie|vergesst|verwirf|verwerfen|überschreib(?:e|en)?|umgeh(?:e|en)|befolge (?:nicht|keine)|folge (?:nicht|keinen)|halte dich nicht|setze? ~ außer kraft|ersetz(?:t|en|e)|hat vorrang vor|beachte (?:nicht|keine)',
    void: 'ungültig|aufgehoben|gelten nicht(?: mehr)?|gilt nicht(?: mehr)?|außer kraft|hinfällig|nicht mehr gültig|nicht mehr gelten',
    orders:
      'anweisung(?:en)?|instruktion(?:en)?|vorgaben?|regeln|befehle?|richtlinien|systemprompt|prompt|weisungen|anordnungen',
    limits: 'regeln|einschränkung(?:en)?|beschränkung(?:en)?|grenzen|richtlinien|schutzmaßnahmen',
    earlier:
      'vorherig*|bisherig*|früher*|vorig*|obig*|alle deine|deine|ihre|ursprünglich*|vorangegangen*|sämtlich*|zuvor|system*|entwickler*|alle|bestehend*|oben',
    become:
      'du bist (?:jetzt|nun|ab sofort|von nun an|kein|nicht mehr|ab jetzt)|sie sind (?:jetzt|nun|ab sofort)|verhalte dich wie|tu so,? als|gib dich als|spiel(?:e)? die rolle|deine neue (?:rolle|identität|aufgabe|persona)|dein neue[rs] (?:name|auftrag|ziel)|ab (?:jetzt|sofort) bist du|agiere als|nimm die (?:rolle|identität)',
    mode: 'entwicklermodus|wartungsmodus|adminmodus|administratormodus|debugmodus|gottmodus|uneingeschränkten? modus|ohne (?:jegliche )?(?:einschränkungen|beschränkungen|grenzen)',
    reveal:
      'zeig(?:e|en)?|gib|geben sie|verrate?n?|wiederhol(?:e|en)|drucke?|offenbare?|nenne?|schreib(?:e|en)?|ausgeben|preisgeben|zitiere?|teile?n?|lege? offen',
    prompt:
      'system-?prompt*|systemnachricht|systemanweisung(?:en)?|(?:deine|ihre) (?:\\p{L}+ )?(?:anweisungen|instruktionen)|versteckten anweisungen|initial-?prompt|(?:alles|text) (?:oberhalb|darüber|vor dieser)|internen anweisungen',
    disable:
      'deaktivier(?:e|en)|schalte?n?|abschalten|ausschalten|umgeh(?:e|en)|entfern(?:e|en)|überspring(?:e|en)|abstellen|aufheben|hebe?|unterdrücken?|verzichte',
    guards:
      'sicherheits*|schutz*|freigaben?|genehmigung(?:en)?|bestätigung(?:en)?|rückfragen?|filter|inhaltsfilter|sandbox|prüfung(?:en)?|leitplanken|moderation*|berechtigungs*',
    approve:
      'genehmig(?:e|en)|bestätig(?:e|en)|akzeptier(?:e|en)|erlaube?n?|stimme?|zustimmen|freigeben|gib ~ frei|lehne? (?:nie|niemals|nichts|keine)|verweigere (?:nie|niemals|nichts|keine)|autorisier*|führe',
    blanket:
      'immer|alle[sn]?|jede[rsnm]?|stets|automatisch|ausnahmslos|ohne (?:rückfrage|nachfrage|zu fragen|prüfung)|grundsätzlich|nie|niemals',
    unasked:
      'ohne (?:rückfragen?|nachfragen?|zu fragen|bestätigung|genehmigung|zustimmung|freigabe|erlaubnis|nachzufragen)|frage? (?:nie|nicht)',
    conceal:
      '(?:sag|sage|sagen sie|erzähl|erzähle|verrate|informiere|erwähne|melde|zeige|teile|mitteile)(?: dies| das| es| davon)* (?:dem |den |der |die |gegenüber dem )?(?:be)?(?:nutzer|benutzer|anwender|user|menschen|niemandem|niemanden|keinem)(?:in|n)?(?: \\p{L}+){0,3} (?:nichts|nicht|nie|niemals)|(?:sag|sage|erzähle?|verrate) (?:niemandem|keinem)|(?:der|die) (?:be)?nutzer(?:in)? (?:darf|soll|muss)(?: davon| das| es| dies)* (?:nichts?|nie|nicht)|(?:verheimliche?n?|verschweige?n?|verbirg|verbergen|verstecke?n?|geheim) ~|erwähne (?:dies|das|es|diese \\p{L}+) (?:nicht|nie)|(?:halte|behalte) ~ geheim|ohne (?:dem|den|das dem) (?:be)?nutzer ~(?:zu (?:sagen|informieren|erwähnen|erzählen)|mitzuteilen)|ohne dass der (?:be)?nutzer',
    silently: 'heimlich|unbemerkt|stillschweigend|im hintergrund|im stillen|unauffällig|verdeckt',
    person: '(?:be)?nutzer*|anwender*|mensch*|niemand*',
    beacon: 'registrier(?:e|en)|melde?n?|verbinde?n?|heartbeat|kontaktiere?n?|frage?|abfragen',
    controller: 'steuer(?:ungs)?server|kontrollserver|befehlsserver|c2*|controller|kommandoserver|leitstelle',
    tasks: 'aufgaben|befehle|aufträge|anweisungen|kommandos|skript|auftrag',
    fetch: 'hole?n?|lade?n?|herunterladen|abrufen|rufe|ruf|frage|lies|abholen|abfragen|besuche?|öffne',
    run: 'führe?|ausführen|starte?n?|befolge?n?|aus',
    send: 'sende?n?|schick(?:e|en)|übermittel[ne]?|übermittle|übertrag(?:e|en)|hochladen|lade|poste?n?|leite?n?|weiterleiten|maile?n?|kopier(?:e|en)|häng(?:e|en)|veröffentlich(?:e|en)|füge|weitergeben|gib|exfiltrier*',
    secret:
      'schlüssel|api-?schlüssel|api-?keys?|passwort|passwörter|kennwort|kennwörter|zugangsdaten|geheimnisse?|umgebungsvariablen|anmeldedaten|zugangsschlüssel|private[nr]? schlüssel|kundendaten|tokens?|ssh-schlüssel|quellcode|kreditkarten*',
    talk: 'gespräch*|unterhaltung*|konversation*|chatverlauf|verlauf|nachrichten|eingaben|gedächtnis|kontext|chat|dateien|dokumente|sitzung*',
    outside:
      'externe[nrs]? (?:server|adresse|dienst)|fremden server|unseren server|meinen server|folgende adresse|webhook',
    write:
      'füge?|schreib(?:e|en)?|trag(?:e)?|eintragen|hinzufügen|kopier(?:e|en)|lege?|erstelle?n?|richte|ergänze?n?|installiere?n?|ändere?|hänge?|speicher(?:e|n)|setze',
    startup:
      'beim (?:start|booten|hochfahren|anmelden|login|systemstart)|bei jede[mr] (?:start|sitzung|anmeldung|neustart|gespräch|login)|jede (?:minute|stunde|sitzung)|(?:zu )?(?:beginn|anfang) jeder|alle \\d+ (?:minuten|stunden)|dauerhaft|täglich|stündlich|vor jeder|nach jedem neustart|automatisch',
    when: 'wenn|sobald|falls|immer wenn|ab (?:der )?(?:nächsten|jetzt|sofort|morgen|heute)|bei erwähnung|beim nächsten|in der nächsten|jedes mal|künftig|in zukunft|nach dem|sollte',
    harm: 'lösch(?:e|en)|überweise?n?|bezahle?n?|zerstöre?n?|vernichte?n?|deaktiviere?n?|kauf(?:e|en)|baue? ~ (?:hintertür|lücke)*|hintertür|veröffentliche|genehmige|formatiere',
    mislead:
      'empfiehl|empfehlen sie|empfehle|behaupte?n?|lüge?n?|täusche?|verweise auf|bewirb|füge ~ link|leugne?n?|rate ~ ab|sag(?:e)?,? dass|antworte,? dass|verlinke',
    account:
      'bankverbindung|kontonummer|iban|zahlungskonto|konto|zahlungen|überweisungen|rechnungen|support-?(?:nummer|hotline|adresse)|hotline|bitcoin-?adresse|wallet*|empfängerkonto|rechnungsadresse|zahlungsempfänger',
    source:
      '(?:paket)?quelle|paket(?:e|register|quelle)?|registry|spiegel(?:server)?|download*|bezugsquelle|updateserver|mirror|repository|abhängigkeit*|bibliothek|installationsskript',
    swapped:
      'lautet (?:jetzt|nun|ab sofort|künftig)|ist (?:jetzt|nun|ab sofort)|(?:wurde|hat sich) (?:geändert|umgestellt|ersetzt|verschoben)|geändert|statt|anstatt|anstelle|nur noch|ab sofort|neue[rsn]?|künftig|nicht mehr|umgezogen',
  },
  {
    drop: 'ignore[zr]?|oublie[zr]?|néglige[zr]?|ne tiens? (?:pas|plus) compte|ne tenez (?:pas|plus) compte|ne (?:suis|suivez|respecte[zr]?) (?:pas|plus)|fais abstraction|faites abstraction|outrepasse[zr]?|annule[zr]?|contourne[zr]?|remplace(?:nt|z)?|passe[zr]? outre|méprise[zr]?',
    void: "ne (?:s'appliquent|sont|s'applique|est) plus(?: valables?)?|annulée?s|caducs?|caduques?|révoquée?s|nulles?|suspendue?s|levée?s",
    orders: 'instructions?|consignes?|directives?|règles?|ordres|invites?|prompts?|recommandations',
    limits: 'règles|restrictions?|limites?|limitations|contraintes',
    earlier:
      'précédent*|antérieur*|ci-dessus|tes|vos|ton|votre|initial*|toutes (?:les|tes|vos)|système|originales?|reçues|existantes|développeur*',
    become:
      "tu es (?:maintenant|désormais|à présent|dorénavant)|vous êtes (?:maintenant|désormais|à présent|dorénavant)|désormais,? (?:tu es|vous êtes|agis)|(?:agis|agissez|comporte-toi|comportez-vous) comme|fais semblant|faites semblant|(?:ton|ta|votre) (?:nouveau |nouvelle |vrai |véritable |vraie )(?:rôle|identité|nom|mission|objectif)|joue[zr]? le rôle|tu n'es plus|vous n'êtes plus",
    mode: 'mode (?:développeur|admin\\w*|débogage|maintenance|dieu|sans (?:restriction|limite|filtre)s?)|sans (?:aucune )?(?:restrictions?|limites?|censure|filtres?)',
    reveal:
      'révèle[zr]?|affiche[zr]?|montre[zr]?|répète[zr]?|divulgue[zr]?|imprime[zr]?|donne[zr]?|recopie[zr]?|communique[zr]?|écri[st]|écrivez|partage[zr]?|cite[zr]?',
    prompt:
      '(?:prompt|invite|message|instructions?|consignes?) (?:de |du )?(?:système|systèmes|initiale?s?|cachée?s?|secrètes?|internes?)|(?:tes|vos) (?:\\p{L}+ )?(?:instructions|consignes)|prompt système|tout ce qui précède|(?:le )?texte ci-dessus',
    disable:
      'désactive[zr]?|contourne[zr]?|supprime[zr]?|saute[zr]?|retire[zr]?|enlève[zr]?|sans|coupe[zr]?|lève[zr]?|neutralise[zr]?|ignore[zr]?',
    guards:
      'sécurité|garde-fous?|filtres?|confirmations?|approbations?|autorisations?|vérifications?|contrôles?|protections?|bac à sable|sandbox|modération|restrictions',
    approve:
      'approuve[zr]?|accepte[zr]?|autorise[zr]?|valide[zr]?|confirme[zr]?|ne refuse[zr]? (?:jamais|aucune?|rien)|exécute[zr]?|accorde[zr]?',
    blanket:
      'toujours|tout(?:e|es)?|tous|systématiquement|automatiquement|sans (?:demander|exception|confirmation|vérification)|jamais|chaque',
    unasked:
      "sans (?:demander|confirmation|approbation|autorisation|poser de question|l'accord|validation)|ne demande[zr]? (?:jamais|pas|plus|aucune)",
    conceal:
      "ne (?:le |la |les |lui |leur |l')?(?:dis|dites|dire|mentionne[zr]?|informe[zr]?|parle[zr]?|révèle[zr]?|signale[zr]?|préviens|prévenez|montre[zr]?|previens)(?: \\S+)? ?(?:pas|rien|jamais|plus) ~ ?(?:utilisateur*|l'utilisat\\w*|personne|cette \\p{L}+|ceci|cela|humain)|ne (?:pas|jamais|rien) (?:le |la |en )?(?:dire|informer|mentionner|révéler|prévenir|parler|signaler|avertir)|(?:à )?l'insu de|(?:cache[zr]?|dissimule[zr]?|masque[zr]?) ~ ?(?:à |de )?l'utilisat\\w*|l'utilisat(?:eur|rice) ne (?:doit|doive|peut|saura) (?:pas|jamais|rien)|(?:garde[zr]?|reste[zr]?) ~ (?:secret|secrète|confidentiel|discret)|sans (?:le dire|en informer|prévenir|informer|avertir|que) ~ ?l'utilisat\\w*|n'en parle[zr]? (?:pas|jamais|à personne)|n'informe[zr]? (?:pas|jamais)",
    silently: 'secrètement|en secret|discrètement|en silence|silencieusement|en arrière-plan|furtivement',
    person: "l'utilisat*|utilisateur*|personne|humain",
    beacon:
      'enregistre[zr]?(?:-toi|-vous)?|inscri[st]-toi|connecte[zr]?(?:-toi|-vous)?|contacte[zr]?|interroge[zr]?|signale[zr]?',
    controller: 'serveur de (?:contrôle|commande)|c2*|contrôleur|serveur de commandement|serveur distant',
    tasks: 'tâches|ordres|commandes|instructions|consignes|script|missions',
    fetch:
      'récupère[zr]?|télécharge[zr]?|charge[zr]?|obtien[st]|obtenez|va chercher|consulte[zr]?|lis|interroge[zr]?|visite[zr]?',
    run: 'exécute[zr]?|lance[zr]?|applique[zr]?|démarre[zr]?|suis|suivez',
    send: 'envoie[sz]?|envoyer|envoyez|transmet[s]?|transmettez|transmettre|publie[zr]?|poste[zr]?|transfère[zr]?|téléverse[zr]?|exfiltre[zr]?|copie[zr]?|ajoute[zr]?|joins|inclu[st]|joignez',
    secret:
      "clés?(?: api| ssh| privées?| secrètes?| d'api)?|mots? de passe|identifiants?|secrets?|jetons?|variables d'environnement|données (?:clients?|personnelles)|code source",
    talk: "conversations?|historique|discussion|messages|mémoire|contexte|échanges|fichiers|documents|session|ce que dit l'utilisateur|données",
    outside: 'serveur (?:externe|distant)|adresse (?:suivante|externe)|notre serveur|mon serveur|webhook',
    write:
      'ajoute[zr]?|écri[st]|écrire|écrivez|insère[zr]?|copie[zr]?|crée[zr]?|installe[zr]?|modifie[zr]?|place[zr]?|inscri[st]|mets|mettez|enregistre[zr]?|programme[zr]?',
    startup:
      'au démarrage|à (?:chaque|chacune des?) (?:démarrage|session|ouverture|connexion|lancement|redémarrage|conversation)|chaque (?:minute|heure|session|jour)|toutes les \\S+ (?:minutes|heures)|au début de chaque|en permanence|début de (?:chaque|la) session|avant chaque|persiste',
    when: "quand|lorsque?|lorsqu'|si|dès que|dès|à partir de|la prochaine fois|chaque fois|lors de|prochaine session|désormais|à l'avenir|une fois",
    harm: 'efface[zr]?|supprime[zr]?|vire[zr]?|transfère[zr]?|paie|paye[zr]?|détrui[st]|achète[zr]?|porte dérobée|désactive[zr]?|approuve[zr]?|publie[zr]?',
    mislead:
      'recommande[zr]?|prétends?|affirme[zr]?|mens|mentez|conseille[zr]?|insère[zr]? ~ lien|dis que|réponds que|dirige[zr]?|renvoie[zr]?|promeus|vante[zr]?|nie[zr]?',
    account:
      "compte (?:bancaire|de paiement)|iban|rib|coordonnées bancaires|paiements?|virements?|numéro (?:de support|d'assistance|du support)|portefeuille|adresse (?:bitcoin|de facturation)|bénéficiaire|factures",
    source:
      "registre|dépôt|miroir|paquets?|source|téléchargements?|bibliothèque|dépendances?|script d'installation|serveur de mise à jour|registry|url",
    swapped:
      "est (?:maintenant|désormais|dorénavant)|a (?:changé|été (?:remplacée?|modifiée?|déplacée?))|désormais|au lieu d[eu']|à la place|nouveau|nouvelle|remplacée? par|uniquement|dorénavant|ne plus",
  },
  {
    drop: 'ignora[rd]?|ignore|ignoren|olvida[rd]?|olvide|olvídate|descarta[r]?|desatiende|no (?:sigas|siga|obedezcas|hagas caso|respetes|cumplas)|haz caso omiso|omite|omitir|anula[r]?|sobrescrib[ae]|pasa por alto|reemplazan?|sustituyen?|deja de seguir|esquece?|esqueça|desconsidere|desconsidera|ignorar|não (?:siga|obedeça|cumpra|respeite)|descarte|deixe de seguir|substituem?|anule|dimentica(?:re)?|ignorare|trascura|scarta|non (?:seguire|rispettare|obbedire)|annulla|sostituiscono',
    void: 'ya no (?:son válidas|se aplican|aplican|valen|están vigentes|rigen)|quedan? (?:anulad[oa]s?|sin efecto)|anulad[oa]s|revogad[oa]s|não (?:valem|se aplicam) mais|sem efeito|canceladas|non (?:valgono|si applicano) più|annullate|revocate',
    orders:
      'instruccion(?:es)?|instrucción|órdenes|reglas|directrices|indicaciones|normas|prompts?|directivas|mandatos|instruções|instrução|regras|diretrizes|ordens|comandos|orientações|istruzioni|regole|direttive|ordini|linee guida',
    limits:
      'reglas|restricciones|límites|limitaciones|regras|restrições|limites|limitações|restrizioni|limiti|regole|normas',
    earlier:
      'anterior*|previ[oa]s?|tus|sus|originales|iniciales|de arriba|todas (?:las|tus|sus|as|suas)|del sistema|existentes|prévi[oa]s|suas|tuas|acima|do sistema|originais|precedenti?|iniziali|sopra|tue|tutte le|di sistema|recibidas|desarrollador*',
    become:
      "ahora eres|eres ahora|(?:a partir de|desde) ahora,? (?:eres|serás|actúas|actuarás)|(?:ya )?no eres|actúa como|actúe como|finge (?:ser|que)|compórtate como|haz de cuenta|hazte pasar|(?:tu|su|seu|sua) (?:nuev[oa]|nov[oa]|verdader[oa]|verdadeir[oa]) (?:rol|papel|identidad|nombre|misión|objetivo|identidade|nome|missão|função)|(?:agora )?você (?:agora é|não é mais)|agora você é|a partir de agora,? você|aja como|finja (?:ser|que)|comporte-se como|assuma o papel|asume el (?:papel|rol)|(?:ora |adesso )sei (?:un|una|il|la|uno)|sei (?:ora|adesso)|d'ora in poi sei|comportati come|fingi di|agisci come|il tuo nuovo (?:ruolo|nome|compito)|la tua nuova identità",
    mode: 'modo (?:desarrollador|administrador|dios|sin (?:restricciones|límites|filtros)|mantenimiento|desenvolvedor|irrestrito|sem restrições)|sin (?:ninguna )?(?:restricciones|restricción|límites|filtros|censura)|sem (?:nenhuma )?(?:restrições|limites|filtros|censura)|senza (?:alcuna )?(?:restrizioni|limiti|filtri|censure?)|modalità sviluppatore',
    reveal:
      'revela[r]?|revele|muestra|mostrar|muestre|imprime|imprimir|repite|repita|repetir|divulga[r]?|divulgue|escribe|escriba|comparte|comparta|di(?:me)?|mostre|imprima|exiba|exibir|copie|compartilhe|escreva|rivela(?:re)?|mostra(?:re)?|stampa(?:re)?|ripeti|condividi|scrivi|filtra[r]?|devuelve',
    prompt:
      '(?:prompt|mensaje|instrucciones|indicaciones|mensagem|instruções|istruzioni|messaggio) (?:del? |do |di )?(?:sistema|inicial(?:es)?|ocult[oa]s|intern[oa]s|secret[oa]s|iniciais|iniziali|nascoste|interne)|prompt (?:del |do |de |di )?sistema|(?:tus|sus|suas|le tue) (?:\\p{L}+ )?(?:instrucciones|instruções|istruzioni)|todo lo anterior|texto (?:anterior|de arriba|acima)|tudo acima',
    disable:
      'desactiva[r]?|desactive|deshabilita[r]?|elimina[r]?|omite|omitir|salta[r]?|sin|quita[r]?|evita[r]?|evade|apaga[r]?|desative|desativar|desativa|remova|pule|contorne|sem|elimine|disattiva(?:re)?|disabilita(?:re)?|rimuovi|salta|aggira|senza|bypassa|levanta',
    guards:
      'seguridad|filtros?|confirmaci(?:ón|ones)|aprobaci(?:ón|ones)|permisos?|verificaci(?:ón|ones)|controles|restricciones|protecci(?:ón|ones)|segurança|confirmaç(?:ão|ões)|aprovaç(?:ão|ões)|verificaç(?:ão|ões)|restrições|proteç(?:ão|ões)|moderação|moderación|sicurezza|conferme?|approvazioni?|protezioni|filtri|sandbox|controlli|salvaguardas',
    approve:
      'aprueba|aprobar|apruebe|acepta[r]?|acepte|autoriza[r]?|autorice|confirma[r]?|permite|no (?:rechaces|te niegues)|nunca (?:rechaces|te niegues|recuse|negue)|aprove|aprovar|aceite|aceitar|autorize|confirme|permita|ejecuta|execute|approva(?:re)?|accetta(?:re)?|autorizza|esegui|não recuse|concede',
    blanket:
      'siempre|tod[oa]s?|cualquier|cualquiera|automáticamente|sin (?:preguntar|excepción|confirmar)|nunca|sempre|qualquer|automaticamente|sem (?:perguntar|exceção|confirmar)|tutt[oeai]|qualsiasi|senza chiedere|mai|ogni|cada',
    unasked:
      'sin (?:preguntar|confirmación|aprobación|permiso|pedir \\p{L}+|consultar|autorización|confirmar)|no (?:pidas|preguntes|solicites)|sem (?:perguntar|confirmação|aprovação|permissão|pedir \\p{L}+|autorização|confirmar)|não (?:peça|pergunte)|senza (?:chiedere|conferma|approvazione|permesso|autorizzazione)|non chiedere',
    conceal:
      "(?:no|nunca|jamás|não|non|mai|sin|sem|senza) (?:se |le |lo |te |o |a |lhe |glielo |ne )?(?:digas?|diga|menciones?|mencione|informes?|informe|reveles?|revele|avises?|avise|cuentes?|muestres?|notifiques?|notifique|conte|mostre|fale|hables|dirlo|dire|menzionare|informare|rivelare|avvisare|decir(?:lo|le|selo)?|informar|avisar|dizer|contar|mencionar|parlare|notificar|que)(?: \\S+){0,3} ?(?:usuari[oa]s?|utente|nadie|ninguém|nessuno|esto|isso|isto|questo|esta \\p{L}+|utilizador|humano|lo sepa)|(?:oculta|esconde|esconda|oculte|nascondi|ocultar|esconder|nascondere|mantén|mantenha|mantieni|guarda)(?: \\S+){0,4} (?:al? usuari[oa]|all'utente|do usuário|del usuario|ao usuário|en secreto|em segredo|segreto|secret[oa]|oculto)|(?:el|la|o) usuari[oa] (?:no|não|nunca) (?:debe|deve|puede|pode|tiene que)|l'utente non (?:deve|può)|a espaldas del usuario|sin que (?:el|la) usuari[oa]|sem que o usuário|senza che l'utente",
    silently:
      'en secreto|secretamente|silenciosamente|en silencio|discretamente|en segundo plano|em segredo|em silêncio|em segundo plano|segretamente|di nascosto|in silenzio|sigilosamente',
    person: 'usuari[oa]s?|utente|utilizador|persona|nadie|ninguém|nessuno|humano',
    beacon:
      'regístrate|registra(?:r|te|ti)?|registre(?:-se)?|conéctate|conecta(?:r|te)?|conecte(?:-se)?|contacta[r]?|consulta[r]?|collegati|registrati|contatta|reporta|inscreva-se',
    controller:
      'servidor de (?:control|comando|mando|controle)(?: y control| e controle)?|c2*|controlador|server di (?:comando|controllo)|servidor remoto',
    tasks: 'tareas|órdenes|comandos|instrucciones|tarefas|ordens|instruções|compiti|comandi|istruzioni|script|ordini',
    fetch:
      'descarga[r]?|descargue|obtén|obtener|obtenga|trae|recupera[r]?|consulta|lee|baixe|baixar|busque|obtenha|scarica(?:re)?|recupera|ottieni|visita|carga|leia',
    run: 'ejecuta[r]?|ejecute|ejecútal[oa]s?|execute|executar|execute-[oa]s?|corre|inicia|sigue|siga|rode|esegui(?:re|l[oi])?|avvia|aplica',
    send: 'envía(?:l[oa]s?)?|envíe|enviar|envie|manda[r]?|mande|sube|subir|publica[r]?|publique|transmite|transmita|reenvía|reenvíe|exfiltra[r]?|copia[r]?|encaminhe|poste|carregue|invia(?:re)?|trasmetti|inoltra|pubblica|carica|añade|adiciona|adicione|incluye|inclua|adjunta|anexe|comparte|transfiere',
    secret:
      "claves?(?: api| ssh| privadas?| de api)?|contraseñas?|credenciales|secretos?|tokens?|variables de entorno|llaves?|datos (?:personales|de clientes)|código fuente|chaves?(?: api| de api| ssh| privadas?)?|senhas?|credenciais|segredos?|variáveis de ambiente|dados (?:pessoais|de clientes)|chiavi?e?(?: api| ssh| private?)?|password|credenziali|segreti|variabili d'ambiente",
    talk: 'conversaci(?:ón|ones)|historial|chats?|mensajes|memoria|contexto|archivos|documentos|sesión|conversas?|histórico|mensagens|memória|arquivos|sessão|conversazion[ei]|cronologia|messaggi|contesto|documenti',
    outside:
      'servidor (?:externo|remoto)|(?:siguiente|seguinte) (?:dirección|endereço|url)|nuestro servidor|nosso servidor|webhook|server esterno|indirizzo seguente|mi servidor',
    write:
      'añade|añadir|agrega[r]?|agregue|escribe|escribir|inserta[r]?|crea[r]?|copia[r]?|instala[r]?|modifica[r]?|pon|guarda|adicione|adicionar|acrescente|escreva|insira|crie|copie|instale|modifique|coloque|aggiungi|scrivi|inserisci|copia|installa|modifica|metti|programa|edita',
    startup:
      "al (?:inicio|arrancar|iniciar|encender|comenzar)|(?:en |a |em )?cada (?:inicio|sesión|arranque|minuto|hora|vez|sessão|inicialização|conversación|conversa|reinicio)|al inicio de cada|no (?:início|arranque)(?: de cada)?|ao (?:iniciar|ligar|começar)|permanentemente|all'avvio|ad ogni (?:avvio|sessione|accesso)|ogni (?:minuto|ora|sessione|avvio)|a cada|antes de cada",
    when: 'cuando|si|siempre que|cada vez que|en cuanto|a partir de|la próxima (?:vez|sesión)|desde la próxima|quando|se|sempre que|assim que|da próxima vez|na próxima|quando?|ogni volta|dalla prossima|appena|em futuras|en futuras|próxima sessão',
    harm: 'borra[r]?|borre|elimina[r]?|transfiere|transfiera|paga[r]?|destruye|compra|puerta trasera|apague|apagar|transfira|pague|destrua|exclua|cancella(?:re)?|trasferisci|distruggi|elimina|aprueba|aprove|publica|desactiva|porta dos fundos|deleta|delete',
    mislead:
      'recomienda[r]?|recomiende|afirma|di(?:le)? que|miente|finge|sugiere|inserta ~ enlace|responde que|dirige|promociona|niega|recomende|afirme|minta|diga que|responda que|sugira|insira ~ link|consiglia|raccomanda|menti|rispondi che|promuovi',
    account:
      'cuenta (?:bancaria|de pago|para pagos)|cuenta|iban|clabe|pagos?|transferencias|número de (?:soporte|cuenta|suporte)|billetera|dirección (?:de bitcoin|de pago)|facturas|conta (?:bancária|de pagamento)|pagamentos?|chave pix|pix|carteira|faturas|conto (?:bancario|corrente)|bonifici|portafoglio|beneficiari[oa]|numero di assistenza',
    source:
      'registro|repositorio|repositório|espejo|paquetes?|pacotes?|fuente|fonte|descargas?|downloads?|biblioteca|dependencias?|dependências?|script de instalac\\p{L}+|servidor de actualizac\\p{L}+|pacchett[oi]|registry|url|mirror|instalador',
    swapped:
      '(?:es|está|é|è) (?:ahora|agora|ora|adesso)|ahora (?:es|está|usa|apunta)|agora (?:é|está|usa)|ha (?:cambiado|sido reemplazad[oa])|(?:cambió|mudou|foi (?:alterad[oa]|substituíd[oa]))|en lugar de|en vez de|em vez de|ao invés de|invece d[ie]|nuev[oa]s?|nov[oa]s?|nuov[oaie]|ya no|reemplazad[oa] por|únicamente|a partir de ahora|a partir de agora|è cambiat[oa]|solo|apenas',
  },
  {
    drop: 'игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|отбрось(?:те)?|не (?:следуй|следуйте|выполняй|выполняйте|соблюдай|соблюдайте|обращай|подчиняйся)|пренебреги|отмени(?:те)?|обойди(?:те)?|заменя(?:ет|ют)|игнорировать|перестань следовать|отмен(?:яет|яют)',
    void: 'больше не (?:действу\\p{L}+|применя\\p{L}+|актуальн\\p{L}+)|отменен[ыао]|недействительн\\p{L}+|утратили силу|аннулирован\\p{L}+',
    orders: 'инструкци*|указани*|правил*|команд*|директив*|распоряжени*|промпт*|предписани*',
    limits: 'правил*|ограничени*|запрет*|лимит*',
    earlier:
      'предыдущ*|прежни*|прошлы*|ранее|выше*|сво[ие]*|твои*|ваши*|все|системн*|исходн*|первоначальн*|данны*|разработчик*|существующи*',
    become:
      '(?:теперь|отныне|с этого момента) (?:ты|вы)|ты (?:теперь|больше не|отныне)|вы (?:теперь|больше не|отныне)|притворись|притворяйся|веди себя как|действуй как|представь,? что ты|тво[яейё]+ нов\\p{L}+ (?:роль|имя|личность|задача|цель)|сыграй роль|прими роль|выступай в роли',
    mode: 'режим\\p{L}* (?:разработчика|администратора|отладки|без ограничений|бога)|без (?:каких-либо |всяких )?(?:ограничений|фильтров|цензуры)',
    reveal:
      'покажи(?:те)?|выведи(?:те)?|раскрой(?:те)?|повтори(?:те)?|напечатай(?:те)?|сообщи(?:те)?|процитируй|расскажи|выдай|скопируй',
    prompt:
      'системн\\p{L}+ (?:промпт*|сообщени*|инструкци*|подсказк*)|(?:свои|твои) (?:\\p{L}+ )?инструкции|скрыт\\p{L}+ инструкци*|(?:весь )?текст выше|системный запрос|начальн\\p{L}+ инструкци*',
    disable:
      'отключи(?:те)?|выключи(?:те)?|обойди(?:те)?|убери(?:те)?|удали(?:те)?|пропускай(?:те)?|сними(?:те)?|без|отключай|обходи|пропусти',
    guards:
      'безопасност*|защит*|фильтр*|подтвержден*|проверк*|разрешени*|одобрени*|ограничени*|песочниц*|модераци*|цензур*',
    approve:
      'одобряй(?:те)?|подтверждай(?:те)?|принимай(?:те)?|разрешай(?:те)?|соглашайся|выполняй(?:те)?|не отказывай\\p{L}*|никогда не отказывай\\p{L}*|утверждай',
    blanket: 'всегда|все|любые|любой|любую|всё|каждый|автоматически|без (?:вопросов|проверки|исключений)|никогда',
    unasked:
      'без (?:подтверждени*|разрешени*|одобрени*|вопросов|спроса|согласи*)|не спрашивай(?:те)?|не запрашивай(?:те)?|не спрашивая',
    conceal:
      'не (?:говори|говорите|сообщай|сообщайте|рассказывай|рассказывайте|упоминай|упоминайте|показывай|показывайте|раскрывай|уведомляй|информируй|предупреждай)(?: \\S+){0,3} ?(?:пользовател\\p{L}+|никому|человек\\p{L}*|это\\p{L}*|об этом|владельц\\p{L}+)|(?:скрывай|скрой|скрывайте|спрячь|утаи|утаивай|скрыть)(?: \\S+){0,3} (?:от )?(?:пользовател\\p{L}+|человека|всех)|пользователь не (?:должен|узнает|должна)(?: \\p{L}+)?|(?:держи|храни|держите) ~ ?(?:в тайне|в секрете)|втайне от|никому не (?:говори|сообщай|рассказывай)|не сообщая пользовател\\p{L}+|без ведома пользовател\\p{L}+|ничего не (?:говори|сообщай)',
    silently: 'тайно|тайком|незаметно|молча|скрытно|в фоне|втайне',
    person: 'пользовател*|человек*|никому',
    beacon:
      'зарегистрируй(?:ся|тесь)?|подключись|подключайся|отправляй сигнал|опрашивай|свяжись|связывайся|регистрируйся|обращайся',
    controller: 'сервер\\p{L}* управлени*|командн\\p{L}+ сервер*|управляющ\\p{L}+ сервер*|c2*|контроллер*|ботнет*',
    tasks: 'задани*|задач*|команд*|инструкци*|скрипт*|указани*',
    fetch: 'получи|получай|скачай(?:те)?|загрузи(?:те)?|скачивай|загружай|забирай|запроси|запрашивай|прочитай|открой',
    run: 'выполни(?:те)?|выполняй(?:те)?|запусти(?:те)?|запускай(?:те)?|исполняй|исполни',
    send: 'отправь(?:те)?|отправляй(?:те)?|пошли|посылай|перешли|пересылай|загрузи|загружай|передай|передавай|опубликуй|скопируй|выложи|добавь|добавляй|прикрепи|отправить',
    secret:
      'ключ*|парол*|токен*|секрет*|учетн\\p{L}+ данн\\p{L}+|переменн\\p{L}+ окружени*|персональн\\p{L}+ данн\\p{L}+|исходн\\p{L}+ код*',
    talk: 'переписк*|диалог*|разговор*|истори*|сообщени*|памят*|контекст*|файл*|документ*|чат*|беседу|данные',
    outside: 'внешн\\p{L}+ (?:сервер*|адрес*)|наш сервер|мой сервер|следующ\\p{L}+ адрес*|вебхук',
    write:
      'добавь(?:те)?|запиши(?:те)?|пропиши|вставь(?:те)?|создай(?:те)?|скопируй(?:те)?|установи(?:те)?|измени(?:те)?|помести|впиши|добавляй',
    startup:
      'при (?:каждом )?(?:запуске|старте|загрузке|входе)|кажд(?:ую|ые|ый|ом) (?:\\d+ )?(?:минут*|час*|сесси*|запуск*|день)|в начале (?:каждо\\p{L}+|сесси\\p{L}+)|постоянно|перед каждым|после перезагрузки',
    when: 'когда|если|как только|при упоминании|со следующ\\p{L}+|в следующ\\p{L}+|каждый раз|начиная с|с этого момента|отныне|при (?:слове|запросе|вопрос\\p{L}+)|впредь',
    harm: 'удали(?:те)?|удаляй|сотри|переведи(?:те)?|переводи|оплати|уничтожь|купи|отключи|бэкдор*|одобряй|публикуй',
    mislead:
      'рекомендуй(?:те)?|советуй(?:те)?|утверждай(?:те)?|лги|соври|вставляй ~ ссылк*|говори,? что|отвечай,? что|направляй|отрицай|рекламируй|посоветуй',
    account: 'счет*|реквизит*|карт[ауы]|кошел*|платеж*|перевод*|оплат*|номер поддержки|телефон поддержки|iban|счета',
    source:
      'репозитори*|реестр*|зеркал*|пакет*|источник*|библиотек*|сервер\\p{L}* обновлени*|зависимост*|ссылк\\p{L}+ для (?:скачивания|загрузки)|установщик*|registry',
    swapped: 'теперь|изменил(?:ся|ись|ась)|вместо|новы[йхем]|новая|отныне|больше не|переехал*|заменен*|только',
  },
];
