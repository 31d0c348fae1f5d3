import type { BoardWords } from ".";

export const words: BoardWords = {
  boards: "Tableros",
  made_at: (when) => `a fecha de ${when}`,
  refreshing: "Se está preguntando de nuevo; este es el resultado anterior.",
  old: "No se pudo preguntar de nuevo; este es el último resultado.",
  missing: (names) => `Ninguna pregunta se llama aquí ${names}.`,
  sheet: "Enlace para hojas de cálculo",
  sheet_copied: "Se copió la dirección de estas filas en CSV",
  sheet_key: "Copiado. Añada «&key=» y una clave para tableros: nunca otra.",
  as_question: "Abrir como pregunta",
  choices: (n) => (n === 0 ? "nada se llama así" : `${n} para elegir; flechas e Intro`),
  choose: "Elija",
  errors: {
    unknown_board: ["Esta página no existe aquí.", "Quizá cambió de nombre: pregunte a quien le dio el enlace."],
    several_datasets: ["Varios grafos tienen una página con este nombre.", "Elija uno."],
    unknown_value: ["Nada se llama así aquí.", "Elija uno de estos o escriba otro nombre arriba."],
    ambiguous_value: ["Varios se llaman así.", "Elija a cuál se refiere."],
    unknown_parameter: ["Esta página no tiene esa opción.", "Quítela de la dirección."],
    too_many_questions: ["Son demasiadas preguntas para una página.", "Quite algunas."],
    key_in_address: ["Esta clave no debe estar en una dirección.", "Quítela y use una clave para tableros."],
    query_timeout: ["La consulta tardó demasiado.", "Inténtelo más tarde."],
    endpoint_busy: ["El punto de acceso de este grafo está ocupado.", "Inténtelo más tarde."],
  },
};
