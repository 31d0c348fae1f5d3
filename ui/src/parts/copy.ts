// Copying and saving, with a word of what came of it.
import { t } from "../i18n";

/** Puts an element at the end of the page, outside of what is drawn. */
function element<K extends "div" | "textarea">(tag: K, kind: string, [name, value]: [string, string]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = kind;
  made.setAttribute(name, value);
  return document.body.appendChild(made);
}

let notice: HTMLElement | undefined;

/** Says something for a moment, also to screen readers. */
export function say(text: string): void {
  notice ??= element("div", "notice", ["role", "status"]);
  notice.textContent = text;
  notice.classList.remove("shown");
  // Reading a measure begins the fading anew.
  void notice.offsetWidth;
  notice.classList.add("shown");
}

async function write(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Pages without TLS have no clipboard of the new kind.
  const box = element("textarea", "unseen", ["aria-hidden", "true"]);
  box.value = text;
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  if (!done) throw new Error("not copied");
}

export async function copy(text: string, done: string): Promise<void> {
  try {
    await write(text);
    say(done);
  } catch {
    say(t.not_copied);
  }
}

/** Saves bytes under a name. */
export function save(blob: Blob, name: string): void {
  const link = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(blob) });
  link.click();
  URL.revokeObjectURL(link.href);
}
