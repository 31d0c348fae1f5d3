//! The figures as tables.

use super::Reason;
use super::compare::SearchComparison;
use super::summary::{GroundingSummary, LostTerms, Prompted, Recall};
use crate::resample::Measured;
use crate::table::Table;

/// The k whose interval stands in tables.
const SHOWN_CUT: usize = 10;

fn table(head: &[&str], rows: Vec<Vec<String>>) -> Table {
    Table { head: head.iter().map(|name| (*name).to_owned()).collect(), rows }
}

fn share(value: f64) -> String {
    format!("{value:.3}")
}

fn interval(Measured { interval: [low, high], .. }: &Measured) -> String {
    format!("{low:.2} to {high:.2}")
}

/// The recall of each search by language and kind; interval and number of different hits are those of the largest k up to 10.
pub fn recall_table(summary: &GroundingSummary) -> Table {
    let cut = summary.cuts.iter().copied().filter(|cut| *cut <= SHOWN_CUT).max();
    let cut = cut.or(summary.cuts.first().copied()).unwrap_or_default();
    let cuts = summary.cuts.iter().map(|cut| format!("@{cut}"));
    let head = ["search", "language", "kind", "questions", "terms"].map(str::to_owned).into_iter();
    let head =
        head.chain(cuts).chain([format!("95 % @{cut}"), "MRR".to_owned(), format!("hits @{cut}")]).collect();
    let row = |recall: &Recall| {
        let Recall { search, lang, kind, questions, terms, at, hits, mrr } = recall;
        let mut cells = vec![search.clone(), lang.clone(), (*kind).to_owned()];
        cells.extend([questions.to_string(), terms.to_string()]);
        cells.extend(at.values().map(|found| share(found.mean)));
        cells.push(at.get(&cut).map(interval).unwrap_or_default());
        cells.push(share(*mrr));
        cells.push(hits.get(&cut).map(|hits| format!("{hits:.1}")).unwrap_or_default());
        cells
    };
    Table { head, rows: summary.recall.iter().map(row).collect() }
}

/// What the first prompt has of the gold terms.
pub fn prompt_table(summary: &GroundingSummary) -> Table {
    let row = |one: &Prompted| {
        let Prompted { lang, kind, questions, terms, told, shown } = one;
        vec![
            lang.clone(),
            (*kind).to_owned(),
            questions.to_string(),
            terms.to_string(),
            share(told.mean),
            interval(told),
            share(shown.mean),
            interval(shown),
        ]
    };
    let head = ["language", "kind", "questions", "terms", "told", "95 %", "with the graph", "95 %"];
    table(&head, summary.prompt.iter().map(row).collect())
}

/// Where terms were lost.
pub fn lost_table(summary: &GroundingSummary) -> Table {
    let row = |one: &LostTerms| {
        let LostTerms { reason, kind, terms, shown, ranked } = one;
        let counts = [terms, shown, ranked].map(ToString::to_string);
        [Reason::told(*reason).to_owned(), kind.name().to_owned()].into_iter().chain(counts).collect()
    };
    let head = ["lost", "kind", "terms", "in the prompt all the same", "with a rank up to 1,000"];
    table(&head, summary.lost.iter().map(row).collect())
}

/// Two runs, search by search.
pub fn comparison_table(rows: &[SearchComparison]) -> Table {
    let row = |one: &SearchComparison| {
        vec![
            one.search.clone(),
            one.kind.to_owned(),
            format!("@{}", one.cut),
            one.questions.to_string(),
            share(one.first),
            share(one.second),
            format!("{:+.3}", one.second - one.first),
            format!("{:.4}", one.p_value),
        ]
    };
    let head = ["search", "kind", "k", "questions", "A", "B", "B - A", "bootstrap p"];
    table(&head, rows.iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::super::summary::summarize_grounding;
    use super::super::summary::tests::records;
    use super::*;
    use crate::table::TableFormat;

    #[test]
    fn tables_have_a_row_for_each_search_language_and_kind() {
        let summary = summarize_grounding(&records(), &[1, 5]);
        let text = recall_table(&summary).written(TableFormat::Text);
        insta::assert_snapshot!(text, @r"
        search          language  kind      questions  terms  @1     @5     95 % @5       MRR    hits @5
        spans, words    de        entity    1          1      1.000  1.000  1.00 to 1.00  1.000  7.0
        spans, words    de        all       1          1      1.000  1.000  1.00 to 1.00  1.000  7.0
        spans, words    en        entity    2          2      0.500  1.000  1.00 to 1.00  0.625  7.0
        spans, words    en        class     1          1      0.000  1.000  1.00 to 1.00  0.500  0.0
        spans, words    en        property  1          2      0.000  0.000  0.00 to 0.00  0.056  0.0
        spans, words    en        all       2          5      0.250  0.667  0.33 to 1.00  0.435  7.0
        spans, words    all       entity    3          3      0.667  1.000  1.00 to 1.00  0.750  7.0
        spans, words    all       class     1          1      0.000  1.000  1.00 to 1.00  0.500  0.0
        spans, words    all       property  1          2      0.000  0.000  0.00 to 0.00  0.056  0.0
        spans, words    all       all       3          6      0.500  0.778  0.33 to 1.00  0.623  7.0
        spans, vectors  en        class     1          1      1.000  1.000  1.00 to 1.00  1.000  0.0
        spans, vectors  en        property  1          2      1.000  1.000  1.00 to 1.00  1.000  0.0
        spans, vectors  all       class     1          1      1.000  1.000  1.00 to 1.00  1.000  0.0
        spans, vectors  all       property  1          2      1.000  1.000  1.00 to 1.00  1.000  0.0
        ");
        insta::assert_snapshot!(prompt_table(&summary).written(TableFormat::Text), @r"
        language  kind      questions  terms  told   95 %          with the graph  95 %
        de        entity    1          1      1.000  1.00 to 1.00  1.000           1.00 to 1.00
        de        all       1          1      1.000  1.00 to 1.00  1.000           1.00 to 1.00
        en        entity    2          2      0.500  0.00 to 1.00  0.500           0.00 to 1.00
        en        class     1          1      1.000  1.00 to 1.00  1.000           1.00 to 1.00
        en        property  1          2      0.000  0.00 to 0.00  1.000           1.00 to 1.00
        en        all       2          5      0.500  0.00 to 1.00  0.833           0.67 to 1.00
        all       entity    3          3      0.667  0.00 to 1.00  0.667           0.00 to 1.00
        all       class     1          1      1.000  1.00 to 1.00  1.000           1.00 to 1.00
        all       property  1          2      0.000  0.00 to 0.00  1.000           1.00 to 1.00
        all       all       3          6      0.667  0.00 to 1.00  0.889           0.67 to 1.00
        ");
        insta::assert_snapshot!(lost_table(&summary).written(TableFormat::Markdown), @r"
        | lost | kind | terms | in the prompt all the same | with a rank up to 1,000 |
        |---|---|---|---|---|
        | implicit: no name shares a word with the question | property | 1 | 1 | 0 |
        | in the index, not among the first hits | property | 1 | 1 | 1 |
        | among the first hits, not in the first prompt | entity | 1 | 0 | 0 |
        ");
    }
}
