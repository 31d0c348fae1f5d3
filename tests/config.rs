//! Settings: layers, paths, secrets, and what is said about mistakes.

use eruca::config::{
    ConfigError, CredentialSettings, DEMO_ID, EmbeddingProvider, IndexBackend, KeyScope, LogFormat, Settings,
    Source,
};
use eruca_testing::helpers::repository;
use secrecy::ExposeSecret;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// A working directory with `text` as its `eruca.toml`.
fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("eruca.toml"), text).unwrap();
    folder
}

fn load(text: &str, variables: &[(&str, &str)]) -> Result<Settings, ConfigError> {
    let variables: Vec<_> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Settings::load_from(None, folder(text).path(), &variables)
}

/// What is said about a mistake.
fn mistake(text: &str, variables: &[(&str, &str)]) -> String {
    load(text, variables).unwrap_err().to_string()
}

#[test]
fn a_cluster_and_the_reading_of_endpoints_are_configured() {
    let cluster = "[schema_index]\nbackend = \"qdrant\"\nsearch_timeout_seconds = 3\nshard_number = 3\nreplication_factor = 2\n";
    let settings = load(cluster, &[("ERUCA__INDEX__ENDPOINT_REQUESTS", "4")]).unwrap();
    let index = &settings.schema_index;
    assert_eq!((index.backend, index.search_timeout), (IndexBackend::Qdrant, Duration::from_secs(3)));
    assert_eq!((index.shard_number, index.replication_factor), (Some(3), Some(2)));
    assert_eq!((settings.index.endpoint_requests, settings.index.endpoint_page_rows), (4, 10_000));
    assert_eq!(settings.sparql.max_memory, Some(2_000 << 20));
    let said = mistake("[schema_index]\nbackend = \"qdrant\"\nshard_number = -1\n", &[]);
    assert!(said.contains("shard_number") && said.contains("between 0"), "{said}");
    let said = mistake(
        "[[datasets]]\nid = \"a\"\nfiles = [\"a.ttl\"]\nprefixes = { \"a b\" = \"http://e.x/\" }\n",
        &[],
    );
    assert!(said.contains("prefixes") && said.contains("without the colon"), "{said}");
}

#[test]
fn a_contact_is_what_a_header_can_hold_and_a_person_be_reached_at() {
    let contact = |text: &str| load("", &[("ERUCA__OUTGOING__CONTACT", text)]);
    for text in ["sparql@example.org", "https://example.org/bot", "Lab, https://example.org; lab@example.org"]
    {
        assert_eq!(contact(text).unwrap().outgoing.contact.as_deref(), Some(text));
    }
    assert_eq!(load("", &[]).unwrap().outgoing.contact, None);
    for text in ["someone", "a@example.org (me)", "ä@example.org", "a@b\nc", "a\\@b"] {
        let said = mistake(&format!("[outgoing]\ncontact = {text:?}\n"), &[]);
        assert!(said.contains("outgoing.contact"), "{said}");
    }
    assert!(mistake("[outgoing]\nrequests_per_host = 0\n", &[]).contains("between 1 and"));
}

#[test]
fn the_dialect_of_an_endpoint_is_found_out_or_named() {
    let dataset = |dialect: &str| format!("[[datasets]]\nid = \"a\"\nendpoint = \"http://e.x/\"\n{dialect}");
    let named = |dialect: &str| {
        let settings = load(&dataset(dialect), &[]).unwrap();
        settings.datasets[0].source.endpoint().unwrap().dialect.map(eruca_sparql::Dialect::name)
    };
    assert_eq!(named(""), None);
    assert_eq!(named("dialect = \"auto\""), None);
    for name in ["wdqs", "wdqs-scholarly", "blazegraph", "qlever", "virtuoso", "fuseki", "graphdb", "rdf4j"] {
        assert_eq!(named(&format!("dialect = \"{name}\"")), Some(name));
    }
    let said = mistake(&dataset("dialect = \"blaze\""), &[]);
    assert!(said.contains("datasets[0].dialect") && said.contains("\"auto\", \"wdqs\""), "{said}");
    let said = mistake("[[datasets]]\nid = \"a\"\nfiles = [\"a.ttl\"]\ndialect = \"qlever\"\n", &[]);
    assert!(said.contains("but no 'endpoint'"), "{said}");
    // Whoever reads the defaults or the documentation finds every name.
    for file in ["config/default.toml", "docs/configuration.md"] {
        let text = std::fs::read_to_string(repository().join(file)).unwrap();
        for dialect in eruca_sparql::Dialect::all() {
            assert!(text.contains(&format!("\"{}\"", dialect.name())), "{file}: {}", dialect.name());
        }
    }
}

#[test]
fn without_a_file_the_defaults_serve_the_demo() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings::load_from(None, folder.path(), &[]).unwrap();
    assert_eq!((settings.server.host.as_str(), settings.server.port), ("127.0.0.1", 8080));
    assert!(settings.llm.is_none());
    assert!(matches!(settings.embedding.provider, EmbeddingProvider::None));
    assert_eq!(settings.schema_index.backend, IndexBackend::Local);
    assert_eq!(settings.log.format, LogFormat::Text);
    assert_eq!(settings.datasets.len(), 1);
    assert_eq!(settings.datasets[0].id, DEMO_ID);
    assert!(matches!(settings.datasets[0].source, Source::Demo));
    assert_eq!(settings.index_folder(&settings.datasets[0]), Path::new("data/demo"));
}

#[test]
fn every_example_can_be_loaded() {
    let files = std::fs::read_dir(repository().join("config")).unwrap().map(|entry| entry.unwrap().path());
    // The folder has the configuration of a proxy, too.
    for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "toml")) {
        let settings = Settings::load_from(Some(&file), Path::new(""), &[]);
        assert!(settings.is_ok(), "{}: {}", file.display(), settings.unwrap_err());
    }
}

#[test]
fn every_setting_is_documented_with_its_default() {
    let read = |file| std::fs::read_to_string(repository().join(file)).unwrap();
    let (defaults, page) =
        (read("config/default.toml").parse::<toml::Table>().unwrap(), read("docs/configuration.md"));
    for (section, keys) in &defaults {
        let after = page.split(&format!("| **`[{section}]`** |")).nth(1);
        let rows = after.unwrap_or_else(|| panic!("[{section}]")).split("| **`[").next().unwrap();
        for (key, value) in keys.as_table().unwrap() {
            let value = serde_json::to_string(value).unwrap();
            assert!(rows.contains(&format!("| `{key}` | `{value}` |")), "[{section}] {key} = {value}");
        }
    }
}

#[test]
fn the_environment_wins_over_the_file_and_the_file_over_defaults() {
    let file = "[server]\nport = 1\nhost = \"file\"\n[llm]\ntemperature = 1\n";
    let variables = [
        ("ERUCA__SERVER__PORT", "2"),
        ("ERUCA__SERVER__CORS_ORIGINS", "https://a.example, https://b.example"),
        ("ERUCA__INDEX__SKIP_ERRORS", "true"),
        ("ERUCA__SPARQL__ALLOW_FROM", "[\"http://e.x/a,b\"]"),
        ("ERUCA__SERVER__MAX_QUESTION_CHARS", ""),
        ("UNRELATED", "x"),
    ];
    let settings = load(file, &variables).unwrap();
    assert_eq!((settings.server.host.as_str(), settings.server.port), ("file", 2));
    assert_eq!(settings.server.cors_origins, ["https://a.example", "https://b.example"]);
    assert_eq!(settings.sparql.allow_from, ["http://e.x/a,b"]);
    assert!(settings.index.skip_errors);
    assert_eq!(settings.server.max_question_chars, 2000, "an empty variable counts as not set");
}

#[test]
fn a_variable_spells_what_its_setting_is_and_nothing_is_guessed() {
    let variables = [
        ("ERUCA__LLM__BASE_URL", "http://u/v1"),
        ("ERUCA__LLM__MODEL", "007"),
        ("ERUCA__LLM__API_KEY", "1e3"),
        ("ERUCA__LLM__TEMPERATURE", "1"),
        ("ERUCA__SERVER__MCP", " false "),
        ("ERUCA__SERVER__API_KEYS", "{ lab = \"true\" }"),
        ("ERUCA__DATASETS__0__FILES", "own.ttl"),
    ];
    let file =
        "[server]\napi_keys = { shop = \"k\" }\n[[datasets]]\nid = \"a\"\nfiles = [\"a.ttl\", \"b.ttl\"]\n";
    let settings = load(file, &variables).unwrap();
    let llm = settings.llm.unwrap();
    assert_eq!((llm.model.as_str(), llm.temperature), ("007", Some(1.0)));
    assert_eq!(llm.api_key.unwrap().expose_secret(), "1e3");
    let keys = settings.server.keys();
    assert_eq!((keys[0].name.as_str(), keys.len()), ("lab", 1), "a table is replaced, not completed");
    let Source::Files(files) = &settings.datasets[0].source else { panic!() };
    assert_eq!((settings.server.mcp, files.as_slice()), (false, [PathBuf::from("own.ttl")].as_slice()));
    for text in ["{ lab = 1 }", "lab", "2024-01-01", "[\"lab\"]"] {
        let said = mistake("", &[("ERUCA__SERVER__API_KEYS", text)]);
        assert!(said.contains("must be a table of texts"), "{text}: {said}");
    }
    assert!(mistake("", &[("ERUCA__SERVER__MCP", "yes")]).contains("must be true or false"));
}

#[test]
fn what_the_file_guesses_or_means_as_a_path_is_refused() {
    for (text, expected) in [
        ("[server]\nhost = 2024-01-01\n", "line 2: 'server.host' must be a text, not a date"),
        ("[server]\ncors_origins = [2024-01-01]\n", "not a list with other things than texts"),
        ("[llm]\nmodel = 4\n", "line 2: 'llm.model' must be a text, not a whole number"),
        ("[server]\nport = 99999999999999999999\n", "line 2: not valid TOML: a number is too large"),
        ("\"server.port\" = 1\n", "line 1: there is no setting 'server.port'"),
        ("\n\"a[99999999999999]\" = 1\n", "line 2: there is no setting 'a[99999999999999]'"),
    ] {
        let said = mistake(text, &[]);
        assert!(said.contains(expected), "{text}: {said}");
    }
    assert!(mistake("", &[("ERUCA__A[99999999999999]__B", "1")]).contains("ERUCA__SECTION__KEY"));
}

#[test]
fn a_named_file_is_read_instead_of_the_one_in_the_working_directory() {
    let folder = folder("[server]\nport = 1\n");
    let named = folder.path().join("named.toml");
    std::fs::write(&named, "[server]\nhost = \"named\"\n").unwrap();
    let settings = Settings::load_from(Some(&named), folder.path(), &[]).unwrap();
    assert_eq!((settings.server.host.as_str(), settings.server.port), ("named", 8080));
}

#[test]
fn paths_in_a_file_start_at_its_folder() {
    let text = "[index]\nfolder = \"indexes\"\n\
        [embedding]\nprovider = \"onnx\"\npath = \"model\"\nonnxruntime = \"libonnxruntime.so\"\n\
        [[datasets]]\nid = \"a\"\nfiles = [\"a.ttl\", \"/b/*.nt\"]\n\
        [[datasets]]\nid = \"b\"\nfiles = [\"b.ttl\"]\nindex = \"../own\"\n";
    let folder = folder(text);
    let inside = |path: &str| folder.path().join(path);
    let settings = Settings::load_from(None, folder.path(), &[]).unwrap();
    let Source::Files(files) = &settings.datasets[0].source else { panic!("{:?}", settings.datasets[0]) };
    assert_eq!(files, &[inside("a.ttl"), PathBuf::from("/b/*.nt")]);
    assert_eq!(settings.index_folder(&settings.datasets[0]), inside("indexes/a"));
    assert_eq!(settings.index_folder(&settings.datasets[1]), inside("../own"));
    assert_eq!(settings.embedding.path, Some(inside("model")));
    let library = settings.embedding.onnxruntime;
    assert_eq!(library, Some("libonnxruntime.so".into()), "a bare name is looked up by the system");
}

#[test]
fn datasets_can_be_completed_and_added_by_the_environment() {
    let file = "[[datasets]]\nid = \"a\"\nendpoint = \"https://e.x/sparql\"\nuser = \"me\"\n";
    let variables = [
        ("ERUCA__DATASETS__0__PASSWORD", "hunter2"),
        ("ERUCA__DATASETS__1__ID", "b"),
        ("ERUCA__DATASETS__1__FILES", "b.ttl"),
    ];
    let settings = load(file, &variables).unwrap();
    let Source::Endpoint(endpoint) = &settings.datasets[0].source else { panic!() };
    let CredentialSettings::Basic { user, password } = &endpoint.credentials else { panic!() };
    assert_eq!((user.as_str(), password.expose_secret()), ("me", "hunter2"));
    assert_eq!(settings.datasets[1].id, "b");
    assert_eq!(settings.datasets[1].name, "b");
}

#[test]
fn the_model_is_switched_on_by_url_and_name_from_either_place() {
    let on = |text: &str, variables: &[(&str, &str)]| load(text, variables).unwrap().llm;
    assert!(on("", &[("OPENAI_API_KEY", "k")]).is_none(), "a key alone is often there for other programs");
    assert!(on("", &[("OPENAI_API_KEY", "k"), ("OPENAI_MODEL", "m")]).is_none());
    assert!(on("", &[("OPENAI_API_KEY", "k"), ("OPENAI_BASE_URL", "http://u/v1")]).is_none());
    let variables = [("OPENAI_API_KEY", "k"), ("OPENAI_BASE_URL", "http://u/v1/"), ("OPENAI_MODEL", "m")];
    let llm = on("", &variables).unwrap();
    assert_eq!((llm.base_url.as_str(), llm.model.as_str()), ("http://u/v1", "m"));
    assert_eq!(llm.api_key.unwrap().expose_secret(), "k");
    let own =
        on("[llm]\nbase_url = \"http://own/v1\"\nmodel = \"own\"\napi_key = \"own\"\n", &variables).unwrap();
    assert_eq!((own.base_url.as_str(), own.model.as_str()), ("http://own/v1", "own"));
    assert_eq!(own.api_key.unwrap().expose_secret(), "own");
    assert_eq!(on("[llm]\nmodel = \"own\"\ntemperature = -1\n", &variables).unwrap().temperature, None);
    assert!(
        mistake("[llm]\nmodel = \"own\"\n", &[]).contains("'llm.base_url' is empty while llm.model is set")
    );
}

#[test]
fn unknown_keys_are_told_with_place_and_remedy() {
    let said = mistake("[server]\nhost = \"x\"\nprot = 1\n", &[]);
    assert!(
        said.contains("eruca.toml line 3: there is no setting 'server.prot'; did you mean 'port'?"),
        "{said}"
    );
    assert!(said.contains("keys of [server]: allowed_hosts, api_key, api_keys, "), "{said}");
    let said = mistake("[sever]\nport = 1\n", &[]);
    assert!(said.contains("line 1: there is no setting 'sever'; did you mean 'server'?"), "{said}");
    let said = mistake("[[datasets]]\nid = \"a\"\nfile = [\"a.ttl\"]\n", &[]);
    assert!(said.contains("line 3: there is no setting 'datasets.file'; did you mean 'files'?"), "{said}");
    let said = mistake("port = 1\n", &[]);
    assert!(said.contains("line 1: there is no setting 'port'"), "{said}");
    let said = mistake("", &[("ERUCA__SERVER__PROT", "1")]);
    assert!(
        said.starts_with("environment variable ERUCA__SERVER__PROT: there is no setting 'server.prot'"),
        "{said}"
    );
    for name in
        ["ERUCA__SERVER", "ERUCA__DATASETS__ID", "ERUCA__DATASETS__x__ID", "ERUCA__DATASETS__5000__ID"]
    {
        assert!(mistake("", &[(name, "1")]).contains("ERUCA__SECTION__KEY"), "{name}");
    }
}

#[test]
fn wrong_types_are_told_with_place_and_type() {
    let said = mistake("[server]\nport = \"80\"\n", &[]);
    assert!(said.ends_with("eruca.toml line 2: 'server.port' must be a whole number, not a text"), "{said}");
    let said = mistake("[[datasets]]\nid = \"a\"\nfiles = \"a.ttl\"\n", &[]);
    assert!(said.ends_with("line 3: 'datasets[0].files' must be a list of texts, not a text"), "{said}");
    let said = mistake("server = 1\n", &[]);
    assert!(said.ends_with("line 1: 'server' must be a section, not a whole number"), "{said}");
    let said = mistake("", &[("ERUCA__SERVER__PORT", "eighty")]);
    assert!(said.contains("ERUCA__SERVER__PORT: 'server.port' must be a whole number"), "{said}");
    assert!(mistake("[server\nport = 1\n", &[]).contains("eruca.toml line 1: not valid TOML"));
}

#[test]
fn values_that_make_no_sense_are_told_with_what_is_allowed() {
    let dataset = |lines: &str| format!("[[datasets]]\nid = \"a\"\n{lines}\n");
    let cases = [
        ("[server]\nport = 70000\n".to_owned(), "'server.port' must be between 0 and 65535"),
        ("[server]\nmax_concurrent_questions = 0\n".to_owned(), "must be between 1 and 10000"),
        ("[server]\ncors_origins = [\"https://a.example/\"]\n".to_owned(), "no path, no slash at the end"),
        ("[server]\npublic_url = \"eruca.example\"\n".to_owned(), "https://eruca.example.org"),
        ("[server]\npublic_url = \"https://a.example/?q\"\n".to_owned(), "https://eruca.example.org"),
        ("[server]\nallowed_hosts = [\"https://a.example\"]\n".to_owned(), "must hold names like"),
        ("[server]\ntls_key = \"a.pem\"\n".to_owned(), "'server.tls_certificate' is empty while"),
        ("[server]\noperators = [\"shop\"]\n".to_owned(), "a name that is not in server.api_keys"),
        ("[server]\napi_keys = { \"a b\" = \"k\" }\n".to_owned(), "must have names of at most 64"),
        ("[server]\napi_keys = { a = \"k\", b = \"k\" }\n".to_owned(), "contains a key twice"),
        ("[server]\napi_key = \"k\"\napi_keys = { a = \"k\" }\n".to_owned(), "or the key of server.api_key"),
        (
            "[server]\napi_key = \"k\\n\"\n".to_owned(),
            "'server.api_key' contains a key that is empty, spans lines",
        ),
        ("[server]\napi_keys = { a = \"\" }\n".to_owned(), "'server.api_keys' contains a key that is empty"),
        ("[embedding]\nprovider = \"magic\"\n".to_owned(), "\"none\", \"onnx\", \"fastembed\" or \"openai\""),
        ("[embedding]\nprovider = \"onnx\"\n".to_owned(), "'embedding.path' is empty; name the folder"),
        ("[schema_index]\nbackend = \"magic\"\n".to_owned(), "must be \"local\" or \"qdrant\""),
        ("[index]\nnaming_properties = [\"label\"]\n".to_owned(), "must hold full IRIs"),
        ("[log]\nformat = \"xml\"\n".to_owned(), "must be \"text\" or \"json\""),
        ("[llm]\nbase_url = \"localhost:1\"\nmodel = \"m\"\n".to_owned(), "starts with http:// or https://"),
        (dataset(""), "has neither 'files' nor 'endpoint'"),
        (
            "[[datasets]]\nfiles = [\"a\"]\n".to_owned(),
            "'datasets[0].id' is empty; every dataset needs an id",
        ),
        (dataset("files = [\"a\"]\npassword = \"x\"\nuser = \"u\""), "but no 'endpoint'"),
        (dataset("endpoint = \"https://e.x\"\npassword = \"x\""), "a password needs a user"),
        (
            dataset("endpoint = \"https://e.x\"\nuser = \"u\"\nbearer_token = \"t\""),
            "cannot be used together",
        ),
        (dataset("endpoint = \"https://u:p@e.x\""), "must not hold credentials"),
        (dataset("files = [\"a\"]\nlanguages = [\"en us\"]"), "must hold language tags"),
        (dataset("files = [\"a\"]\naliases = [\"a\"]"), "'a', which is already used by datasets[0]"),
    ];
    for (text, expected) in cases {
        let said = mistake(&text, &[]);
        assert!(said.contains(expected) && said.contains("eruca.toml"), "{text}: {said}");
    }
}

#[test]
fn keys_have_names_and_scopes_wherever_they_are_written() {
    let read = |text: &str, variables: &[(&str, &str)]| {
        let settings = load(text, variables).unwrap();
        let keys = settings.server.keys().into_iter();
        keys.map(|key| (key.name, key.key.expose_secret().to_owned(), key.scope)).collect::<Vec<_>>()
    };
    let key = |name: &str, key: &str, scope| (name.to_owned(), key.to_owned(), scope);
    assert!(read("", &[]).is_empty());
    let file =
        "[server]\napi_key = \"main\"\noperators = [\"lab\"]\n[server.api_keys]\nshop = \"s\"\nlab = \"l\"\n";
    let expected = [
        key("api_key", "main", KeyScope::Operation),
        key("lab", "l", KeyScope::Operation),
        key("shop", "s", KeyScope::Questions),
    ];
    assert_eq!(read(file, &[]), expected);
    let variables = [
        ("ERUCA__SERVER__API_KEY", "main"),
        ("ERUCA__SERVER__API_KEYS", "{ shop = \"s\", lab = \"l\" }"),
        ("ERUCA__SERVER__OPERATORS", "lab"),
    ];
    assert_eq!(read("", &variables), expected);
}

#[test]
fn secrets_are_never_shown() {
    let text = "[server]\napi_key = \"hunter2\"\napi_keys = { a = \"hunter23\" }\n[llm]\nbase_url = \"https://e.x/v1\"\nmodel = \"m\"\napi_key = \"hunter2\"\n\
        [schema_index]\nbackend = \"qdrant\"\napi_key = \"hunter2\"\n\
        [[datasets]]\nid = \"a\"\nendpoint = \"https://e.x\"\nbearer_token = \"hunter2\"\n\
        headers = { \"X-Key\" = \"hunter2\" }\n\
        [[datasets]]\nid = \"b\"\nendpoint = \"https://e.x\"\nuser = \"u\"\npassword = \"hunter2\"\n";
    let settings = load(text, &[]).unwrap();
    assert!(!format!("{settings:?}").contains("hunter2"));
    let mistakes = [
        "[llm]\napi_key = [\"hunter2\"]\n",
        "[server]\napi_keys = { a = \"hunter2\", b = \"hunter2\" }\n",
        "[server]\napi_keys = { \"hunter2 \" = \"a\" }\n",
        "[server]\napi_keys = { a = \"hunter2 \" }\n",
        "[server]\napi_keys = \"hunter2\"\n",
        "[llm]\napi_key = \"hunter2\" x\n",
        "[llm]\napi_key = 'hunter2\n",
        "[llm]\napi_key = \"hunter2\"\napi_key = \"hunter2\"\n",
        "[[datasets]]\nid = \"a\"\nheaders = { a = [\"hunter2\"] }\n",
        "[[datasets]]\nid = \"a\"\npassword = \"hunter2\"\nendpoint = \"https://e.x\"\n",
        "[[datasets]]\nid = \"a\"\nendpoint = \"https://u:hunter2@e.x\"\n",
    ];
    for text in mistakes {
        let error = load(text, &[]).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{text}: {error}");
    }
    let error = load("", &[("ERUCA__SERVER__PORT", "hunter2")]).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
}

#[test]
fn prices_are_known_when_one_is_given() {
    let prices = |toml: &str| {
        let llm = format!("[llm]\nbase_url = \"http://localhost/v1\"\nmodel = \"m\"\n{toml}");
        load(&llm, &[]).map(|settings| settings.llm.unwrap().prices())
    };
    assert!(prices("").unwrap().is_none());
    let given = prices("price_prompt = 2.0\nprice_completion = 8").unwrap().unwrap();
    assert_eq!((given.prompt, given.cached, given.completion), (2.0, 2.0, 8.0));
    assert_eq!(prices("price_prompt = 2.0\nprice_cached = 0.5").unwrap().unwrap().cached, 0.5);
    let error = prices("price_completion = -1.0").unwrap_err().to_string();
    assert!(error.contains("llm.price_completion"), "{error}");
}
