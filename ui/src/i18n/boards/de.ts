import type { BoardWords } from ".";

export const words: BoardWords = {
  boards: "Tafeln",
  made_at: (when) => `Stand: ${when}`,
  refreshing: "Es wird gerade neu gefragt; dies ist das Ergebnis davor.",
  old: "Es konnte nicht neu gefragt werden; dies ist das letzte Ergebnis.",
  missing: (names) => `Keine Frage heißt hier ${names}.`,
  sheet: "Link für Tabellenprogramme",
  sheet_copied: "Die Adresse dieser Zeilen als CSV wurde kopiert",
  sheet_key: "Kopiert. Hängen Sie „&key=“ und einen Schlüssel für Tafeln an: niemals einen anderen.",
  as_question: "Als Frage öffnen",
  choices: (n) => (n === 0 ? "nichts heißt so" : `${n} zur Auswahl; Pfeiltasten und Eingabetaste`),
  choose: "Wählen Sie",
  errors: {
    unknown_board: ["Diese Seite gibt es hier nicht.", "Vielleicht heißt sie jetzt anders: Fragen Sie, von wem der Link ist."],
    several_datasets: ["Mehrere Graphen haben eine Seite dieses Namens.", "Wählen Sie einen."],
    unknown_value: ["Nichts heißt hier so.", "Wählen Sie etwas davon, oder schreiben Sie oben einen anderen Namen."],
    ambiguous_value: ["Mehrere heißen so.", "Wählen Sie, was gemeint ist."],
    unknown_parameter: ["Diese Auswahl hat die Seite nicht.", "Lassen Sie sie aus der Adresse weg."],
    too_many_questions: ["Das sind zu viele Fragen für eine Seite.", "Lassen Sie einige weg."],
    key_in_address: ["Dieser Schlüssel darf nicht in einer Adresse stehen.", "Nehmen Sie ihn heraus und benutzen Sie einen für Tafeln."],
    query_timeout: ["Die Abfrage hat zu lange gedauert.", "Versuchen Sie es später wieder."],
    endpoint_busy: ["Der Endpunkt dieses Graphen ist ausgelastet.", "Versuchen Sie es später wieder."],
  },
};
