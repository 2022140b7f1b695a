//! Scenes and fabrics that are built in: the TOML files of the folders `scenes` and `fabrics`.

use crate::tree;
use std::sync::OnceLock;

/// A built-in scene or fabric.
#[derive(Clone, Debug, PartialEq)]
pub struct Builtin {
    /// Its name in commands and scenes.
    pub name: &'static str,
    /// A description in one line.
    pub description: String,
    /// The whole TOML text, to show and to copy.
    pub text: &'static str,
}

/// The files of a folder, by name.
macro_rules! embed {
    ($folder:literal: $($name:literal)*) => {
        [$(($name, include_str!(concat!("../../../", $folder, "/", $name, ".toml")))),*]
    };
}

/// The built-in scenes, beginning with the one to try first.
pub fn scenes() -> &'static [Builtin] {
    static SCENES: OnceLock<Vec<Builtin>> = OnceLock::new();
    SCENES.get_or_init(|| {
        let files = embed!("scenes":
            "hang" "ball" "tablecloth" "rotating-box" "flag" "swing" "curtain" "fall" "corner-pull" "disc" "ruffle"
            "two-points" "cylinder" "corner-yank"
            "thesis-1-bounce" "thesis-2-damping" "thesis-3-limiter" "thesis-4-settle" "thesis-5-flag"
            "thesis-6-bend" "thesis-6-shear" "thesis-s2-explicit" "thesis-s2-implicit" "thesis-s2-flag"
        );
        files.map(|(name, text)| describe(name, text, "title")).to_vec()
    })
}

/// The built-in fabrics, in alphabetical order.
pub fn fabrics() -> &'static [Builtin] {
    static FABRICS: OnceLock<Vec<Builtin>> = OnceLock::new();
    FABRICS.get_or_init(|| {
        let files = embed!("fabrics":
            "canvas"
            "cotton-broadcloth"
            "cotton-control"
            "cotton-plain"
            "cotton-woven"
            "denim"
            "polycotton-cross-twill"
            "polycotton-panama"
            "polycotton-plain"
            "polycotton-twill-2-2"
            "polycotton-twill-3-1"
            "polycotton-weft-rib"
            "polyester-faille"
            "polyester-plain"
            "polyester-tropical"
            "silk"
            "stretch-twill"
            "wool-heavy"
            "wool-lycra"
            "wool-plain"
            "wool-tropical"
        );
        files.map(|(name, text)| describe(name, text, "description")).to_vec()
    })
}

/// The built-in scene with this name.
pub fn scene(name: &str) -> Option<&'static Builtin> {
    scenes().iter().find(|scene| scene.name == name)
}

/// The built-in fabric with this name.
pub fn fabric(name: &str) -> Option<&'static Builtin> {
    fabrics().iter().find(|fabric| fabric.name == name)
}

fn describe(name: &'static str, text: &'static str, key: &str) -> Builtin {
    let (root, _) = tree::parse(text);
    let line = root.get(key).or_else(|| root.get("name")).and_then(|node| node.text());
    Builtin { name, description: line.unwrap_or(name).to_string(), text }
}
