//! Arguments as models write them: often slightly malformed JSON, slightly wrong keys, sometimes endless texts. The only
//! place that defines how long an argument may be.

use eruca_language::text::first_chars;
use eruca_sparql::quoted;
use serde_json::{Map, Value};

/// Maximum size in bytes of a call's arguments; larger ones are not parsed at all.
const MAX_BYTES: usize = 1_000_000;
/// Maximum number of arguments of a call; no tool has as many.
const MAX_ARGUMENTS: usize = 20;
/// Maximum length of a text in characters, well above that of the longest accepted query.
const MAX_TEXT_CHARS: usize = 50_000;
/// Maximum length in characters of words to search for, well above that of a long name.
const MAX_WORDS_CHARS: usize = 300;
/// Maximum length of an IRI in characters. A longer one is refused, since shortening it would yield another IRI.
const MAX_IRI_CHARS: usize = 4_000;
/// Maximum number of texts in a list, and maximum length of each in characters.
const MAX_ITEMS: usize = 30;
const MAX_ITEM_CHARS: usize = 200;

/// A text argument of a tool: its name, its description, and whether it is required.
pub(super) type Field = (&'static str, &'static str, bool);

/// The JSON Schema of an arguments object that holds texts.
pub(super) fn schema(fields: &[Field]) -> Value {
    let property = |(name, description, _): &Field| {
        ((*name).to_owned(), serde_json::json!({"type": "string", "description": description}))
    };
    let required: Vec<&str> =
        fields.iter().filter(|(_, _, required)| *required).map(|(name, _, _)| *name).collect();
    serde_json::json!({
        "type": "object",
        "properties": fields.iter().map(property).collect::<Map<String, Value>>(),
        "required": required,
        "additionalProperties": false,
    })
}

/// Names that models use for an argument instead of its own.
const OTHER_NAMES: &[(&str, &[&str])] =
    &[("query", &["sparql", "sparql_query"]), ("iri", &["uri", "entity"]), ("property", &["iri", "uri"])];

/// Keys under which models put all arguments once more.
const WRAPPERS: &[&str] = &["arguments", "parameters", "args", "input", "kwargs"];

/// The arguments of a tool call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// Parses the arguments: a JSON object, also inside a Markdown code fence, surrounded by text, with raw line
    /// breaks inside its strings, or encoded as a JSON string.
    ///
    /// # Errors
    /// A sentence for the model if no object can be parsed.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::default());
        }
        if text.len() > MAX_BYTES {
            let length = text.len();
            return Err(format!(
                "the arguments have {length} bytes and are not read; a name or a query is short"
            ));
        }
        let attempts = [text.to_owned(), object_part(text).to_owned(), escape_raw_breaks(object_part(text))];
        for attempt in &attempts {
            match serde_json::from_str(attempt) {
                Ok(Value::Object(map)) => return Ok(Self::kept(unwrapped(map))),
                Ok(Value::String(inner)) => return Self::parse(&inner),
                Ok(Value::Null) => return Ok(Self::default()),
                Ok(_) | Err(_) => {}
            }
        }
        let reason =
            serde_json::from_str::<Value>(text).err().map_or("not an object".to_owned(), |e| e.to_string());
        Err(format!("the arguments are not a JSON object ({reason})"))
    }

    /// The parts of an object that are kept: texts, numbers and lists, each of bounded size.
    fn kept(map: Map<String, Value>) -> Self {
        let kept = map.into_iter().take(MAX_ARGUMENTS).map(|(key, value)| {
            let value = match value {
                Value::Array(values) => Value::Array(values.into_iter().take(MAX_ITEMS).map(cut).collect()),
                other => cut(other),
            };
            (first_chars(&key, MAX_ITEM_CHARS).to_owned(), value)
        });
        Self(kept.collect())
    }

    /// Words to search for, required. Of a long text, only the beginning is used.
    ///
    /// # Errors
    /// A sentence for the model if they are missing or empty.
    pub fn words(&self, key: &str) -> Result<SearchWords<'_>, String> {
        let text = self.text(key)?;
        let beginning = first_chars(text, MAX_WORDS_CHARS);
        let note = (beginning.len() < text.len()).then(|| {
            format!(
                "(`{key}` was cut: only its first {MAX_WORDS_CHARS} characters were searched for. Give one name or a \
                 few words.)"
            )
        });
        Ok(SearchWords { text: beginning, note })
    }

    /// A required IRI or prefixed name.
    ///
    /// # Errors
    /// A sentence for the model if it is missing, empty, or longer than any IRI that the model was shown.
    pub fn iri(&self, key: &str) -> Result<&str, String> {
        short_iri(key, self.text(key)?)
    }

    /// An optional IRI or prefixed name; empty counts as missing.
    ///
    /// # Errors
    /// A sentence for the model if it is longer than any IRI that the model was shown.
    pub fn optional_iri(&self, key: &str) -> Result<Option<&str>, String> {
        self.whole(key).map(|written| short_iri(key, written)).transpose()
    }

    /// An optional text, unshortened, also under an alternative name that models use.
    pub fn named(&self, key: &str) -> Option<&str> {
        let value = self.0.get(key).or_else(|| self.renamed(key)).and_then(Value::as_str).map(str::trim);
        value.filter(|text| !text.is_empty())
    }

    fn renamed(&self, key: &str) -> Option<&Value> {
        let other_names = OTHER_NAMES.iter().filter(|(name, _)| *name == key).flat_map(|(_, others)| *others);
        other_names.copied().find_map(|name| self.0.get(name))
    }

    /// A required text, unshortened, also under an alternative name that models use; if it is the only argument, its name does
    /// not matter.
    ///
    /// # Errors
    /// A sentence for the model if it is missing or empty.
    pub fn text(&self, key: &str) -> Result<&str, String> {
        let only = || if self.0.len() == 1 { self.0.values().next() } else { None };
        let value = self
            .0
            .get(key)
            .or_else(|| self.renamed(key))
            .or_else(only)
            .and_then(Value::as_str)
            .map(str::trim);
        value
            .filter(|text| !text.is_empty())
            .ok_or_else(|| format!("the argument '{key}' is missing; give it as a text"))
    }

    /// An optional text, shortened; empty counts as missing.
    pub fn optional(&self, key: &str) -> Option<&str> {
        self.whole(key).map(|text| first_chars(text, MAX_ITEM_CHARS))
    }

    fn whole(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }

    /// An optional list of texts, which models also write as one text with separators. Empty ones are left out.
    pub fn list(&self, key: &str) -> Vec<String> {
        let texts: Vec<&str> = match self.0.get(key) {
            Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(text)) => text.split([',', ';', '\n']).collect(),
            _ => Vec::new(),
        };
        let texts = texts.into_iter().map(str::trim).filter(|text| !text.is_empty()).take(MAX_ITEMS);
        texts.map(|text| first_chars(text, MAX_ITEM_CHARS).to_owned()).collect()
    }

    /// An optional count, which models also write as a text.
    pub fn count(&self, key: &str) -> Option<usize> {
        match self.0.get(key)? {
            Value::Number(number) => number.as_u64().and_then(|number| usize::try_from(number).ok()),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
        .filter(|number| *number > 0)
    }

    /// The arguments in a normal form, so that equal calls compare as equal.
    pub fn canonical(&self) -> String {
        let mut pairs: Vec<_> =
            self.0.iter().map(|(key, value)| (key.clone(), normalized(key, value))).collect();
        pairs.sort();
        pairs.into_iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join("\u{1f}")
    }
}

/// Words to search for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchWords<'a> {
    /// The words, shortened if necessary.
    pub text: &'a str,
    /// Note for the model if they were shortened.
    pub note: Option<String>,
}

/// The arguments where a model writes the whole call in their place: `{"arguments": {…}}`. No tool takes an object.
fn unwrapped(mut map: Map<String, Value>) -> Map<String, Value> {
    let inner = WRAPPERS.iter().find_map(|key| match map.get_mut(*key)? {
        Value::Object(inner) => Some(std::mem::take(inner)),
        _ => None,
    });
    inner.unwrap_or(map)
}

/// Shortens a long text; nested lists and objects are dropped, as no tool takes them.
fn cut(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(first_chars(&text, MAX_TEXT_CHARS).to_owned()),
        Value::Array(_) | Value::Object(_) => Value::Null,
        other => other,
    }
}

fn short_iri<'a>(key: &str, written: &'a str) -> Result<&'a str, String> {
    if first_chars(written, MAX_IRI_CHARS).len() == written.len() {
        return Ok(written);
    }
    let beginning = quoted(written, 60);
    Err(format!(
        "the argument '{key}' ({beginning}) is not an IRI that was shown: none is that long; copy one exactly"
    ))
}

/// Search texts are case-folded; IRIs are not, since they are case-sensitive.
fn normalized(key: &str, value: &Value) -> String {
    match value {
        Value::String(text) => {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if key == "query" { text.to_lowercase() } else { text }
        }
        other => other.to_string(),
    }
}

/// The text from the first `{` to the last `}`.
fn object_part(text: &str) -> &str {
    match (text.find('{'), text.rfind('}')) {
        (Some(start), Some(end)) if start < end => &text[start..=end],
        _ => text,
    }
}

/// Models write multi-line queries with raw line breaks, which JSON does not allow in strings.
fn escape_raw_breaks(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    let (mut in_string, mut after_backslash) = (false, false);
    for c in text.chars() {
        match c {
            '\n' if in_string => escaped.push_str("\\n"),
            '\r' if in_string => {}
            '\t' if in_string => escaped.push_str("\\t"),
            other => escaped.push(other),
        }
        if c == '"' && !after_backslash {
            in_string = !in_string;
        }
        after_backslash = c == '\\' && !after_backslash;
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn broken_spellings_are_understood() {
        let spellings = [
            r#"{"query": "SELECT 1"}"#,
            "```json\n{\"query\": \"SELECT 1\"}\n```",
            "\"{\\\"query\\\": \\\"SELECT 1\\\"}\"",
            r#"Here: {"sparql": "SELECT 1"}"#,
            r#"{"arguments": {"query": "SELECT 1"}}"#,
            r#"{"name": "answer", "parameters": {"query": "SELECT 1"}}"#,
        ];
        for spelling in spellings {
            assert_eq!(Arguments::parse(spelling).unwrap().text("query"), Ok("SELECT 1"), "{spelling}");
        }
        let raw = "{\"query\": \"SELECT ?x\nWHERE { ?x a \\\"b\\\" }\"}";
        assert_eq!(Arguments::parse(raw).unwrap().text("query"), Ok("SELECT ?x\nWHERE { ?x a \"b\" }"));
    }

    #[test]
    fn an_argument_is_known_by_its_other_names() {
        let arguments = Arguments::parse(r#"{"sparql": "ASK {}", "form": "ask"}"#).unwrap();
        assert_eq!(arguments.text("query"), Ok("ASK {}"));
        assert!(arguments.text("iri").is_err());
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        assert!(Arguments::parse("{\"query\": \"SELECT").unwrap_err().contains("not a JSON object"));
        assert!(Arguments::parse("[1]").unwrap_err().contains("not a JSON object"));
        assert!(Arguments::parse("").unwrap().text("query").unwrap_err().contains("'query' is missing"));
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC{0,200}") {
            let _ = Arguments::parse(&text).map(|arguments| arguments.canonical());
        }
    }

    #[test]
    fn nothing_is_endless() {
        let of = |value: Value| Arguments::parse(&serde_json::json!({ "query": value }).to_string()).unwrap();
        let long = of("word ".repeat(100_000).into());
        let words = long.words("query").unwrap();
        assert_eq!(words.text.len(), MAX_WORDS_CHARS);
        assert!(words.note.unwrap().contains("was cut"));
        assert!(long.canonical().len() < 60_000 && long.text("query").unwrap().len() <= MAX_TEXT_CHARS);
        assert_eq!(of("Ann".into()).words("query"), Ok(SearchWords { text: "Ann", note: None }));
        assert!(of("x".repeat(5_000).into()).iri("query").unwrap_err().contains("none is that long"));
        assert!(of("x".repeat(5_000).into()).optional_iri("query").is_err());
        assert_eq!(of(vec!["x".repeat(500); 500].into()).list("query"), vec!["x".repeat(200); 30]);
        assert_eq!(of("a,".repeat(10_000).into()).list("query").len(), MAX_ITEMS);
        let nested = format!("{{\"query\": {}1{}}}", "[".repeat(100), "]".repeat(100));
        assert!(Arguments::parse(&nested).unwrap().canonical().len() < 20);
        assert!(Arguments::parse(&format!("{{\"query\":{}", "[".repeat(500_000))).is_err());
        assert!(Arguments::parse(&"x".repeat(2_000_000)).unwrap_err().contains("2000000 bytes"));
    }

    #[test]
    fn lists_and_counts_are_read_in_other_spellings_too() {
        let read = |text: &str| Arguments::parse(text).unwrap();
        for spelling in [r#"{"columns": ["a b", " c ", ""]}"#, r#"{"columns": "a b; c"}"#] {
            assert_eq!(read(spelling).list("columns"), ["a b", "c"], "{spelling}");
        }
        assert!(read(r#"{"columns": 3}"#).list("columns").is_empty());
        for (spelling, count) in
            [("3", Some(3)), ("\"3\"", Some(3)), ("0", None), ("-1", None), ("\"all\"", None)]
        {
            assert_eq!(read(&format!("{{\"limit\": {spelling}}}")).count("limit"), count, "{spelling}");
        }
    }
}
