#!/usr/bin/env python3
"""Recomputes every value of the built-in fabrics from data/fabrics.csv by the rules of docs/fabrics.md.

    python3 tools/check_fabrics.py           compare fabrics/*.toml and the table of docs/fabrics.md; status 1 on any
                                             difference
    python3 tools/check_fabrics.py --table   print the table of docs/fabrics.md
    python3 tools/check_fabrics.py --spread  print how far the rules miss where the data allow a test

Needs Python 3.11, nothing else.
"""
import csv
import math
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
G = 9.81                             # m/s^2
DRAPE_SLOPE, DRAPE_START = 54.4, -39.9   # R7: DC in % = slope * c in cm + start
CURVATURE = 100.0                    # 1/m, R10: where KES reads 2HB
FREQUENCY = 10.0                     # Hz, R10
EDGE = 0.01                          # m, R11: the mesh for which the in-plane damping must be cheap
KEYS = ["density", "thickness", "stretch", "shear", "poisson", "bend", "damping", "friction"]

# file name: (row of the csv, row that lends what is missing; see each rule)
FABRICS = {
    "cotton-broadcloth": ("mat-cotton-broad", "pen-cotton"),
    "wool-tropical": ("mat-wool-tropical", "pen-wool"),
    "polyester-tropical": ("mat-pet-tropical", "pen-polyester"),
    "polyester-faille": ("mat-pet-faille", "pen-polyester"),
    "cotton-plain": ("pen-cotton", "mat-cotton-broad"),
    "wool-plain": ("pen-wool", "mat-wool-tropical"),
    "wool-lycra": ("pen-wool-lycra", "mat-wool-tropical"),
    "polyester-plain": ("pen-polyester", "mat-pet-tropical"),
    "cotton-woven": ("clyde-cotton", "mat-cotton-broad"),
    "wool-heavy": ("clyde-wool", "mat-wool-tropical"),
    "canvas": ("clyde-canvas", "vat-plain"),
    "silk": ("clyde-silk", "mat-pet-faille"),
    "denim": ("clyde-denim", "vat-twill31"),
    "polycotton-plain": ("vat-plain", None),
    "polycotton-twill-2-2": ("vat-twill22", None),
    "polycotton-twill-3-1": ("vat-twill31", None),
    "polycotton-panama": ("vat-panama", None),
    "polycotton-weft-rib": ("vat-weftrib", None),
    "polycotton-cross-twill": ("vat-crosstwill", None),
    "stretch-twill": ("poly2025-m1", "vat-twill22"),
    "cotton-control": ("mat2018-cotton", "mat-cotton-broad"),
}
POISSON_OF = {  # R6: rows whose Poisson's ratios are averaged
    "cotton": ["pen-cotton"],
    "wool": ["pen-wool"],
    "polyester": ["pen-polyester"],
    "polyester and cotton": ["pen-cotton", "pen-polyester"],
    "not known": ["pen-cotton", "pen-wool", "pen-wool-lycra", "pen-polyester"],
}
FIBRE = {
    "cotton-broadcloth": "cotton", "wool-tropical": "wool",
    "polyester-tropical": "polyester", "polyester-faille": "polyester",
    "cotton-woven": "cotton", "wool-heavy": "wool", "canvas": "not known", "silk": "not known", "denim": "not known",
    "polycotton-plain": "polyester and cotton", "polycotton-twill-2-2": "polyester and cotton",
    "polycotton-twill-3-1": "polyester and cotton", "polycotton-panama": "polyester and cotton",
    "polycotton-weft-rib": "polyester and cotton", "polycotton-cross-twill": "polyester and cotton",
    "stretch-twill": "polyester and cotton", "cotton-control": "cotton",
}


def read_rows():
    with open(ROOT / "data" / "fabrics.csv", newline="", encoding="utf-8") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


ROWS = read_rows()


def number(row, column):
    text = ROWS[row][column]
    return float(text) if text else None


def density(row):
    return number(row, "areal_density_kg_m2")


def stretch(row):
    pair = number(row, "tensile_warp_N_per_m"), number(row, "tensile_weft_N_per_m")
    return pair if pair[0] is not None else None


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def bending_length(bend, rho):
    return (bend / (rho * G)) ** (1 / 3)


def moduli(row):
    """a11, a12, a22, G12 in Pa and the first thickness in m, from the raw text of a clyde row."""
    text = ROWS[row]["raw_values_as_published"]
    a = [float(x) * 1e6 for x in re.match(r"a11 a12 a22 G12 = (\S+) (\S+) (\S+) (\S+) ", text).groups()]
    return (*a, float(re.search(r"thickness (\S+) mm", text).group(1)) * 1e-3)


def free_sides(row):
    """R2."""
    a11, a12, a22, g12, t = moduli(row)
    return (a11 - a12**2 / a22) * t, (a22 - a12**2 / a11) * t, g12 / 2 * t


def warp_share(row):
    """R4: share of the warp in the mass of the yarns, from tex and threads per cm."""
    pattern = r"warp (\S+) tex, weft (\S+) tex, (\S+) x (\S+) threads/cm"
    warp_tex, weft_tex, warp_count, weft_count = map(float, re.search(pattern, ROWS[row]["construction"]).groups())
    return warp_tex * warp_count / (warp_tex * warp_count + weft_tex * weft_count)


def split(value, share):
    """Two values with the mean `value`, in the ratio of the yarn masses."""
    return 2 * share * value, 2 * (1 - share) * value


def drape_bend(row):
    """R7: mean bending stiffness from the drape coefficient."""
    c = (number(row, "drape_coefficient_pct") - DRAPE_START) / DRAPE_SLOPE / 100
    return density(row) * G * c**3


def mean_bend(row):
    measured = number(row, "bending_warp_N_m")
    return drape_bend(row) if measured is None else mean([measured, number(row, "bending_weft_N_m")])


def loss_factor(row):
    """R10: equivalent loss factor of the KES bending loop."""
    return 2 * number(row, "bending_hysteresis_2HB_N") / (math.pi * number(row, "bending_warp_N_m") * CURVATURE)


WITH_LOOP = [row for row in ROWS if ROWS[row]["bending_hysteresis_2HB_N"]]
MEAN_LOSS = math.prod(loss_factor(row) for row in WITH_LOOP) ** (1 / len(WITH_LOOP))


def polycotton(quantity):
    """Mean of cotton and polyester per kg/m^2 (R4, R5)."""
    return mean(quantity(row) / density(row) for row in ("pen-cotton", "pen-polyester"))


def expected(name):
    """Values of one fabric, and for each key (how, rule, row the value was taken from)."""
    own, lender = FABRICS[name]
    rho = density(own)
    grade = ROWS[own]["grade"]
    own_how = "estimated" if grade == "C" else "measured"
    value, how = {}, {}
    family = own.split("-")[0]

    value["density"], how["density"] = rho, (own_how, "R1", own)

    value["thickness"], how["thickness"] = number(own, "thickness_m"), (own_how, "R1", own)
    if value["thickness"] is None:
        source = {"stretch-twill": "vat-twill22", "cotton-control": "pen-cotton"}[name]
        value["thickness"] = number(source, "thickness_m") * rho / density(source)
        how["thickness"] = "composite", "R9", source

    if stretch(own):
        value["stretch"], how["stretch"] = stretch(own), (own_how, "R2" if family == "clyde" else "R1", own)
    elif family == "vat":
        value["stretch"] = split(rho * polycotton(lambda row: mean(stretch(row))), warp_share(own))
        how["stretch"] = "composite", "R4", "pen-cotton"
    else:
        value["stretch"] = tuple(k * rho / density(lender) for k in stretch(lender))
        how["stretch"] = "composite", "R3", lender

    shear = number(own, "shear_N_per_m")
    if shear is not None:
        value["shear"], how["shear"] = shear, ("estimated", "R2" if family == "clyde" else "R1", own)
    elif FIBRE[name] == "polyester and cotton":
        value["shear"] = rho * polycotton(lambda row: number(row, "shear_N_per_m"))
        how["shear"] = "composite", "R5", "pen-cotton"
    else:
        source = POISSON_OF[FIBRE[name]][0]
        value["shear"] = number(source, "shear_N_per_m") * rho / density(source)
        how["shear"] = "composite", "R5", source

    if number(own, "poisson") is not None:
        value["poisson"], how["poisson"] = number(own, "poisson"), (own_how, "R1", own)
    else:
        sources = POISSON_OF[FIBRE[name]]
        value["poisson"] = mean(number(row, "poisson") for row in sources)
        how["poisson"] = "composite", "R6", sources[0]

    if number(own, "bending_warp_N_m") is not None:
        value["bend"] = number(own, "bending_warp_N_m"), number(own, "bending_weft_N_m")
        how["bend"] = own_how, "R1", own
    elif family == "vat":
        value["bend"], how["bend"] = split(drape_bend(own), warp_share(own)), ("estimated", "R7", own)
    else:
        value["bend"] = (mean_bend(lender) * (rho / density(lender)) ** 2,) * 2
        how["bend"] = "composite", "R8", lender

    loss = loss_factor(own) if own in WITH_LOOP else MEAN_LOSS
    value["damping"] = 1e-5, 1e-4, loss / (2 * math.pi * FREQUENCY), 0.0
    how["damping"] = "estimated", "R10", own if own in WITH_LOOP else ""
    value["friction"], how["friction"] = (0.3, 0.3), ("estimated", "neutral default 0.3, no measurement", "")
    return value, how


PARTS = {
    "stretch": ("warp", "weft"),
    "bend": ("warp", "weft"),
    "damping": ("stretch", "shear", "bend", "air"),
    "friction": ("self", "solid"),
}


def flat(value):
    return value if isinstance(value, tuple) else (value,)


def digits(x):
    return float(f"{x:.4g}")


def short(x):
    """Four digits, without an exponent for large numbers."""
    return f"{x:.0f}" if x >= 1000 else f"{x:.4g}"


def compare(name, problems):
    path = ROOT / "fabrics" / f"{name}.toml"
    if not path.exists():
        problems.append(f"{path.name}: missing")
        return
    fabric = tomllib.loads(path.read_text(encoding="utf-8"))
    value, how = expected(name)
    say = lambda text: problems.append(f"{path.name}: {text}")
    if set(fabric) != {"name", "description", "source", *KEYS}:
        say(f"keys are {sorted(fabric)}")
        return
    if set(fabric["source"]) != set(KEYS):
        say(f"[source] has {sorted(fabric['source'])}")
        return
    for key in KEYS:
        if key in PARTS and set(fabric[key]) != set(PARTS[key]):
            say(f"{key} has {sorted(fabric[key])}")
            continue
        found = tuple(fabric[key][part] for part in PARTS[key]) if key in PARTS else (fabric[key],)
        wanted = tuple(map(digits, flat(value[key])))
        if found != wanted:
            say(f"{key} is {found}, by {how[key][1]} {wanted}")
        kind, rule, row = how[key]
        text = fabric["source"][key]
        if not text.startswith(kind + ": ") or rule not in text or row not in text:
            say(f"source of {key} must begin with '{kind}: ' and name {rule} {row}: {text}")
    if any(entry[0] == "composite" for entry in how.values()) and "omposite" not in fabric["description"]:
        say("the description does not say that it is a composite")
    # what every method needs
    warp, weft = fabric["stretch"]["warp"], fabric["stretch"]["weft"]
    if not 0 < fabric["shear"] < min(warp, weft) / 2:
        say("shear is not below half of the smaller stretch")
    if not 0 <= fabric["poisson"] < 0.5 or fabric["poisson"] ** 2 * weft / warp >= 1:
        say("poisson")
    if not 1.5e-4 < fabric["thickness"] < 1.5e-3:
        say("thickness")


def check_rules(problems):
    """The constants of the rules follow from the csv."""
    c = [100 * bending_length(number(row, "bending_warp_N_m"), density(row)) for row in WITH_LOOP]
    dc = [number(row, "drape_coefficient_pct") for row in WITH_LOOP]
    slope = sum((x - mean(c)) * (y - mean(dc)) for x, y in zip(c, dc)) / sum((x - mean(c)) ** 2 for x in c)
    line = round(slope, 1), round(mean(dc) - slope * mean(c), 1)
    if line != (DRAPE_SLOPE, DRAPE_START):
        problems.append(f"R7: the line through the data is {line}")
    for row in ROWS:
        shear = number(row, "shear_N_per_m") if row.startswith("clyde") else None
        if shear is not None and tuple(map(digits, free_sides(row))) != (*stretch(row), shear):
            problems.append(f"R2: {row} has {stretch(row)}, {shear}, its raw values give {free_sides(row)}")
    values = [expected(name)[0] for name in FABRICS]
    for text, tau, quotient in [("stretch", 1e-5, max(max(v["stretch"]) / v["density"] for v in values)),
                                ("shear", 1e-4, max(v["shear"] / v["density"] for v in values))]:
        limit = 1.5 / math.sqrt(8 * quotient / EDGE**2)
        if not tau <= limit < 10 * tau:
            problems.append(f"R11: damping.{text} may be up to {limit:.3g} s")


def table():
    lines = ["| fabric | density g/m² | thickness mm | stretch N/m, warp / weft | shear N/m | Poisson | "
             "bend µN m, warp / weft | bending length cm, warp / weft | damping of bending ms |",
             "|---|---|---|---|---|---|---|---|---|"]
    for name in FABRICS:
        value, how = expected(name)
        values = lambda key, scale: " / ".join(short(digits(x) * scale) for x in flat(value[key]))
        show = lambda key, scale=1: values(key, scale) + " " + how[key][0][0]
        lengths = " / ".join(f"{100 * bending_length(b, value['density']):.2f}" for b in value["bend"])
        lines.append(f"| `{name}` | {show('density', 1e3)} | {show('thickness', 1e3)} | "
                     f"{show('stretch')} | {show('shear')} | {show('poisson')} | "
                     f"{show('bend', 1e6)} | {lengths} | {digits(value['damping'][2]) * 1e3:.4g} e |")
    return "\n".join(lines)


def spread():
    """Where two rows allow it: what a rule says of one from the other, and what is there."""
    per_mass = lambda row: math.sqrt(math.prod(stretch(row))) / density(row)
    shear_per_mass = lambda row: number(row, "shear_N_per_m") / density(row)
    print("R3, geometric mean of stretch per density, N m/kg")
    for row in ROWS:
        if stretch(row):
            print(f"  {row:18} {per_mass(row):9.0f}")
    print("R5, shear per density, N m/kg")
    for row in ROWS:
        if number(row, "shear_N_per_m"):
            print(f"  {row:18} {shear_per_mass(row):9.0f}")
    print("R8, mean bend over density squared, N m^5/kg^2")
    for row in ROWS:
        if number(row, "bending_warp_N_m") or number(row, "drape_coefficient_pct"):
            print(f"  {row:18} {mean_bend(row) / density(row) ** 2:9.3g}")
    print("R4, mass of the yarns without crimp over areal density; share of the warp")
    for row in ROWS:
        if row.startswith("vat"):
            yarns = r"warp (\S+) tex, weft (\S+) tex, (\S+) x (\S+) threads"
            warp_tex, weft_tex, n, m = map(float, re.search(yarns, ROWS[row]["construction"]).groups())
            print(f"  {row:18} {(warp_tex * n + weft_tex * m) * 1e-4 / density(row):.3f}  {warp_share(row):.3f}")
    print("R7, drape coefficient minus the line, points")
    for row in WITH_LOOP:
        c = 100 * bending_length(number(row, "bending_warp_N_m"), density(row))
        off = number(row, "drape_coefficient_pct") - DRAPE_SLOPE * c - DRAPE_START
        print(f"  {row:18} {off:+.1f}  (c = {c:.3f} cm)")
    print("R9, density of the volume, kg/m^3")
    for row in ROWS:
        if number(row, "thickness_m"):
            print(f"  {row:18} {density(row) / number(row, 'thickness_m'):6.0f}")
    print("R10, loss factor")
    for row in WITH_LOOP:
        print(f"  {row:18} {loss_factor(row):.3f}")
    print(f"  geometric mean     {MEAN_LOSS:.3f}")


def main():
    if sys.argv[1:] == ["--table"]:
        print(table())
        return 0
    if sys.argv[1:] == ["--spread"]:
        spread()
        return 0
    if sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        return 2
    problems = []
    check_rules(problems)
    for name in FABRICS:
        compare(name, problems)
    strangers = {path.stem for path in (ROOT / "fabrics").glob("*.toml")} - set(FABRICS)
    problems += [f"{name}.toml: no rule for it" for name in sorted(strangers)]
    document = ROOT / "docs" / "fabrics.md"
    if not document.exists() or table() not in document.read_text(encoding="utf-8"):
        problems.append("docs/fabrics.md: its table is not the one of --table")
    for problem in problems:
        print(problem)
    print(f"{len(FABRICS)} fabrics, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
