import type { BoardWords } from ".";

export const words: BoardWords = {
  boards: "Painéis",
  made_at: (when) => `situação em ${when}`,
  refreshing: "A pergunta está a ser refeita; este é o resultado anterior.",
  old: "Não foi possível perguntar de novo; este é o último resultado.",
  missing: (names) => `Nenhuma pergunta se chama aqui ${names}.`,
  sheet: "Ligação para folhas de cálculo",
  sheet_copied: "O endereço destas linhas em CSV foi copiado",
  sheet_key: "Copiado. Acrescente “&key=” e uma chave para painéis: nunca outra.",
  as_question: "Abrir como pergunta",
  choices: (n) => (n === 0 ? "nada se chama assim" : `${n} para escolher; setas e Enter`),
  choose: "Escolha",
  errors: {
    unknown_board: ["Esta página não existe aqui.", "Talvez tenha mudado de nome: pergunte a quem lhe deu a ligação."],
    several_datasets: ["Vários grafos têm uma página com este nome.", "Escolha um."],
    unknown_value: ["Nada se chama assim aqui.", "Escolha um destes ou escreva outro nome acima."],
    ambiguous_value: ["Vários chamam-se assim.", "Escolha o que se pretende."],
    unknown_parameter: ["Esta página não tem essa escolha.", "Retire-a do endereço."],
    too_many_questions: ["São demasiadas perguntas para uma página.", "Retire algumas."],
    key_in_address: ["Esta chave não deve estar num endereço.", "Retire-a e use uma chave para painéis."],
    query_timeout: ["A consulta demorou demasiado.", "Tente mais tarde."],
    endpoint_busy: ["O ponto de acesso deste grafo está ocupado.", "Tente mais tarde."],
  },
};
