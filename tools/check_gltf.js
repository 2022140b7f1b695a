// Runs the Khronos glTF validator on files and prints its findings as one JSON array.
//
//     npm install gltf-validator        anywhere; NODE_PATH names its node_modules
//     node tools/check_gltf.js FILE...
const fs = require("fs");
const path = require("path");
const validator = require("gltf-validator");

async function main() {
  const found = [];
  for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
      maxIssues: 1000,
      externalResourceFunction: (uri) =>
        fs.promises.readFile(path.join(path.dirname(file), decodeURIComponent(uri))).then((b) => new Uint8Array(b)),
    });
    found.push({ file, version: validator.version(), issues: report.issues, info: report.info });
  }
  console.log(JSON.stringify(found));
}

main().catch((error) => {
  console.error(String(error));
  process.exit(1);
});
