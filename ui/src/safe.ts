// What every element of the page goes through, whichever part made it: addresses are checked, and nothing is read as HTML.
import { options } from "preact";

const ADDRESSES = ["href", "src"];

/** The address if it leads to a page of the web or of this service; nothing for any other (javascript:, data:, ...). */
export function safeAddress(address: unknown): string | undefined {
  if (typeof address !== "string" || !address) return undefined;
  if (address.startsWith("#") || (address.startsWith("/") && !address.startsWith("//"))) return address;
  try {
    const { protocol } = new URL(address);
    return protocol === "http:" || protocol === "https:" ? address : undefined;
  } catch {
    return undefined;
  }
}

const before = options.vnode;
options.vnode = (vnode) => {
  if (typeof vnode.type === "string") {
    const props = vnode.props as Record<string, unknown>;
    delete props["dangerouslySetInnerHTML"];
    for (const name of ADDRESSES) if (name in props) props[name] = safeAddress(props[name]);
  }
  before?.(vnode);
};
