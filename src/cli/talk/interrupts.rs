//! Ctrl-C during a conversation: heard from its beginning, so that it ends a question and never the program.

use super::again::NotDone;
use std::future::Future;
use std::io;
use tokio::sync::watch;

/// How often Ctrl-C was pressed.
pub(super) struct Interrupts(watch::Receiver<u64>);

impl Interrupts {
    /// Begins to listen; once this returns, Ctrl-C ends nothing by itself.
    ///
    /// # Errors
    /// When the system does not let the program hear of it.
    pub(super) fn listen() -> io::Result<Self> {
        let (pressed, heard) = watch::channel(0);
        // Here and not in the task: until it is first run, Ctrl-C would end the program.
        #[cfg(unix)]
        let mut signal = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())?;
        #[cfg(windows)]
        let mut signal = tokio::signal::windows::ctrl_c()?;
        tokio::spawn(async move {
            while signal.recv().await.is_some() {
                pressed.send_modify(|times| *times += 1);
            }
        });
        Ok(Self(heard))
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
