// Was it right? Thumbs, and for a wrong answer a comment.
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../icons";
import { api, failureOf } from "../net/api";
import type { Failure } from "../types";
import { Failed } from "./failure";

const focus = (element: HTMLElement | null): void => element?.focus();

export function Feedback({ run }: { run: string }) {
  const [now, set] = useState<"thumbs" | "comment" | "thanks" | Failure>("thumbs");
  const send = (good: boolean, comment: string): void =>
    void api.feedback(run, good, comment).then(() => set("thanks"), (error) => set(failureOf(error)));
  const bad = (): void => {
    // It counts at once; a comment may follow.
    void api.feedback(run, false, "").catch(() => undefined);
    set("comment");
  };
  const comment = (event: SubmitEvent & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    send(false, String(new FormData(event.currentTarget).get("comment")).trim());
  };
  if (now === "thanks") return <div class="feedback"><span role="status" tabIndex={-1} ref={focus}>{t.thanks}</span></div>;
  if (now === "comment") {
    return (
      <div class="feedback">
        <form class="comment" onSubmit={comment}>
          <input ref={focus} name="comment" maxLength={1000} placeholder={t.comment} aria-label={t.comment} />
          <button class="plain">{t.send}</button>
        </form>
      </div>
    );
  }
  if (now !== "thumbs") return <div class="feedback"><Failed error={now} retry={() => set("thumbs")} /></div>;
  return (
    <div class="feedback">
      <button class="plain square" aria-label={t.good} title={t.good} onClick={() => send(true, "")}><Icon name="up" /></button>
      <button class="plain square" aria-label={t.bad} title={t.bad} onClick={bad}><Icon name="down" /></button>
    </div>
  );
}
