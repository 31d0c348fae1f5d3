// How soon the page is there, by Chromium's own clocks: first paint, time in scripts, when examples stand.
//   node dev/paint.mjs http://127.0.0.1:8080/?graph=demo [LOADS]
import puppeteer from "puppeteer-core";

const [address, loads = "15"] = process.argv.slice(2);
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const figures = { "first contentful paint": [], "scripts": [], "layout and style": [], "examples shown": [] };
for (let n = 0; n < Number(loads); n++) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForSelector(".welcome p");
  const [paint, shown] = await page.evaluate(() => [
    performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN, performance.now()]);
  const { ScriptDuration, LayoutDuration, RecalcStyleDuration } = await page.metrics();
  figures["first contentful paint"].push(paint);
  figures["scripts"].push(ScriptDuration * 1000);
  figures["layout and style"].push((LayoutDuration + RecalcStyleDuration) * 1000);
  figures["examples shown"].push(shown);
  await context.close();
}
await browser.close();
for (const [name, all] of Object.entries(figures)) {
  const sorted = all.sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)].toFixed(0);
  console.log(`${name.padEnd(24)} median ${at(0.5)} ms, slowest ${at(1)} ms of ${sorted.length} loads with an empty cache`);
}
