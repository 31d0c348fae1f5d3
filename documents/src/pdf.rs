//! PDF: read by a child process, which is ended when it takes too long and cannot take much memory.
//!
//! The format allows streams that expand without end, and the readers of it may panic. In a process of its own, neither
//! costs more than the document.

use crate::document::{Document, DocumentBuilder};
use crate::read_plain;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Maximum size of a file, in bytes.
const MAX_BYTES: u64 = 200 << 20;
/// Maximum size of the text of a file, in bytes.
const MAX_TEXT: u64 = 64 << 20;
/// Time for a file.
const TIME: Duration = Duration::from_secs(60);
/// Memory that the process may take besides its program, in bytes.
#[cfg(unix)]
const MAX_MEMORY: u64 = 1 << 30;
/// Ends a page in the output of the process, as `pdftotext` does it.
const PAGE_END: char = '\u{c}';

/// Reads PDF files by a child process.
#[derive(Debug, Clone, Default)]
pub struct PdfReader {
    /// A program that calls [`pdf_process`] when run with the arguments; without it no PDF file is read.
    pub program: Option<PathBuf>,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// Why a PDF file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// There is no program for it.
    #[error("this needs the program eruca; build the index with `eruca index`")]
    NoProgram,
    /// The process cannot be run.
    #[error("no process can be started for it: {0}")]
    Process(#[from] io::Error),
    /// It takes too long.
    #[error("it takes more than {} seconds", TIME.as_secs())]
    Timeout,
    /// The process ended without the text.
    #[error("it is damaged, encrypted or too large")]
    Damaged,
    /// There is no text in it.
    #[error("it has no text (a scan has pictures alone); run a text recognition first")]
    NoText,
}

impl PdfReader {
    /// The document in a PDF file.
    ///
    /// # Errors
    /// If it cannot be read in time, or has no text.
    pub(crate) fn read(&self, file: File) -> Result<Document, PdfError> {
        let text = self.text(file)?;
        let mut builder = DocumentBuilder::default();
        for (number, page) in (1..).zip(text.split(PAGE_END)) {
            builder.page(number);
            read_plain(page, &mut builder);
        }
        let document = builder.finish();
        if document.sections.is_empty() { Err(PdfError::NoText) } else { Ok(document) }
    }

    fn text(&self, file: File) -> Result<String, PdfError> {
        let program = self.program.as_ref().ok_or(PdfError::NoProgram)?;
        let mut child = Command::new(program)
            .args(&self.arguments)
            .stdin(file)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .env_clear()
            .spawn()?;
        let output = child.stdout.take();
        let text = output.map_or(Err(PdfError::Damaged), read_in_time);
        // It may have ended already.
        let _killed = text.is_err().then(|| child.kill());
        let ended_well = end(&mut child)?;
        text.and_then(|text| if ended_well { Ok(text) } else { Err(PdfError::Damaged) })
    }
}

fn end(child: &mut Child) -> io::Result<bool> {
    Ok(child.wait()?.success())
}

/// What the process writes until it ends.
fn read_in_time(output: ChildStdout) -> Result<String, PdfError> {
    let (sender, received) = sync_channel(1);
    std::thread::Builder::new().name("pdf".to_owned()).spawn(move || {
        let mut text = Vec::new();
        let read = output.take(MAX_TEXT).read_to_end(&mut text).map(|_| text);
        // Nobody waits any more after the time.
        let _received = sender.send(read);
    })?;
    match received.recv_timeout(TIME) {
        Ok(text) => Ok(String::from_utf8_lossy(&text?).into_owned()),
        Err(RecvTimeoutError::Timeout) => Err(PdfError::Timeout),
        Err(RecvTimeoutError::Disconnected) => Err(PdfError::Damaged),
    }
}

/// Runs this process as a reader: a PDF file on standard input, its text on standard output, a form feed between pages.
///
/// # Errors
/// If the file cannot be read.
pub fn pdf_process() -> io::Result<()> {
    confine();
    let mut bytes = Vec::new();
    io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other("the file is too large"));
    }
    let pages = pdf_extract::extract_text_from_mem_by_pages(&bytes).map_err(io::Error::other)?;
    let mut out = io::stdout().lock();
    for (number, page) in pages.iter().enumerate() {
        if number > 0 {
            write!(out, "{PAGE_END}")?;
        }
        out.write_all(page.replace(PAGE_END, " ").as_bytes())?;
    }
    out.flush()
}

/// Sets a limit of memory, enforced by the operating system where it can.
fn confine() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let limit = Some(MAX_MEMORY);
        let _where_supported = setrlimit(Resource::Data, Rlimit { current: limit, maximum: limit });
        let none = Some(0);
        let _no_core_file = setrlimit(Resource::Core, Rlimit { current: none, maximum: none });
    }
}
