//! Good scenes with random damage: they never cause a panic, nor an error without a message.

use crate::{Source, build::Limits, builtin, scene::load_within};

/// SplitMix64: the same mutants in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

const PIECES: [&str; 24] = [
    "nan",
    "-inf",
    "1e308",
    "-1",
    "0",
    "[]",
    "{}",
    "[[",
    "]]",
    "\"",
    "=",
    ".",
    "999999999999",
    "true",
    "'",
    "\n",
    "\u{0}",
    "é",
    "[cloth]",
    "\"\"\"",
    "a.b.c = 1\n",
    "[[cloth.pin]]\n",
    "1979-05-27",
    "\u{feff}",
];

fn mutate(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for _ in 0..1 + random.below(3) {
        let i = random.below(lines.len());
        let Some(line) = lines.get(i).cloned() else { break };
        let at = (0..=line.len())
            .filter(|&at| line.is_char_boundary(at))
            .nth(random.below(line.chars().count() + 1))
            .unwrap_or(0);
        match random.below(7) {
            0 => drop(lines.remove(i)),
            1 => lines.insert(random.below(lines.len() + 1), line),
            2 => {
                let j = random.below(lines.len());
                lines.swap(i, j);
            }
            3 => lines[i].insert_str(at, PIECES[random.below(PIECES.len())]),
            4 => lines[i].truncate(at),
            5 => {
                // another value after the `=`
                let key = line.split('=').next().unwrap_or_default();
                lines[i] = format!("{key}= {}", PIECES[random.below(PIECES.len())]);
            }
            _ => {
                lines[i] = line
                    .chars()
                    .map(|c| if random.below(12) == 0 { char::from(32 + random.below(95) as u8) } else { c })
                    .collect()
            }
        }
    }
    lines.join("\n")
}

#[test]
fn two_thousand_damaged_scenes_are_read_or_refused_with_words() {
    let mut random = Random(1);
    let limits = Limits { vertices: 5_000, memory: None };
    let (mut read, mut refused) = (0, 0);
    for i in 0..2400 {
        let scene = &builtin::scenes()[i % builtin::scenes().len()];
        let text = mutate(scene.text, &mut random);
        let overrides = if i % 10 == 0 { vec![mutate("cloth.0.fabric.density=0.3", &mut random)] } else { Vec::new() };
        match load_within(&Source::text("mutant", &text, "."), &overrides, limits.clone()) {
            Ok(scene) => {
                read += 1;
                if read % 20 == 0
                    && let Err(found) = scene.world()
                {
                    assert!(found.list.iter().all(|d| !d.message.is_empty() && !d.help.is_empty()), "{text}\n{found}");
                }
                let again = load_within(&Source::text("mutant", &scene.saved_text(), "."), &[], limits.clone());
                assert!(again.is_ok(), "the saved scene is refused:\n{text}");
            }
            Err(found) => {
                refused += 1;
                assert!(!found.list.is_empty());
                for d in &found.list {
                    assert!(!d.message.is_empty() && !d.help.is_empty() && d.at.is_some(), "{text}\n{d:?}");
                }
                assert!(!found.render(i % 2 == 0).is_empty() && found.json().starts_with("[{"));
            }
        }
    }
    assert!(read > 200 && refused > 1000, "{read} read, {refused} refused");
}
