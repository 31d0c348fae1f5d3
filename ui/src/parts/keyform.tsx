// The form for the key of the service.
import { t } from "../i18n";
import { key } from "../keep";

export function KeyForm({ done }: { done: () => void }) {
  const onSubmit = (event: SubmitEvent & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    key.set(String(new FormData(event.currentTarget).get("key")).trim());
    done();
  };
  return (
    <form class="keyform" onSubmit={onSubmit}>
      <p>{t.key_text}</p>
      <div class="row">
        <input type="password" name="key" autocomplete="off" aria-label={t.key} required />
        <button class="main">{t.key_go}</button>
      </div>
    </form>
  );
}
