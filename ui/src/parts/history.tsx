// The panel of the questions of this browser: searched, opened, forgotten.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { lang, t } from "../i18n";
import { Icon } from "../icons";
import { found, keep, pasts, type Past } from "../store/pasts";

export function History({ open }: { open: (past: Past) => void }) {
  const search = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [all, setAll] = useState(pasts);
  const wanted = found(all, text);
  // An open panel; one that opens with it takes `autofocus`.
  useLayoutEffect(() => search.current?.focus(), []);
  const forget = (rest: Past[]): void => {
    keep(rest);
    setAll(rest);
    search.current?.focus();
  };
  return (
    <>
      <div class="row tools">
        <input ref={search} type="search" autofocus placeholder={t.history_search} aria-label={t.history_search}
          onInput={(event) => setText(event.currentTarget.value)} />
        {all.length > 0 && <button class="link" onClick={() => forget([])}>{t.history_clear}</button>}
      </div>
      <ul class="pasts">
        {wanted.map((past) => (
          <li key={past.id}>
            <button class="open" onClick={() => open(past)}>
              <span class="past"><bdi>{past.question}</bdi></span>
              <span class="soft small"><bdi>{past.text || past.dataset}</bdi> · {new Date(past.at).toLocaleDateString(lang)}</span>
            </button>
            <button class="plain square" aria-label={t.forget(past.question)} onClick={() => forget(all.filter(({ id }) => id !== past.id))}>
              <Icon name="close" />
            </button>
          </li>
        ))}
        {wanted.length === 0 && <li class="soft padded">{all.length > 0 ? t.history_no_match : t.history_none}</li>}
      </ul>
    </>
  );
}
