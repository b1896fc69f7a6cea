// Runs matcher.js and result.js as a page does: a line of JSON in, a line of JSON out.
// Input: first {"index", "cards", "stacks"}, then {"text", "answers", "versions"} each.
"use strict";
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
for (const path of process.argv.slice(2)) require("node:vm").runInThisContext(readFileSync(path, "utf8"), { filename: path });

let known = null;
createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", (line) => {
  const data = JSON.parse(line);
  if (!known) {
    known = { ...data, matcher: globalThis.UnmetaMatch.load(data.index) };
    return;
  }
  const evidence = known.matcher.evidence(data.text);
  const answer = known.matcher.rank(evidence, data.answers);
  const shown = globalThis.UnmetaResult.result(known.index, evidence, answer, data.answers, known, data.versions);
  const words = shown && globalThis.UnmetaResult.words(answer, shown);
  process.stdout.write(JSON.stringify({ shown, words }) + "\n");
});
