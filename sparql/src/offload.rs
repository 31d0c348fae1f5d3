//! Moves long computations off the async threads.

/// Texts up to this many bytes are processed in place.
const SHORT: usize = 1 << 16;

/// Processes a text of `bytes` bytes: on a blocking thread if it is long, because parsing megabytes of JSON would block
/// the async runtime.
///
/// # Errors
/// The panic message, if the work has panicked.
pub async fn offload<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    if bytes <= SHORT {
        return Ok(work());
    }
    tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::{ThreadId, current};

    async fn place(bytes: usize) -> ThreadId {
        offload(bytes, || current().id()).await.unwrap()
    }

    #[tokio::test]
    async fn only_what_is_long_goes_to_another_thread() {
        assert_eq!(place(SHORT).await, current().id());
        assert_ne!(place(SHORT + 1).await, current().id());
    }

    #[tokio::test]
    async fn a_panic_on_another_thread_is_an_error() {
        let failed: Result<(), String> = offload(SHORT + 1, || panic!("a fault")).await;
        assert!(failed.unwrap_err().contains("panic"));
    }
}
