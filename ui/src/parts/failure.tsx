// Every failure in words: what happened and what to do. What the service itself says stands below, small.
import { t } from "../i18n";
import { Icon } from "../icons";
import type { Failure } from "../types";

export function Failed({ error, retry, words }: { error: Failure; retry?: () => void; words?: [string, string] }) {
  const [what, todo] = words ?? t.errors[error.code] ?? t.errors["other"] ?? ["", ""];
  return (
    <div class="failure" role="alert">
      <Icon name="warn" />
      <div>
        <p class="what">{what}</p>
        <p>{todo}</p>
        {error.detail && <p class="soft detail"><bdi>{error.detail}</bdi></p>}
        {retry && <button class="main" onClick={retry}>{t.retry}</button>}
      </div>
    </div>
  );
}
