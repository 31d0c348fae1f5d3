//! Ctrl-C during a conversation: heard from its beginning, so that it ends a question and never the program.

use super::again::NotDone;
use std::future::Future;
use tokio::sync::watch;

/// How often Ctrl-C was pressed.
pub(super) struct Interrupts(watch::Receiver<u64>);

impl Interrupts {
    /// Begins to listen; from here on Ctrl-C ends nothing by itself.
    pub(super) fn listen() -> Self {
        let (pressed, heard) = watch::channel(0);
        tokio::spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                pressed.send_modify(|times| *times += 1);
            }
        });
        Self(heard)
    }

    /// Comes when it is pressed, or was since it was last heard of.
    pub(super) async fn next(&mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Does something unless it is pressed meanwhile.
    pub(super) async fn or<T>(
        &mut self,
        work: impl Future<Output = Result<T, NotDone>>,
    ) -> Result<T, NotDone> {
        tokio::select! {
            done = work => done,
            () = self.next() => Err(NotDone::Interrupted),
        }
    }

    /// What was pressed before is over.
    pub(super) fn forget(&mut self) {
        self.0.mark_unchanged();
    }
}
