//! The index on a real server, if `ERUCA_TEST_QDRANT_URL` (and optionally `ERUCA_TEST_QDRANT_API_KEY`) names one.

use super::parity::compared;
use super::scenarios::{client, collections, every_scenario, open, options, write_shop};
use super::*;
use crate::qdrant::stand_in::{RealQdrant, skipped};

/// Runs the scenario under a unique name on the configured server, and cleans up afterwards.
async fn on_the_real_server(scenario: impl AsyncFn(&QdrantOptions)) {
    let Some(RealQdrant { url, api_key }) = RealQdrant::from_environment() else {
        return RealQdrant::say_skipped();
    };
    let options = QdrantOptions { api_key, ..options(&url) };
    scenario(&options).await;
    for name in collections(&options).await {
        client(&options).delete_collection(name).await.unwrap();
    }
}

every_scenario!(on_the_real_server);

#[tokio::test]
async fn finds_what_the_folder_finds() {
    on_the_real_server(async |options| {
        for dense in [false, true] {
            compared(options, dense).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_wrong_key_is_refused() {
    on_the_real_server(async |options| {
        if options.api_key.is_none() {
            skipped("ERUCA_TEST_QDRANT_API_KEY is not set");
            return;
        }
        write_shop(options).await;
        let wrong = QdrantOptions { api_key: Some("wr0ng".into()), ..options.clone() };
        let error = open(&wrong).await.err().unwrap().to_string();
        assert!(error.contains("access denied; check the API key") && !error.contains("wr0ng"), "{error}");
    })
    .await;
}
