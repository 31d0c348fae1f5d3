// English words for what is one step away from an answer: they come with `lazy/more.tsx` and not with the page. The files of other
// languages hold them beside their other words.
import { counted } from "./counted";
import { en } from "./en";

const many = counted("en");

export const later = {
  meant_name: (name: string) => `Did you mean “${name}”?`,
  which_meant: "Which is meant?",
  you_chose: (name: string) => `You have chosen “${name}”.`,
  choose_other: "Choose another",
  misread: "Which word was misread?",
  something_else: "Something else",
  meant_by: (words: string) => `What is meant by “${words}”?`,
  meant_hint: "A name of this graph",
  meant_what: "Type a kind, a property, a thing or a value of this graph.",
  value_of: (property: string) => `value of ${property}`,
  no_such_name: "The graph has no such name.",
  propose: "Propose this",
  proposed: "Thank you. The owner of the graph will look at it.",
  ask_with: "Ask again with this meaning",
  keep_mine: "Always mean this, in this browser",
  edit_hint: "You can edit the query above, run it, and propose it for the question.",
  no_comments: "Comments are switched off here.",
  right_query: "Propose this query for the question",
  for_all: "Propose this for everyone",
  proposed_for_all: "You have proposed it for everyone.",

  learn_intro: "What readers and models propose. Nothing changes until you accept it.",
  learn_none: "There is nothing to decide.",
  learn_word: (words: string, name: string) => `“${words}” means ${name}`,
  learn_question: (question: string) => `Verified question: ${question}`,
  learn_prefer: (name: string) => `Of competing properties, ${name} is meant`,
  learn_note: (name: string) => `Note on ${name}`,
  learn_entry: "The entry, as it will be written",
  learn_try: "What would change?",
  learn_changes: (n: number, of: number) => `${n.toLocaleString("en")} of ${many(of, "answer changes", "answers change")}.`,
  learn_left: (n: number) => `There was no time for ${many(n, "question", "questions")}.`,
  learn_before: "Before",
  learn_after: "After",
  learn_verified: { broken: "breaks a verified question", mended: "mends a verified question", other: "a verified question" } as Record<string, string>,
  learn_accepted: (file: string) => `Accepted, and written into ${file}.`,
  learn_rejected: "Rejected. It will not be proposed again.",
  accept: "Accept",
  accept_anyway: "Accept nevertheless",
  reject: "Reject",
};

Object.assign(en, later);

export { en };
