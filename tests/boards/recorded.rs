//! Queries that are run for pages, in the metrics and in the query log.

use super::{Counter, Site};
use eruca_testing::helpers::query_log;
use eruca_testing::programs::within;
use serde_json::{Value, json as value};
use std::sync::atomic::Ordering::SeqCst;

const LOG: &str = "[log]\nquestions_folder = \"log\"\n";

fn lines(site: &Site) -> Vec<Value> {
    let text = std::fs::read_to_string(query_log(&site.folder.path().join("log"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

async fn metrics(site: &Site) -> String {
    site.get("/metrics").await.text().await.unwrap()
}

#[tokio::test]
async fn a_query_that_is_run_for_a_page_is_counted_and_noted_once() {
    let site = Site::new(LOG).await;
    let rows = site.json("/q/leaders.json?department=Research").await;
    assert_eq!(rows["rows"]["row_count"], 2);
    assert_eq!(site.get("/q/leaders.csv?department=Research").await.status(), 200, "from memory");
    let text = metrics(&site).await;
    for line in [
        "eruca_board_queries_total{dataset=\"office\",outcome=\"answered\"} 1\n",
        "eruca_board_query_seconds_count{dataset=\"office\"} 1\n",
    ] {
        assert!(text.contains(line), "{line}{text}");
    }
    assert!(!text.contains("eruca_questions_total{"), "nobody has asked a question: {text}");
    let noted = lines(&site);
    assert_eq!(noted.len(), 1, "{noted:?}");
    let line = &noted[0];
    assert_eq!(
        (&line["board"], &line["question"], &line["kg"], &line["answered_by"], &line["rows"]),
        (
            &value!("leaders"),
            &value!("Who leads Research?"),
            &value!("office"),
            &value!("verified"),
            &value!(2)
        )
    );
    assert!(line["sparql"].as_str().unwrap().contains("http://office.example/research"), "{line}");
}

#[tokio::test]
async fn a_query_that_fails_or_is_run_behind_an_older_result_is_recorded_too() {
    let counter = Counter::start().await;
    let site = counter.site("refresh = '1m'\nstale = true").await;
    counter.open.store(0, SeqCst);
    assert_eq!(site.refused("/q/count.json").await.0, 502);
    counter.open.store(1, SeqCst);
    site.json("/q/count.json").await;
    site.later(61);
    site.json("/q/count.json").await;
    within("the query that is run meanwhile", async {
        while !metrics(&site).await.contains(",outcome=\"answered\"} 2\n") {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let text = metrics(&site).await;
    assert!(text.contains(",outcome=\"endpoint_down\"} 1\n"), "{text}");
}
