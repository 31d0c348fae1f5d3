import type { BoardWords } from ".";

export const words: BoardWords = {
  boards: "Bacheche",
  made_at: (when) => `aggiornato al ${when}`,
  refreshing: "La domanda viene rifatta; questo è il risultato precedente.",
  old: "Non è stato possibile rifare la domanda; questo è l’ultimo risultato.",
  missing: (names) => `Qui nessuna domanda si chiama ${names}.`,
  sheet: "Link per fogli di calcolo",
  sheet_copied: "L’indirizzo di queste righe in CSV è stato copiato",
  sheet_key: "Copiato. Aggiungete «&key=» e una chiave per bacheche: mai un’altra.",
  as_question: "Apri come domanda",
  choices: (n) => (n === 0 ? "niente si chiama così" : `${n} tra cui scegliere; frecce e Invio`),
  choose: "Scegliete",
  errors: {
    unknown_board: ["Questa pagina qui non esiste.", "Forse ha cambiato nome: chiedete a chi vi ha dato il link."],
    several_datasets: ["Più grafi hanno una pagina con questo nome.", "Sceglietene uno."],
    unknown_value: ["Qui niente si chiama così.", "Scegliete uno di questi o scrivete sopra un altro nome."],
    ambiguous_value: ["Più cose si chiamano così.", "Scegliete quella che intendete."],
    unknown_parameter: ["Questa pagina non ha questa scelta.", "Toglietela dall’indirizzo."],
    too_many_questions: ["Sono troppe domande per una pagina.", "Toglietene qualcuna."],
    key_in_address: ["Questa chiave non deve stare in un indirizzo.", "Toglietela e usate una chiave per bacheche."],
    query_timeout: ["La query ha impiegato troppo tempo.", "Riprovate più tardi."],
    endpoint_busy: ["L’endpoint di questo grafo è occupato.", "Riprovate più tardi."],
  },
};
