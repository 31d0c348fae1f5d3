import type { BoardWords } from ".";

export const words: BoardWords = {
  boards: "Borden",
  made_at: (when) => `stand van ${when}`,
  refreshing: "Het wordt opnieuw gevraagd; dit is het resultaat daarvoor.",
  old: "Het kon niet opnieuw worden gevraagd; dit is het laatste resultaat.",
  missing: (names) => `Hier heet geen vraag ${names}.`,
  sheet: "Link voor spreadsheets",
  sheet_copied: "Het adres van deze rijen als CSV is gekopieerd",
  sheet_key: "Gekopieerd. Voeg ‘&key=’ en een sleutel voor borden toe: nooit een andere.",
  as_question: "Als vraag openen",
  choices: (n) => (n === 0 ? "niets heet zo" : `${n} om uit te kiezen; pijltoetsen en Enter`),
  choose: "Kies",
  errors: {
    unknown_board: ["Deze pagina bestaat hier niet.", "Misschien heet ze nu anders: vraag het aan wie u de link gaf."],
    several_datasets: ["Meerdere grafen hebben een pagina met deze naam.", "Kies er een."],
    unknown_value: ["Niets heet hier zo.", "Kies een van deze, of schrijf hierboven een andere naam."],
    ambiguous_value: ["Meerdere heten zo.", "Kies wat bedoeld is."],
    unknown_parameter: ["Deze pagina heeft die keuze niet.", "Laat haar weg uit het adres."],
    too_many_questions: ["Dit zijn te veel vragen voor één pagina.", "Laat er enkele weg."],
    key_in_address: ["Deze sleutel mag niet in een adres staan.", "Haal hem weg en gebruik een sleutel voor borden."],
    query_timeout: ["De query duurde te lang.", "Probeer het later opnieuw."],
    endpoint_busy: ["Het endpoint van deze graaf is bezet.", "Probeer het later opnieuw."],
  },
};
