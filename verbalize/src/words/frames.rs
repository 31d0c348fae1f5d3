//! Verbalizes an answer by its shape: yes or no, one value, one entity with details, a list, a table. These are plain
//! wordings that are always correct; `retell` restates the question where it can.

use super::Verbalizer;
use super::phrase::Phrase;
use super::retell::{FrameWords, retold};
use super::values::{LONG, SHORT};
use eruca_api::{Column, ColumnKind};
use eruca_language::{Cue, RetoldForm};
use eruca_planner::question::{Span, WordKind};
use eruca_sparql::{Results, Solutions, Term, XSD};

type Row = [Option<Term>];

impl Verbalizer<'_> {
    /// The result without any caveat. Answers that are `trusted` may restate the question.
    pub(super) fn found(&self, trusted: bool) -> Phrase {
        match &self.context.answer.results {
            _ if self.context.insight.is_some_and(|insight| !insight.about.is_empty()) => {
                self.cards().unwrap_or_default()
            }
            Results::Boolean(true) => self.phrase("true", &[]),
            Results::Boolean(false) => self.phrase("false", &[]),
            Results::Graph(triples) if triples.len() == 1 => self.phrase("statement", &[]),
            Results::Graph(triples) => self.phrase("statements", &[("n", self.count(triples.len()).into())]),
            Results::Solutions(solutions) => self.solutions(solutions, trusted),
        }
    }

    /// The values of the first column, one after the other.
    pub(super) fn values(&self) -> Phrase {
        let Results::Solutions(solutions) = &self.context.answer.results else { return Phrase::default() };
        let cells = solutions.rows.iter().map(|row| self.cell_at(row, 0, SHORT));
        self.list(&mut { cells })
    }

    fn solutions(&self, solutions: &Solutions, trusted: bool) -> Phrase {
        let shown = self.shown(solutions);
        let whole = self.context.answer.incomplete.is_none();
        match (solutions.rows.as_slice(), shown.as_slice()) {
            ([row], [at]) => self.one_value(row, *at, trusted),
            ([row], columns) => self.one_row(row, columns, trusted),
            (rows, [first, others @ ..]) if self.context.added > 0 => {
                self.several_decided(rows, (*first, others), trusted && whole)
            }
            (rows, [at]) => self.several(rows, *at, trusted && whole),
            (rows, columns) => self.table(rows, columns),
        }
    }

    /// The columns worth mentioning; those that only repeat the labels of another column are left out.
    fn shown(&self, solutions: &Solutions) -> Vec<usize> {
        let all = 0..solutions.variables.len();
        all.clone().filter(|at| !all.clone().any(|other| self.repeats(&solutions.rows, *at, other))).collect()
    }

    /// Whether a text column only repeats the labels of the entities in another column.
    fn repeats(&self, rows: &[Vec<Option<Term>>], at: usize, things: usize) -> bool {
        let same = |row: &Vec<Option<Term>>| match (row.get(at), row.get(things)) {
            (Some(Some(Term::Literal(text))), Some(Some(Term::NamedNode(node)))) => {
                self.thing(node.as_str()).text() == text.value()
            }
            _ => false,
        };
        at != things && !rows.is_empty() && rows.iter().all(same)
    }

    fn column(&self, at: usize) -> Option<&Column> {
        self.context.columns.get(at)
    }

    fn cell_at(&self, row: &Row, at: usize, most: usize) -> Phrase {
        self.cell(self.column(at), row.get(at).and_then(Option::as_ref), most)
    }

    fn one_value(&self, row: &Row, at: usize, trusted: bool) -> Phrase {
        let value = self.cell_at(row, at, LONG);
        let kind = self.column(at).map(|column| column.kind);
        let is_number = kind == Some(ColumnKind::Number);
        let told = FrameWords { value: value.clone(), number: is_number.then(|| value.clone()) };
        let is_unit = self.column(at).is_some_and(|column| column.unit.is_some());
        let counts = is_number && !is_unit && self.context.question.asks_how_many() && value.text() != "1";
        if trusted {
            let forms = [
                (counts, RetoldForm::Count),
                (is_unit, RetoldForm::Unit),
                (is_number, RetoldForm::Number),
                (self.is_day(row.get(at)), RetoldForm::Day),
                (kind == Some(ColumnKind::Year), RetoldForm::Year),
                (true, RetoldForm::One),
            ];
            let forms = forms.into_iter().filter(|(fits, _)| *fits).map(|(_, form)| form);
            if let Some(phrase) = forms.into_iter().find_map(|form| retold(self, form, &told)) {
                return phrase;
            }
        }
        match self.counted_noun().filter(|_| counts) {
            Some(noun) => self.phrase("counted", &[("n", value), ("noun", noun.into())]),
            None => self.titled(at, "value", value),
        }
    }

    /// Whether a cell is a date that the language can format.
    fn is_day(&self, cell: Option<&Option<Term>>) -> bool {
        let Some(Some(Term::Literal(literal))) = cell else { return false };
        let datatype = literal.datatype();
        let local = datatype.as_str().strip_prefix(XSD);
        let local = local.filter(|local| matches!(*local, "date" | "dateTime" | "dateTimeStamp"));
        local.is_some_and(|local| self.language.written_time(local, literal.value()).is_some())
    }

    /// The counted noun as written in the question: "How many countries".
    fn counted_noun(&self) -> Option<String> {
        let question = self.context.question;
        let how_many = question.cues.iter().filter(|cue| matches!(cue.cue, Cue::HowMany | Cue::Count));
        let from = how_many.map(|cue| cue.span.to).max()?;
        let noun = |at: &u16| {
            question
                .word(*at)
                .is_some_and(|word| word.kind == WordKind::Noun && (word.broken.is_none() || *at == from))
        };
        let to = (from..).take_while(noun).last()? + 1;
        let span = Span { from, to };
        Some(question.text_of(span).to_owned())
    }

    /// A phrase with the title of the column, or without one if the graph has no name for it.
    fn titled(&self, at: usize, key: &'static str, value: Phrase) -> Phrase {
        match self.column(at).filter(|column| column.named) {
            Some(column) => self.phrase(key, &[("title", column.title.as_str().into()), ("value", value)]),
            None => self.phrase("bare", &[("value", value)]),
        }
    }

    /// One entity with its details: "Rhine (length: 1,233 km)". Without an entity, the cells in sequence.
    fn one_row(&self, row: &Row, columns: &[usize], trusted: bool) -> Phrase {
        let (things, others): (Vec<usize>, Vec<usize>) = columns.iter().partition(|at| self.is_thing(**at));
        let details = |columns: &[usize]| {
            let cells = columns.iter().map(|at| self.named_cell(row, *at)).collect();
            self.joined(cells, "next_row")
        };
        let [thing] = things.as_slice() else {
            return self.phrase("bare", &[("value", details(columns))]);
        };
        let value = self.phrase(
            "detailed",
            &[("value", self.cell_at(row, *thing, SHORT)), ("details", details(&others))],
        );
        let told = FrameWords { value: value.clone(), number: None };
        let retold = trusted.then(|| retold(self, RetoldForm::One, &told)).flatten();
        retold.unwrap_or_else(|| self.titled(*thing, "value", value))
    }

    fn is_thing(&self, at: usize) -> bool {
        self.column(at).is_some_and(|column| column.kind == ColumnKind::Thing)
    }

    fn named_cell(&self, row: &Row, at: usize) -> Phrase {
        let value = self.cell_at(row, at, SHORT);
        match self.column(at) {
            Some(column) => {
                self.phrase("titled", &[("title", column.title.as_str().into()), ("value", value)])
            }
            None => value,
        }
    }

    fn several(&self, rows: &[Vec<Option<Term>>], at: usize, trusted: bool) -> Phrase {
        self.told_several(rows.iter().map(|row| self.cell_at(row, at, SHORT)).collect(), at, trusted)
    }

    /// Several values of a column.
    fn told_several(&self, items: Vec<Phrase>, at: usize, trusted: bool) -> Phrase {
        let count = self.count(items.len());
        let value = self.list(&mut items.into_iter());
        let told = FrameWords { value: value.clone(), number: Some(count.as_str().into()) };
        if let Some(phrase) = trusted.then(|| retold(self, RetoldForm::Many, &told)).flatten() {
            return phrase;
        }
        let title = self.column(at).filter(|column| column.named).map(|column| column.title.clone());
        let key = match (&title, self.context.answer.incomplete.is_none()) {
            (Some(_), true) => "many",
            (None, true) => "many_bare",
            (Some(_), false) => "at_least",
            (None, false) => "at_least_bare",
        };
        self.phrase(
            key,
            &[("title", title.unwrap_or_default().into()), ("value", value), ("n", count.into())],
        )
    }

    /// Several entities, each with its deciding value: "Berlin (3,677,472)". A value shared by all of them is
    /// mentioned once.
    fn several_decided(
        &self,
        rows: &[Vec<Option<Term>>],
        (at, others): (usize, &[usize]),
        trusted: bool,
    ) -> Phrase {
        let decides = |row: &Vec<Option<Term>>| {
            self.joined(others.iter().map(|at| self.cell_at(row, *at, SHORT)).collect(), "next")
        };
        let first = rows.first().map(decides).unwrap_or_default();
        if rows.iter().all(|row| decides(row) == first) {
            let told = self.several(rows, at, trusted);
            return told.and_then(self.phrase("each", &[("value", first)]));
        }
        let item = |row: &Vec<Option<Term>>| {
            let values = [("value", self.cell_at(row, at, SHORT)), ("details", decides(row))];
            self.phrase("detailed", &values)
        };
        let items = rows.iter().map(item).collect();
        self.told_several(items, at, trusted)
    }

    fn table(&self, rows: &[Vec<Option<Term>>], columns: &[usize]) -> Phrase {
        let titles =
            columns.iter().filter_map(|at| self.column(*at)).map(|column| column.title.as_str().into());
        let titles = self.joined(titles.collect(), "next");
        let row = |row: &Vec<Option<Term>>| {
            self.joined(columns.iter().map(|at| self.cell_at(row, *at, SHORT)).collect(), "cell")
        };
        let told = self.rows(&mut rows.iter().map(row));
        let key = if self.context.answer.incomplete.is_none() { "table" } else { "cut_table" };
        self.phrase(key, &[("n", self.count(rows.len()).into()), ("titles", titles), ("rows", told)])
    }
}
