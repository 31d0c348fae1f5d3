// The question that is shown, those before it, and what is under way for it. No browser is needed to try it.
import { api } from "../net/api";
import { ask, follow, type Question } from "../net/ask";
import type { Run } from "../types";
import { begin, opened, reduce, type Action, type RunState } from "./run";

/** A question of this conversation; without a name of its run where only its text is known. */
export interface Turn {
  id?: string;
  question: string;
  text: string;
}

/** What somebody asks, without the conversation that it is a part of. */
export type Asked = Omit<Question, "history">;

export interface ConversationNeeds {
  /** What is shown is no longer what it was. */
  changed: () => void;
  /** The run of the question that is shown has a name. */
  named: (state: RunState, turns: Turn[], run: string) => void;
  /** The question that is shown has its answer. */
  ended: (state: RunState) => void;
}

/** So many questions before one are sent with it. */
const REMEMBERED = 4;

/** The questions that a run followed, where it is opened by itself. */
const followed = (run: Run): Turn[] => (run.follows ?? []).map((question) => ({ question, text: "" }));

export class Conversation {
  state: RunState | undefined;
  turns: Turn[] = [];
  /** Which question is shown, counted: what belongs to one must not stay for the next. */
  number = 0;
  private stopping = new AbortController();

  constructor(private readonly needs: ConversationNeeds) {}

  /** Nothing is asked. */
  blank(): void {
    this.reset(undefined, []);
  }

  start(asked: Asked, turns: Turn[]): void {
    const first = (): RunState => begin(asked.dataset, asked.question);
    const mine = this.reset(first(), turns);
    const history = turns.slice(-REMEMBERED).map(({ id, question }) => (id ? { run: id } : { question }));
    const again = (): void => {
      this.state = first();
      this.needs.changed();
    };
    void ask({ ...asked, history }, mine, again, this.stopping.signal);
  }

  /** Shows a run that was kept, and follows it where it is under way. */
  load(run: Run, turns: Turn[], shared: boolean): void {
    const loaded = { ...opened(run), shared };
    const mine = this.reset(loaded, turns.length > 0 ? turns : followed(run));
    if (loaded.phase === "working") void follow(run.id, mine, this.stopping.signal);
  }

  /** Stops what is under way; true when something was. */
  stop(): boolean {
    if (this.state?.phase !== "working") return false;
    this.stopping.abort();
    this.dispatch({ type: "stopped" });
    return true;
  }

  /** Runs another query in the place of the answer's; throws what came of it. */
  async tryQuery(kind: NonNullable<RunState["other"]>["kind"], title: string, query: string, lang: string): Promise<void> {
    const from = this.state;
    if (!from) return;
    const run = await api.query(from.dataset, query, lang, from.id);
    if (this.state?.id === from.id) this.dispatch({ type: "other", other: { kind, title, run } });
  }

  /** The conversation with the question that is answered now. */
  after(): Turn[] {
    const { state, turns } = this;
    if (!state?.id || state.phase !== "done") return turns;
    return [...turns, { id: state.id, question: state.question, text: state.answer?.text ?? "" }];
  }

  dispatch(action: Action): void {
    if (!this.state) return;
    const before = this.state.phase;
    const state = reduce(this.state, action);
    this.state = state;
    if (action.type === "opened") this.needs.named(state, this.turns, action.id);
    if (before === "working" && state.phase === "done") this.needs.ended(state);
    this.needs.changed();
  }

  /** Another question is shown. Events of the one that is given up must not reach it. */
  private reset(state: RunState | undefined, turns: Turn[]): (action: Action) => void {
    this.stopping.abort();
    const stopping = new AbortController();
    this.stopping = stopping;
    [this.state, this.turns] = [state, turns];
    this.number += 1;
    this.needs.changed();
    return (action) => void (this.stopping === stopping && this.dispatch(action));
  }
}
