//! "Did you mean": the nearest of the words there are.

/// The nearest word, if it is near enough to have been meant.
pub(crate) fn nearest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // long texts are no typing mistakes, and the distance costs the product of the lengths
    if word.is_empty() || word.len() > 60 {
        return None;
    }
    let small = word.to_lowercase();
    let scored = words.into_iter().filter(|other| other.len() <= 60).map(|candidate| {
        let other = candidate.to_lowercase();
        let allowed = (small.chars().count().max(other.chars().count()) / 3).clamp(1, 3);
        (strsim::osa_distance(&small, &other), allowed, candidate)
    });
    scored.filter(|(score, allowed, _)| score <= allowed).min_by_key(|(score, ..)| *score).map(|(.., best)| best)
}
