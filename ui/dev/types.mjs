// Writes the shapes of the interface, src/api.d.ts, from its description, ../openapi.yaml. With --check nothing is written:
// fails when the file is out of date. A copy of this folder without the description cannot be checked, and says so.
import { access, readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const description = new URL("../../openapi.yaml", import.meta.url);
const file = new URL("../src/api.d.ts", import.meta.url);
/** The page's requests are written by hand, in net/api.ts. */
const UNUSED = ["paths", "webhooks", "operations", "$defs"];
const HEAD = "// The shapes of the interface, made from openapi.yaml by `npm run types`.\n\n";

async function made() {
  const nodes = await openapiTS(description, { rootTypes: true, rootTypesNoSchemaPrefix: true });
  return HEAD + astToString(nodes.filter((node) => !UNUSED.includes(node.name?.text)));
}

const there = await access(description).then(() => true, () => false);
if (!there) {
  console.log("!!! SKIPPED: openapi.yaml is not beside this folder; src/api.d.ts was NOT compared with it");
} else if (process.argv.includes("--check")) {
  if ((await made()) !== (await readFile(file, "utf8"))) {
    console.error("src/api.d.ts is out of date; run in ui/: npm run types");
    process.exitCode = 1;
  }
} else {
  await writeFile(file, await made());
}
