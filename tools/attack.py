#!/usr/bin/env python3
"""Attacks the command on purpose and counts what goes wrong.

    tools/attack.py target/release/taffeta [ATTACK ...] [--seed N] [--scale S]

Attacks: check, run, mesh, kill, disk, corrupt, link; all by default. Needs Python 3.11 and a Unix system.
Wrong is: a panic, an abort, a status that is not documented, an error without a help, a process that does not end,
a result with other bits than without the attack, a file written or changed outside the folder of the run.
"""
import argparse, json, os, random, re, shutil, signal, subprocess, sys, tempfile, time
from pathlib import Path

SMALL = """
[time]
duration = 0.5
[[cloth]]
grid = { size = [1.0, 1.0], cells = [24, 24] }
place = { rotate = [90.0, 0.0, 0.0], at = [0.0, 0.4, 0.0] }
fabric = "cotton-plain"
noise = { size = 1e-3, seed = 1 }
[[cloth.pin]]
select = { corners = ["left-top"] }
[[body]]
sphere = { radius = 0.3 }
"""
VALUES = ["0", "-1", "1", "3", "0.5", "1e9", "1e-9", "1e308", "-1e308", "1e-320", "nan", "inf", "-inf", "true", '""',
          '"x"', "[]", "[1.0]", "[0.0, 0.0, 0.0]", "{}", "{ x = 1 }", "9223372036854775807", "1979-05-27",
          "'\\u001b'", "[[[[[[]]]]]]"]


class Attack:
    def __init__(self, binary, seed, scale):
        self.binary, self.random, self.scale = str(Path(binary).resolve()), random.Random(seed), scale
        self.folder = Path(tempfile.mkdtemp(prefix="attack"))
        self.wrong, self.count, self.status = [], 0, {}

    def call(self, args, cwd=None, limit=60, env=None, shell=None):
        """Runs the command; notes what is wrong by itself."""
        command = [self.binary, *args] if shell is None else ["sh", "-c", shell, self.binary, *args]
        self.count += 1
        begin = time.time()
        try:
            done = subprocess.run(command, cwd=cwd or self.folder, capture_output=True, timeout=limit, env=env,
                                  stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            self.note(args, f"does not end in {limit} s")
            return None
        text = done.stderr.decode("utf-8", "replace")
        self.status[done.returncode] = self.status.get(done.returncode, 0) + 1
        if done.returncode not in (0, 1, 2) or "panicked" in text or "RUST_BACKTRACE" in text:
            self.note(args, f"status {done.returncode}: {text[-300:]}")
        elif done.returncode and "help:" not in text and "Usage" not in text:
            self.note(args, f"no way out: {text[-300:]}")
        if re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", done.stderr + done.stdout):
            self.note(args, "control characters on the terminal")
        done.seconds = time.time() - begin
        return done

    def note(self, args, what):
        kept = self.folder / f"wrong-{len(self.wrong)}"
        kept.mkdir()
        for arg in args:
            path = self.folder / str(arg)
            if path.is_file():
                shutil.copy(path, kept)
        self.wrong.append(f"{' '.join(map(str, args))}: {what} (inputs in {kept})")

    # mutations

    def scene(self, texts):
        lines = self.random.choice(texts).split("\n")
        for _ in range(self.random.choice([1, 1, 1, 2, 4])):
            at = self.random.randrange(len(lines))
            line = lines[at]
            kind = self.random.randrange(9)
            if kind == 0:
                del lines[at]
            elif kind == 1:
                lines.insert(at, line)
            elif kind == 2:
                other = self.random.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            elif kind == 3:
                numbers = list(re.finditer(r"-?\d+(\.\d+)?(e-?\d+)?", line))
                if numbers:
                    number = self.random.choice(numbers)
                    lines[at] = line[: number.start()] + self.random.choice(VALUES) + line[number.end() :]
            elif kind == 4 and "=" in line:
                lines[at] = line.split("=", 1)[0] + "= " + self.random.choice(VALUES)
            elif kind == 5 and line:
                k = self.random.randrange(len(line))
                letter = self.random.choice("[]{}\"'=.,#\\\t\x1b\x07é𝔘x0-")
                lines[at] = line[:k] + letter + line[k + self.random.randrange(2) :]
            elif kind == 6:
                lines = lines[: at + 1]
            elif kind == 7:
                added = ["[[cloth]]", "[cloth]", "[time]", "[[body]]", "[[cloth.pin]]", "x = 1", "time.fps = 3"]
                lines.insert(at, self.random.choice(added))
            else:
                words = re.findall(r"[a-z_]{3,}", line)
                if words:
                    word = self.random.choice(words)
                    lines[at] = line.replace(word, word[:-1] if self.random.random() < 0.5 else word + "x", 1)
            lines = lines or [""]
        return "\n".join(lines)

    def bytes(self, data):
        data = bytearray(data)
        for _ in range(self.random.choice([1, 1, 2, 5, 20])):
            if not data:
                return bytes(data)
            at = self.random.randrange(len(data))
            kind = self.random.randrange(6)
            if kind == 0:
                data[at] ^= 1 << self.random.randrange(8)
            elif kind == 1:
                data[at] = self.random.choice([0, 0xFF, 0x7F, 0x80, 0x1B, 0x2D, 0x39])
            elif kind == 2:
                del data[at : at + self.random.choice([1, 4, 100])]
            elif kind == 3:
                data[at:at] = bytes(self.random.randrange(256) for _ in range(self.random.choice([1, 4, 16])))
            elif kind == 4:
                del data[at:]
            else:
                words = [b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"nan ", b"1e99", b"-999"]
                data[at : at + 4] = self.random.choice(words)
        return bytes(data)

    # attacks

    def texts(self):
        names = json.loads(self.call(["scenes", "--json"]).stdout)
        names = names["scenes"] if isinstance(names, dict) else names
        names = [name["name"] if isinstance(name, dict) else name for name in names]
        texts = [self.call(["scenes", name]).stdout.decode() for name in names]
        return [*texts, SMALL]

    def attack_check(self):
        texts = self.texts()
        for _ in range(int(3000 * self.scale)):
            (self.folder / "scene.toml").write_text(self.scene(texts), encoding="utf-8")
            self.call(["check", "scene.toml", "--no-time"], limit=30)

    def attack_run(self):
        texts = self.texts()
        for _ in range(int(500 * self.scale)):
            (self.folder / "scene.toml").write_text(self.scene(texts), encoding="utf-8")
            shutil.rmtree(self.folder / "runs", ignore_errors=True)
            done = self.call(["run", "scene.toml", "--duration", "0.05", "--no-still"], limit=120)
            folders = list((self.folder / "runs").glob("*")) if done else []
            for folder in folders:
                report = json.loads((folder / "report.json").read_text())
                wanted = {0: "finished", 1: "failed"}.get(done.returncode)
                if report["status"] != wanted:
                    self.note(["scene.toml"], f"status {done.returncode}, report {report['status']}")
            if done and done.returncode == 2 and folders:
                self.note(["scene.toml"], "refused, and a folder was made")

    def attack_mesh(self):
        (self.folder / "small.toml").write_text(SMALL)
        self.call(["run", "small.toml", "--duration", "0.1", "--out", "small", "--quiet"])
        bases = []
        for name in ["usd", "glb", "npz", "pc2", "mdd", "ply", "obj"]:
            ending = {"usd": ".usda", "glb": ".glb", "npz": ".npz"}.get(name, "")
            self.call(["convert", "small", "--to", name, "--out", f"base-{name}{ending}"])
        for path in sorted(self.folder.glob("base-*")):
            bases += [file for file in (sorted(path.iterdir())[:2] if path.is_dir() else [path])]
        for k in range(int(2000 * self.scale)):
            base = self.random.choice(bases)
            mesh = self.folder / f"mutant{base.suffix}"
            mesh.write_bytes(self.bytes(base.read_bytes()))
            if base.suffix in (".pc2", ".mdd"):
                shutil.copy(base.with_suffix(".obj"), self.folder / "mutant.obj")
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            if k % 3 == 0 and base.suffix in (".obj", ".ply", ".glb"):
                (self.folder / "m.toml").write_text(f'[[cloth]]\nmesh = "{mesh.name}"\nfabric = "silk"\n')
                self.call(["check", "m.toml", "--no-time"], limit=30)
            else:
                out = self.folder / "out.npz"
                out.unlink(missing_ok=True)
                done = self.call(["convert", mesh.name, "--to", "npz", "--out", "out.npz"], limit=30)
                if done and done.returncode and out.exists():
                    self.note([mesh.name], "refused, and a file was left")
            for path in self.folder.glob("mutant.*"):
                path.unlink()

    def result(self, folder):
        lines = [json.loads(line) for line in (folder / "frames.jsonl").read_text().splitlines()]
        for line in lines:
            del line["ms"]
        return (folder / "positions.bin").read_bytes(), (folder / "contact.bin").read_bytes(), lines

    def whole(self):
        (self.folder / "small.toml").write_text(SMALL)
        begin = time.time()
        self.call(["run", "small.toml", "--out", "whole", "--quiet", "--no-still"])
        self.takes = time.time() - begin
        return self.result(self.folder / "whole")

    def attack_kill(self):
        whole = self.whole()
        for _ in range(int(60 * self.scale)):
            shutil.rmtree(self.folder / "parts", ignore_errors=True)
            self.count += 1
            command = [self.binary, "run", "small.toml", "--out", "parts", "--no-still"]
            process = subprocess.Popen(command, cwd=self.folder,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(self.random.random() * self.takes)
            process.send_signal(signal.SIGKILL)
            process.wait()
            if not (self.folder / "parts/manifest.json").exists():
                continue  # killed before there was anything
            done = self.call(["resume", "parts", "--no-still"])
            if done and (done.returncode or self.result(self.folder / "parts") != whole):
                self.note(["resume", "parts"], f"status {done.returncode}, or other bits")
            left = [path.name for path in (self.folder / "parts").iterdir() if "tmp" in path.name]
            if left:
                self.note(["resume", "parts"], f"left {left}")

    def attack_disk(self):
        whole = self.whole()
        most = len(whole[0]) // 512
        for k in range(int(30 * self.scale)):
            shutil.rmtree(self.folder / "parts", ignore_errors=True)
            blocks = self.random.randrange(0, most) if k % 3 else self.random.randrange(0, 40)
            # writing fails as on a full disk: the signal is ignored
            limited = f"trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" run small.toml --out parts --no-still"
            done = self.call([], shell=limited)
            report = self.folder / "parts/report.json"
            if done and report.exists() and report.stat().st_size:
                status = json.loads(report.read_text())["status"]
                if done.returncode == 0 and status != "finished" or done.returncode and status == "running":
                    self.note([f"{blocks} blocks"], f"status {done.returncode}, report {status}")
            if (self.folder / "parts/manifest.json").exists():
                done = self.call(["resume", "parts", "--no-still"])
                if done and (done.returncode or self.result(self.folder / "parts") != whole):
                    self.note([f"{blocks} blocks"], f"resumed with {done.returncode}, or other bits")

    def attack_corrupt(self):
        whole = self.whole()
        shutil.rmtree(self.folder / "half", ignore_errors=True)
        self.call(["run", "small.toml", "--out", "half", "--duration", "0.25", "--quiet"])
        names = sorted(path.name for path in (self.folder / "half").iterdir())
        for _ in range(int(200 * self.scale)):
            shutil.rmtree(self.folder / "parts", ignore_errors=True)
            shutil.copytree(self.folder / "half", self.folder / "parts")
            name = self.random.choice(names)
            path = self.folder / "parts" / name
            kind = self.random.randrange(4)
            if kind == 0:
                path.unlink()
            elif kind == 1:
                path.unlink()
                path.mkdir()
            else:
                path.write_bytes(self.bytes(path.read_bytes()))
            what = [f"{name} ({['gone', 'a folder', 'changed', 'changed'][kind]})"]
            self.call(["render", "parts", "--out", "picture.png", "--force", "--size", "64x48"], limit=60)
            self.call(["convert", "parts", "--to", "npz", "--out", "parts.npz", "--force"], limit=60)
            done = self.call(["resume", "parts", "--duration", "0.5", "--no-still"], limit=60)
            if done and done.returncode == 0:
                found = self.result(self.folder / "parts")
                if found != whole:
                    self.note(what, "resumed to other bits")

    def attack_link(self):
        self.whole()
        shutil.rmtree(self.folder / "half", ignore_errors=True)
        self.call(["run", "small.toml", "--out", "half", "--duration", "0.25", "--quiet"])
        names = sorted(path.name for path in (self.folder / "half").iterdir())
        names += [f"{name}.tmp" for name in names]
        names += ["checkpoint.synced.bin", "half.npz", "half.npz.tmp", "files", "parts.usda", "parts.npz"]
        for name in names:
            for there in (True, False):
                shutil.rmtree(self.folder / "parts", ignore_errors=True)
                shutil.rmtree(self.folder / "outside", ignore_errors=True)
                shutil.copytree(self.folder / "half", self.folder / "parts")
                outside = self.folder / "outside"
                outside.mkdir()
                (outside / "bystander").write_text("as it was")
                path, target = self.folder / "parts" / name, outside / "target"
                if there:
                    original = self.folder / "half" / name
                    target.write_bytes(original.read_bytes() if original.is_file() else b"precious")
                before = {p.name: p.read_bytes() for p in outside.iterdir()}
                path.unlink(missing_ok=True)
                path.symlink_to(target)
                for args in (["resume", "parts", "--duration", "0.5"],
                             ["render", "parts", "--force", "--size", "64x48"],
                             ["convert", "parts", "--to", "npz", "--force"]):
                    self.call(args, limit=60)
                    after = {p.name: p.read_bytes() for p in outside.iterdir()}
                    if after != before:
                        self.note([*args, name], "wrote through a link")
                        break


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("attacks", nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0, help="1 is the full number of attacks")
    args = parser.parse_args()
    names = args.attacks or ["check", "run", "mesh", "kill", "disk", "corrupt", "link"]
    failed = False
    for name in names:
        attack = Attack(args.binary, f"{name}{args.seed}", args.scale)
        begin = time.time()
        getattr(attack, f"attack_{name}")()
        status = ", ".join(f"{count} with status {code}" for code, count in sorted(attack.status.items()))
        took = f"{attack.count} invocations in {time.time() - begin:.0f} s"
        print(f"{name}: {took} ({status}), {len(attack.wrong)} wrong", flush=True)
        for wrong in attack.wrong[:20]:
            print(f"  {wrong}", flush=True)
        failed |= bool(attack.wrong)
        if not attack.wrong:
            shutil.rmtree(attack.folder)
    sys.exit(failed)


if __name__ == "__main__":
    main()
