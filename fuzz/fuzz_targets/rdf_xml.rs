//! Bytes as a file of RDF/XML: reading it ends, in bounded memory, and gives the same however the bytes come.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| eruca_indexer::fuzzing::rdf_xml(data));
