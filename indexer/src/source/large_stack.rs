//! Reading on a thread with a stack of a known size, for a parser that calls itself for each level of its input. Threads have
//! 2 MiB unless they say otherwise, and nobody knows how much of it is left.

use oxrdf::Quad;
use std::sync::mpsc::sync_channel;
use std::thread::Builder;

/// Bytes. What is not used takes no memory. Without optimisation the parser of JSON-LD takes 80 kB for each level, so
/// the 128 that `json_ld` lets through take 10 MiB, and as many steps in contexts 4 MiB.
const STACK: usize = 64 << 20;
/// Quads between the two threads.
const QUADS_IN_FLIGHT: usize = 1_000;

/// Calls `read` on such a thread; the quads that it hands on come to `sink` on this one.
///
/// # Errors
/// When the system starts no thread.
pub(super) fn on_large_stack<T: Send>(
    sink: &mut dyn FnMut(Quad),
    read: impl FnOnce(&mut dyn FnMut(Quad)) -> T + Send,
) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(QUADS_IN_FLIGHT);
        let reader = Builder::new().name("reading JSON-LD".to_owned()).stack_size(STACK);
        // The receiver goes away early only when `sink` panics, and then nobody needs the rest.
        let reader = reader.spawn_scoped(scope, move || read(&mut |quad| drop(sender.send(quad))))?;
        receiver.into_iter().for_each(sink);
        reader.join().or_else(|panic| std::panic::resume_unwind(panic))
    })
}
