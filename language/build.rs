//! Embeds the language packs: every folder of `packs/` is one, every file of tables or of a list in it a part of it. The code names
//! none of them, so another language is another folder.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("packs");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut table = String::from("&[\n");
    for folder in sorted(&root)?.iter().filter(|path| path.is_dir()) {
        writeln!(table, "({:?}, &[", name_of(folder)).map_err(io::Error::other)?;
        let is_part = |path: &&PathBuf| path.extension().is_some_and(|end| end == "toml" || end == "txt");
        for file in sorted(folder)?.iter().filter(is_part) {
            let inside = format!("/packs/{}/{}", name_of(folder), name_of(file));
            // No path of this machine becomes a part of the crate: builds in other folders should give the same bytes.
            writeln!(
                table,
                "({:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {inside:?}))),",
                name_of(file)
            )
            .map_err(io::Error::other)?;
        }
        table.push_str("]),\n");
    }
    table.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("packs.rs"), table)
}

/// What a folder holds, in an order that does not depend on the file system.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// The name of a folder or file.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
