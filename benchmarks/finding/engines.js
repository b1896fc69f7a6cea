// Ranks pages for queries with the engines that sites commonly use.
// In: one JSON {"pages": [{"id", "title", "text"}], "queries": ["…"]}; out: {"lunr": [[ids]…], "minisearch": [[ids]…]}.
"use strict";
const lunr = require("lunr");
const MiniSearch = require("minisearch").default || require("minisearch");
const { pages, queries } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));

// Material for MkDocs: words in double quotes are required, signs of the query language are dropped, and
// the last word may go on; titles weigh a thousand times as much as text.
const separator = /[\s\-,:!=\[\]()"/]+|(?!\b)(?=[A-Z][a-z])|\.(?!\d)|&[lg]t;/;
lunr.tokenizer.separator = separator;
const index = lunr(function () {
  this.ref("id");
  this.field("title", { boost: 1000 });
  this.field("text");
  pages.forEach((page) => this.add(page));
});
function material(query) {
  const words = query
    .split(/"([^"]+)"/g)
    .map((part, at) => (at & 1 ? part.replace(/^\b|^(?![^\x00-\x7F]|$)|\s+/g, " +") : part))
    .join("")
    .replace(/"|(?:^|\s+)[*+\-:^~]+(?=\s+|$)/g, "")
    .replace(/[:^~*]/g, " ")
    .trim();
  try {
    return index.search(words + "*").map((hit) => hit.ref);
  } catch {
    return [];
  }
}

const mini = new MiniSearch({ fields: ["title", "text"], searchOptions: { boost: { title: 2 }, prefix: true } });
mini.addAll(pages);

process.stdout.write(
  JSON.stringify({
    lunr: queries.map(material),
    minisearch: queries.map((query) => mini.search(query).map((hit) => hit.id)),
  }),
);
