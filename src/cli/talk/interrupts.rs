//! Ctrl-C during a conversation: handled from the start, so that it ends a question and never the program.

use super::again::NotDone;
use std::future::Future;
use std::io;
use tokio::sync::watch;

/// Counts how often Ctrl-C was pressed.
pub(super) struct Interrupts(watch::Receiver<u64>);

impl Interrupts {
    /// Starts listening; once this returns, Ctrl-C no longer ends the program.
    ///
    /// # Errors
    /// When the system does not let the program handle the signal.
    pub(super) fn listen() -> io::Result<Self> {
        let (pressed, heard) = watch::channel(0);
        // Registered here and not in the task: until that first runs, Ctrl-C would end the program.
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

    /// Resolves when Ctrl-C is pressed, or at once if it was pressed since the last call.
    pub(super) async fn next(&mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Runs `work` unless Ctrl-C is pressed meanwhile.
    pub(super) async fn or<T>(
        &mut self,
        work: impl Future<Output = Result<T, NotDone>>,
    ) -> Result<T, NotDone> {
        tokio::select! {
            done = work => done,
            () = self.next() => Err(NotDone::Interrupted),
        }
    }

    /// Ignores earlier presses.
    pub(super) fn forget(&mut self) {
        self.0.mark_unchanged();
    }
}
