//! What can be shown of a graph besides text: pictures of entities, and their places on a map.
//!
//! Recognised by language-independent signs: IRIs of common vocabularies (which are standards), declared
//! ranges, datatypes, the form of the values. Knows only the dataset card and RDF terms.

mod coordinates;
mod kind;
mod pictures;
mod wkt;

pub use coordinates::{CoordinateRole, GEOMETRY_PROPERTIES, Place, Places, coordinate_role};
pub use kind::MediaKind;
pub use pictures::{is_picture_property, picture, recording};
