//! Values of terms for the evaluator, parsed from their texts without creating terms first.

use super::TermKind;
use oxrdf::vocab::xsd;
use spareval::ExpressionTerm;

/// How the texts of a kind are parsed into values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueForm {
    /// Like a term; cheap, so that such values are not worth caching.
    Text,
    /// Like a term with a datatype.
    Typed,
    Boolean,
    Integer,
    Decimal,
    Double,
    Date,
    DateTime,
}

impl ValueForm {
    pub(super) fn of(kind: &TermKind) -> Self {
        let (TermKind::OfDatatype(datatype) | TermKind::Unusual(datatype)) = kind else { return Self::Text };
        let forms = [
            (xsd::STRING, Self::Text),
            (xsd::BOOLEAN, Self::Boolean),
            (xsd::INTEGER, Self::Integer),
            (xsd::DECIMAL, Self::Decimal),
            (xsd::DOUBLE, Self::Double),
            (xsd::DATE, Self::Date),
            (xsd::DATE_TIME, Self::DateTime),
        ];
        let known = forms.into_iter().find(|(iri, _)| iri.as_str() == datatype);
        known.map_or(Self::Typed, |(_, form)| form)
    }

    /// The value of a text; `None` if it is the value of the whole term.
    pub(super) fn value(self, text: &str) -> Option<ExpressionTerm> {
        match self {
            Self::Text | Self::Typed => None,
            Self::Boolean => text.parse().ok().map(ExpressionTerm::BooleanLiteral),
            Self::Integer => text.parse().ok().map(ExpressionTerm::IntegerLiteral),
            Self::Decimal => text.parse().ok().map(ExpressionTerm::DecimalLiteral),
            Self::Double => text.parse().ok().map(ExpressionTerm::DoubleLiteral),
            Self::Date => text.parse().ok().map(ExpressionTerm::DateLiteral),
            Self::DateTime => text.parse().ok().map(ExpressionTerm::DateTimeLiteral),
        }
    }
}
