//! The exact error messages for invalid configurations.

use super::Settings;
use std::path::Path;

/// Invalid files, each with what is wrong in it.
const FILES: [(&str, &str); 13] = [
    ("a misspelt key", "[server]\nport = 1\nprot = 2\n"),
    ("a misspelt section", "# first\n\n[sever]\nport = 1\n"),
    ("a key without a section", "port = 1\n"),
    ("another type", "[server]\nport = \"80\"\n"),
    ("a list with another type in it", "[server]\ncors_origins = [\n  \"https://a.example\",\n  1,\n]\n"),
    ("a number out of range", "[server]\n\nport = 70000\n"),
    ("broken TOML with a secret in it", "[llm]\napi_key = \"sk-secret\nmodel = \"m\"\n"),
    (
        "a misspelt key of a dataset",
        "[[datasets]]\nid = \"a\"\nfiles = [\"a.ttl\"]\n[[datasets]]\nid = \"b\"\nendpont = \"http://e.x/\"\n",
    ),
    ("one table for the datasets", "[datasets]\nid = \"a\"\n"),
    ("a dataset of nothing", "[[datasets]]\nid = \"a\"\n"),
    (
        "two datasets of one name",
        "[[datasets]]\nid = \"a\"\nfiles = [\"a.ttl\"]\n[[datasets]]\nid = \"b\"\naliases = [\"a\"]\nfiles = [\"b.ttl\"]\n",
    ),
    (
        "a password without a user",
        "[[datasets]]\nid = \"a\"\nendpoint = \"http://e.x/\"\npassword = \"secret\"\n",
    ),
    ("a word that is none of the known ones", "[log]\nformat = \"yaml\"\n"),
];

/// Invalid variables, each with what is wrong in it.
const VARIABLES: [(&str, &str, &str); 6] = [
    ("a misspelt key", "ERUCA__SERVER__PROT", "1"),
    ("another type", "ERUCA__SERVER__PORT", "eighty"),
    ("a key without a section", "ERUCA__PORT", "1"),
    ("a dataset without a number", "ERUCA__DATASETS__FIRST__ID", "a"),
    ("a misspelt key of a dataset", "ERUCA__DATASETS__0__ENDPONT", "http://e.x/"),
    ("a number out of range", "ERUCA__AGENT__DEADLINE_SECONDS", "0"),
];

fn said(title: &str, text: &str, variables: &[(String, String)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("eruca.toml");
    std::fs::write(&file, text).unwrap();
    let error = Settings::load_from(Some(&file), Path::new("no-such-folder"), variables).unwrap_err();
    format!("{title}\n  {}\n", error.to_string().replace(&file.display().to_string(), "eruca.toml"))
}

#[test]
fn every_mistake_is_told_with_its_place_and_what_is_allowed_there() {
    let files = FILES.iter().map(|(title, text)| said(title, text, &[]));
    let variables = VARIABLES.iter().map(|(title, name, value)| {
        said(&format!("variable: {title}"), "", &[((*name).to_owned(), (*value).to_owned())])
    });
    let all: String = files.chain(variables).collect();
    assert!(!all.contains("secret\n") && !all.contains("sk-secret"), "{all}");
    insta::assert_snapshot!(all, @r#"
    a misspelt key
      eruca.toml line 3: there is no setting 'server.prot'; did you mean 'port'? keys of [server]: allowed_hosts, api_key, api_keys, board_keys, client_header, client_seconds, connections_per_client, cors_origins, embed_origins, host, key_roles, max_concurrent_questions, max_connections, max_question_chars, max_waiting_questions, mcp, operators, page, port, proxies, public_url, queries, questions_per_minute, reload_seconds, role_header, stop_seconds, tls_certificate, tls_key, user_header
    a misspelt section
      eruca.toml line 3: there is no setting 'sever'; did you mean 'server'? sections: agent, cache, embedding, feedback, helps, index, llm, log, outgoing, page, runs, schema_index, entity_index, server, sparql, datasets, roles
    a key without a section
      eruca.toml line 1: there is no setting 'port'; sections: agent, cache, embedding, feedback, helps, index, llm, log, outgoing, page, runs, schema_index, entity_index, server, sparql, datasets, roles
    another type
      eruca.toml line 2: 'server.port' must be a whole number, not a text
    a list with another type in it
      eruca.toml line 2: 'server.cors_origins' must be a list of texts, not a list with other things than texts
    a number out of range
      eruca.toml line 3: 'server.port' must be between 0 and 65535
    broken TOML with a secret in it
      eruca.toml line 2: not valid TOML: invalid basic string, expected `"`
    a misspelt key of a dataset
      eruca.toml line 6: there is no setting 'datasets.endpont'; did you mean 'endpoint'? keys of [[datasets]]: id, aliases, name, files, format, endpoint, user, password, bearer_token, headers, default_graphs, graphs, dialect, editor, improve, prefixes, index, knowledge, texts, text_mapping, text_literals, text_vectors, languages, vocabulary, type_property, subclass_property, wikibase_base, preset, search, wikibase_api, vector_search
    one table for the datasets
      eruca.toml line 1: 'datasets' must be a list of tables: [[datasets]], not a table
    a dataset of nothing
      eruca.toml line 1: 'datasets[0]' has neither 'files' nor 'endpoint'; at least one is needed
    two datasets of one name
      eruca.toml line 6: 'datasets[1].aliases' contains 'a', which is already used by datasets[0]
    a password without a user
      eruca.toml line 1: 'datasets[0].user' is empty; a password needs a user
    a word that is none of the known ones
      eruca.toml line 2: 'log.format' must be "text" or "json"
    variable: a misspelt key
      environment variable ERUCA__SERVER__PROT: there is no setting 'server.prot'; did you mean 'port'? keys of [server]: allowed_hosts, api_key, api_keys, board_keys, client_header, client_seconds, connections_per_client, cors_origins, embed_origins, host, key_roles, max_concurrent_questions, max_connections, max_question_chars, max_waiting_questions, mcp, operators, page, port, proxies, public_url, queries, questions_per_minute, reload_seconds, role_header, stop_seconds, tls_certificate, tls_key, user_header
    variable: another type
      environment variable ERUCA__SERVER__PORT: 'server.port' must be a whole number, not what the variable holds
    variable: a key without a section
      environment variable ERUCA__PORT: there is no setting 'port'; variables are named ERUCA__SECTION__KEY or ERUCA__DATASETS__NUMBER__KEY (the first is 0)
    variable: a dataset without a number
      environment variable ERUCA__DATASETS__FIRST__ID: there is no setting 'datasets.first.id'; variables are named ERUCA__SECTION__KEY or ERUCA__DATASETS__NUMBER__KEY (the first is 0)
    variable: a misspelt key of a dataset
      environment variable ERUCA__DATASETS__0__ENDPONT: there is no setting 'datasets.endpont'; did you mean 'endpoint'? keys of [[datasets]]: id, aliases, name, files, format, endpoint, user, password, bearer_token, headers, default_graphs, graphs, dialect, editor, improve, prefixes, index, knowledge, texts, text_mapping, text_literals, text_vectors, languages, vocabulary, type_property, subclass_property, wikibase_base, preset, search, wikibase_api, vector_search
    variable: a number out of range
      environment variable ERUCA__AGENT__DEADLINE_SECONDS: 'agent.deadline_seconds' must be between 1 and 86400
    "#);
}
