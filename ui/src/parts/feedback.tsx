// Was it right? Thumbs, and for a wrong answer what was misread, or a comment.
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../icons";
import type { Mine } from "../meanings";
import { api, failureOf } from "../net/api";
import type { Config, Failure, Run } from "../types";
import { Correct } from "./correct";
import { Failed } from "./failure";

const focus = (element: HTMLElement | null): void => element?.focus();

export interface FeedbackNeeds {
  run: Run;
  pages: Config["pages"];
  /** A query that was run in the place of the answer's, which may be the right one. */
  edited?: string | undefined;
  /** Asks again with a meaning. */
  again: (mine: Mine) => void;
}

function Comment({ send, hint }: { send: (comment: string) => void; hint: string | false }) {
  const onSubmit = (event: SubmitEvent & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    send(String(new FormData(event.currentTarget).get("comment")).trim());
  };
  return (
    <>
      {hint && <p class="soft note">{hint}</p>}
      <form class="comment" onSubmit={onSubmit}>
        <input ref={focus} name="comment" maxLength={1000} placeholder={t.comment} aria-label={t.comment} />
        <button class="plain">{t.send}</button>
      </form>
    </>
  );
}

/** Proposes an edited query for the question. */
function Proposed({ run: { id }, query }: { run: Run; query: string }) {
  const [now, set] = useState<"ask" | "thanks" | Failure>("ask");
  const propose = (): void => void api.feedback(id, false, "", query).then(() => set("thanks"), (error) => set(failureOf(error)));
  if (now === "thanks") return <span role="status" tabIndex={-1} ref={focus}>{t.proposed}</span>;
  if (now !== "ask") return <Failed error={now} retry={() => set("ask")} />;
  return <button class="plain" onClick={propose}>{t.right_query}</button>;
}

export function Feedback({ run, pages, edited, again }: FeedbackNeeds) {
  const [now, set] = useState<"thumbs" | "correct" | "comment" | "thanks" | Failure>("thumbs");
  const send = (good: boolean, comment: string): void =>
    void api.feedback(run.id, good, comment).then(() => set("thanks"), (error) => set(failureOf(error)));
  const bad = (): void => {
    // It counts at once; what was misread or a comment may follow.
    if (pages.feedback) void api.feedback(run.id, false, "").catch(() => undefined);
    set(pages.proposals ? "correct" : "comment");
  };
  if (edited !== undefined) return <div class="feedback">{pages.proposals && <Proposed run={run} query={edited} />}</div>;
  if (now === "thanks") return <div class="feedback"><span role="status" tabIndex={-1} ref={focus}>{t.thanks}</span></div>;
  if (now === "correct") return <div class="feedback"><Correct run={run} other={() => set("comment")} again={again} /></div>;
  if (now === "comment") {
    const hint = pages.queries && pages.proposals && t.edit_hint;
    return (
      <div class="feedback tall">
        {pages.feedback ? <Comment send={(comment) => send(false, comment)} hint={hint} />
          : <p class="soft note" role="status" tabIndex={-1} ref={focus}>{hint || t.no_comments}</p>}
      </div>
    );
  }
  if (now !== "thumbs") return <div class="feedback"><Failed error={now} retry={() => set("thumbs")} /></div>;
  return (
    <div class="feedback">
      {pages.feedback && <button class="plain square" aria-label={t.good} title={t.good} onClick={() => send(true, "")}><Icon name="up" /></button>}
      <button class="plain square" aria-label={t.bad} title={t.bad} onClick={bad}><Icon name="down" /></button>
    </div>
  );
}
