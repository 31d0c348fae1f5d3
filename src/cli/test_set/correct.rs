//! What would have been right: one of the other readings, the query that the question was made from, or a query that the owner writes.

use super::LINE_CHARS;
use super::session::Session;
use crate::cli::CliError;
use crate::cli::stdin::next_line;
use crate::cli::talk::shown;
use crate::cli::text::{counted, one_line};
use crate::service::{Run, WrittenQuery};

/// Lines of a query that is written, at most.
const MAX_LINES: usize = 500;

/// What the owner says is right.
pub(super) enum Corrected {
    /// This query.
    Query(String),
    /// Nothing after all.
    Nothing,
}

impl Session<'_> {
    /// Asks what would have been right.
    pub(super) async fn correct(&mut self, run: Option<&Run>, made: &str) -> Result<Corrected, CliError> {
        let options = options(run, made);
        for (number, (name, _, rows)) in options.iter().enumerate() {
            let rows =
                rows.map(|rows| format!(" ({})", counted(rows as u64, "row", "rows"))).unwrap_or_default();
            writeln!(self.out, "  {}  {}{rows}", number + 1, one_line(name, LINE_CHARS))?;
        }
        let how = if options.is_empty() { "SPARQL" } else { "a number, or SPARQL" };
        writeln!(self.out, "{how}; an empty line ends it:")?;
        self.out.flush()?;
        let written = written().await?;
        if written.is_empty() {
            return Ok(Corrected::Nothing);
        }
        let chosen =
            written.trim().parse::<usize>().ok().and_then(|number| options.get(number.checked_sub(1)?));
        let query = chosen.map_or(written.clone(), |(_, query, _)| query.clone());
        self.looked_at(query).await
    }

    /// The query, once the owner has seen what it gives.
    async fn looked_at(&mut self, query: String) -> Result<Corrected, CliError> {
        let asked = WrittenQuery { dataset: self.dataset.id.clone(), query: query.clone(), lang: None };
        match self.service.query(asked).await {
            Err(error) => {
                writeln!(
                    self.out,
                    "the query cannot be used: {}",
                    one_line(&error.to_string(), LINE_CHARS * 2)
                )?;
                return Ok(Corrected::Nothing);
            }
            Ok(run) => {
                if let Some(rows) = run.rows.as_ref() {
                    write!(self.out, "{}", shown::rows(&rows.rows()))?;
                }
            }
        }
        let said = self.line("is this right? y n: ").await?.unwrap_or_default();
        Ok(match said.to_ascii_lowercase().as_str() {
            "y" | "yes" => Corrected::Query(query),
            _ => Corrected::Nothing,
        })
    }
}

/// Other readings with their queries and how many rows they give.
type Reading = (String, String, Option<usize>);

fn options(run: Option<&Run>, made: &str) -> Vec<Reading> {
    let mut found: Vec<Reading> = Vec::new();
    let insight = run.and_then(|run| run.trace.as_ref()?.insight.as_ref());
    let clarify = run.and_then(|run| run.clarify.as_ref());
    let meanings = clarify.into_iter().flat_map(|clarify| &clarify.options).skip(1);
    found.extend(meanings.map(|one| (one.label.clone(), one.query.clone(), Some(one.rows))));
    let readings = insight.into_iter().flat_map(|insight| &insight.alternatives);
    found.extend(readings.map(|one| (one.reading.clone(), one.query.clone(), Some(one.rows))));
    let mut seen = std::collections::HashSet::new();
    found.retain(|(_, query, _)| seen.insert(query.clone()));
    if !made.is_empty() {
        found.push(("the query that the question was made from".to_owned(), made.to_owned(), None));
    }
    found
}

/// What is written until an empty line; a number is a line by itself.
async fn written() -> std::io::Result<String> {
    let mut lines: Vec<String> = Vec::new();
    while let Some(line) = next_line().await?.filter(|line| !line.trim().is_empty()) {
        let is_number = lines.is_empty() && line.trim().parse::<usize>().is_ok();
        lines.push(line);
        if is_number || lines.len() == MAX_LINES {
            break;
        }
    }
    Ok(lines.join("\n"))
}
