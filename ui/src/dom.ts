// Elements as functions. The only place where attributes are set: addresses are checked here, once, for all of the page,
// and nothing is ever read as HTML.

export type Child = Node | string | number | null | undefined | false | Child[];
type Listener = (event: never) => void;
export type Props = Record<string, string | number | boolean | null | undefined | Listener | Record<string, string>>;

const ADDRESSES = new Set(["href", "src"]);

/** The address if it leads to a page of the web or of this service; nothing for any other (javascript:, data:, ...). */
export function safeAddress(address: string | undefined | null): string | undefined {
  if (!address) return undefined;
  if (address.startsWith("#") || (address.startsWith("/") && !address.startsWith("//"))) return address;
  try {
    const { protocol } = new URL(address);
    return protocol === "http:" || protocol === "https:" ? address : undefined;
  } catch {
    return undefined;
  }
}

function set(element: Element, name: string, value: Props[string]): void {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") {
    element.addEventListener(name.slice(2), value as unknown as EventListener);
  } else if (typeof value === "object") {
    const { style } = element as HTMLElement;
    for (const [property, text] of Object.entries(value)) style.setProperty(property, text);
  } else if (ADDRESSES.has(name)) {
    const address = safeAddress(String(value));
    if (address !== undefined) element.setAttribute(name, address);
  } else {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child instanceof Node) element.append(child);
    else if (child !== null && child !== undefined && child !== false) element.append(String(child));
  }
}

/** An element of HTML. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, props: Props | null = null, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) set(element, name, value);
  append(element, children);
  return element;
}

/** An element of SVG. */
export function svg(tag: string, props: Props | null = null, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props ?? {})) set(element, name, value);
  append(element, children);
  return element;
}

/** Puts these in the place of what an element holds. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** A button with a text. */
export function button(text: Child, onclick: (event: MouseEvent) => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", onclick, ...props }, text);
}

/** Text of the graph or of a person, isolated from the direction of what is around it. */
export function bdi(text: string, props: Props | null = null): HTMLElement {
  return h("bdi", props, text);
}
