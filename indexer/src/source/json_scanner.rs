//! Tracks the position in JSON without interpreting its content.

/// Tracks the position in JSON: how deep it is nested, and whether it is in a string.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct JsonScanner {
    depth: usize,
    string: bool,
    escaped: bool,
}

impl JsonScanner {
    pub(super) fn step(&mut self, byte: u8) {
        if self.string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.string = false,
                _ => {}
            }
        } else {
            match byte {
                b'"' => self.string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Number of open objects and lists.
    pub(super) fn depth(self) -> usize {
        self.depth
    }

    pub(super) fn in_string(self) -> bool {
        self.string
    }
}
