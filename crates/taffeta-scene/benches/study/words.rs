//! The words of the command line: sizes, fabrics, parts of names of methods, settings.

use crate::methods::Method;
use crate::quasi_newton::QuasiNewton;
use crate::run::Until;
use crate::scene::{FRAMES, STRETCHES, Sheet};

/// The words.
pub struct Words(Vec<String>);

/// A row of a table.
pub struct Row<'a> {
    pub name: String,
    pub set: Vec<&'a str>,
    pub own: Option<QuasiNewton>,
    pub largest: u32,
}

impl Words {
    /// Those that are given; cargo bench adds one of its own.
    pub fn given() -> Self {
        Self(std::env::args().skip(1).filter(|word| word != "--bench").collect())
    }

    /// Takes a word out, and tells whether it was there.
    pub fn take(&mut self, word: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|w| w != word);
        self.0.len() < before
    }

    /// Those of the numbers that are named, or the first so many.
    pub fn pick(&self, from: &[u32], unless: usize) -> Vec<u32> {
        let named: Vec<u32> = from.iter().copied().filter(|n| self.0.contains(&n.to_string())).collect();
        if named.is_empty() { from[..unless].to_vec() } else { named }
    }

    /// All fabrics, or those that are named.
    pub fn stretches(&self) -> Vec<u32> {
        self.pick(&STRETCHES, STRETCHES.len())
    }

    /// The first two sizes in all fabrics, or those that are named.
    pub fn sheets(&self, sides: &[u32]) -> Vec<Sheet> {
        let stretches = self.stretches();
        let of = |side: u32| stretches.iter().map(move |&stretch| Sheet { side, stretch });
        self.pick(sides, 2).into_iter().flat_map(of).collect()
    }

    /// The number of a word like `frames=30`.
    fn number(&self, key: &str) -> Option<u64> {
        let given = self.0.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))?;
        Some(given.parse().unwrap_or_else(|_| panic!("{key}= takes a whole number")))
    }

    /// All frames, or as many as `frames=` says, in 300 s or what `seconds=` says.
    pub fn until(&self) -> Until {
        let frames = self.number("frames").unwrap_or(FRAMES);
        Until { frames, seconds: self.number("seconds").map_or(300.0, |seconds| seconds as f64) }
    }

    /// Starts of the references: level and with noise, or what `noise=` says.
    pub fn noises(&self) -> Vec<u64> {
        self.number("noise").map_or(vec![0, 1, 2], |seed| vec![seed])
    }

    /// A row of the settings that are given; else the methods whose names have one of the words in them; else the first so many.
    pub fn rows(&self, methods: &'static [Method], unless: usize) -> Vec<Row<'_>> {
        let own = |word: &&str| !["frames=", "seconds="].iter().any(|key| word.starts_with(key));
        let words = || self.0.iter().map(String::as_str).filter(own);
        let set: Vec<&str> = words().filter(|word| word.contains('=')).collect();
        if !set.is_empty() {
            return vec![Row { name: set.join(" "), set, own: None, largest: u32::MAX }];
        }
        let names: Vec<&str> = words().filter(|word| word.parse::<u32>().is_err()).collect();
        let named = |name: &str| names.iter().any(|part| name.contains(part));
        let all = methods.iter().take(if names.is_empty() { unless } else { methods.len() });
        all.filter(|method| names.is_empty() || named(method.name))
            .map(|Method { name, set, own, largest }| Row {
                name: (*name).into(),
                set: set.to_vec(),
                own: *own,
                largest: *largest,
            })
            .collect()
    }
}
