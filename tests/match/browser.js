// Runs matcher.js as a browser does, without a browser: a line of JSON in, a line of JSON out.
// Input: first the index, then {"text", "answers"} each; output: what explain() returns.
"use strict";
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
require("node:vm").runInThisContext(readFileSync(process.argv[2], "utf8"), { filename: process.argv[2] });

let matcher = null;
createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", (line) => {
  const data = JSON.parse(line);
  if (!matcher) matcher = globalThis.UnmetaMatch.load(data);
  else process.stdout.write(JSON.stringify(matcher.explain(data.text, data.answers)) + "\n");
});
