import type { BoardWords } from ".";

export const words: BoardWords = {
  boards: "Tableaux",
  made_at: (when) => `état au ${when}`,
  refreshing: "La question est reposée ; voici le résultat d’avant.",
  old: "La question n’a pas pu être reposée ; voici le dernier résultat.",
  missing: (names) => `Aucune question ne s’appelle ${names} ici.`,
  sheet: "Lien pour tableurs",
  sheet_copied: "L’adresse de ces lignes en CSV a été copiée",
  sheet_key: "Copié. Ajoutez « &key= » et une clé pour tableaux : jamais une autre.",
  as_question: "Ouvrir comme question",
  choices: (n) => (n === 0 ? "rien ne s’appelle ainsi" : `${n} au choix ; flèches et Entrée`),
  choose: "Choisissez",
  errors: {
    unknown_board: ["Cette page n’existe pas ici.", "Son nom a peut-être changé : demandez à qui vous a donné le lien."],
    several_datasets: ["Plusieurs graphes ont une page de ce nom.", "Choisissez-en un."],
    unknown_value: ["Rien ne s’appelle ainsi ici.", "Choisissez parmi ceux-ci, ou écrivez un autre nom ci-dessus."],
    ambiguous_value: ["Plusieurs s’appellent ainsi.", "Choisissez ce qui est voulu."],
    unknown_parameter: ["Cette page n’a pas ce choix.", "Retirez-le de l’adresse."],
    too_many_questions: ["C’est trop de questions pour une page.", "Retirez-en."],
    key_in_address: ["Cette clé ne doit pas figurer dans une adresse.", "Retirez-la et utilisez une clé pour tableaux."],
    query_timeout: ["La requête a pris trop de temps.", "Réessayez plus tard."],
    endpoint_busy: ["Le point d’accès de ce graphe est occupé.", "Réessayez plus tard."],
  },
};
