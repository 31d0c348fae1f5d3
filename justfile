# The commands that a developer needs; CONTRIBUTING.md has them without `just`.

# Lists these recipes.
default:
    @just --list

# Builds the program and serves the demo graph.
serve *ARGS:
    cargo run -- serve {{ARGS}}

# The quick tests of the root package, or those whose names contain FILTER.
quick FILTER="":
    cargo test {{FILTER}}

# All tests, or those whose names contain FILTER.
test FILTER="":
    cargo test --workspace {{FILTER}}

# Lints; warnings are errors.
lint:
    cargo clippy --workspace --all-targets -- -D warnings

# Formats the code.
format:
    cargo fmt --all

# Archives with checksums, bill of materials and licences, in dist/ (docs/release.md).
release *ARGS:
    .ci/release {{ARGS}}

# What a change must pass.
ci:
    .ci/run
