//! XML Schema datatypes, by local name.

/// The namespace of the XML Schema datatypes.
pub const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// Types derived from `xsd:integer`: SPARQL 1.1 defines no casts to them, and Oxigraph has none.
pub(crate) const DERIVED_INTEGERS: &[&str] = &[
    "int",
    "long",
    "short",
    "byte",
    "nonNegativeInteger",
    "positiveInteger",
    "nonPositiveInteger",
    "negativeInteger",
    "unsignedInt",
    "unsignedLong",
    "unsignedShort",
    "unsignedByte",
];

/// The basic numeric types; the other numeric types are derived from these.
const NUMBERS: &[&str] = &["integer", "decimal", "double", "float"];

/// Whether this is the local name of a numeric datatype.
#[must_use]
pub fn is_numeric_type(local_name: &str) -> bool {
    NUMBERS.contains(&local_name) || DERIVED_INTEGERS.contains(&local_name)
}
