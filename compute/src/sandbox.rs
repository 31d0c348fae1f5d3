//! Runs one program in a Lua of its own, within bounds.
//!
//! What cannot be bounded from outside is not there: functions of C that loop on their own (`table.move`, Lua's
//! patterns, `table.sort`) are replaced, and so is what could catch the error by which a program is ended (`pcall`,
//! coroutines) or change the tables of others (metatables).

use crate::result::{Computed, read};
use crate::values::Table;
use crate::{dates, patterns};
use mlua::chunk::ChunkMode;
use mlua::{Error, HookTriggers, Lua, LuaOptions, StdLib, Value, VmState};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Functions that programs get, in Lua; also what replaces functions of Lua that cannot be bounded.
const PRELUDE: &str = include_str!("prelude.lua");
/// The library that a program sees is what the prelude leaves; these are gone before it runs.
const REMOVED: [&str; 20] = [
    "_G",
    "_VERSION",
    "collectgarbage",
    "coroutine",
    "debug",
    "dofile",
    "getmetatable",
    "load",
    "loadfile",
    "loadstring",
    "package",
    "pcall",
    "rawequal",
    "rawget",
    "rawlen",
    "rawset",
    "require",
    "setmetatable",
    "warn",
    "xpcall",
];
/// Instructions between two looks at the clock. A single instruction takes at most some milliseconds, for texts as long
/// as the memory allows.
const HOOK_INSTRUCTIONS: u32 = 200;
/// Bytes of a program.
const MAX_PROGRAM: usize = 20_000;
/// Printed lines that are kept, and characters of each.
const MAX_PRINTED: usize = 50;
const MAX_LINE: usize = 500;

/// What a program may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Virtual machine instructions.
    pub instructions: u64,
    /// Bytes, the rows included.
    pub memory: usize,
    /// Wall-clock time.
    pub time: Duration,
    /// Rows of the result.
    pub rows: usize,
    /// Characters of a cell of the result.
    pub text: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            instructions: 20_000_000,
            memory: 32 << 20,
            time: Duration::from_secs(5),
            rows: 1_000,
            text: 2_000,
        }
    }
}

/// Why a program has no result. The messages are for whoever wrote it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ComputeError {
    /// It does not parse, or is too long.
    #[error("the program cannot be read: {0}")]
    Syntax(String),
    /// It raised an error.
    #[error("the program failed: {0}")]
    Failed(String),
    /// It ran too many instructions.
    #[error("the program was ended after {0} instructions; do less per row, or aggregate in SPARQL")]
    Instructions(u64),
    /// It ran too long.
    #[error("the program was ended after {} s; do less per row, or aggregate in SPARQL", .0.as_secs_f32())]
    Time(Duration),
    /// It needed too much memory.
    #[error("the program needed more than {} MB of memory; keep fewer rows or shorter texts", .0 >> 20)]
    Memory(usize),
    /// It returned nothing.
    #[error("the program returned nothing; end it with \"return\" and a value, a list or rows")]
    Nothing,
    /// Its result is not a value, a list or rows.
    #[error("the result cannot be shown: {0}")]
    TooLarge(String),
}

impl ComputeError {
    pub(crate) fn failed(error: &Error) -> Self {
        Self::Failed(message(error))
    }
}

/// Runs a program on tables. The same program on the same tables gives the same result.
///
/// Blocks for at most about the time of the bounds.
///
/// # Errors
/// If the program cannot be read, fails, exceeds a bound, or returns nothing that can be shown.
pub fn run(program: &str, tables: &[Table], bounds: &Bounds) -> Result<Computed, ComputeError> {
    if program.len() > MAX_PROGRAM {
        return Err(ComputeError::Syntax(format!("it has more than {MAX_PROGRAM} bytes")));
    }
    let meter = Arc::new(Meter { bounds: *bounds, started: Instant::now(), used: AtomicU64::new(0) });
    let printed = Rc::new(RefCell::new(Vec::new()));
    let evaluated = evaluate(program, tables, &meter, &printed);
    let (lua, returned) = evaluated.map_err(|error| meter.error(&error))?;
    let printed = printed.take();
    let computed = read(&returned, printed, bounds);
    drop((returned, lua));
    computed
}

fn evaluate(
    program: &str,
    tables: &[Table],
    meter: &Arc<Meter>,
    printed: &Rc<RefCell<Vec<String>>>,
) -> mlua::Result<(Lua, Value)> {
    let libraries = StdLib::STRING | StdLib::TABLE | StdLib::MATH | StdLib::UTF8;
    let lua = Lua::new_with(libraries, LuaOptions::new().catch_rust_panics(false))?;
    lua.set_memory_limit(meter.bounds.memory)?;
    let globals = lua.globals();
    dates::define(&lua, &globals)?;
    patterns::define(&lua, &globals)?;
    let lines = printed.clone();
    let print = move |_: &Lua, line: String| {
        let mut lines = lines.borrow_mut();
        if lines.len() < MAX_PRINTED {
            lines.push(line.chars().take(MAX_LINE).collect());
        }
        Ok(())
    };
    globals.raw_set("__print", lua.create_function(print)?)?;
    lua.load(PRELUDE).set_name("=prelude").set_mode(ChunkMode::Text).exec()?;
    for name in REMOVED {
        globals.raw_set(name, Value::Nil)?;
    }
    for table in tables {
        table.define(&lua)?;
    }
    let metered = meter.clone();
    let triggers = HookTriggers::new().every_nth_instruction(HOOK_INSTRUCTIONS);
    lua.set_hook(triggers, move |_, _| metered.tick())?;
    let returned = lua.load(program).set_name("=program").set_mode(ChunkMode::Text).eval::<Value>()?;
    lua.remove_hook();
    Ok((lua, returned))
}

/// What a program has used.
struct Meter {
    bounds: Bounds,
    started: Instant,
    used: AtomicU64,
}

impl Meter {
    fn tick(&self) -> mlua::Result<VmState> {
        let step = u64::from(HOOK_INSTRUCTIONS);
        let used = self.used.fetch_add(step, Ordering::Relaxed) + step;
        if used > self.bounds.instructions || self.started.elapsed() > self.bounds.time {
            return Err(Error::runtime("a bound was exceeded"));
        }
        Ok(VmState::Continue)
    }

    /// The error of a program, by what it has used.
    fn error(&self, error: &Error) -> ComputeError {
        let Bounds { instructions, memory, time, .. } = self.bounds;
        if self.used.load(Ordering::Relaxed) > instructions {
            return ComputeError::Instructions(instructions);
        }
        if self.started.elapsed() > time {
            return ComputeError::Time(time);
        }
        match root(error) {
            Error::MemoryError(_) => ComputeError::Memory(memory),
            Error::SyntaxError { message, .. } => ComputeError::Syntax(shortened(message)),
            other => ComputeError::failed(other),
        }
    }
}

/// The error that a function called from Lua returned.
fn root(error: &Error) -> &Error {
    match error {
        Error::CallbackError { cause, .. } => root(cause),
        other => other,
    }
}

fn message(error: &Error) -> String {
    match root(error) {
        Error::RuntimeError(text) => shortened(text),
        other => shortened(&other.to_string()),
    }
}

/// The first line: what follows is a trace of the stack.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("runtime error: ").chars().take(MAX_LINE).collect()
}
