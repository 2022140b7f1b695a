//! The parts that were asked for: tables, sizes, fabrics, families of methods.

use super::rows::{METHODS, Method, WITH_CONTACT};
use super::scene::{SIDES, STRETCHES, Sheet};

/// What parts there are.
pub const HELP: &str = "tables (fall, contact; growth, 2 min; reference, 6 min), vertices a side (22, 41, 101, 183, \
                        317), fabrics in N/m (5000, 50000), methods (such as bdf2); all tables of docs/performance.md \
                        are `fall contact 41 101 317`, some hours";

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Fall,
    Contact,
    Growth,
    Reference,
}

const PARTS: [(&str, Part); 4] =
    [("fall", Part::Fall), ("contact", Part::Contact), ("growth", Part::Growth), ("reference", Part::Reference)];
/// Those that are made if none is named.
const USUAL: [Part; 2] = [Part::Fall, Part::Contact];

/// What was asked for.
#[derive(Debug)]
pub struct Chosen<'a> {
    parts: Vec<Part>,
    sides: Vec<u32>,
    stretches: Vec<u32>,
    families: Vec<&'a str>,
}

fn families() -> impl Iterator<Item = &'static str> {
    METHODS.iter().chain(WITH_CONTACT).map(Method::family)
}

/// Whether there is such a part.
pub fn is_part(word: &str) -> bool {
    let is_number = |number: u32| SIDES.contains(&number) || STRETCHES.contains(&number);
    PARTS.iter().any(|(name, _)| *name == word)
        || word.parse().is_ok_and(is_number)
        || families().any(|family| family == word)
}

impl<'a> Chosen<'a> {
    pub fn new(words: &'a [String]) -> Self {
        let has = |word: &str| words.iter().any(|given| given == word);
        let named = |numbers: &[u32]| numbers.iter().copied().filter(|number| has(&number.to_string())).collect();
        Self {
            parts: PARTS.iter().filter(|(name, _)| has(name)).map(|(_, part)| *part).collect(),
            sides: named(&SIDES),
            stretches: named(&STRETCHES),
            families: words.iter().map(String::as_str).filter(|word| families().any(|f| f == *word)).collect(),
        }
    }

    /// Whether a table is made.
    pub fn has(&self, part: Part) -> bool {
        self.names(part) || (self.parts.is_empty() && USUAL.contains(&part))
    }

    /// Whether a table is named.
    pub fn names(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }

    /// The sizes that are named, else these.
    pub fn sides(&self, usual: &[u32]) -> Vec<u32> {
        if self.sides.is_empty() { usual.to_vec() } else { self.sides.clone() }
    }

    /// The fabrics that are named, else all.
    pub fn stretches(&self) -> Vec<u32> {
        if self.stretches.is_empty() { STRETCHES.to_vec() } else { self.stretches.clone() }
    }

    /// Sheets of the sizes that are named, else of these.
    pub fn sheets(&self, usual: &[u32]) -> Vec<Sheet> {
        let stretches = self.stretches();
        let of = |side: u32| stretches.iter().map(move |&stretch| Sheet { side, stretch });
        self.sides(usual).into_iter().flat_map(of).collect()
    }

    /// Whether sheets of this size and fabric are among those that are named, or none is named.
    pub fn has_sheet(&self, sheet: Sheet) -> bool {
        self.stretches().contains(&sheet.stretch) && (self.sides.is_empty() || self.sides.contains(&sheet.side))
    }

    /// Whether methods are named.
    pub fn names_methods(&self) -> bool {
        !self.families.is_empty()
    }

    /// The methods that are named, else all, of those that are worth waiting for at a size.
    pub fn rows(&self, all: &'static [Method], side: u32) -> Vec<&'static Method> {
        let named = |row: &&Method| self.families.is_empty() || self.families.contains(&row.family());
        all.iter().filter(|row| row.largest >= side).filter(named).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_choose_tables_sizes_fabrics_and_methods() {
        let words = ["contact", "101", "5000", "bdf2"].map(String::from);
        assert!(words.iter().all(|word| is_part(word)) && !is_part("42") && !is_part("fast"));
        let chosen = Chosen::new(&words);
        assert!(chosen.has(Part::Contact) && !chosen.has(Part::Fall));
        assert_eq!(chosen.sheets(&[41]), [Sheet { side: 101, stretch: 5_000 }]);
        assert!(chosen.rows(METHODS, 101).iter().all(|row| row.name.starts_with("bdf2")));
        assert!(Chosen::new(&[]).has(Part::Fall) && !Chosen::new(&[]).has(Part::Growth));
        assert_eq!(Chosen::new(&[]).rows(METHODS, 41).len(), METHODS.len());
    }
}
