//! The graph of an index, stored on a thread of its own from the same reading as the index.

use eruca_store::{StoreWriter, WriterOptions};
use oxrdf::Quad;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Batches of quads that the reading may be ahead.
const READ_AHEAD: usize = 16;

enum Message {
    Quads(Arc<Vec<Quad>>),
    /// All are read.
    End,
}

/// Stores what it is given. Dropped before its end, it stops and waits for its thread:
/// what is removed next must not be written into.
pub(super) struct GraphRecorder {
    messages: Option<SyncSender<Message>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl GraphRecorder {
    /// Stores into `folder`, which is created; `work` exists and holds what is needed only meanwhile.
    pub(super) fn start(folder: &Path, work: &Path, quads_in_memory: usize) -> io::Result<Self> {
        std::fs::create_dir(folder)?;
        let writer = StoreWriter::create(&WriterOptions { folder, work, quads_in_memory })?;
        let (messages, received) = sync_channel(READ_AHEAD);
        let thread = std::thread::Builder::new().name("graph".to_owned());
        let thread = thread.spawn(move || record(writer, &received))?;
        Ok(Self { messages: Some(messages), thread: Some(thread) })
    }

    /// Takes quads. What goes wrong is told at the end.
    pub(super) fn add(&self, quads: &Arc<Vec<Quad>>) {
        self.send(Message::Quads(Arc::clone(quads)));
    }

    /// All quads are there: sorts them while others work.
    pub(super) fn end(&self) {
        self.send(Message::End);
    }

    fn send(&self, message: Message) {
        if let Some(messages) = &self.messages {
            let _unless_it_has_failed = messages.send(message);
        }
    }

    /// Waits until everything is written.
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
