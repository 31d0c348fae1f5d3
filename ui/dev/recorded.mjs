// Recorded runs for looking at the page without a service: each question has the run that comes of it.

const D = "https://example.org/demo/";
const uri = (name, label = name) => ({ type: "uri", value: D + encodeURIComponent(name), label, href: D + encodeURIComponent(name) });
const num = (value) => ({ type: "literal", value: String(value), datatype: "http://www.w3.org/2001/XMLSchema#decimal" });
const year = (value) => ({ type: "literal", value: String(value), datatype: "http://www.w3.org/2001/XMLSchema#gYear" });
const text = (value, lang) => ({ type: "literal", value, ...(lang && { lang }) });
const col = (name, title, kind, unit) => ({ name, title, kind, ...(unit && { unit }) });
const rows = (columns, list, more = {}) => ({ columns, rows: list, row_count: list.length, ...more });
const words = (used, unused = []) => [...used.map((one) => ({ text: one, used: true })), ...unused.map((one) => ({ text: one, used: false }))];

const QUERY = `PREFIX demo: <${D}>
PREFIX geo: <https://example.org/ontology#>
SELECT ?river ?km WHERE {
  ?river a geo:River ;
    geo:flowsThrough demo:Germany ;
    geo:lengthKm ?km .
  demo:Elbe geo:lengthKm ?elbe . # the other one
  FILTER(xsd:decimal(?km) > xsd:decimal(?elbe))
}
ORDER BY DESC(?km) LIMIT 100`;

const STEPS = [
  { at_ms: 1, elapsed_ms: 6.2, kind: "grounding", observation: "rivers -> geo:River\nGermany -> demo:Germany\nElbe -> demo:Elbe" },
  { at_ms: 8, elapsed_ms: 9.1, kind: "planner", readings: ["rivers · flow through · Germany · longer than · Elbe", "best of 14 readings"] },
  { at_ms: 17, elapsed_ms: 3.4, kind: "tool", name: "run_sparql", arguments: '{"query":"SELECT …"}', outcome: "ok", observation: "2 rows" },
];

const base = (question, more) => ({
  dataset: "demo", question, asked: question, taken_over: [], lang: "en", asked_at: "2026-11-22T10:00:00Z", state: "done",
  answered_by: "planner", confidence: { name: "sure", probability: 0.93 }, reading: "rivers that flow through Germany, longer than the Elbe",
  unused: [], not_found: [], words: words(["rivers", "flow through", "Germany", "longer than", "Elbe"]), alternatives: [], because: [], doubts: [],
  query: QUERY, explanation: [
    { sparql: "?river a geo:River ; geo:flowsThrough demo:Germany", words: "rivers that flow through Germany" },
    { sparql: "?river geo:lengthKm ?km", words: "with their length in km" },
    { sparql: "FILTER(?km > ?elbe)", words: "longer than the Elbe (1,094 km)" },
  ],
  trace: { steps: STEPS, degraded: [] }, elapsed_ms: 21, ...more,
});

const say = (parts, more = {}) => ({
  text: parts.map((one) => (typeof one === "string" ? one : one.label)).join(""),
  parts: parts.map((one) => (typeof one === "string" ? { text: one } : { text: one.label, iri: one.value, href: one.href })),
  lang: "en", by: "reading", unverified: [], kind: "answer", ...more,
});

const RIVERS = [["Danube", 2850], ["Rhine", 1233], ["Oder", 866], ["Main", 525], ["Weser", 452], ["Spree", 400], ["Inn", 518], ["Isar", 295], ["Neckar", 362], ["Mosel", 545], ["Saale", 413], ["Lahn", 246]];
const SUMMITS = [["Mont Blanc", 1786, "Jacques Balmat"], ["Matterhorn", 1865, "Edward Whymper"], ["Mount Everest", 1953, "Edmund Hillary"], ["K2", 1954, "Achille Compagnoni"], ["Aconcagua", 1897, "Matthias Zurbriggen"], ["Denali", 1913, "Walter Harper"], ["Kilimanjaro", 1889, "Hans Meyer"], ["Nanga Parbat", 1953, "Hermann Buhl"], ["Annapurna I", 1950, "Maurice Herzog"], ["Eiger", 1858, "Charles Barrington"]];
const CITIES = [["Berlin", 52.52, 13.4, 3.7e6], ["Lima", -12.05, -77.04, 1e7], ["Nairobi", -1.29, 36.82, 4.4e6], ["Tokyo", 35.68, 139.69, 1.4e7], ["Ottawa", 45.42, -75.7, 1e6], ["Canberra", -35.28, 149.13, 4.5e5]];
const HOSTILE = ["<script>document.title='owned'</script>", "\u202Egnp.exe\u202C", "<img src=x onerror=alert(1)>", "a".repeat(300), "مرحبا بالعالم"];

export const runs = {
  table: base("Which rivers that flow through Germany are longer than the Elbe?", {
    rows: rows([col("river", "river", "thing"), col("km", "length", "number", "km")], RIVERS.slice(0, 2).map(([name, km]) => [uri(name), num(km)])),
    answer: say(["Two rivers through ", uri("Germany"), " are longer than the ", uri("Elbe"), ": the ", uri("Danube"), " and the ", uri("Rhine"), "."]),
    alternatives: [{ reading: "the longest river through Germany", query: "SELECT 1", rows: 1 }, { reading: "rivers that end deeper than the Elbe", query: "SELECT 2", rows: 0 }],
    editor: "https://example.org/sparql?query=x",
  }),
  many: base("How long are the rivers of Germany?", {
    rows: rows([col("river", "river", "thing"), col("km", "length", "number", "km")], Array.from({ length: 60 }, (_, n) => RIVERS[n % 12]).map(([name, km], n) => [uri(n < 12 ? name : `${name} ${n}`), num(km + n)]), { row_count: 184 }),
    answer: say(["184 rivers, from 246 to 2,850 km: the ", uri("Danube"), ", the ", uri("Rhine"), " and 182 others."]),
    confidence: { name: "likely", probability: 0.71 },
  }),
  number: base("How many people live in Brazil?", { rows: rows([col("n", "population", "number", "people")], [[num(203080756)]]), answer: say([uri("Brazil"), " has 203,080,756 inhabitants."]) }),
  yesno: base("Is the Danube longer than the Rhine?", { rows: { boolean: true }, answer: say(["Yes: the ", uri("Danube"), " is longer than the ", uri("Rhine"), "."]), reading: "Danube longer than Rhine" }),
  card: base("What is the capital of France?", { rows: rows([col("c", "capital", "thing")], [[uri("Paris")]]), answer: say(["The capital of ", uri("France"), " is ", uri("Paris"), "."]) }),
  list: base("Which countries border Germany?", { rows: rows([col("c", "country", "thing")], ["Austria", "Belgium", "Czechia", "Denmark", "France", "Luxembourg", "Netherlands", "Poland", "Switzerland"].map((one) => [uri(one)])), answer: say(["Nine countries border ", uri("Germany"), ": ", uri("Austria"), ", ", uri("Belgium"), ", ", uri("Czechia"), " and 6 others."]) }),
  time: base("When were the summits first climbed?", { rows: rows([col("m", "mountain", "thing"), col("y", "first ascent", "year"), col("p", "climber", "thing")], SUMMITS.map(([m, y, p]) => [uri(m), year(y), uri(p)])), answer: say(["10 mountains, first climbed between 1786 and 1954."]) }),
  map: base("Which capitals are there?", { rows: rows([col("c", "city", "thing"), col("n", "population", "number")], CITIES.map(([name, , , n]) => [uri(name), num(n)]), { places: Object.fromEntries(CITIES.map(([name, lat, lon]) => [uri(name).value, [lat, lon]])) }), answer: say(["Six capitals: ", uri("Berlin"), ", ", uri("Lima"), " and 4 others."]) }),
  graph: base("Which countries border which?", { rows: rows([col("a", "country", "thing"), col("b", "borders", "thing")], [["Germany", "France"], ["Germany", "Poland"], ["Germany", "Austria"], ["France", "Spain"], ["Spain", "Portugal"], ["Austria", "Italy"], ["France", "Italy"], ["Poland", "Czechia"], ["Germany", "Czechia"], ["Austria", "Czechia"], ["Peru", "Chile"], ["Chile", "Argentina"], ["Argentina", "Brazil"], ["Brazil", "Peru"]].map(([a, b]) => [uri(a), uri(b)])), answer: say(["14 pairs of countries."]) }),
  unsure: base("Which vegetarian rivers are there?", {
    rows: rows([col("river", "river", "thing")], RIVERS.slice(0, 5).map(([name]) => [uri(name)])), words: words(["rivers"], ["vegetarian"]), unused: ["vegetarian"],
    confidence: { name: "guess", probability: 0.31 }, answer: say(["I could not place “vegetarian”. Five rivers: the ", uri("Danube"), ", the ", uri("Rhine"), " and 3 others."], { kind: "doubt" }),
    alternatives: [{ reading: "rivers with a source", query: "SELECT 1", rows: 12 }],
  }),
  meant: base("How long is the Danubee?", {
    rows: rows([col("km", "length", "number", "km")], [[num(2850)]]), confidence: { name: "likely", probability: 0.84 }, similar: [{ words: "Danubee", name: "Danube" }],
    because: [{ words: "long", name: "length", part: "term", right: "dimension", text: "" }, { words: "Danubee", name: "Danube", part: "thing", right: "typo", text: "" }],
    doubts: [{ kind: "weak", about: "Danubee", text: "" }, { kind: "earlier", about: "", text: "" }],
    answer: say(["The Danubee is 2,850 km long. This is probably right, but not certain."]), alternatives: [],
  }),
  choice: base("How old is the Arc?", {
    rows: rows([col("n", "age", "number")], [[num(75)]]), confidence: { name: "likely", probability: 0.74 }, answer: say(["The Arc is 75 years old."]),
    alternatives: [{ reading: "age by date acquired", query: "SELECT 1", rows: 1, choice: { taken: { iri: `${D}made`, name: "date made" }, instead: { iri: `${D}bought`, name: "date acquired" } } }],
  }),
  unknown: base("Who is the mayor of Atlantis?", { rows: undefined, query: undefined, explanation: [], not_found: ["Atlantis"], words: words(["mayor"], ["Atlantis"]), confidence: { name: "guess", probability: 0.05 }, answer: say(["The graph does not know “Atlantis”. The nearest that is there is ", uri("Atlantic Ocean"), "."], { kind: "not_in_graph" }) }),
  empty: base("Which rivers longer than 9000 km flow through Germany?", {
    rows: rows([col("river", "river", "thing")], []), answer: say(["No river fits: none is longer than 9,000 km."], { kind: "empty" }),
    empty: { reason: "none is longer than 9,000 km", drop: [{ condition: "longer than 9,000 km", query: "SELECT 1", rows: 12 }, { condition: "flow through Germany", query: "SELECT 2", rows: 0 }] },
  }),
  error: base("Break please", { state: "failed", error: { code: "endpoint_down", detail: "https://example.org/sparql: connection refused" }, rows: undefined, answer: undefined, query: undefined, explanation: [], confidence: undefined }),
  model: base("Tell me about the Danube", {
    answered_by: "agent", model: "some-model-7b", rows: rows([col("p", "property", "text"), col("v", "value", "text")], [[text("length"), num(2850)], [text("source"), text("Black Forest", "en")]]),
    answer: { text: "The Danube is 2,850 km long.\nIt rises in the Black Forest and flows past Wonderland.", parts: [{ text: "The Danube is 2,850 km long.\nIt rises in the Black Forest and flows past Wonderland." }], lang: "en", by: "model", unverified: ["Wonderland"], kind: "answer" },
    trace: { steps: [...STEPS, { at_ms: 30, elapsed_ms: 1400, kind: "model", thought: "I shall look it up.", calls: [{ name: "run_sparql", arguments: "{}" }], tokens: {} }, { at_ms: 1430, elapsed_ms: 3, kind: "tool", name: "run_sparql", arguments: "SELECT", outcome: "empty", observation: "no rows" }] },
  }),
  hostile: base("Show me hostile names", { rows: rows([col("x", "<b>title</b>", "thing"), col("l", "link", "link"), col("t", "text", "text")], HOSTILE.map((name) => [{ type: "uri", value: "javascript:alert(1)", label: name, href: "javascript:alert(1)" }, { type: "uri", value: "data:text/html,<script>alert(1)</script>", href: "data:text/html,x" }, text(name)])), answer: say(["<script>document.title='owned'</script>", ": ", { label: HOSTILE[1], value: "javascript:alert(1)", href: "javascript:alert(1)" }]) }),
  follow: base("And in Austria?", { asked: "Which rivers that flow through Austria are longer than the Elbe?", taken_over: ["rivers", "longer than the Elbe"], follows: ["Which rivers that flow through Germany are longer than the Elbe?"], rows: rows([col("river", "river", "thing"), col("km", "length", "number", "km")], [[uri("Danube"), num(2850)]]), answer: say(["One river through ", uri("Austria"), " is longer: the ", uri("Danube"), "."]) }),
  query: base("", { confidence: undefined, rows: rows([col("river", "river", "thing")], RIVERS.slice(0, 3).map(([name]) => [uri(name)])), answer: undefined, answered_by: undefined, query: "SELECT ?river WHERE { ?river a <https://example.org/ontology#River> } LIMIT 3" }),
};

export const why = (row) => ({
  row, text: "The Danube flows through Germany and is longer than the Elbe.", notes: ["The way from source to mouth was not looked up."],
  parts: [
    { kind: "triple", subject: uri("Danube"), predicate: uri("flowsThrough", "flows through"), object: uri("Germany") },
    { kind: "triple", subject: uri("Danube"), predicate: uri("lengthKm", "length"), object: num(2850) },
    { kind: "condition", words: "2,850 > 1,094", holds: true },
    { kind: "path", subject: uri("Ulm"), path: "lies in, any number of times", object: uri("Germany"), triples: [[uri("Ulm"), uri("liesIn", "lies in"), uri("Swabia")], [uri("Swabia"), uri("liesIn", "lies in"), uri("Germany")]] },
    { kind: "absent", words: "no mouth in the North Sea", pattern: "?river geo:mouth demo:NorthSea" },
    { kind: "members", of: "cities on it", function: "count", members: [[uri("Ulm")], [uri("Vienna")], [uri("Budapest")]], total: 12, shown: 3, value: num(12) },
    { kind: "rank", words: "ordered by length", place: 1 },
  ],
});

export const card = {
  id: "demo", name: "Demo: the world", triples: 9134, entities: 539, built_at: "2026-11-20T10:00:00Z", languages: [{ tag: "en", share: 0.41 }, { tag: "de", share: 0.33 }, { tag: "es", share: 0.26 }],
  classes: [["River", 58], ["Country", 195], ["City", 140], ["Mountain", 60], ["Person", 41], ["Lake", 25], ["Sea", 12], ["Language", 48]].map(([label, count]) => ({ iri: D + label, label, count, properties: [{ iri: `${D}p1`, label: "length", share: 1 }, { iri: `${D}p2`, label: "flows through", share: 0.93 }], examples: [{ iri: `${D}Danube`, label: "Danube" }, { iri: `${D}Rhine`, label: "Rhine" }] })),
  properties: [["length", 58], ["flows through", 212], ["capital", 198], ["population", 320], ["first ascent", 44]].map(([label, uses]) => ({ iri: D + encodeURIComponent(label), label, uses, kind: "object", domain: [], range: [] })),
  schema: {
    nodes: [["River", 58], ["Country", 195], ["City", 140], ["Mountain", 60], ["Person", 41], ["Lake", 25], ["Sea", 12], ["Language", 48]].map(([label, count]) => ({ iri: D + label, label, count })),
    edges: [["River", "Country", "flows through"], ["Country", "City", "capital"], ["Country", "Country", "borders"], ["River", "Sea", "mouth"], ["Mountain", "Country", "in"], ["Lake", "Country", "in"], ["Country", "Language", "language"], ["Person", "City", "birth place"], ["Person", "Mountain", "climbed"]].map(([from, to, label]) => ({ from: D + from, to: D + to, property: `${D}${label}`, label, count: 10 })),
  },
  examples: ["What is the capital of France?", "How long is the Danube?", "Which rivers that flow through Germany are longer than the Elbe?", "Which countries border Germany?", "How many people live in Brazil?", "When were the summits first climbed?"],
};

export const entry = (iri) => ({
  iri, label: decodeURIComponent(iri.split("/").at(-1)), description: "A thing of the demo graph, with a short description of one sentence.", href: iri, coordinates: [48.8566, 2.3522], picture: "/ui/icon.svg",
  classes: [uri("City"), uri("CapitalCity", "capital city")],
  facts: [["country", [uri("France")]], ["population", [num(2102650)]], ["area", [num(105.4)]], ["twin city", [uri("Rome")], 3], ["founded", [text("3rd century BC", "en")]], ["river", [uri("Seine")]], ["mayor", [uri("Someone")]], ["elevation", [num(35)]], ["time zone", [text("CET")]]].map(([label, values, more = 0]) => ({ property: uri(label), values, more })),
  incoming: [{ property: uri("birth place"), values: [uri("A"), uri("B"), uri("C"), uri("D")], more: 40 }],
});

export const hits = ["Germany", "Georgia", "Geneva", "Ghana"].map((label) => ({ iri: D + label, label, kind: "entity", classes: ["country"] }));
