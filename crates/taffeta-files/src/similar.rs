//! "Did you mean": finds the nearest of the known words.

/// Longer texts are not typing mistakes, and the cost of the distance is the product of the lengths.
const LONGEST: usize = 60;

/// The nearest word, if it is close enough to have been meant.
///
/// ```
/// assert_eq!(taffeta_files::nearest("curtian", ["hang", "curtain"]), Some("curtain"));
/// assert_eq!(taffeta_files::nearest("zebra", ["hang", "curtain"]), None);
/// ```
pub fn nearest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let plain = normal(word);
    let scored = words.into_iter().filter(|other| other.len() <= LONGEST).map(|candidate| {
        let other = normal(candidate);
        // a common beginning counts as well: `cotton` for `cotton-poplin`
        let part = plain.len().min(other.len()) >= 3 && (other.starts_with(&plain) || plain.starts_with(&other));
        let allowed = (plain.chars().count().max(other.chars().count()) / 3).clamp(1, 3);
        let distance = strsim::osa_distance(&plain, &other);
        let score = match () {
            // the parts in another order: `top-left` for `left-top`
            _ if parts(&plain) == parts(&other) => 0,
            _ if part => distance.min(allowed),
            _ => distance,
        };
        (score, allowed, candidate)
    });
    scored.filter(|(score, allowed, _)| score <= allowed).min_by_key(|(score, ..)| *score).map(|(.., best)| best)
}

/// Converts to lower case and to one kind of dash.
fn normal(word: &str) -> String {
    word.chars().map(|c| if c == '_' || c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

fn parts(word: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = word.split('-').collect();
    parts.sort_unstable();
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_mistakes_find_their_word_and_other_words_none() {
        let words = ["gravity", "duration", "fps", "left-top", "cotton-poplin", "hang"];
        for (typed, meant) in [
            ("gravty", Some("gravity")),
            ("Gravity", Some("gravity")),
            ("duratoin", Some("duration")),
            ("fsp", Some("fps")),
            ("left_top", Some("left-top")),
            ("cotton", Some("cotton-poplin")),
            ("top-left", Some("left-top")),
            ("hagn", Some("hang")),
            ("elephant", None),
            ("zebra", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, words), meant, "{typed}");
        }
        assert_eq!(nearest(&"gravity".repeat(10), words), None);
    }
}
