//! What programs compute: shares, dates, statistics, groups, joins, texts; and how their results are read.

use eruca_compute::{Bounds, ComputeError, Computed, Table, Value, run};

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn table(name: &str, columns: &[&str], rows: Vec<Vec<Value>>) -> Table {
    Table { name: name.to_owned(), columns: columns.iter().map(|&column| column.to_owned()).collect(), rows }
}

/// Orchards with trees and areas, and who keeps them.
fn tables() -> Vec<Table> {
    let orchard = |name: &str, trees: i64, area: Value, planted: &str| {
        vec![text(name), Value::Integer(trees), area, text(planted)]
    };
    let orchards = vec![
        orchard("Hill", 2850, Value::Number(12.5), "1987-03-01"),
        orchard("Dale", 410, Value::Nil, "2004-11-30"),
        orchard("Moor", 1000, Value::Number(7.5), "1999-05-03T10:00:00Z"),
    ];
    let keepers = vec![
        vec![text("Hill"), text("Ida")],
        vec![text("Dale"), text("Ida")],
        vec![text("Moor"), text("Ole")],
    ];
    vec![
        table("r1", &["name", "trees", "area", "planted"], orchards),
        table("r2", &["orchard", "keeper"], keepers),
    ]
}

fn compute(program: &str) -> Result<Computed, ComputeError> {
    run(program, &tables(), &Bounds::default())
}

/// The rows as lines, for comparison.
fn lines(computed: &Computed) -> String {
    let cell = |value: &Value| match value {
        Value::Nil => "nil".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Number(value) => format!("{value:?}"),
        Value::Text(text) => text.clone(),
    };
    let mut lines = vec![computed.columns.join(" ")];
    lines.extend(computed.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" ")));
    lines.join("|")
}

#[test]
fn programs_compute_over_the_rows() {
    let cases = [
        ("return 1 + 1", "value|2"),
        ("r1[1].trees", "value|2850"),
        ("return sum(r1, 'trees')", "value|4260"),
        ("return percent(r1[1].trees, sum(r1, 'trees'))", "value|66.9"),
        ("return mean(r1, 'area')", "value|10.0"),
        ("return median(r1, 'trees')", "value|1000"),
        ("return quantile(r1, 'trees', 0.25)", "value|705.0"),
        ("return round(stddev(r1, 'trees'), 2)", "value|1273.07"),
        ("return round(correlation(r1, 'trees', 'area'), 3)", "value|1.0"),
        ("return count(r1, 'area')", "value|2"),
        ("return days_between(r1[1].planted, r1[3].planted)", "value|4446"),
        ("return years_between('1987-03-01', '2026-02-28')", "value|38"),
        ("return add_days('2024-02-28', 2)", "value|2024-03-01"),
        ("return weekday('2026-11-27')", "value|5"),
        ("return year(r1[2].planted) * 100 + month(r1[2].planted)", "value|200411"),
        ("return days_between('-0044-03-15', '2000')", "value|746482"),
        ("return sort_by(r1, 'area', true)[1].name", "value|Hill"),
        ("return values(sort_by(r1, 'trees'), 'name')", "value|Dale|Moor|Hill"),
        (
            "return r1",
            "area name planted trees|12.5 Hill 1987-03-01 2850|nil Dale 2004-11-30 410|7.5 Moor 1999-05-03T10:00:00Z 1000",
        ),
        (
            "local t = {} for k, rows in pairs(group(join(r1, r2, 'name', 'orchard'), 'keeper')) do t[#t+1] = {keeper = k, trees = sum(rows, 'trees')} end return t",
            "keeper trees|Ida 3260|Ole 1000",
        ),
        ("return {a = 1, b = 'x'}", "a b|1 x"),
        ("return {}", "value"),
        ("return {{1, 2}, {3}}", "1 2|1 2|3 nil"),
        ("return true", "value|true"),
        ("return ('Hill Orchard'):match('^(%a+)')", "value|Hill"),
        ("return (('a, b,c'):gsub('%s*,%s*', ';'))", "value|a;b;c"),
        ("return select(2, ('banana'):gsub('a', '%0%0'))", "value|3"),
        ("return (('banana'):gsub('(b)(a)', '%2%1'))", "value|abnana"),
        ("return (('x=1 y=2'):gsub('%w+=(%d)', function(d) return d * 2 end))", "value|2 4"),
        ("return (('abc'):gsub('', '-'))", "value|-a-b-c-"),
        (
            "local t = {} for w in ('one two three'):gmatch('%a+') do t[#t+1] = w end return t",
            "value|one|two|three",
        ),
        ("local a, b = ('Lübeck 1143'):find('%d+') return a * 100 + b", "value|912"),
        ("return ('1.5'):find('.', 1, true)", "value|2"),
        ("return string.format('%.1f %s %d', 2.25, 'x', 7)", "value|2.2 x 7"),
        ("local t = {3, 1, 2} table.sort(t, function(a, b) return a > b end) return t", "value|3|2|1"),
        ("return tostring({}) .. tostring(nil)", "value|tablenil"),
        ("return round(-2.5) .. ' ' .. round(1234, -2) .. ' ' .. round(0.125, 2)", "value|-3 1200 0.13"),
    ];
    let mut faults = Vec::new();
    for (program, expected) in cases {
        let found = compute(program).map(|computed| lines(&computed));
        if found.as_deref() != Ok(expected) {
            faults.push(format!("{program}\n  expected {expected}\n  found    {found:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_goes_wrong_is_said_for_whoever_wrote_the_program() {
    let cases = [
        ("return (", "cannot be read"),
        ("local x = 1", "returned nothing"),
        ("return r9[1]", "r9"),
        ("return sum(r1, 'name')", "\"Hill\" is not a number"),
        ("return 1 / 0", "division by zero"),
        ("return {{f = print}}", "function"),
        ("return percent(1, 0)", "share of 0"),
        ("return days_between('yesterday', '2000-01-01')", "\"yesterday\" is no date"),
        ("return day('2000-02')", "has no day"),
        ("return add_days('2000-01-01', 9223372036854775807)", "outside the calendar"),
        ("return days_between('2000-02-30', '2000-01-01')", "no day of the calendar"),
        ("error('stop')", "stop"),
        ("return ('x'):match('%f[%a]')", "not supported"),
        ("return os.time()", "os"),
        ("return string.format('%p', {})", "%p"),
    ];
    for (program, expected) in cases {
        let error = compute(program).unwrap_err().to_string();
        assert!(error.contains(expected) && error.len() < 600, "{program}: {error}");
    }
}

#[test]
fn results_are_cut_and_told_to_be() {
    let bounds = Bounds { rows: 3, text: 5, ..Bounds::default() };
    let cut = run("local t = {} for i = 1, 10 do t[i] = i end return t", &[], &bounds).unwrap();
    assert!(cut.cut && cut.rows.len() == 3);
    let whole = run("return {1, 2, 'abcdefgh'}", &[], &bounds).unwrap();
    assert!(!whole.cut && whole.rows[2] == [text("abcde")]);
}

#[test]
fn printed_lines_are_kept_and_bounded() {
    let computed = compute("for i = 1, 1000 do print(i, {}, nil) end return 1").unwrap();
    assert_eq!(computed.printed.len(), 50);
    assert_eq!(computed.printed[1], "2\ttable\tnil");
}

/// The order of Lua's tables depends on a seed that is new in each state.
#[test]
fn the_same_program_gives_the_same_result() {
    let program = "local t = {} for i = 1, 200 do t['k' .. i] = i end
        local s = '' for k, v in pairs(t) do s = s .. k end print(t) return s";
    let first = compute(program).unwrap();
    for _ in 0..10 {
        assert_eq!(compute(program).unwrap(), first);
    }
}
