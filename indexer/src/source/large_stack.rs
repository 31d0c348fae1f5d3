//! Reads on a thread with a stack of known size, for a parser that recurses for each level of its input. By default, threads
//! have 2 MiB, and how much of it is left is unknown.

use oxrdf::Quad;
use std::sync::mpsc::sync_channel;
use std::thread::Builder;

/// Stack size in bytes. Unused parts take no memory. Without optimisation, the JSON-LD parser takes 80 kB per level, so
/// the 128 levels allowed by `json_ld` take 10 MiB, and as many steps in contexts 4 MiB.
const STACK: usize = 64 << 20;
/// Maximum number of quads in transit between the two threads.
const QUADS_IN_FLIGHT: usize = 1_000;

/// Calls `read` on such a thread; the quads that it emits are passed to `sink` on this one.
///
/// # Errors
/// When the system cannot start a thread.
pub(super) fn on_large_stack<T: Send>(
    sink: &mut dyn FnMut(Quad),
    read: impl FnOnce(&mut dyn FnMut(Quad)) -> T + Send,
) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(QUADS_IN_FLIGHT);
        let reader = Builder::new().name("reading JSON-LD".to_owned()).stack_size(STACK);
        // The receiver is dropped early only if `sink` panics; then the rest is not needed.
        let reader = reader.spawn_scoped(scope, move || read(&mut |quad| drop(sender.send(quad))))?;
        receiver.into_iter().for_each(sink);
        reader.join().or_else(|panic| std::panic::resume_unwind(panic))
    })
}
