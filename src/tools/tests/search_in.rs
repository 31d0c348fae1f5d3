//! Search inside patterns: properties, classes and terms that a pattern allows, by name and by number.

use super::*;

async fn searched(pattern: &str, variable: &str, text: &str) -> String {
    let graph = mills().await;
    let arguments = json!({ "pattern": pattern, "variable": variable, "text": text });
    says(&graph, "search_in", arguments).await
}

#[tokio::test]
async fn what_a_pattern_allows_is_ranked_by_its_solutions() {
    insta::assert_snapshot!(searched("?m a mills:Mill ; ?p ?o", "p", "").await, @r"
    mills:near: 7
    mills:height: 4
    mills:keptBy: 4
    rdf:type: 4
    rdfs:label: 4
    mills:stone: 2
    mills:weight: 2
    ");
    insta::assert_snapshot!(searched("mills:m1 mills:keptBy ?k . ?k a ?c", "?c", "").await, @"mills:Keeper: 1");
    insta::assert_snapshot!(searched("?m mills:near ?n . ?n mills:keptBy mills:k1", "m", "").await, @r#"
    mills:m3 "Mill of Brook": 2
    mills:m1 "Upper Mill": 1
    mills:m2 "Lower Mill": 1
    mills:m4 "Old Mill": 1
    "#);
}

#[tokio::test]
async fn a_name_finds_only_what_the_pattern_allows() {
    // Seven things are called like "mill"; three of them are near the upper mill.
    insta::assert_snapshot!(searched("?x mills:near mills:m1", "x", "mill").await, @r#"
    mills:m2 "Lower Mill": 1
    mills:m4 "Old Mill": 1
    mills:m3 "Mill of Brook": 1
    "#);
    insta::assert_snapshot!(searched("?k ?p ?v . ?m mills:keptBy ?k", "p", "telephone number").await, @"mills:phone: 3");
    insta::assert_snapshot!(searched("mills:m1 ?p ?v", "p", "phone").await, @r#"No property with a name like "phone" makes the pattern match; leave out a condition, or search without `text`."#);
    insta::assert_snapshot!(searched("?m mills:weight ?w", "w", "1200").await, @r#""1200": 1"#);
}

#[tokio::test]
async fn a_pattern_that_cannot_be_searched_is_explained() {
    insta::assert_snapshot!(searched("?m mills:near ?n", "q", "").await, @"The pattern cannot be searched: the pattern does not have the variable ?q. Give triple patterns alone, without SELECT and WHERE.");
    insta::assert_snapshot!(searched("SELECT ?m { ?m mills:near ?n }", "m", "").await, @r#"
    mills:m1 "Upper Mill": 2
    mills:m2 "Lower Mill": 2
    mills:m3 "Mill of Brook": 2
    mills:k2 "Bo Marsh": 1
    mills:lane: 1
    mills:m4 "Old Mill": 1
    "#);
    insta::assert_snapshot!(searched("?m mills:near", "m", "").await, @"The pattern cannot be searched: syntax error at line 1, column 32 near `}`: `}` cannot stand here. Give triple patterns alone, without SELECT and WHERE.");
    insta::assert_snapshot!(searched("?m mills:near ?n", "n } #", "").await, @r#"The pattern cannot be searched: "n } #" is no name of a variable. Give triple patterns alone, without SELECT and WHERE."#);
}
