//! Descriptions of the models, and of how a method is chosen.

/// A model of cloth.
pub struct Model {
    pub name: &'static str,
    pub line: &'static str,
}

/// The models in the order of `taffeta::Model::NAMES`. Every method works with each of them.
pub const MODELS: [Model; 4] = [
    Model {
        name: "baraff-witkin",
        line: "the default: stretch, shear and bend conditions on triangles; any mesh, regions",
    },
    Model { name: "membrane", line: "triangles of constant strain, with Poisson's ratio; any mesh, regions" },
    Model { name: "choi-ko", line: "springs that pull and beams that buckle: folds appear without being pushed" },
    Model { name: "mass-spring", line: "Provot's springs, with hinges or flexion springs for bending; raw constants" },
];

/// The methods that `auto` chooses from.
pub const AUTO: [&str; 3] = ["backward-euler", "bdf2", "filtered-euler"];

/// Where the defaults come from.
pub const DEFAULTS: &str = "\
Method auto is the default, with the model baraff-witkin. It takes
  filtered-euler  for sheets that resist shear by a tenth of stretch or more and hang in still air: several
                  times faster for sheets of about a metre. Where cloth comes near itself, the run goes over to bdf2
  backward-euler  where there are bodies, unless contact is by constraints
  bdf2            for all else: fabrics that shear easily, as most woven ones do, sheets as stiff as board, a
                  limiter, wind, cloth that flies, changed rest lengths, a time.step of your own, or
                  method.newton, tolerance, iterations or residual
`taffeta check` tells which. Choose backward-euler where motion should die down, and symplectic-euler
to compare, and for small or soft cloth that should keep all its energy.";
