//! What kind of media file an address names, judged by its ending. Knows no graph.

/// A kind of media file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaKind {
    /// A picture.
    Picture,
    /// A sound.
    Sound,
    /// A film.
    Film,
}

const PICTURES: [&str; 9] = ["jpg", "jpeg", "png", "gif", "svg", "webp", "avif", "tif", "tiff"];
const SOUNDS: [&str; 7] = ["ogg", "oga", "opus", "mp3", "wav", "flac", "m4a"];
const FILMS: [&str; 4] = ["ogv", "mp4", "webm", "mpg"];

impl MediaKind {
    /// The kind of the file at a web address, if its path has the ending of one.
    pub fn of(address: &str) -> Option<Self> {
        let is_web = address.starts_with("http://") || address.starts_with("https://");
        let path = address.split(['?', '#']).next().filter(|_| is_web)?;
        let ending = path.rsplit_once('.')?.1.to_ascii_lowercase();
        let kinds = [(Self::Picture, &PICTURES[..]), (Self::Sound, &SOUNDS), (Self::Film, &FILMS)];
        kinds.into_iter().find(|(_, endings)| endings.contains(&ending.as_str())).map(|(kind, _)| kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_the_path_decides() {
        assert_eq!(MediaKind::of("https://a.example/B.PNG?size=2"), Some(MediaKind::Picture));
        assert_eq!(MediaKind::of("http://a.example/call.ogg#t=3"), Some(MediaKind::Sound));
        assert_eq!(MediaKind::of("http://a.example/film.webm"), Some(MediaKind::Film));
        for other in ["http://a.example/page?x=a.png", "urn:a.png", "http://a.example/png", "a.png", ""] {
            assert_eq!(MediaKind::of(other), None, "{other}");
        }
    }
}
