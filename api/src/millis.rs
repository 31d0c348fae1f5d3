//! Durations as milliseconds on the wire, to the microsecond; further digits are noise.

use serde::{Deserialize, Deserializer, Serializer};
use std::time::Duration;

/// The milliseconds of a duration.
pub fn of(duration: Duration) -> f64 {
    duration.as_micros() as f64 / 1000.0
}

pub(super) fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(of(*duration))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let millis = f64::deserialize(deserializer)?;
    Duration::try_from_secs_f64(millis / 1000.0).map_err(serde::de::Error::custom)
}
