// Files of the page that are loaded when they are first needed: the map, the editor, the words of a language.
import type { Strings } from "../i18n/en";
import type { drawMap } from "../lazy/map";
import type { openEditor } from "../lazy/editor";

const once = new Map<string, Promise<unknown>>();

/** A file of the page, once. */
export function load<T>(file: string): Promise<T> {
  const known = once.get(file) as Promise<T> | undefined;
  if (known) return known;
  const address = `/ui/${file}`;
  const loading: Promise<T> = import(address);
  // What did not come is tried again next time.
  loading.catch(() => once.delete(file));
  once.set(file, loading);
  return loading;
}

function style(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `/ui/${file}` });
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => reject(new Error(file)));
    document.head.append(link);
  });
}

let mapStyle: Promise<void> | undefined;

export async function loadMap(): Promise<{ drawMap: typeof drawMap }> {
  mapStyle ??= style("map.css");
  const [module] = await Promise.all([load<{ drawMap: typeof drawMap }>("map.js"), mapStyle]);
  return module;
}

export const loadEditor = (): Promise<{ openEditor: typeof openEditor }> => load("editor.js");

export const loadWords = (tag: string): Promise<{ words: Strings }> => load(`words-${tag}.js`);
