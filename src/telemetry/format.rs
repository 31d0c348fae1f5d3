//! The format of log lines. Every value of events and spans is written in one place, which escapes untrusted text that
//! could start a new line or control a terminal.

use crate::config::LogFormat;
use crate::lines::{Escaping, JsonLines};
use std::fmt::{self, Write};
use std::io;
use tracing::Subscriber;
use tracing::field::Field;
use tracing_subscriber::Layer;
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::{Writer, debug_fn};
use tracing_subscriber::registry::LookupSpan;

/// A layer that writes lines with `writer`; `coloured` applies only to the text format.
pub(super) fn layer<S, W>(
    format: LogFormat,
    writer: W,
    coloured: bool,
) -> Box<dyn Layer<S> + Send + Sync + 'static>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    match format {
        LogFormat::Text => tracing_subscriber::fmt::layer()
            .with_writer(writer)
            .with_ansi(coloured)
            .with_target(false)
            .fmt_fields(debug_fn(value).delimited(" "))
            .boxed(),
        LogFormat::Json => tracing_subscriber::fmt::layer()
            .with_writer(MakeJsonLines(writer))
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .boxed(),
    }
}

/// Writes the value of a field like the default format, but escaped. Everything else in a line is a name from
/// the source code.
fn value(writer: &mut Writer<'_>, field: &Field, value: &dyn fmt::Debug) -> fmt::Result {
    match field.name() {
        "message" => {}
        // Italic and dimmed, by ECMA-48.
        name if writer.has_ansi_escapes() => {
            write!(writer, "\u{1b}[3m{name}\u{1b}[0m\u{1b}[2m=\u{1b}[0m")?;
        }
        name => write!(writer, "{name}=")?,
    }
    write!(Escaping(writer), "{value:?}")
}

struct MakeJsonLines<W>(W);

impl<'writer, W: MakeWriter<'writer>> MakeWriter<'writer> for MakeJsonLines<W>
where
    W::Writer: io::Write,
{
    type Writer = JsonLines<W::Writer>;

    fn make_writer(&'writer self) -> Self::Writer {
        JsonLines(self.0.make_writer())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::steers;
    use proptest::prelude::*;
    use std::sync::{Arc, Mutex};
    use tracing_subscriber::layer::SubscriberExt;

    #[derive(Clone, Default)]
    struct KeptLog(Arc<Mutex<Vec<u8>>>);

    impl io::Write for KeptLog {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The log output for an event that contains `text` in every possible place.
    fn logged(format: LogFormat, coloured: bool, text: &str) -> String {
        let kept = KeptLog::default();
        let writer = kept.clone();
        let subscriber = tracing_subscriber::registry().with(layer(format, move || writer.clone(), coloured));
        tracing::subscriber::with_default(subscriber, || {
            let span = tracing::info_span!("request", id = text, shown = %text, key = tracing::field::Empty);
            span.record("key", text);
            let _entered = span.enter();
            let error = io::Error::other(text.to_owned());
            let cause: &dyn std::error::Error = &error;
            tracing::warn!(text, shown = %text, debugged = ?text, %error, cause, "said {text}");
        });
        String::from_utf8(kept.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn fields_are_shown_with_their_names() {
        let line = logged(LogFormat::Text, false, "Köln");
        let fields = "WARN request{id=\"Köln\" shown=Köln key=\"Köln\"}: said Köln text=\"Köln\" shown=Köln";
        assert!(line.contains(fields), "{line}");
        let coloured = logged(LogFormat::Text, true, "\u{1b}[2J");
        assert!(coloured.contains("\u{1b}[") && !coloured.contains("\u{1b}[2J"), "{coloured:?}");
    }

    proptest! {
        #[test]
        fn an_event_is_one_line_whatever_its_values(text in "[\\n\\r\\x00\\x1b\\x7f\u{85}\u{9b}\u{2028}\u{202e}a\"\\\\]{0,8}\\PC{0,3}") {
            for format in [LogFormat::Text, LogFormat::Json] {
                let line = logged(format, false, &text);
                let line = line.strip_suffix('\n').unwrap();
                prop_assert!(!line.contains(steers), "{line:?}");
                if format == LogFormat::Json {
                    let event: serde_json::Value = serde_json::from_str(line).unwrap();
                    prop_assert_eq!(event["text"].as_str().unwrap(), &text);
                }
            }
        }
    }
}
