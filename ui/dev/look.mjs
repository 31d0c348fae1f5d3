// Looks at every state of the page in a real browser: a picture of each into a folder, and what axe-core finds.
//   node dev/look.mjs FOLDER [STATE…]      (CHROMIUM names the browser, /usr/bin/chromium otherwise)
// LOOKS chooses the looks, each with a language after a dash where it is not English: LOOKS=light,phone-fr,dark-de
import { mkdir, readFile } from "node:fs/promises";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";
import { serve } from "./mock.mjs";
import { runs } from "./recorded.mjs";

const [folder = "build/looks", ...only] = process.argv.slice(2);
const axe = await readFile("node_modules/axe-core/axe.min.js", "utf8");
const server = await serve(0);
const base = `http://127.0.0.1:${server.address().port}`;
await mkdir(folder, { recursive: true });
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/** The page's words in a language. */
async function wordsOf(tag) {
  const { outputFiles } = await build({ entryPoints: [`src/i18n/${tag === "en" ? "later" : tag}.ts`], bundle: true, format: "esm", write: false });
  const module = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  return module.words ?? module.en;
}

let t = await wordsOf("en");
const asked = (name) => async (page) => {
  await page.goto(`${base}/?graph=demo#q=${encodeURIComponent(runs[name].question)}`);
  await page.waitForSelector(".spoken:not([hidden]) .say, .failure, .big");
};
const click = async (page, selector) => (await page.waitForSelector(selector)).click();
const unfold = (page) => click(page, "details.queryfold > summary");
const tab = async (page, text) => (await page.waitForSelector(`::-p-xpath(//button[@role="tab"][.="${text}"])`)).click();
const press = async (page, text) => (await page.waitForSelector(`::-p-xpath(//main//button[normalize-space(.)="${text}"])`)).click();

const STATES = {
  empty: async (page) => (await page.goto(`${base}/?graph=demo`), await page.waitForSelector(".examples")),
  typing: async (page) => (await STATES.empty(page), await page.type("textarea", "Which rivers flow through Ge"), await page.waitForSelector(".suggestions:not([hidden])"), await page.keyboard.press("ArrowDown")),
  working: async (page) => (await page.goto(`${base}/?graph=demo#q=hang`), await page.waitForSelector(".used"), await new Promise((done) => setTimeout(done, 600))),
  table: asked("table"), many: asked("many"), number: asked("number"), yesno: asked("yesno"), list: asked("list"),
  card: async (page) => (await asked("card")(page), await page.waitForSelector(".entry")),
  time: async (page) => (await asked("time")(page), await tab(page, t.views.time)),
  bars: async (page) => (await asked("many")(page), await asked("map")(page), await tab(page, t.views.bars)),
  map: async (page) => (await asked("map")(page), await tab(page, t.views.map), await page.waitForSelector(".land")),
  links: async (page) => (await asked("graph")(page), await tab(page, t.views.graph)),
  why: async (page) => (await asked("table")(page), await click(page, ".why"), await page.waitForSelector(".proofs")),
  words: async (page) => (await asked("table")(page), await unfold(page), await tab(page, t.in_words)),
  steps: async (page) => (await asked("model")(page), await click(page, ".steps summary"), await click(page, ".steplist summary")),
  edit: async (page) => (await asked("table")(page), await unfold(page), await press(page, t.edit), await page.waitForFunction(() => document.querySelector(".codebox")?.shadowRoot?.querySelector(".cm-content"))),
  edited: async (page) => (await STATES.edit(page), await press(page, t.run), await page.waitForSelector(".back")),
  badquery: async (page) => (await STATES.edit(page), await page.keyboard.down("Control"), await page.keyboard.press("a"), await page.keyboard.up("Control"), await page.keyboard.type("nonsense"), await press(page, t.run), await page.waitForSelector(".editmessage .failure")),
  meant: async (page) => (await asked("meant")(page), await page.waitForSelector(".meant"), await click(page, ".because summary")),
  choice: async (page) => (await asked("choice")(page), await page.waitForSelector(".choice")),
  chosen: async (page) => (await STATES.choice(page), await click(page, ".choice button"), await page.waitForSelector(".chosen"), await press(page, t.choose_other)),
  unsure: asked("unsure"), unknown: asked("unknown"), nothing: asked("empty"), error: asked("error"), hostile: asked("hostile"), model: asked("model"),
  follow: async (page) => (await asked("table")(page), await page.type(".next textarea", "And in Austria?"), await page.keyboard.press("Enter"), await page.waitForSelector(".taken")),
  shared: async (page) => (await page.goto(`${base}/runs/table`), await page.waitForSelector(".say")),
  sharedfollow: async (page) => (await page.goto(`${base}/runs/follow`), await page.waitForSelector(".before")),
  forgotten: async (page) => (await page.goto(`${base}/runs/nosuch`), await page.waitForSelector(".failure")),
  history: async (page) => (await asked("table")(page), await asked("card")(page), await click(page, `header button[aria-label="${t.history}"]`), await page.waitForSelector(".pasts li")),
  thing: async (page) => (await asked("table")(page), await click(page, ".say .thing"), await page.waitForSelector("dialog .entry")),
  feedback: async (page) => (await asked("table")(page), await click(page, `button[aria-label="${t.bad}"]`), await page.waitForSelector(".correct")),
  comment: async (page) => (await STATES.feedback(page), await press(page, t.something_else), await page.waitForSelector(".comment")),
  term: async (page) => (await STATES.feedback(page), await click(page, ".correct .example"), await page.waitForSelector(".correct.term input"), await page.keyboard.type("ger"), await page.waitForSelector(".correct [role=option]"), await page.keyboard.press("ArrowDown")),
  picked: async (page) => (await STATES.term(page), await page.keyboard.press("Enter"), await page.waitForSelector(".correct .example")),
  proposed: async (page) => (await STATES.picked(page), await press(page, t.propose), await page.waitForSelector(`::-p-xpath(//button[.="${t.ask_with}"])`)),
  learn: async (page) => (await page.goto(`${base}/learn?graph=demo`), await page.waitForSelector(".proposal"), await press(page, t.learn_try), await page.waitForSelector(".changes"), await click(page, ".proposal details summary")),
  graph: async (page) => (await page.goto(`${base}/?graph=demo#about`), await page.waitForSelector(".kinds"), await click(page, ".kinds summary")),
};

const LOOKS = {
  light: { width: 1000, height: 1000 },
  dark: { width: 1000, height: 1000, dark: true },
  phone: { width: 360, height: 760, mobile: true },
};

// A status that a state is about; and a style that Chromium itself writes where text in an editor is typed over.
const expected = /status of [45]\d\d|Applying inline style/;

async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"] }));
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 150)} ${node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message ?? ""}`));
}

let bad = 0;
const wished = (process.env.LOOKS ?? "light,dark,phone").split(",");
for (const look of wished) {
  const [size, lang = "en"] = look.split("-");
  const { width, height, dark, mobile } = LOOKS[size];
  t = await wordsOf(lang);
  for (const [name, reach] of Object.entries(STATES)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    const said = [];
    page.on("console", (message) => ["error", "warn"].includes(message.type()) && !expected.test(message.text()) && said.push(message.text()));
    page.on("pageerror", (error) => said.push(String(error)));
    await page.setViewport({ width, height, isMobile: mobile ?? false, hasTouch: mobile ?? false });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }, { name: "prefers-reduced-motion", value: "reduce" }]);
    if (lang !== "en") await page.evaluateOnNewDocument((tag) => localStorage.setItem("eruca.language", tag), lang);
    try {
      await reach(page);
      await new Promise((done) => setTimeout(done, 150));
      await page.screenshot({ path: `${folder}/${name}-${look}.png`, fullPage: !mobile || ["table", "graph", "many", "time"].includes(name) });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (wide > 0) said.push(`wider than the screen by ${wide}`);
      said.push(...(await findings(page)));
    } catch (error) {
      said.push(String(error));
    }
    bad += said.length;
    for (const one of said) console.log(`${look} ${name}: ${one}`);
    await context.close();
  }
}
await browser.close();
server.close();
console.log(bad === 0 ? "nothing found" : `${bad} findings`);
process.exitCode = bad === 0 ? 0 : 1;
