//! What of a graph can be shown besides text: pictures of things, and their places on a map.
//!
//! Recognised by signs that are the same in every language: IRIs of the common vocabularies (which are standards), declared
//! ranges, datatypes, the form of the values. Knows the dataset card and RDF terms alone.

mod coordinates;
mod pictures;
mod wkt;

pub use coordinates::{CoordinateRole, GEOMETRY_PROPERTIES, Place, Places, coordinate_role};
pub use pictures::{is_picture_property, picture};
