//! "Did you mean": the nearest of the words there are.

/// The nearest word, if it is near enough to have been meant.
pub(crate) fn nearest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // long texts are no typing mistakes, and the distance costs the product of the lengths
    if word.is_empty() || word.len() > 60 {
        return None;
    }
    let plain = normal(word);
    let scored = words.into_iter().map(|candidate| {
        let other = normal(candidate);
        // a word that begins like another was meant too: `cotton` for `cotton-poplin`
        let part = plain.len().min(other.len()) >= 3 && (other.starts_with(&plain) || plain.starts_with(&other));
        let allowed = (plain.chars().count().max(other.chars().count()) / 3).clamp(1, 3);
        let score = match () {
            // the parts in another order: `top-left` for `left-top`
            _ if parts(&plain) == parts(&other) => 0,
            _ if part => distance(&plain, &other).min(allowed),
            _ => distance(&plain, &other),
        };
        (score, allowed, candidate)
    });
    let (score, allowed, best) = scored.min_by_key(|(score, ..)| *score)?;
    (score <= allowed).then_some(best)
}

/// Small letters, and one kind of dash.
fn normal(word: &str) -> String {
    word.chars().map(|c| if c == '_' || c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

fn parts(word: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = word.split('-').collect();
    parts.sort_unstable();
    parts
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// `a`, `b` and `c`.
pub(crate) fn list<'a>(words: impl IntoIterator<Item = &'a str>, last: &str) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_mistakes_find_their_word_and_other_words_none() {
        let words = ["gravity", "duration", "fps", "left-top", "cotton-poplin"];
        for (typed, meant) in [
            ("gravty", Some("gravity")),
            ("Gravity", Some("gravity")),
            ("duratoin", Some("duration")),
            ("fsp", Some("fps")),
            ("left_top", Some("left-top")),
            ("cotton", Some("cotton-poplin")),
            ("top-left", Some("left-top")),
            ("elephant", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, words), meant, "{typed}");
        }
    }
}
