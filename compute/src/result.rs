//! What a program returns: a value, a list, or rows, as a table of values.

use crate::sandbox::{Bounds, ComputeError};
use crate::values::Value;
use mlua::{Table as LuaTable, Value as LuaValue};

/// The result of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Computed {
    /// The names of the columns; a single one named `value` for a value or a list of values.
    pub columns: Vec<String>,
    /// The rows; each has a value per column.
    pub rows: Vec<Vec<Value>>,
    /// Whether there were more rows than the bounds allow.
    pub cut: bool,
    /// What the program printed, line by line.
    pub printed: Vec<String>,
}

/// The name of the column of a single value.
const VALUE: &str = "value";
/// Columns of a result: a table with more is not one for people.
const MAX_COLUMNS: usize = 50;

/// Reads what a program returned.
pub(crate) fn read(
    returned: &LuaValue,
    printed: Vec<String>,
    bounds: &Bounds,
) -> Result<Computed, ComputeError> {
    let one = |value| Computed {
        columns: vec![VALUE.to_owned()],
        rows: vec![vec![value]],
        cut: false,
        printed: Vec::new(),
    };
    let computed = match returned {
        LuaValue::Nil => return Err(ComputeError::Nothing),
        LuaValue::Table(table) if table.raw_len() == 0 && !is_empty(table) => {
            rows(&[LuaValue::Table(table.clone())], bounds)?
        }
        LuaValue::Table(table) => rows(&list(table, bounds), bounds)?,
        value => one(cell(value, bounds)?),
    };
    Ok(Computed { printed, ..computed })
}

fn is_empty(table: &LuaTable) -> bool {
    table.pairs::<LuaValue, LuaValue>().next().is_none()
}

/// The elements of a list, one more than the bounds allow.
fn list(table: &LuaTable, bounds: &Bounds) -> Vec<LuaValue> {
    let length = table.raw_len().min(bounds.rows + 1);
    (1..=length).map(|at| table.raw_get(at).unwrap_or(LuaValue::Nil)).collect()
}

/// Rows of a list: of tables by their keys, or of single values.
fn rows(list: &[LuaValue], bounds: &Bounds) -> Result<Computed, ComputeError> {
    let cut = list.len() > bounds.rows;
    let list = list.iter().take(bounds.rows);
    let mut columns: Vec<String> = Vec::new();
    let mut found: Vec<Vec<(String, Value)>> = Vec::new();
    for element in list {
        let cells = match element {
            LuaValue::Table(row) => cells(row, bounds)?,
            value => vec![(VALUE.to_owned(), cell(value, bounds)?)],
        };
        for (name, _) in &cells {
            if !columns.contains(name) {
                columns.push(name.clone());
            }
        }
        if columns.len() > MAX_COLUMNS {
            return Err(ComputeError::TooLarge(format!("it has more than {MAX_COLUMNS} columns")));
        }
        found.push(cells);
    }
    if columns.is_empty() {
        columns.push(VALUE.to_owned());
    }
    let row = |mut cells: Vec<(String, Value)>| {
        let mut take = |name: &String| {
            let at = cells.iter().position(|(column, _)| column == name);
            at.map_or(Value::Nil, |at| cells.swap_remove(at).1)
        };
        columns.iter().map(&mut take).collect::<Vec<_>>()
    };
    let rows = found.into_iter().map(row).collect();
    Ok(Computed { columns, rows, cut, printed: Vec::new() })
}

/// The cells of a row by name, in the order of their names; those of a list are named by their positions.
fn cells(row: &LuaTable, bounds: &Bounds) -> Result<Vec<(String, Value)>, ComputeError> {
    let mut cells = Vec::new();
    for pair in row.pairs::<LuaValue, LuaValue>().take(MAX_COLUMNS + 1) {
        let (key, value) = pair.map_err(|error| ComputeError::failed(&error))?;
        let (position, name) = match &key {
            LuaValue::Integer(number) => (*number, number.to_string()),
            LuaValue::String(name) => (i64::MAX, name.to_string_lossy()),
            _ => return Err(ComputeError::TooLarge("a row has a key that is no name".to_owned())),
        };
        cells.push((position, name, cell(&value, bounds)?));
    }
    cells.sort_by(|(a, name, _), (b, other, _)| (a, name).cmp(&(b, other)));
    Ok(cells.into_iter().map(|(_, name, value)| (name, value)).collect())
}

fn cell(value: &LuaValue, bounds: &Bounds) -> Result<Value, ComputeError> {
    Ok(match value {
        LuaValue::Nil => Value::Nil,
        LuaValue::Boolean(value) => Value::Boolean(*value),
        LuaValue::Integer(value) => Value::Integer(*value),
        LuaValue::Number(value) if value.is_finite() => Value::Number(*value),
        LuaValue::Number(value) => {
            let reason = format!("{value} is not a number that can be shown; check for a division by zero");
            return Err(ComputeError::Failed(reason));
        }
        LuaValue::String(text) => {
            let text = text.to_string_lossy();
            Value::Text(text.chars().take(bounds.text).collect())
        }
        other => {
            let kind = other.type_name();
            return Err(ComputeError::TooLarge(format!(
                "a cell is a {kind}; return a value, a list of values, or a list of rows such as {{name = \"a\", share = 0.5}}"
            )));
        }
    })
}
