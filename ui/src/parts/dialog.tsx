// A panel over the page: closed by Escape, by its button, or by a click beside it; the focus goes back to where it was.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../icons";

export interface DialogNeeds {
  title: string;
  kind?: string;
  closed: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, kind = "side", closed, children }: DialogNeeds) {
  const box = useRef<HTMLDialogElement>(null);
  const close = (): void => box.current?.close();
  useLayoutEffect(() => {
    const [dialog, before] = [box.current, document.activeElement];
    dialog?.showModal();
    return () => {
      // What is behind an open dialog cannot have the focus.
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={box} class={kind} aria-label={title} onClose={closed} onClick={(event) => event.target === box.current && close()}>
      <div class="dialoghead">
        <h2>{title}</h2><span class="grow" />
        <button class="plain square" aria-label={t.close} onClick={close}><Icon name="close" /></button>
      </div>
      <div class="dialogbody">{children}</div>
    </dialog>
  );
}
