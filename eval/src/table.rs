//! Tables for papers and spreadsheets: Markdown, CSV (RFC 4180), LaTeX, and columns for a terminal.

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// Columns of equal width.
    Text,
    /// A table of GitHub's Markdown.
    Markdown,
    /// Values separated by commas.
    Csv,
    /// An environment `tabular`.
    Latex,
}

/// A table with a head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows; each has as many cells as the head.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The table as text that ends with a line break.
    pub fn written(&self, format: TableFormat) -> String {
        match format {
            TableFormat::Text => self.text(),
            TableFormat::Markdown => self.markdown(),
            TableFormat::Csv => self.csv(),
            TableFormat::Latex => self.latex(),
        }
    }

    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.head).chain(&self.rows)
    }

    fn text(&self) -> String {
        let longest = |column: usize| {
            let cells = self.lines().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..self.head.len()).map(longest).collect();
        let line = |row: &Vec<String>| {
            let cells: String =
                row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}  ")).collect();
            format!("{}\n", cells.trim_end())
        };
        self.lines().map(line).collect()
    }

    fn markdown(&self) -> String {
        let line = |row: &Vec<String>| {
            let cells: Vec<String> =
                row.iter().map(|cell| cell.replace('\\', "\\\\").replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = format!("|{}\n", "---|".repeat(self.head.len()));
        line(&self.head) + &rule + &self.rows.iter().map(line).collect::<String>()
    }

    fn csv(&self) -> String {
        let cell = |cell: &String| match cell.contains(['"', ',', '\n', '\r']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        self.lines().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\r\n").collect()
    }

    fn latex(&self) -> String {
        let line = |row: &Vec<String>| {
            let cells: Vec<String> = row.iter().map(|cell| latex_text(cell)).collect();
            format!("{} \\\\\n", cells.join(" & "))
        };
        let columns = "l".repeat(self.head.len());
        let rows: String = self.rows.iter().map(line).collect();
        format!(
            "\\begin{{tabular}}{{{columns}}}\n\\hline\n{}\\hline\n{rows}\\hline\n\\end{{tabular}}\n",
            line(&self.head)
        )
    }
}

/// Text in which nothing is a command of LaTeX.
fn latex_text(text: &str) -> String {
    let escaped = |c: char| match c {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{c}"),
        '\\' => "\\textbackslash{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        other => other.to_string(),
    };
    text.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        Table { head: row(["run", "set_F"]), rows: vec![row(["a|b, \"c\"", "0.5"]), row(["x_1 & 50%", "1"])] }
    }

    #[test]
    fn text_has_columns() {
        assert_eq!(table().written(TableFormat::Text), "run        set_F\na|b, \"c\"   0.5\nx_1 & 50%  1\n");
    }

    #[test]
    fn what_has_a_meaning_in_a_format_is_escaped() {
        assert_eq!(
            table().written(TableFormat::Markdown),
            "| run | set_F |\n|---|---|\n| a\\|b, \"c\" | 0.5 |\n| x_1 & 50% | 1 |\n"
        );
        assert_eq!(
            table().written(TableFormat::Csv),
            "run,set_F\r\n\"a|b, \"\"c\"\"\",0.5\r\nx_1 & 50%,1\r\n"
        );
        let latex = table().written(TableFormat::Latex);
        assert!(
            latex.contains("run & set\\_F \\\\") && latex.contains("x\\_1 \\& 50\\% & 1 \\\\"),
            "{latex}"
        );
        assert!(!latex_text("\\input{/etc/passwd}").contains("\\input"));
    }
}
