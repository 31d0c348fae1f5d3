//! What goes into a program: tables of values.

use mlua::{Lua, Value as LuaValue};

/// A value of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// An unbound variable.
    Nil,
    /// A truth value.
    Boolean(bool),
    /// An integer of 64 bits.
    Integer(i64),
    /// Any other number.
    Number(f64),
    /// A text, a date as `YYYY-MM-DD`, or the name of an entity.
    Text(String),
}

/// The rows of a query, which a program reads under a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The name of the global variable, such as `r1`.
    pub name: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows; each has a value per column.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// Makes the table a global variable: a list of rows, each with its values by the names of the columns.
    pub(crate) fn define(&self, lua: &Lua) -> mlua::Result<()> {
        let rows = lua.create_table_with_capacity(self.rows.len(), 0)?;
        for row in &self.rows {
            let cells = lua.create_table_with_capacity(0, row.len())?;
            for (column, value) in self.columns.iter().zip(row) {
                cells.raw_set(column.as_str(), value.to_lua(lua)?)?;
            }
            rows.raw_push(cells)?;
        }
        lua.globals().raw_set(self.name.as_str(), rows)
    }
}

impl Value {
    fn to_lua(&self, lua: &Lua) -> mlua::Result<LuaValue> {
        Ok(match self {
            Self::Nil => LuaValue::Nil,
            Self::Boolean(value) => LuaValue::Boolean(*value),
            Self::Integer(value) => LuaValue::Integer(*value),
            Self::Number(value) => LuaValue::Number(*value),
            Self::Text(text) => LuaValue::String(lua.create_string(text)?),
        })
    }
}
