//! Programs over rows: whatever a chat model writes ends soon, with a result or a sentence, and the same again.
#![no_main]

use eruca_compute::{Bounds, ComputeError, Table, Value, run};
use libfuzzer_sys::fuzz_target;
use std::time::{Duration, Instant};

fuzz_target!(|program: &str| {
    let row = |number: i64| vec![Value::Integer(number), Value::Text(format!("name {number}"))];
    let columns = vec!["n".to_owned(), "name".to_owned()];
    let table = Table { name: "r1".to_owned(), columns, rows: (0..20).map(row).collect() };
    let bounds = Bounds { instructions: 200_000, memory: 8 << 20, ..Bounds::default() };
    let started = Instant::now();
    let once = run(program, std::slice::from_ref(&table), &bounds);
    assert!(started.elapsed() < Duration::from_secs(8), "it was not ended");
    if let Err(error) = &once {
        assert!(error.to_string().len() < 3_000, "{error}");
    }
    // What ends by memory or time need not end at the same place.
    if !matches!(once, Err(ComputeError::Memory(_) | ComputeError::Time(_))) {
        assert_eq!(once, run(program, &[table], &bounds));
    }
});
