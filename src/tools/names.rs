//! Names of tools as models write them: behind a namespace (`functions.answer`), in another case (`SearchEntity`), with a slip
//! of the pen (`search_entities`).

use super::{TOOLS, Tool};
use strsim::osa_distance;

/// A longer name is no slip.
const MAX_NAME: usize = 60;
/// One slip is allowed in so many letters.
const LETTERS_PER_SLIP: usize = 4;

/// The one tool whose name is nearest to a text, if it is near enough.
pub(super) fn nearest(name: &str) -> Option<&'static dyn Tool> {
    if name.len() > MAX_NAME {
        return None;
    }
    let bare = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
    let bare = snake_case(bare.rsplit("__").next().unwrap_or(bare).trim());
    let slips = |tool: &&'static dyn Tool| osa_distance(tool.name(), &bare);
    let near = |tool: &&'static dyn Tool| slips(tool) <= tool.name().len() / LETTERS_PER_SLIP;
    let best = TOOLS.iter().copied().filter(near).min_by_key(slips)?;
    let as_near = TOOLS.iter().filter(|tool| slips(tool) == slips(&best)).count();
    (as_near == 1).then_some(best)
}

/// `SearchEntity`, `search-entity` and `search entity` as `search_entity`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let mut after_small = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && after_small {
            snake.push('_');
        }
        after_small = c.is_ascii_lowercase() || c.is_ascii_digit();
        snake.push(if matches!(c, '-' | ' ') { '_' } else { c.to_ascii_lowercase() });
    }
    snake
}

#[cfg(test)]
mod tests {
    use crate::tools::find;

    #[test]
    fn a_name_that_is_nearly_one_is_that_one() {
        for (written, meant) in [
            ("answer", "answer"),
            ("Answer", "answer"),
            ("functions.answer", "answer"),
            ("default_api:search_entity", "search_entity"),
            ("mcp__eruca__get_entry", "get_entry"),
            ("SearchClass", "search_class"),
            ("search-property", "search_property"),
            ("search_entities", "search_entity"),
            ("execute_sparq", "execute_sparql"),
            ("anwser", "answer"),
        ] {
            assert_eq!(find(written).map(super::Tool::name), Some(meant), "{written}");
        }
        for other in ["run_sql", "search", "query", "answer_the_question_please", "", "get", "python"] {
            assert!(find(other).is_none(), "{other}");
        }
    }
}
