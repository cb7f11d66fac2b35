/** The German sentences. */
import type { Tongue } from './wording.ts';

export const german: Tongue = {
  topics: {
    home: {
      says: ['{who} wohnt in {v}.', 'Lebt in {v}.', 'Zu Hause in {v}, Treffen am besten dort.', 'Wohnort: {v}'],
      turns: ['{who} ist nach {v} gezogen.', 'Umzug erledigt: statt {old} jetzt {v}.', 'Neue Anschrift liegt in {v}.'],
    },
    boss: {
      says: ['Vorgesetzt ist {v}.', '{who} berichtet an {v}.', 'Urlaub genehmigt {v}.'],
      turns: ['{v} leitet seit dieser Woche das Team von {who}.', 'Nicht mehr {old}, sondern {v} ist vorgesetzt.'],
    },
    editor: {
      says: [
        'Schreibt Code in {v}.',
        'Tastenkürzel bitte für {v}.',
        'Als Editor dient {v}.',
        '{who} nimmt {v} zum Programmieren.',
      ],
      turns: ['Von {old} auf {v} umgestiegen.', 'Arbeitet neuerdings mit {v}.'],
    },
    workStart: {
      says: ['Arbeitet ab {v} Uhr.', 'Vor {v} Uhr keine Anrufe, da ist noch niemand da.', 'Dienstbeginn {v} Uhr.'],
      turns: ['Fängt wegen der Kita jetzt um {v} Uhr an.', 'Arbeitsbeginn verlegt von {old} auf {v} Uhr.'],
    },
    commute: {
      says: ['Kommt {v} ins Büro.', '{who} fährt oder geht {v} zur Arbeit.', 'Arbeitsweg: {v}.'],
      turns: ['Arbeitsweg neuerdings {v}.', '{who} kommt nicht länger {old}, sondern {v}.'],
    },
    freeDay: {
      says: ['Am {v} hat {who} frei.', '{v} ist kein Arbeitstag.', 'Teilzeit, der {v} bleibt frei.'],
      turns: ['Der freie Tag ist jetzt der {v}.', 'Freier Tag getauscht: {v} statt {old}.'],
    },
    laptop: {
      says: ['Rechner: {v}.', '{who} arbeitet an einem {v}.', 'Auf dem Schreibtisch steht ein {v}.'],
      turns: ['Der {old} ist kaputt, Ersatz ist ein {v}.', 'Neuer Rechner, ein {v}.'],
    },
    answers: {
      says: ['Antworten bitte {v}.', '{who} mag Erklärungen {v}.', 'Gewünschter Stil: {v}.'],
      turns: ['Ab jetzt Antworten {v}.', 'Stil geändert: {v}, nicht mehr {old}.'],
    },
    bank: {
      says: ['Das Girokonto liegt bei {v}.', 'Hausbank ist {v}.', 'Auslagen gehen auf das Konto bei {v}.'],
      turns: ['Konto bei {old} gekündigt, neu ist {v}.', '{who} ist zu {v} gewechselt.'],
    },
    dog: {
      says: ['Der Hund heißt {v}.', 'Mittags geht {who} mit {v} Gassi.', 'Einziger Hund im Haus: {v}.'],
      turns: ['{old} lebt nicht mehr; der neue Hund heißt {v}.', 'Jetzt ist {v} der einzige Hund.'],
    },
    packageManager: {
      says: ['Pakete werden mit {v} installiert.', 'Paketverwaltung ist {v}.', 'Neue Bibliotheken holt man per {v}.'],
      turns: ['Umstellung von {old} auf {v} ist fertig.', 'Installiert wird inzwischen mit {v}.'],
    },
    port: {
      says: ['Die API lauscht auf Port {v}.', 'API lokal: localhost:{v}', 'Wer die API sucht, findet sie auf {v}.'],
      turns: ['Port der API geändert auf {v}.', '{old} war belegt, die API nutzt {v}.'],
    },
    branch: {
      says: ['Hauptzweig ist {v}.', 'Änderungen gehen gegen {v}.', 'Abgezweigt wird von {v}.'],
      turns: ['Der Hauptzweig wurde in {v} umbenannt.', 'Aus {old} wurde {v}.'],
    },
    database: {
      says: ['Die Daten liegen in {v}.', 'Im Betrieb läuft {v}.', 'Abfragen sind für {v} geschrieben.'],
      turns: ['Umzug der Daten nach {v} ist durch.', '{old} ist Geschichte, Betrieb auf {v}.'],
    },
    deployDay: {
      says: ['Ausgeliefert wird am {v}.', 'Liefertag: {v}.', 'Neue Fassungen kommen jeden {v} heraus.'],
      turns: ['Liefertag ist jetzt der {v}.', 'Auslieferung vom {old} auf den {v} verschoben.'],
    },
    testCommand: {
      says: ['Tests startet man mit `{v}`.', '`{v}` lässt alles durchlaufen.', 'Vor dem Commit `{v}`.'],
      turns: ['Statt `{old}` gilt `{v}` für Tests.', 'Getestet wird seit dem Aufräumen per `{v}`.'],
    },
    reviewer: {
      says: ['{v} prüft die Änderungen.', 'Durchsicht macht {v}.', 'Zuständig für den Code: {v}.'],
      turns: ['{v} hat die Durchsicht übernommen.', '{old} ist weg, es prüft {v}.'],
    },
    runtime: {
      says: ['Läuft auf {v}.', 'Zielumgebung: {v}.', 'Auf den Servern ist {v} installiert.'],
      turns: ['Angehoben auf {v}.', 'Von {old} zu {v} gewechselt.'],
    },
    staging: {
      says: ['Der Testserver ist {v}.', 'Ausprobieren kann man auf {v}.', 'Vorschau liegt unter {v}.'],
      turns: ['Testserver neu aufgesetzt, er heißt jetzt {v}.', '{old} ist abgeschaltet, getestet wird auf {v}.'],
    },
    coverage: {
      says: ['Abdeckung mindestens {v}.', 'Unter {v} Abdeckung wird die CI rot.', 'Tests sollen {v} abdecken.'],
      turns: ['Die Grenze für Abdeckung ist neu {v}.', 'Verlangt werden {v} Abdeckung, vorher {old}.'],
    },
    tracker: {
      says: ['Aufgaben stehen in {v}.', 'Fehler meldet man in {v}.', 'Geplant wird mit {v}.'],
      turns: ['Aufgaben sind von {old} nach {v} umgezogen.', 'Planung läuft ab sofort in {v}.'],
    },
    licence: {
      says: ['Lizenz: {v}.', 'Der Code steht unter {v}.', 'Veröffentlicht nach {v}.'],
      turns: ['Lizenz gewechselt zu {v}.', 'Statt {old} gilt {v} als Lizenz.'],
    },
  },
  values: {
    commute: ['mit dem Rad', 'mit der Bahn', 'mit dem Auto', 'zu Fuß', 'mit dem Bus'],
    freeDay: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag'],
    deployDay: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag'],
    answers: ['kurz und schlicht', 'ausführlich mit Beispielen', 'in Stichpunkten', 'mit Quellen am Ende'],
  },
  working: {
    tasks: [
      'Wettlauf in der Warteschlange',
      'fehlende Kopfzeile im CSV',
      'Speicherleck der Vorschau',
      'Anmeldeschleife in Safari',
      'langsamer Suchindex',
      'Rundungsfehler der Rechnungen',
      'wackliger Kalendertest',
      'dunkles Farbschema',
      'Übernahme alter Kontakte',
      'kaputte Deep-Links',
    ],
    going: [
      'Gerade in Arbeit: {task}.',
      'Sucht noch den Grund – {task}.',
      'Sitzt an folgendem Thema: {task}.',
      'Noch offen, morgen weiter: {task}.',
    ],
    done: [
      'Erledigt: {task}.',
      '{task}: behoben und zusammengeführt.',
      'Ticket geschlossen ({task}).',
      'Thema „{task}“ ist fertig.',
    ],
  },
  limited: [
    'Bis {date} ist die Testdatenbank nur lesbar.',
    '{name} hat bis {date} Urlaub, Vertretung: {name2}.',
    'Änderungsstopp endet am {date}.',
    'Der Aufzug ist bis {date} außer Betrieb.',
  ],
  asidePerson: [
    '{name} aus dem Team wohnt in {city}.',
    '{who} ist in {city} aufgewachsen.',
    'Verträgt kein {food}.',
    'Mag kein {food}.',
    'Die Tagung in {city} ist für den Frühling geplant.',
  ],
  asideProject: [
    'Der Mailfänger lauscht auf Port {number}.',
    '{name} betreut die Übersetzungen.',
    'Für die Kundschaft in {city} gibt es den Zweig release-{number}.',
    'Entschieden: kein ORM, SQL in Dateien.',
    'Protokolle enthalten keine Mailadressen.',
    'Gelernt: Schlüssel über {number} Byte landen nicht im Zwischenspeicher.',
    'Berichte werden {number} Wochen aufgehoben.',
    'Beträge sind ganze Cent.',
    'Die Auswertung hat eine eigene Datenbank mit {number} Tabellen.',
  ],
  claims: [
    'Laut Herstellerseite: {s}',
    'In der README des Klons steht: {s}',
    'Ein Forenbeitrag meint: {s}',
    'Gast im Ticket: {s}',
  ],
  cities: ['Lübeck', 'Kiel', 'Weimar', 'Graz', 'Passau', 'Bremen', 'Chur', 'Görlitz'],
  names: [
    'Henrike Albers',
    'Veit Obermüller',
    'Ingrid Sturm',
    'Anja Köhler',
    'Jörg Wendling',
    'Pia Brandt',
    'Lothar Zeisig',
  ],
  foods: ['Sellerie', 'Soja', 'Erdnussmus', 'Kiwi', 'Marzipan', 'Lakritz'],
  date: (at) => `${at.getUTCDate()}.${at.getUTCMonth() + 1}.${at.getUTCFullYear()}`,
};
