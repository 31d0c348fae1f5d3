// Tabs over a panel, by the usual keys: arrows, Home, End.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export interface TabsNeeds<T extends string> {
  name: string;
  all: { id: T; title: string }[];
  chosen: T;
  choose: (id: T) => void;
  tools: ComponentChildren;
  /** What the panel shows. */
  children: ComponentChildren;
}

const STEPS: Record<string, (at: number) => number> = {
  ArrowRight: (at) => at + 1, ArrowLeft: (at) => at - 1, Home: () => 0, End: () => -1,
};

export function Tabs<T extends string>({ name, all, chosen, choose, tools, children }: TabsNeeds<T>) {
  const group = useId();
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const next = step(all.findIndex(({ id }) => id === chosen)) % all.length;
    const mark = [...event.currentTarget.children].at(next) as HTMLElement | undefined;
    mark?.click();
    mark?.focus();
  };
  return (
    <>
      <div class="tabs">
        <div role="tablist" class="tablist" aria-label={name} onKeyDown={onKeyDown}>
          {all.map(({ id, title }) => (
            <button key={id} role="tab" id={`${group}-${id}`} aria-controls={group} data-id={id} aria-selected={id === chosen}
              tabIndex={id === chosen ? 0 : -1} onClick={() => choose(id)}>{title}</button>
          ))}
        </div>
        <span class="grow" /><div class="tools">{tools}</div>
      </div>
      <div id={group} role="tabpanel" aria-labelledby={`${group}-${chosen}`}>{children}</div>
    </>
  );
}
