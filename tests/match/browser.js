// Runs matcher.js as a browser does, without a browser: a line of JSON in, a line of JSON out.
// Input: first the index, then {"text", "answers"} each; output: what explain() returns, or with "read" also
// what was read on the way.
"use strict";
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
require("node:vm").runInThisContext(readFileSync(process.argv[2], "utf8"), { filename: process.argv[2] });

let matcher = null;
function read(text) {
  const evidence = matcher.evidence(text);
  return {
    zones: evidence.paste.lines.map((line) => line.zone),
    symptoms: [...new Set(evidence.seen.map((seen) => matcher.names[seen.symptom]))],
    features: [...evidence.features.keys()],
    answer: matcher.explain(text, {}),
  };
}
createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", (line) => {
  const data = JSON.parse(line);
  if (!matcher) matcher = globalThis.UnmetaMatch.load(data);
  else process.stdout.write(JSON.stringify(data.read ? read(data.text) : matcher.explain(data.text, data.answers)) + "\n");
});
