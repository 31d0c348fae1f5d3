// Builds the page into dist/ (or, with --tests, the unit tests into build/). The same sources give the same bytes:
// no hashes, no times, no paths of this machine.
import { build } from "esbuild";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const common = {
  bundle: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  charset: "utf8",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
};

async function tests() {
  await rm("build", { recursive: true, force: true });
  const entryPoints = (await readdir("src", { recursive: true }))
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => `src/${name}`);
  await build({ ...common, entryPoints, outdir: "build", platform: "node", outExtension: { ".js": ".mjs" } });
}

// The map's own pictures (buttons of layers, pins) are not used; without their rules nothing of them is asked for.
async function mapCss() {
  const css = await readFile("node_modules/leaflet/dist/leaflet.css", "utf8");
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, "").replace(/[^{}]*\{[^{}]*url\([^{}]*\}/g, "");
  const own = await readFile("src/lazy/map.css", "utf8");
  await build({ ...common, stdin: { contents: rules + own, loader: "css" }, outfile: "dist/map.css", minify: true });
}

// What is bundled is under licences that ask for their text; only the build has it at hand.
async function licences() {
  const { packages } = JSON.parse(await readFile("package-lock.json", "utf8"));
  const parts = [];
  for (const folder of Object.keys(packages).filter((path) => path !== "" && !packages[path].dev).sort()) {
    const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
    if (file === undefined) throw new Error(`${folder} has no licence file`);
    const { version, license } = packages[folder];
    const text = (await readFile(`${folder}/${file}`, "utf8")).replaceAll("\r\n", "\n").trim();
    parts.push(`${folder.replace("node_modules/", "")} ${version}: ${license}\n\n${text}\n`);
  }
  await writeFile("LICENSES.txt", parts.join("\n"));
}

// The words of every language but English, which comes with the page.
async function words() {
  const tags = (await readdir("src/i18n")).flatMap((name) => /^(?!en)([a-z]{2})\.ts$/.exec(name)?.[1] ?? []);
  return Object.fromEntries(tags.sort().map((tag) => [`words-${tag}`, `src/i18n/${tag}.ts`]));
}

/** What is loaded before the page can be used. */
const FIRST = ["index.html", "app.js", "shared.js", "app.css"];

async function page() {
  await rm("dist", { recursive: true, force: true });
  await mkdir("dist");
  const minified = { ...common, outdir: "dist", minify: true };
  // What is loaded later is asked for by its address: each file has a name that is known.
  await build({ ...minified, entryPoints: { map: "src/lazy/map.ts", editor: "src/lazy/editor.ts", ...(await words()) } });
  // These two have much in common, which must not be there twice: it stands in a file of its own.
  await build({ ...minified, entryPoints: { app: "src/main.tsx", more: "src/lazy/more.tsx" }, splitting: true, chunkNames: "shared" });
  await build({ ...minified, entryPoints: { app: "src/style.css" } });
  await mapCss();
  await cp("static", "dist", { recursive: true });
  await licences();
  let [total, first] = [0, 0];
  for (const name of (await readdir("dist")).sort()) {
    const bytes = await readFile(`dist/${name}`);
    const packed = gzipSync(bytes, { level: 9 }).length;
    total += packed;
    if (FIRST.includes(name)) first += packed;
    console.log(`${name.padEnd(12)} ${String(bytes.length).padStart(8)} ${String(packed).padStart(8)} gz`);
  }
  console.log(`${"at first".padEnd(21)} ${String(first).padStart(8)} gz`);
  console.log(`${"in all".padEnd(21)} ${String(total).padStart(8)} gz`);
  if (first > 40_000) throw new Error("what is loaded at first is larger than 40 KB gzipped");
  if (total > 300_000) throw new Error("the page is larger than 300 KB gzipped");
}

await (process.argv.includes("--tests") ? tests() : page());
