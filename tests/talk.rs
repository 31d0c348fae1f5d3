//! `eruca ask --interactive`, as people use it in a terminal and programs through a pipe.

use crate::cli::eruca;
use eruca_testing::helpers::{CITIES, QUESTION, SilentModel, cities, data, folder};
use eruca_testing::programs::{BOUND, Running, output_of, stderr, stdout, wait};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

/// What comes of a conversation through pipes.
pub(crate) fn piped(folder: &Path, arguments: &[&str], said: &str) -> Output {
    let mut command = eruca(folder);
    output_of(command.args(arguments).env("HOME", folder), said)
}

#[test]
fn questions_follow_from_those_before_and_commands_from_the_last_answer() {
    let folder = folder();
    let said = format!("{QUESTION}\nAnd of Germany?\n:query\n:why\n:rows\n:csv rows.csv\n:nonsense\n");
    let output = piped(folder.path(), &["ask", "-i"], &said);
    let (told, noted) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{noted}");
    let place = |text: &str| told.find(text).unwrap_or_else(|| panic!("no {text}: {told}\n{noted}"));
    assert!(place("Paris") < place("Berlin"), "{told}");
    assert!(place("Berlin") < place("SELECT"), ":query shows the query: {told}");
    assert!(told[place("SELECT")..].contains("Germany ─ capital → Berlin"), ":why: {told}");
    assert!(
        !told[place("SELECT")..].contains("22-rdf-syntax-ns#type →"),
        "properties have short names: {told}"
    );
    assert!(told.contains("Berlin <https://example.org/cities/Berlin>"), ":rows shows IRIs: {told}");
    let csv = std::fs::read_to_string(folder.path().join("rows.csv")).unwrap();
    assert!(csv.contains("https://example.org/cities/Berlin"), "{csv}");
    assert!(noted.contains("there is no command ':nonsense'"), "{noted}");
    assert!(!told.contains("eruca> ") && !told.contains('\u{1b}'), "no prompt in a pipe: {told}");
    assert!(!folder.path().join(".local").exists(), "the history is for people");
}

#[test]
fn a_question_may_stand_on_several_lines() {
    let output =
        piped(folder().path(), &["ask", "-i"], "What is the capital\\\nof France?\n:quit\nnot read\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("Paris"), "{}", stdout(&output));
    assert!(!stderr(&output).contains("not read"), "{}", stderr(&output));
}

#[test]
fn commands_say_what_they_need() {
    let folder = folder();
    std::fs::write(folder.path().join("kept.csv"), "mine").unwrap();
    let said = format!(":rows\n{QUESTION}\n:why 7\n:csv kept.csv\n:new\n:query\n:dataset nowhere\n");
    let output = piped(folder.path(), &["ask", "--interactive"], &said);
    let noted = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{noted}");
    assert_eq!(
        noted.matches("there is no answer yet").count(),
        2,
        "before the first and after :new: {noted}"
    );
    assert!(noted.contains("the last answer has one row"), "{noted}");
    assert!(noted.contains("cannot write 'kept.csv'"), "{noted}");
    assert!(noted.contains("there is no dataset 'nowhere'") && noted.contains(CITIES), "{noted}");
    assert_eq!(std::fs::read_to_string(folder.path().join("kept.csv")).unwrap(), "mine");
}

#[test]
fn another_dataset_may_be_asked_on_the_way() {
    let folder = folder();
    let file = Value::from(data("films.ttl")).to_string();
    let two = format!("{}\n[[datasets]]\nid = \"films\"\nfiles = [{file}]\n", cities());
    std::fs::write(folder.path().join("eruca.toml"), two).unwrap();
    let unnamed = piped(folder.path(), &["ask", "-i"], "");
    assert_eq!(unnamed.status.code(), Some(1), "{}", stderr(&unnamed));
    let said = format!(":dataset\n:dataset cities\n{QUESTION}\n:dataset\n");
    let output = piped(folder.path(), &["ask", "-i", "films"], &said);
    let told = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let (before, after) = told.split_once("Paris").unwrap();
    assert!(before.contains("* films") && after.contains(&format!("* {CITIES}")), "{told}");
}

#[test]
fn a_question_that_is_refused_ends_nothing() {
    let folder = folder();
    let short = format!("{}\n[server]\nmax_question_chars = 40\n", cities());
    std::fs::write(folder.path().join("eruca.toml"), short).unwrap();
    let said = format!("{}\n{QUESTION}\n", "Why? ".repeat(20));
    let output = piped(folder.path(), &["ask", "-i"], &said);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("longer than 40 characters"), "{}", stderr(&output));
    assert!(stdout(&output).contains("Paris"), "{}", stdout(&output));
}

#[cfg(target_os = "linux")]
mod terminal {
    use super::*;
    use std::ffi::CStr;
    use std::fs::File;
    use std::io::Read;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    use std::time::{Duration, Instant};

    const CTRL_C: &str = "\u{3}";
    const CTRL_D: &str = "\u{4}";
    const UP: &str = "\u{1b}[A";

    /// So long may nothing be shown before a test fails instead of holding all others up.
    const PATIENCE: Duration = BOUND;

    /// The program in a terminal of its own.
    struct Terminal {
        child: Running,
        screen: File,
        shown: String,
    }

    impl Terminal {
        /// A conversation in a terminal with so many lines.
        fn open(folder: &Path, rows: u16, variables: &[(&str, &str)]) -> Self {
            let (screen, inside) = pair(rows);
            let mut command = eruca(folder);
            command.args(["ask", "-i"]).env("TERM", "xterm").env("HOME", folder);
            command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
            command.envs(variables.iter().copied());
            let side = || Stdio::from(inside.try_clone().unwrap());
            command.stdin(side()).stdout(side()).stderr(side());
            // SAFETY: both calls are allowed between fork and exec.
            unsafe {
                command.pre_exec(|| {
                    let led = libc::setsid() >= 0 && libc::ioctl(0, libc::TIOCSCTTY, 0) == 0;
                    led.then_some(()).ok_or_else(std::io::Error::last_os_error)
                });
            }
            Self { child: Running(command.spawn().unwrap()), screen, shown: String::new() }
        }

        fn types(&mut self, keys: &str) {
            self.screen.write_all(keys.as_bytes()).unwrap();
        }

        /// Waits until a text is shown that was not there before, and gives what came up to it.
        fn shows(&mut self, text: &str) -> String {
            loop {
                if let Some(at) = self.shown.find(text) {
                    let rest = self.shown.split_off(at + text.len());
                    return std::mem::replace(&mut self.shown, rest);
                }
                let more = self.more().unwrap_or_else(|| panic!("no '{text}' but: {}", self.shown));
                self.shown.push_str(&more);
            }
        }

        /// Waits for the prompt. Keys that come before it can be lost: the terminal changes its mode with the prompt,
        /// and Ctrl-D, typed in the mode before, is no key in the other.
        fn prompts(&mut self) {
            self.shows("eruca> ");
        }

        /// What is shown next; nothing when the program has ended.
        fn more(&mut self) -> Option<String> {
            let mut bytes = [0; 4096];
            let length = loop {
                self.waits();
                match self.screen.read(&mut bytes) {
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    read => break read.ok().filter(|length| *length > 0)?,
                }
            };
            Some(String::from_utf8_lossy(&bytes[..length]).into_owned())
        }

        /// Waits until there is something to read, or the end of it.
        fn waits(&self) {
            let end = Instant::now() + PATIENCE;
            let mut asked = libc::pollfd { fd: self.screen.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            loop {
                let left = end.saturating_duration_since(Instant::now());
                assert!(!left.is_zero(), "nothing new was shown after: {:?}", self.shown);
                let left = i32::try_from(left.as_millis()).unwrap();
                // SAFETY: one descriptor is asked about, which is open.
                if unsafe { libc::poll(&raw mut asked, 1, left) } > 0 {
                    return;
                }
            }
        }

        /// Waits for the end.
        fn ends(mut self) -> Option<i32> {
            while self.more().is_some() {}
            wait(&mut self.child.0).code()
        }
    }

    /// Both sides of a terminal. They are opened so that no other program inherits them, also not one that another test
    /// starts at this moment: it would keep the terminal open.
    fn pair(rows: u16) -> (File, File) {
        let open = |path: &str| {
            let mut options = File::options();
            options.read(true).write(true).custom_flags(libc::O_NOCTTY).open(path).unwrap()
        };
        let outside = open("/dev/ptmx");
        let mut name = [0; 64];
        // SAFETY: the descriptor is open, and the name is written within its bounds and with an end.
        let named = unsafe {
            libc::grantpt(outside.as_raw_fd()) == 0
                && libc::unlockpt(outside.as_raw_fd()) == 0
                && libc::ptsname_r(outside.as_raw_fd(), name.as_mut_ptr(), name.len()) == 0
        };
        assert!(named, "{}", std::io::Error::last_os_error());
        // SAFETY: it was written just now and ends with a zero.
        let inside = open(unsafe { CStr::from_ptr(name.as_ptr()) }.to_str().unwrap());
        let size = libc::winsize { ws_row: rows, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: the descriptor is open and the size is read only.
        let sized = unsafe { libc::ioctl(inside.as_raw_fd(), libc::TIOCSWINSZ, &raw const size) };
        assert_eq!(sized, 0, "{}", std::io::Error::last_os_error());
        (outside, inside)
    }

    #[test]
    fn a_person_asks_goes_on_and_ends() {
        let folder = folder();
        let history = folder.path().join("state/eruca/history");
        let state = folder.path().join("state");
        let variables = [("XDG_STATE_HOME", state.to_str().unwrap())];
        let mut talk = Terminal::open(folder.path(), 50, &variables);
        talk.prompts();
        talk.types("What is the capital\\\rof France?\r");
        talk.shows("planner");
        talk.shows("Paris");
        talk.prompts();
        talk.types(CTRL_C);
        talk.shows("Ctrl-D or :quit ends the conversation");
        talk.prompts();
        talk.types(CTRL_D);
        assert_eq!(talk.ends(), Some(0));
        let kept = std::fs::read_to_string(&history).unwrap();
        assert!(kept.contains("of France?"), "{kept}");
        let mode = std::fs::metadata(&history).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "what somebody asks is nobody else's business: {mode:o}");

        let mut again = Terminal::open(folder.path(), 50, &variables);
        again.prompts();
        again.types(&format!("{UP}\r"));
        again.shows("Paris");
        again.prompts();
        again.types(":quit\r");
        assert_eq!(again.ends(), Some(0));
    }

    #[test]
    fn long_texts_go_through_the_pager() {
        let folder = folder();
        let paged = folder.path().join("paged");
        let pager = format!("cat > '{}'", paged.display());
        let mut talk = Terminal::open(folder.path(), 8, &[("PAGER", pager.as_str())]);
        talk.prompts();
        talk.types(":help\r");
        talk.shows(":help");
        talk.prompts();
        talk.types(":quit\r");
        assert_eq!(talk.ends(), Some(0));
        let text = std::fs::read_to_string(paged).unwrap();
        assert!(text.contains(":dataset [ID]"), "{text}");

        let mut without = Terminal::open(folder.path(), 8, &[("PAGER", "no-such-pager-at-all")]);
        without.prompts();
        without.types(":help\r");
        without.shows(":dataset [ID]");
        without.prompts();
        without.types(CTRL_D);
        assert_eq!(without.ends(), Some(0));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn ctrl_c_ends_the_question_and_not_the_program() {
        let model = SilentModel::start().await;
        let folder = folder();
        let llm = format!("[llm]\nbase_url = \"{}\"\nmodel = \"silent\"\nretries = 0\n", model.url);
        std::fs::write(folder.path().join("eruca.toml"), format!("{}\n{llm}", cities())).unwrap();
        let mut talk = Terminal::open(folder.path(), 50, &[]);
        talk.prompts();
        talk.types(&format!("{QUESTION}\r"));
        let held = model.asked().await;
        talk.types(CTRL_C);
        talk.shows("the question was ended");
        drop(held);
        talk.prompts();
        talk.types(":why\r");
        talk.shows("there is no answer yet");
        talk.prompts();
        talk.types(CTRL_D);
        assert_eq!(talk.ends(), Some(0));
    }
}
