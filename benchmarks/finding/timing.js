// Times matcher.js: {"index", "text", "turns"} in, milliseconds of processor time of each turn out, after three to warm up.
// With "texts" in place of "text", [milliseconds, answer] of each.
"use strict";
const { readFileSync } = require("node:fs");
require("node:vm").runInThisContext(readFileSync(process.argv[2], "utf8"), { filename: process.argv[2] });
const { index, text, texts, turns } = JSON.parse(readFileSync(0, "utf8"));
const matcher = globalThis.UnmetaMatch.load(index);
function once(pasted) {
  const start = process.cpuUsage();
  const answer = matcher.explain(pasted);
  const used = process.cpuUsage(start);
  return [(used.user + used.system) / 1000, answer];
}
let times;
if (texts) {
  times = texts.map(once);
} else {
  for (let turn = 0; turn < 3; turn++) once(text);
  times = Array.from({ length: turns }, () => once(text)[0]);
}
process.stdout.write(JSON.stringify(times));
