//! Lua's patterns on a regular expression engine of linear time. Lua's own matcher backtracks without a bound.
//!
//! `%a` and `%w` take letters beyond ASCII as letters. `%b`, `%f`, `%1` and `()` have no counterpart and are errors.

use mlua::{Error, Lua, Result, Table};
use regex_lite::{Captures, Regex, RegexBuilder};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Bytes of a text times bytes of a pattern: what one match may cost, some tenths of a second at most.
const MAX_COST: usize = 8_000_000;
/// Bytes of a compiled pattern.
const MAX_COMPILED: usize = 1 << 20;
/// Patterns that are kept compiled.
const MAX_KEPT: usize = 64;

/// `__find(text, pattern, from)`: the positions of the first and the last byte of the first match, and its captures; nil
/// if there is none. Positions are Lua's, from 1.
pub(crate) fn define(lua: &Lua, globals: &Table) -> Result<()> {
    let kept: Rc<RefCell<HashMap<String, Regex>>> = Rc::default();
    let find = move |lua: &Lua, (text, pattern, from): (mlua::LuaString, mlua::LuaString, usize)| {
        let (text, pattern) = (utf8(&text)?, utf8(&pattern)?);
        if text.len().saturating_mul(pattern.len()) > MAX_COST {
            return Err(Error::runtime("the text is too long for a pattern; cut it first"));
        }
        let regex = compiled(&kept, &pattern)?;
        let start = (from.saturating_sub(1)..=text.len()).find(|at| text.is_char_boundary(*at));
        let Some((start, rest)) = start.and_then(|at| Some((at, text.get(at..)?))) else { return Ok(None) };
        regex.captures(rest).map(|found| table(lua, &found, start)).transpose()
    };
    globals.raw_set("__find", lua.create_function(find)?)
}

fn utf8(text: &mlua::LuaString) -> Result<String> {
    let text = text.to_str().map_err(|_| Error::runtime("the text is not valid UTF-8"))?;
    Ok(text.to_owned())
}

fn compiled(kept: &RefCell<HashMap<String, Regex>>, pattern: &str) -> Result<Regex> {
    let mut kept = kept.borrow_mut();
    if let Some(regex) = kept.get(pattern) {
        return Ok(regex.clone());
    }
    let translated =
        translate(pattern).map_err(|why| Error::runtime(format!("pattern \"{pattern}\": {why}")))?;
    let built = RegexBuilder::new(&translated).size_limit(MAX_COMPILED).dot_matches_new_line(true).build();
    let regex = built.map_err(|_| Error::runtime(format!("pattern \"{pattern}\" cannot be read")))?;
    if kept.len() >= MAX_KEPT {
        kept.clear();
    }
    kept.insert(pattern.to_owned(), regex.clone());
    Ok(regex)
}

fn table(lua: &Lua, found: &Captures<'_>, start: usize) -> Result<Table> {
    let whole = found.get(0).map_or(0..0, |whole| whole.range());
    let table = lua.create_table()?;
    table.raw_set("from", start + whole.start + 1)?;
    table.raw_set("to", start + whole.end)?;
    let groups = if found.len() > 1 { 1..found.len() } else { 0..1 };
    table.raw_set("count", groups.len())?;
    for (at, group) in groups.enumerate() {
        table.raw_set(at + 1, found.get(group).map(|part| part.as_str()))?;
    }
    Ok(table)
}

/// The class of a letter after `%`, as the inside of a set.
fn class(letter: char) -> Option<&'static str> {
    Some(match letter.to_ascii_lowercase() {
        'a' => r"A-Za-z\x{80}-\x{10FFFF}",
        'c' => r"\x00-\x1f\x7f",
        'd' => "0-9",
        'g' => r"!-~",
        'l' => "a-z",
        'p' => r"!-/:-@\[-`\{-~",
        's' => r"\t\n\x0b\x0c\r ",
        'u' => "A-Z",
        'w' => r"0-9A-Za-z\x{80}-\x{10FFFF}",
        'x' => "0-9A-Fa-f",
        _ => return None,
    })
}

/// The regular expression with the meaning of a Lua pattern.
fn translate(pattern: &str) -> std::result::Result<String, &'static str> {
    let mut chars = pattern.chars().peekable();
    let mut regex = String::new();
    let mut open = 0_usize;
    if chars.next_if_eq(&'^').is_some() {
        regex.push('^');
    }
    while let Some(next) = chars.next() {
        let single = match next {
            '$' if chars.peek().is_none() => {
                regex.push('$');
                continue;
            }
            '(' if chars.peek() == Some(&')') => return Err("() for a position is not supported; use find"),
            '(' => {
                open += 1;
                regex.push('(');
                continue;
            }
            ')' => {
                open = open.checked_sub(1).ok_or("a ) has no (")?;
                regex.push(')');
                continue;
            }
            '%' => escaped(&mut chars)?,
            '[' => set(&mut chars)?,
            '.' => ".".to_owned(),
            other => literal(other),
        };
        regex.push_str(&single);
        match chars.peek() {
            Some('-') => regex.push_str("*?"),
            Some(count @ ('*' | '+' | '?')) => regex.push(*count),
            _ => continue,
        }
        chars.next();
    }
    if open > 0 { Err("a ( has no )") } else { Ok(regex) }
}

type Chars<'p> = std::iter::Peekable<std::str::Chars<'p>>;

/// A class or an escaped character, outside a set.
fn escaped(chars: &mut Chars<'_>) -> std::result::Result<String, &'static str> {
    let letter = chars.next().ok_or("it ends with %")?;
    match class(letter) {
        Some(class) if letter.is_ascii_uppercase() => Ok(format!("[^{class}]")),
        Some(class) => Ok(format!("[{class}]")),
        None if letter.is_ascii_alphanumeric() => Err("%b, %f and %1 are not supported"),
        None => Ok(literal(letter)),
    }
}

/// A set, whose `[` has been read.
fn set(chars: &mut Chars<'_>) -> std::result::Result<String, &'static str> {
    let negated = chars.next_if_eq(&'^').is_some();
    let mut inside = String::new();
    // Whether a range can begin with what was read last.
    let (mut is_first, mut may_range) = (true, false);
    loop {
        let next = chars.next().ok_or("a [ has no ]")?;
        may_range = match next {
            ']' if !is_first => break,
            '%' => {
                let letter = chars.next().ok_or("a [ has no ]")?;
                if class(letter).is_some() && letter.is_ascii_uppercase() {
                    return Err("a class such as %S inside [] is not supported");
                }
                inside.push_str(&class(letter).map_or_else(|| literal(letter), str::to_owned));
                class(letter).is_none()
            }
            '-' if may_range && chars.peek().is_some_and(|next| *next != ']') => {
                inside.push('-');
                false
            }
            other => {
                inside.push_str(&literal(other));
                true
            }
        };
        is_first = false;
    }
    Ok(format!("[{}{inside}]", if negated { "^" } else { "" }))
}

/// A character that means itself.
fn literal(character: char) -> String {
    if r"\.+*?()|[]{}^$#&-~".contains(character) { format!("\\{character}") } else { character.to_string() }
}

#[cfg(test)]
mod tests {
    use super::translate;
    use proptest::prelude::*;
    use regex_lite::Regex;

    #[test]
    fn patterns_mean_what_they_mean_in_lua() {
        let cases = [
            ("^%d+$", "1987", Some("1987")),
            ("^%d+$", "in 1987", None),
            ("%d%d%d%d", "built in 1987.", Some("1987")),
            ("[^,]+", "Hill, Dale", Some("Hill")),
            ("a-b", "aaab", Some("aaab")),
            ("%u%l+", "old Hill", Some("Hill")),
            ("%a+", "12 Lübeck 3", Some("Lübeck")),
            ("%(.-%)", "K2 (Pakistan) (China)", Some("(Pakistan)")),
            ("[%w_]+", "-- old_name", Some("old_name")),
            ("[]]", "a]b", Some("]")),
            ("[a-c]+$", "xxabc", Some("abc")),
            ("[-x]+", "a-x-b", Some("-x-")),
            ("[%w-_]+", "(a-b_c)", Some("a-b_c")),
            ("<%a>", "a <b>", Some("<b>")),
            ("%S+", "  one two", Some("one")),
            ("a.b", "a\nb", Some("a\nb")),
            ("{2}", "a{2}", Some("{2}")),
        ];
        for (pattern, text, expected) in cases {
            let regex = Regex::new(&format!("(?s){}", translate(pattern).unwrap())).unwrap();
            assert_eq!(regex.find(text).map(|found| found.as_str()), expected, "{pattern} on {text}");
        }
    }

    #[test]
    fn what_has_no_counterpart_is_an_error() {
        for pattern in ["%bxy", "%f[%a]", "(a)%1", "()", "(a", "a)", "[a", "%", "[%"] {
            assert!(translate(pattern).is_err(), "{pattern}");
        }
    }

    proptest! {
        #[test]
        fn any_pattern_is_translated_or_refused(pattern in "\\PC{0,20}|[%a-z()^$.*+?\\[\\]-]{0,20}") {
            if let Ok(regex) = translate(&pattern) {
                let _ = Regex::new(&regex);
            }
        }
    }
}
