// Bundles the script of the report page, with the licences of what is in it: node build.mjs FILE
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const { outputFiles, metafile } = await build({
  entryPoints: [new URL("src/main.js", import.meta.url).pathname],
  bundle: true, minify: true, write: false, metafile: true, format: "iife", target: "es2022", charset: "utf8", outdir: "out",
  absWorkingDir: new URL(".", import.meta.url).pathname,
});
const packages = [...new Set(Object.keys(metafile.inputs).flatMap((path) => /^node_modules\/([^/]+)/.exec(path)?.[1] ?? []))].sort();
const named = new Map();
for (const name of packages) {
  const folder = new URL(`node_modules/${name}/`, import.meta.url);
  const { version } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
  const licence = readFileSync(new URL("LICENSE", folder), "utf8").trim();
  named.set(licence, [...(named.get(licence) ?? []), `${name} ${version}`]);
}
const licences = [...named].map(([licence, names]) => `${names.join(", ")}\n\n${licence}`).join("\n\n");
writeFileSync(process.argv[2], `/*!\nThis script contains:\n\n${licences}\n*/\n${outputFiles[0].text}`);
