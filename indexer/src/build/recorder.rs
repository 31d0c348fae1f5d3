//! Stores the graph of an index on a separate thread, from the same pass over the source as the index.

use eruca_store::{StoreWriter, WriterOptions};
use oxrdf::Quad;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Number of quad batches by which reading may be ahead.
const READ_AHEAD: usize = 16;

enum Message {
    Quads(Arc<Vec<Quad>>),
    /// All quads have been read.
    End,
}

/// Stores the quads that it receives. If dropped before the end, it stops and waits for its thread,
/// which must not write into a folder that is being removed.
pub(super) struct GraphRecorder {
    messages: Option<SyncSender<Message>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl GraphRecorder {
    /// Stores into `folder`, which is created; `work` is an existing folder for temporary files.
    pub(super) fn start(folder: &Path, work: &Path, quads_in_memory: usize) -> io::Result<Self> {
        std::fs::create_dir(folder)?;
        let writer = StoreWriter::create(&WriterOptions { folder, work, quads_in_memory })?;
        let (messages, received) = sync_channel(READ_AHEAD);
        let thread = std::thread::Builder::new().name("graph".to_owned());
        let thread = thread.spawn(move || record(writer, &received))?;
        Ok(Self { messages: Some(messages), thread: Some(thread) })
    }

    /// Adds quads. Errors are reported at the end.
    pub(super) fn add(&self, quads: &Arc<Vec<Quad>>) {
        self.send(Message::Quads(Arc::clone(quads)));
    }

    /// Marks the end of the quads, so that sorting starts while other work goes on.
    pub(super) fn end(&self) {
        self.send(Message::End);
    }

    fn send(&self, message: Message) {
        if let Some(messages) = &self.messages {
            let _unless_it_has_failed = messages.send(message);
        }
    }

    /// Waits until everything has been written.
    pub(super) fn finish(mut self) -> io::Result<()> {
        match self.joined() {
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            Some(Ok(stored)) => stored,
            None => Ok(()),
        }
    }

    fn joined(&mut self) -> Option<std::thread::Result<io::Result<()>>> {
        self.messages = None;
        self.thread.take().map(JoinHandle::join)
    }
}

impl Drop for GraphRecorder {
    fn drop(&mut self) {
        let _of_a_build_that_failed = self.joined();
    }
}

fn record(mut writer: StoreWriter, messages: &Receiver<Message>) -> io::Result<()> {
    for message in messages {
        match message {
            Message::Quads(quads) => quads.iter().try_for_each(|quad| writer.add(quad))?,
            Message::End => return writer.finish().map(drop),
        }
    }
    Ok(())
}
