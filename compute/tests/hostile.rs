//! Programs that try to get out, to run for ever, or to fill the memory: each ends within its bounds.

use eruca_compute::{Bounds, ComputeError, Table, Value, run};
use std::time::{Duration, Instant};

/// What is not there: files, processes, code from strings, ways to catch errors or to change the tables of others.
const ABSENT: [&str; 40] = [
    "io",
    "io.open",
    "os",
    "os.execute",
    "os.time",
    "os.clock",
    "os.getenv",
    "package",
    "package.loadlib",
    "require",
    "debug",
    "debug.getinfo",
    "debug.sethook",
    "debug.getregistry",
    "load",
    "loadstring",
    "loadfile",
    "dofile",
    "coroutine",
    "coroutine.wrap",
    "pcall",
    "xpcall",
    "setmetatable",
    "getmetatable",
    "rawset",
    "rawget",
    "rawequal",
    "rawlen",
    "collectgarbage",
    "next",
    "_G",
    "_ENV.io",
    "string.dump",
    "string.pack",
    "string.unpack",
    "table.move",
    "math.random",
    "math.randomseed",
    "__find",
    "__print",
];

/// What must end by a bound or an error of its own.
const ENDLESS: [&str; 56] = [
    "while true do end",
    "repeat until false",
    "for i = 1, math.huge do end",
    "for i = 1, 9223372036854775807 do end",
    "::a:: goto a",
    "local function f() return f() end return f()",
    "local function f() f() end f()",
    "local function f(n) return n + f(n + 1) end return f(1)",
    "local t = {} while true do t[#t + 1] = {} end",
    "local t = {} while true do t[#t + 1] = #t end",
    "local s = 'x' while true do s = s .. s end",
    "return ('x'):rep(1e9)",
    "return ('x'):rep(1e18)",
    "return (''):rep(1e18)",
    "return ('x'):rep(9223372036854775807)",
    "return ('x'):rep(1e6, ('y'):rep(1e6))",
    "local t = {} for i = 1, 1e7 do t[i] = ('x'):rep(1000) .. i end",
    "local s = ('a'):rep(1e5) return s:find(('a?'):rep(50) .. ('a'):rep(50) .. 'b')",
    "local s = ('a'):rep(30000) return s:match('^(a*)*(a*)*b')",
    "local s = ('a'):rep(1e6) return s:find('.-.-.-.-b')",
    "local s = ('('):rep(1e5) return s:find(s)",
    "local s = ('x'):rep(1e6) return s:gsub('', s)",
    "local s = ('x'):rep(1e5) return s:gsub('x', s)",
    "local s = ('x'):rep(1e5) return s:gsub('x', function() while true do end end)",
    "for w in (('x '):rep(1e6)):gmatch('%a') do for i = 1, 1e9 do end end",
    "local t = {} for i = 1, 1e6 do t[i] = 1e6 - i end table.sort(t) table.sort(t) table.sort(t) while true do table.sort(t) end",
    "local t = {} for i = 1, 1e5 do t[i] = i end table.sort(t, function() return true end) while true do end",
    "local t = {} for i = 1, 1e5 do t[i] = i end table.sort(t, function() while true do end end)",
    "local t = {} for i = 1, 1e6 do table.insert(t, 1, i) end",
    "local t = {} for i = 1, 1e6 do t[i] = i end while true do table.remove(t, 1) table.insert(t, 1, 1) end",
    "local t = {} for i = 1, 1e6 do t[i] = ('y'):rep(10) end while true do table.concat(t) end",
    "return table.concat({}, 'x', 1, 9223372036854775807)",
    "return table.unpack({}, 1, 1e8)",
    "return table.unpack({}, 1, 9223372036854775807)",
    "return select('#', table.unpack({}, 1, 1e6))",
    "return ('x'):byte(1, -1, ('x'):rep(1e7):byte(1, -1))",
    "return ('x'):rep(1e7):byte(1, -1)",
    "return utf8.codepoint(('x'):rep(1e7), 1, -1)",
    "while true do utf8.len(('x'):rep(1e6)) end",
    "while true do string.upper(('x'):rep(1e6)) end",
    "while true do string.format('%s', ('x'):rep(1e6)) end",
    "return string.format('%999999999d', 1)",
    "return string.format('%.999999999f', 1)",
    "while true do tostring(1e308) end",
    "while true do print(('x'):rep(1e6)) end",
    "local a, b = ('x'):rep(8e6) .. 'a', ('x'):rep(8e6) .. 'b' while true do local c = a < b end",
    "local t = {} t.t = t return t",
    "local t = {} for i = 1, 1e6 do t = {t} end return t",
    "local t = {} for i = 1, 2000 do t['c' .. i] = i end return t",
    "local t = {} for i = 1, 1e5 do t[i] = {} end return join(t, t, 'x')",
    "local t = {} for i = 1, 1e4 do t[i] = {x = 1} end return #join(t, t, 'x')",
    "for k in pairs(r1) do while true do end end",
    "for i = 1, 1e9 do add_days('2000-01-01', i) end",
    "for i = 1, 1e9 do days_between('2000-01-01', '1000-01-01') end",
    "for i = 1, 1e9 do ('x'):find('x' .. i) end",
    "local x <close> = 5 while true do end",
];

/// What is read in another way than meant, or fails at once.
const ODD: [&str; 14] = [
    "\u{1b}Lua\u{0}\u{0}",
    "return \"\\xff\\xfe\"",
    "return ('\\xff'):find('.')",
    "error()",
    "error({})",
    "error(nil)",
    "error(('x'):rep(1e6))",
    "return ...",
    "string = nil return ('x'):upper()",
    "string.upper = nil return ('x'):upper()",
    "pairs = nil table = nil return sum(r1, 'x')",
    "r1[1] = nil return r1",
    "return string.rep",
    "return 0/0",
];

fn ends(program: &str) -> Result<(), String> {
    let rows = (0..1_000).map(|number| vec![Value::Integer(number)]).collect();
    let table = Table { name: "r1".to_owned(), columns: vec!["x".to_owned()], rows };
    let bounds = Bounds { time: Duration::from_millis(300), ..Bounds::default() };
    let started = Instant::now();
    let _ = run(program, &[table], &bounds);
    let took = started.elapsed();
    // Far more than the bound, as the machine may be busy; what is not ended takes for ever.
    if took > Duration::from_secs(20) { Err(format!("{took:?}: {program}")) } else { Ok(()) }
}

#[test]
fn a_hundred_hostile_programs_end_within_bounds() {
    let faults: Vec<String> = ENDLESS.iter().chain(&ODD).filter_map(|program| ends(program).err()).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn programs_have_no_way_out() {
    for name in ABSENT {
        let program = format!("return {name}");
        let found = run(&program, &[], &Bounds::default());
        let absent = match &found {
            Err(ComputeError::Nothing) => true,
            Err(ComputeError::Failed(message)) => message.contains("nil"),
            _ => false,
        };
        assert!(absent, "{name}: {found:?}");
    }
}

#[test]
fn bytecode_and_long_programs_are_refused() {
    let long = format!("return 1 --{}", "x".repeat(30_000));
    for program in ["\u{1b}Lua", &long] {
        let found = run(program, &[], &Bounds::default());
        assert!(matches!(found, Err(ComputeError::Syntax(_))), "{program:.20}: {found:?}");
    }
    for deep in ["(".repeat(10_000), format!("return {}1", "- ".repeat(9_000))] {
        assert!(run(&deep, &[], &Bounds::default()).is_err());
    }
}

#[test]
fn each_bound_is_named_when_it_ends_a_program() {
    let bounds = Bounds { instructions: 10_000, ..Bounds::default() };
    assert_eq!(run("while true do end", &[], &bounds), Err(ComputeError::Instructions(10_000)));
    let bounds = Bounds { instructions: u64::MAX, time: Duration::from_millis(50), ..Bounds::default() };
    assert_eq!(run("while true do end", &[], &bounds), Err(ComputeError::Time(bounds.time)));
    let bounds = Bounds { memory: 4 << 20, ..Bounds::default() };
    let fill = "local t = {} for i = 1, 1e6 do t[i] = {i} end return 1";
    assert_eq!(run(fill, &[], &bounds), Err(ComputeError::Memory(4 << 20)));
}
