/* What a reader is shown of an answer: deciding line, why, the change in the reader's names, trap, questions.

   The twin of src/unmeta/match/{code,fill,result}.py, which say what is meant; a test compares them on many
   pastes. Pure functions: the page is made of their result in answer.js. */
(() => {
  "use strict";

  // --- one statement of Python -------------------------------------------------------------------

  const MOST = 600;
  const TOKEN =
    /[rbfuRBFU]{0,2}(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|[A-Za-z_][A-Za-z0-9_]*|[0-9][A-Za-z0-9_.]*|\*\*|:=|[=!<>]=|[^ ]/g;
  const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
  const LITERAL = /^(?:[rbfuRBFU]{0,2}["']|[0-9])/;
  const LEADING = ["return", "await", "yield", "with", "for", "if", "while", "assert", "raise", "del", "async"];
  const CLOSES = { ")": "(", "]": "[", "}": "{" };

  const isGroup = (item) => item !== undefined && item.parts !== undefined;
  const isWord = (item, text) => item !== undefined && item.text !== undefined && (text === undefined || item.text === text);
  const isName = (item) => isWord(item) && NAME.test(item.text);
  const isLiteral = (item) => isWord(item) && LITERAL.test(item.text);
  const source = (text, items) => (items.length ? text.slice(items[0].at, items.at(-1).end) : "");
  const capital = (name) => name[0] >= "A" && name[0] <= "Z";

  function read(text) {
    const top = { sign: "", at: 0, end: 0, whole: false, parts: [[]] };
    const stack = [top];
    for (const found of text.slice(0, MOST).matchAll(TOKEN)) {
      const word = found[0];
      const end = found.index + word.length;
      if (word === "#") break;
      if ("([{".includes(word)) {
        const group = { sign: word, at: found.index, end, whole: false, parts: [[]] };
        stack.at(-1).parts.at(-1).push(group);
        stack.push(group);
      } else if (CLOSES[word]) {
        if (stack.length > 1 && stack.at(-1).sign === CLOSES[word]) {
          const group = stack.pop();
          group.end = end;
          group.whole = true;
        }
      } else if (word === "," && stack.length > 1) stack.at(-1).parts.push([]);
      else stack.at(-1).parts.at(-1).push({ text: word, at: found.index, end });
      for (const group of stack.slice(1)) group.end = end;
    }
    return top.parts[0];
  }

  function statement(text) {
    let items = read(text);
    const keywords = [];
    while (items.length && isWord(items[0]) && LEADING.includes(items[0].text)) keywords.push(items.shift().text);
    const place = (sign) => items.findIndex((item) => isWord(item, sign));
    let target = [];
    if (place("=") >= 0 && !keywords.length) {
      target = items.slice(0, place("="));
      items = items.slice(place("=") + 1);
    } else if (keywords.includes("with") && place("as") >= 0) items = items.slice(0, place("as"));
    if (isWord(items.at(-1), ":")) items.pop();
    return { text, keywords, target, expression: items };
  }

  function suffixes(items) {
    if (!items.length || !isName(items[0])) return null;
    const found = [];
    for (let at = 1; at < items.length; at++) {
      const item = items[at];
      if (isGroup(item) && item.sign !== "{") found.push(item);
      else if (isWord(item, ".") && isName(items[at + 1])) found.push(items[++at]);
      else return null;
    }
    return found;
  }

  const named = (part) => (part.length > 2 && isName(part[0]) && isWord(part[1], "=") ? part[0].text : "");
  const starred = (part) => isWord(part[0]) && ["*", "**"].includes(part[0].text);

  function parameters(group) {
    const found = { given: [], named: new Map(), starred: false };
    for (const part of group.parts) {
      if (named(part)) found.named.set(part[0].text, part.slice(2));
      else if (part.length && starred(part)) found.starred = true;
      else if (part.length) found.given.push(part);
    }
    return found;
  }

  function lastCall(line) {
    const found = suffixes(line.expression) ?? [];
    for (let at = found.length - 1; at >= 0; at--) {
      if (isGroup(found[at]) && found[at].sign === "(") return (at ? found[at - 1] : line.expression[0]).text ?? "";
    }
    return "";
  }

  // --- a change in the reader's names ------------------------------------------------------------

  const MOVES = ["to", "cuda", "cpu", "half", "float", "bfloat16"];
  const MODULES = ["torch", "nn", "os", "copy", "dist", "threading", "F"];
  const NUMERIC = /dtype|float|half|int8/;

  const rowsOf = (diff) => diff.split("\n").map((line) => (line === "@@" ? ["@", ""] : [line.slice(0, 1) || " ", line.slice(1)]));

  function reordered(rows) {
    const gone = new Set(rows.filter(([sign]) => sign === "-").map(([, text]) => text.trim()));
    return rows.some(([sign, text]) => sign === "+" && gone.has(text.trim()) && !text.startsWith(" "));
  }

  function owners(text) {
    const words = ["", ...(text.match(TOKEN) ?? [])];
    const found = new Set();
    for (let at = 1; at + 1 < words.length; at++) {
      const name = words[at];
      if (words[at + 1] === "." && words[at - 1] !== "." && NAME.test(name) && !MODULES.includes(name) && !capital(name)) {
        found.add(name);
      }
    }
    return found;
  }

  const tells = (text, line) => !/^\s*(?:from |import |def |class |@)/.test(text) && lastCall(line) !== "";

  function loaded(ours, theirs) {
    const found = suffixes(theirs.expression) ?? [];
    if (lastCall(ours) !== "to" || (suffixes(ours.expression) ?? []).length !== 2 || !MOVES.includes(lastCall(theirs))) return "";
    if (found.length < 4 || !found.some((item) => isWord(item, "from_pretrained"))) return "";
    return theirs.text.slice(0, theirs.text.lastIndexOf(".", found.at(-2).at - 1));
  }

  function paired(rows, lines) {
    const pairs = new Map();
    rows.forEach(([sign], at) => {
      if (sign !== "-") return;
      const name = lastCall(lines[at]);
      for (let below = at + 1; below < rows.length && "+-".includes(rows[below][0]); below++) {
        const free = rows[below][0] === "+" && ![...pairs.values()].includes(below);
        if (free && name && lastCall(lines[below]) === name) {
          pairs.set(at, below);
          break;
        }
      }
    });
    return pairs;
  }

  function bind(name, value, names) {
    if (names.has(name) && names.get(name) !== value) return false;
    names.set(name, value);
    return true;
  }

  function takeValue(name, value, names) {
    if (name === '"meta"' || name === "'meta'") return value.replaceAll("'", '"') === '"meta"';
    if (["True", "False", "None"].includes(name) || (name[0] >= "0" && name[0] <= "9")) return true;
    if (name === "device" && NUMERIC.test(value)) return true;
    return bind(name, value, names);
  }

  function substitute(text, names) {
    if (/^\s*(?:from |import )/.test(text)) return text;
    let result = "";
    let end = 0;
    let last = "";
    const found = [...text.matchAll(TOKEN)];
    found.forEach((token, number) => {
      const word = token[0];
      const stop = token.index + word.length;
      const keyword = found[number + 1]?.[0] === "=" && text[stop] === "=";
      if (names.has(word) && ![".", "def", "class"].includes(last) && !keyword) {
        result += text.slice(end, token.index) + names.get(word);
        end = stop;
      }
      last = word;
    });
    return result + text.slice(end);
  }

  class Filling {
    constructor(rows) {
      this.rows = rows;
      this.read = rows.map(([, text]) => statement(text.trim()));
      this.pairs = paired(rows, this.read);
      this.names = new Map();
      this.values = new Set(rows.flatMap(([, text]) => [...owners(text)]));
    }

    filled(lines) {
      const { rows, read } = this;
      const taken = new Map();
      const edited = new Map();
      const rest = new Map();
      for (const wanted of ["-", " "]) {
        rows.forEach(([sign, text], at) => {
          if (sign !== wanted || !tells(text, read[at])) return;
          const used = [...taken.values()];
          const line = lines.findIndex((theirs, n) => !used.includes(n) && this.take(at, theirs, edited, rest));
          if (line >= 0) taken.set(at, line);
        });
      }
      if (!taken.size) return null;
      const result = [];
      const nested = rows.some(([sign, text]) => "+-".includes(sign) && text.startsWith(" ")) || reordered(rows);
      let left = "";
      rows.forEach(([sign, text], at) => {
        const indent = text.slice(0, text.length - text.trimStart().length);
        if (left && sign !== "+") {
          result.push(["+", left]);
          left = "";
        }
        if (taken.has(at)) {
          result.push([sign, indent + lines[taken.get(at)].text]);
          left = rest.has(at) ? indent + rest.get(at) : this.returned(at, lines[taken.get(at)], edited);
        } else if (edited.has(at)) result.push([sign, indent + edited.get(at)]);
        else if ("+-".includes(sign) || (nested && text.trim())) result.push([sign, substitute(text, this.names)]);
      });
      if (left) result.push(["+", left]);
      const first = [...taken.keys()].find((at) => rows[at][0] === "-");
      if (first === undefined) return { rows: result, line: -1, marks: [] };
      const below = this.pairs.get(first);
      const after = edited.has(below) ? read[below] : null;
      const line = taken.get(first);
      return { rows: result, line, marks: marksOf(lines[line], read[first], after) };
    }

    returned(at, theirs, edited) {
      const ours = this.read[at];
      if (this.rows[at][0] !== "-" || edited.has(this.pairs.get(at)) || ours.keywords.includes("return")) return "";
      if (theirs.keywords.join() !== "return" || !ours.target.length) return "";
      return `return ${substitute(source(ours.text, ours.target), this.names)}`;
    }

    take(at, theirs, edited, rest) {
      const sign = this.rows[at][0];
      const ours = this.read[at];
      const below = this.pairs.get(at) ?? -1;
      const known = new Map(this.names);
      const alone = sign === "-" && below < 0;
      const kept = alone ? loaded(ours, theirs) : "";
      if (kept) {
        rest.set(at, kept);
        return true;
      }
      if (!this.agrees(ours, theirs, known, alone)) return false;
      if (below >= 0) {
        const same = this.read[below].text === ours.text;
        const made = same ? theirs.text : this.edit(ours, this.read[below], theirs, known);
        if (made !== null) {
          if (made === theirs.text && !same) return false;
          edited.set(below, made);
        }
      } else if (alone && (theirs.keywords.length || theirs.target.length) && lastCall(ours) === "to") {
        const own = theirs.text.slice(0, theirs.text.lastIndexOf(".", theirs.expression.at(-2).at));
        if (source(theirs.text, theirs.target) !== own.slice(theirs.expression[0].at)) rest.set(at, own);
      }
      this.names = known;
      return true;
    }

    agrees(ours, theirs, names, moved) {
      if (ours.keywords.includes("with") !== theirs.keywords.includes("with") || theirs.keywords.includes("for")) return false;
      if (!this.same(ours, ours.expression, theirs, theirs.expression, names, moved)) return false;
      if (ours.target.length === 1 && theirs.target.length && isName(ours.target[0])) {
        return bind(ours.target[0].text, source(theirs.text, theirs.target), names);
      }
      return true;
    }

    same(ours, mine, theirs, other, names, moved) {
      if (!mine.length || !other.length) return false;
      if (mine.length === 1 && (isName(mine[0]) || isLiteral(mine[0]))) {
        return takeValue(mine[0].text, source(theirs.text, other), names);
      }
      const own = suffixes(mine);
      const their = suffixes(other);
      if (mine.length === 1 && other.length === 1 && isGroup(mine[0]) && isGroup(other[0])) {
        if (mine[0].sign !== other[0].sign || mine[0].parts.length !== other[0].parts.length) return false;
        return mine[0].parts.every(
          (part, at) => this.same(ours, part, theirs, other[0].parts[at], names, false) || !part.length,
        );
      }
      if (own === null || their === null) return source(ours.text, mine) === source(theirs.text, other);
      return this.chain(ours, mine[0], own, theirs, other, their, names, moved);
    }

    chain(ours, head, own, theirs, other, their, names, moved) {
      let at = own.length;
      let left = their.length;
      for (; at; at--, left--) {
        if (!left) return false;
        const mine = own[at - 1];
        const given = their[left - 1];
        if (isGroup(mine)) {
          if (!isGroup(given) || mine.sign !== given.sign) return false;
          const called = at === 1 && mine.sign === "(";
          if (called && !this.function(head.text, theirs, other, their.slice(0, left - 1), names)) return false;
          if (mine.sign === "(" && !this.parameters(ours, mine, theirs, given, names)) return false;
          if (called) return true;
        } else if (isGroup(given)) return false;
        else if (mine.text !== given.text) {
          if (!(moved && at === own.length - 1 && MOVES.includes(mine.text) && MOVES.includes(given.text))) return false;
        }
      }
      const rest = their.slice(0, left);
      const text = theirs.text.slice(other[0].at, (rest.at(-1) ?? other[0]).end);
      if (rest.some((item) => isGroup(item) && item.sign === "(")) return false;
      const last = isWord(rest.at(-1)) ? rest.at(-1).text : other[0].text;
      if (MODULES.includes(head.text)) return last === head.text;
      if (!capital(head.text) && capital(last)) return false;
      return bind(head.text, text, names);
    }

    function(name, theirs, other, before, names) {
      if (before.some(isGroup)) return false;
      const last = before.at(-1) ?? other[0];
      if (last.text === name) return true;
      const text = theirs.text.slice(other[0].at, last.end);
      if (capital(name) && capital(last.text)) return bind(name, text, names);
      return this.values.has(name) && bind(name, text, names);
    }

    parameters(ours, mine, theirs, given, names) {
      const own = parameters(mine);
      const their = parameters(given);
      const pairs = their.starred ? [] : own.given.slice(0, their.given.length).map((part, at) => [part, their.given[at]]);
      for (const [name, part] of own.named) if (their.named.has(name)) pairs.push([part, their.named.get(name)]);
      for (const [part, other] of pairs) {
        const known = new Map(names);
        if (this.same(ours, part, theirs, other, known, false)) known.forEach((value, name) => names.set(name, value));
        else if (['"meta"', "'meta'"].includes(source(ours.text, part))) return false;
      }
      return true;
    }

    edit(ours, after, theirs, names) {
      const old = suffixes(ours.expression);
      const made = suffixes(after.expression);
      const their = suffixes(theirs.expression);
      if (old === null || made === null || their === null || old.length !== made.length || their.length < old.length) return null;
      if (ours.expression[0].text !== after.expression[0].text || ours.keywords.join() !== after.keywords.join()) return null;
      if (source(ours.text, ours.target) !== source(after.text, after.target)) return null;
      let { text } = theirs;
      let changed = false;
      for (let back = 1; back <= old.length; back++) {
        const mine = old.at(-back);
        const wanted = made.at(-back);
        const given = their.at(-back);
        if (isWord(mine) || isWord(wanted)) {
          if ((mine.text ?? "") !== (wanted.text ?? "")) return null;
          continue;
        }
        if (source(ours.text, [mine]) === source(after.text, [wanted])) continue;
        if (mine.sign !== "(" || !isGroup(given) || !given.whole || !mine.whole || !wanted.whole) return null;
        const inner = this.edited(ours, mine, after, wanted, theirs, given, names);
        if (inner === null) return null;
        text = `${text.slice(0, given.at)}(${inner})${text.slice(given.end)}`;
        changed = true;
      }
      return changed ? text : null;
    }

    edited(ours, mine, after, wanted, theirs, given, names) {
      const own = parameters(mine);
      const made = parameters(wanted);
      const parts = given.parts.filter((part) => part.length);
      const places = parts.map((_, at) => at).filter((at) => !named(parts[at]) && !starred(parts[at]));
      const texts = parts.map((part) => source(theirs.text, part));
      let touched = false;
      for (const [at, part] of own.given.entries()) {
        const now = at < made.given.length ? source(after.text, made.given[at]) : null;
        if (now === source(ours.text, part)) continue;
        if (at >= places.length) return null;
        if (now !== null && !this.same(ours, part, theirs, parts[places[at]], names, false)) return null;
        texts[places[at]] = now === null ? null : substitute(now, names);
        touched = true;
      }
      for (const name of own.named.keys()) {
        if (made.named.has(name)) continue;
        parts.forEach((other, at) => {
          if (named(other) !== name) return;
          texts[at] = null;
          touched = true;
        });
      }
      const more = made.given.slice(own.given.length).map((part) => substitute(source(after.text, part), names));
      for (const [name, part] of made.named) {
        const value = source(after.text, part);
        if (own.named.has(name) && source(ours.text, own.named.get(name)) === value) continue;
        const written = `${name}=${substitute(value, names)}`;
        const at = parts.findIndex((other) => named(other) === name);
        if (at >= 0) {
          touched = touched || texts[at] !== written;
          texts[at] = written;
        } else more.push(written);
      }
      if (!touched && !more.length) return texts.filter(Boolean).join(", ");
      const tail = texts.filter((text, at) => text !== null && starred(parts[at]));
      return [...texts.filter((text) => text !== null && !tail.includes(text)), ...more, ...tail].join(", ");
    }
  }

  function marksOf(theirs, ours, after) {
    const found = suffixes(theirs.expression) ?? [];
    const last = found.findLastIndex((item) => isGroup(item) && item.sign === "(");
    if (last < 0) return [];
    const word = last ? found[last - 1] : theirs.expression[0];
    if (!isWord(word)) return [];
    if (after === null) return [[word.at, found[last].end]];
    const marks = [[word.at, word.end]];
    const parts = (line) => parameters((suffixes(line.expression) ?? []).findLast(isGroup) ?? { parts: [] }).named;
    const before = parts(ours);
    const now = parts(after);
    for (const part of found[last].parts) {
      const name = part.length ? named(part) : "";
      if (!before.has(name)) continue;
      if (!now.has(name) || source(ours.text, before.get(name)) !== source(after.text, now.get(name))) {
        marks.push([part[0].at, part.at(-1).end]);
      }
    }
    return marks;
  }

  const fill = (rows, lines) => new Filling(rows).filled(lines.map(statement));

  // --- the result --------------------------------------------------------------------------------

  const TOLD = ["torch", "transformers", "accelerate"];
  const OWNED = ["calls", "through"];
  const PRINTED = ["says", "earlier", "holes", "version"];
  const ASKED = 3;
  const SURE = 50;
  const CAUSES = 5;
  const LIKELY = ["", " One question makes sure.", " The questions make sure."];
  const DENIED = "Your no speaks against this cause, but nothing fits the text better";
  const READ = 80;
  const JOINED = 15;
  const LONG = 140;

  const owed = (text) => (text.match(/[([{]/g) ?? []).length - (text.match(/[)\]}]/g) ?? []).length;

  function statements(evidence, cause) {
    const { lines } = evidence.paste;
    const told = new Set(cause.yes.map((clue) => clue.line));
    const found = [];
    lines.forEach((line, at) => {
      if (line.zone !== "code" || /^(?:#|def |class |import |from )/.test(line.text)) return;
      let { text } = line;
      let open = owed(text);
      for (let below = at + 1; open > 0 && below < Math.min(at + JOINED, lines.length); below++) {
        if (lines[below].zone !== "code") break;
        text += (/[([{]$/.test(text) || /^[)\]}]/.test(lines[below].text) ? "" : " ") + lines[below].text;
        open += owed(lines[below].text);
      }
      found.push([Number(!told.has(line.number)), Number(line.frame < 0), line.frame >= 0 ? -at : at, at, text]);
    });
    found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    return found.slice(0, READ).map((item) => item.slice(3));
  }

  function chosen(card, answer, yours, lines) {
    if (!card || !card.fixes.length) return [null, null, ""];
    const last = answer.symptoms.at(-1) ?? "";
    let faces = card.faces.filter((face) => face.symptoms.includes(last));
    if (!faces.length) faces = card.faces.slice(0, 1);
    const there = faces.filter((face) => inside(face.applies, yours) !== -1);
    let best = null;
    for (const face of there.length ? there : faces) {
      const fix = card.fixes.find((item) => item.face === face.id);
      if (!fix) continue;
      const made = fix.diff ? fill(rowsOf(fix.diff), lines) : null;
      if (made && made.line >= 0) return [fix, made, face.id];
      best ??= [fix, made, face.id];
    }
    return best ?? [card.fixes[0], null, card.fixes[0].face];
  }

  function goes(rows) {
    const gone = rows.filter(([sign, text]) => sign === "-" && text.trim()).length;
    if (!gone || rows.some(([sign]) => sign === "+")) return "";
    return gone === 1 ? "Delete this line." : `Delete these ${gone} lines.`;
  }

  function trimmed(rows) {
    const kept = [];
    const blank = (row) => row !== undefined && !row[1].trim() && row[0] !== "-";
    for (const row of rows) {
      if (blank(row) && (!kept.length || blank(kept.at(-1)))) continue;
      kept.push(row[0] === "@" ? ["@", ""] : row);
    }
    while (kept.length && !kept.at(-1)[1].trim()) kept.pop();
    return kept;
  }

  function shownFix(fix, made) {
    const rows = trimmed(made ? made.rows : fix.diff ? rowsOf(fix.diff) : []);
    const change = rows.filter(([sign]) => "+ ".includes(sign)).map(([, text]) => text);
    return {
      id: fix.id,
      title: fix.title,
      rows,
      goes: goes(rows),
      change: change.join("\n").replace(/^\n+|\n+$/g, ""),
      diff: rows.map(([sign, text]) => (sign === "@" ? "@@" : `${sign}${text}`.trimEnd())).join("\n"),
      script: fix.script,
      yours: made !== null,
    };
  }

  function quoted(evidence, at, text, marks) {
    const line = evidence.paste.lines[at];
    const frame = line.frame >= 0 ? evidence.paste.frames[line.frame] : null;
    const file = frame ? frame.module.slice(frame.module.lastIndexOf("/") + 1) : "";
    const place = frame && frame.line && !file.includes("<") ? `${file}.py:${frame.line}` : "";
    let start = 0;
    if (text.length > LONG) {
      const first = marks.length ? marks[0][0] : 0;
      start = first > LONG - 30 ? Math.max(0, Math.min(first - 30, text.length - LONG)) : 0;
      const lead = start ? "…" : "";
      const tail = start + LONG < text.length ? "…" : "";
      text = lead + text.slice(start, start + LONG) + tail;
      start -= lead.length;
    }
    const kept = marks.map(([a, b]) => [Math.max(a - start, 0), Math.min(b - start, text.length)]);
    return { number: line.number, place, text, marks: kept.filter(([a, b]) => a < b) };
  }

  const inside = (ranges, versions) => globalThis.UnmetaMatch.inside(ranges, new Map(Object.entries(versions)));
  const wordsOf = (text) => [...text.matchAll(/[A-Za-z_][A-Za-z0-9_]*/g)];
  const span = (found) => [found.index, found.index + found[0].length];

  function marksIn(text, says) {
    for (const found of says.matchAll(/`([^`]+)`|“([^”]+)”/g)) {
      const value = found[1] ?? found[2];
      const at = text.toLowerCase().indexOf(value.toLowerCase());
      if (at >= 0) return [[at, at + value.length]];
      const last = wordsOf(found[1] ?? "").at(-1)?.[0];
      const word = wordsOf(text).find((item) => item[0] === last);
      if (word) return [span(word)];
    }
    return [];
  }

  function led(evidence, at) {
    let inner = null;
    for (const frame of [...evidence.paste.frames].reverse()) {
      if (frame.at > at) continue;
      if (frame.user && frame.code) {
        const word = inner && wordsOf(frame.code).findLast((item) => item[0] === inner.function);
        return quoted(evidence, frame.codeAt, frame.code, word ? [span(word)] : []);
      }
      if (!frame.user) inner = frame;
    }
    return null;
  }

  function toldLine(evidence, answer, cause) {
    const { lines } = evidence.paste;
    for (const [, at, says] of told(evidence, cause, OWNED)) {
      if (lines[at].zone === "code") return quoted(evidence, at, lines[at].text, marksIn(lines[at].text, says));
      const own = ["frame", "source", "own"].includes(lines[at].zone) ? led(evidence, at) : null;
      if (own) return own;
    }
    const last = answer.seen.at(-1)?.line ?? 0;
    const message = lines.findIndex((line) => line.number === last);
    const own = (message >= 0 ? led(evidence, message) : null) ?? led(evidence, lines.length);
    if (own) return own;
    for (const [clue, at, says] of told(evidence, cause, PRINTED)) {
      const { text } = lines[at];
      return quoted(evidence, at, text, clue === "earlier" ? all(text) : marksIn(text, says));
    }
    return message < 0 ? null : quoted(evidence, message, lines[message].text, all(lines[message].text));
  }

  function told(evidence, cause, order) {
    const { lines } = evidence.paste;
    const clues = cause.yes.filter((clue) => clue.line && order.includes(clue.clue));
    clues.sort((a, b) => order.indexOf(a.clue) - order.indexOf(b.clue));
    return clues
      .map((clue) => [clue.clue, lines.findIndex((line) => line.number === clue.line && line.text.startsWith(clue.text)), clue.says])
      .filter(([, at]) => at >= 0);
  }

  function all(text) {
    const found = /^[A-Za-z_][A-Za-z0-9_.]*(?:Error|Warning|Exception): /.exec(text);
    return [[found ? found[0].length : 0, text.length]];
  }

  // --- versions ----------------------------------------------------------------------------------

  const written = (versions) =>
    TOLD.filter((name) => name in versions)
      .map((name) => `${name} ${versions[name].split("+")[0]}`)
      .join(", ");

  function distance(stack, yours, numbers) {
    let total = 0;
    for (const [name, version] of Object.entries(yours)) {
      if (!(name in stack)) {
        total += 50;
        continue;
      }
      const own = numbers(version);
      const other = numbers(stack[name]);
      let far = 0;
      [10000, 100, 1].forEach((weight, at) => {
        const b = other[at] ?? 0;
        far += weight * (Math.min(own[at] ?? b, 99) - Math.min(b, 99));
      });
      total += Math.abs(far);
    }
    return total;
  }

  function nearest(names, stacks, yours, numbers) {
    let best = null;
    let least = Infinity;
    for (const name of names) {
      if (!stacks[name]) continue;
      const far = distance(stacks[name], yours, numbers);
      if (far <= least) [best, least] = [name, far];
    }
    return { name: best, exact: least === 0 };
  }

  function ran(fix, stacks, yours, numbers) {
    const held = fix.ran;
    const missed = fix.missed ?? {};
    const known = Object.keys(stacks).filter((name) => name in held || name in missed);
    if (!known.length) return "Not run yet.";
    const day = (name) => held[name] ?? missed[name];
    const on = (name) => `${written(stacks[name])} (${day(name)})`;
    if (!Object.keys(yours).length) {
      const good = known.filter((name) => name in held);
      if (!good.length) return `✗ Missed its goal with ${on(known.at(-1))}.`;
      const times = good.length > 1 ? `Ran on ${good.length} stacks, last` : "Ran once,";
      return `✓ ${times} with ${on(good.at(-1))}.`;
    }
    const near = nearest(known, stacks, yours, numbers);
    const [sign, said] = near.name in held ? ["✓", "Ran"] : ["✗", "Missed its goal"];
    if (near.exact) {
      const of = (own) => written(Object.fromEntries(Object.entries(stacks[near.name]).filter(([name]) => name in yours === own)));
      return `${sign} ${said} on your versions: ${of(true)}${of(false) && `, with ${of(false)}`} (${day(near.name)}).`;
    }
    return `Yours: ${written(yours)}. Nearest run: ${sign} ${on(near.name)}.`;
  }

  function elsewhere(card, face, yours) {
    const applies = card.faces.find((item) => item.id === face)?.applies ?? {};
    if (!Object.keys(yours).length || inside(applies, yours) !== -1) return "";
    const ranges = Object.entries(applies).map(([name, wanted]) => `${name} ${wanted}`);
    return `Known with ${ranges.join(" and ")}; yours: ${written(yours)}.`;
  }

  // --- what else there is ------------------------------------------------------------------------

  function said(index, answers) {
    const known = new Map(index.clues.filter(([key]) => key === "ask").map(([, id, says]) => [id, says]));
    return Object.entries(answers)
      .filter(([id]) => known.has(id))
      .map(([id, told]) => ({ id, says: known.get(id), answer: told }));
  }

  /** What not to do: the face's trap, the main one's where both show the last message, else the message's. */
  function trap(card, face, message, answer) {
    if (card) {
      const shared = face && card.faces[0].symptoms.includes(answer.symptoms.at(-1));
      for (const name of shared ? [face, ""] : [face]) {
        const found = card.traps.find((item) => item.face === name);
        if (found) return found.says;
      }
    }
    return message?.not ?? "";
  }

  function questions(answer, answers) {
    const sure = answer.verdict === "cause";
    const found = new Map();
    for (const cause of answer.causes.slice(0, sure ? 1 : 2 * ASKED)) {
      for (const clue of cause.open.slice(0, 1)) {
        if (!(clue.id in answers) && (cause.share || !found.size) && !found.has(clue.id)) found.set(clue.id, clue.says);
      }
    }
    return [...found].slice(0, sure ? 1 : ASKED).map(([id, says]) => ({ id, says }));
  }

  function others(answer, cards, yours) {
    const found = [];
    for (const { id, title, url, share } of answer.causes.slice(1, CAUSES + 1)) {
      if (share < 1) break;
      found.push({ id, title, url, share, fix: chosen(cards[id], answer, yours, [])[0]?.title ?? "" });
    }
    return found;
  }

  function link(answer, answers) {
    const causes = answer.causes.slice(0, answer.verdict === "cause" ? 1 : 3);
    const parts = [`answer=${causes.map((cause) => cause.id).join(",")}`];
    if (answer.symptoms.length) parts.push(`seen=${answer.symptoms.join(",")}`);
    for (const [value, name] of [[true, "yes"], [false, "no"]]) {
      const told = Object.keys(answers).filter((id) => answers[id] === value);
      if (told.length) parts.push(`${name}=${told.join(",")}`);
    }
    const { id, url } = answer.causes[0];
    return `${url.slice(0, url.lastIndexOf(`e/${id}`))}#${parts.join("&")}`;
  }

  /** What to show; `kept` are the reader's own versions. */
  function result(index, evidence, answer, answers, { cards, stacks }, kept) {
    const { numbers } = globalThis.UnmetaMatch;
    if (!answer.known || !answer.causes.length) return null;
    const [first] = answer.causes;
    const own = { ...kept, ...Object.fromEntries(evidence.paste.versions) };
    const yours = Object.fromEntries(TOLD.filter((name) => own[name]).map((name) => [name, own[name]]));
    const card = cards[first.id] ?? null;
    const places = statements(evidence, first);
    const [fix, made, face] = chosen(card, answer, yours, places.map(([, text]) => text));
    let line = null;
    if (made && made.line >= 0) line = quoted(evidence, ...places[made.line], made.marks);
    line ??= toldLine(evidence, answer, first);
    return {
      id: first.id,
      face,
      title: first.title,
      url: face ? `${first.url}#face-${face}` : first.url,
      share: first.share,
      denied: first.no.some((clue) => clue.clue === "ask"),
      line,
      why: card?.why ?? "",
      fix: fix && shownFix(fix, made),
      ran: fix ? ran(fix, stacks, yours, numbers) : "",
      elsewhere: card ? elsewhere(card, face, yours) : "",
      yours,
      trap: trap(card, face, cards[answer.symptoms.at(-1)], answer),
      means: cards[answer.symptoms.at(-1)]?.means ?? "",
      said: said(index, answers),
      questions: questions(answer, answers),
      others: others(answer, cards, yours),
      link: link(answer, answers),
    };
  }

  const decided = (answer) => answer.verdict === "cause" || answer.causes[0].share >= SURE;

  function verdict(answer, shown) {
    if (shown.denied) return `${DENIED} (${shown.share} %).`;
    return answer.verdict === "cause" ? answer.says : `${shown.share} % likely.${LIKELY[Math.min(shown.questions.length, 2)]}`;
  }

  function change(shown) {
    const found = [];
    if (shown.fix) {
      found.push(["fix", shown.fix.title], ["goes", shown.fix.goes]);
      for (const [sign, text] of shown.fix.rows) found.push(["row", sign === "@" ? "⋯" : `${sign} ${text}`.trimEnd()]);
      found.push(["ran", shown.ran]);
    }
    found.push(["elsewhere", shown.elsewhere]);
    return found;
  }

  function words(answer, shown) {
    const asked = [
      ...shown.said.map((item) => ["said", `You said ${item.answer ? "yes" : "no"}: ${item.says}`]),
      ...shown.questions.map((item) => ["ask", item.says]),
    ];
    const place = shown.line?.place ? ` · ${shown.line.place}` : "";
    const line = shown.line ? [["where", `Line ${shown.line.number}${place}`], ["quote", shown.line.text]] : [];
    const listed = (causes) =>
      causes.flatMap((cause) => [["other", `${cause.title} (${cause.share} %)`], ["other-fix", cause.fix]]);
    let found;
    if (!decided(answer)) {
      const own = { ...shown, fix: shown.fix?.title ?? "" };
      found = [["verdict", answer.says], ...asked, ...line, ["means", shown.means], ...listed([own, ...shown.others])];
    } else {
      found = [
        ["verdict", verdict(answer, shown)],
        ["title", shown.title],
        ...line,
        ["why", shown.why],
      ];
      found.push(...change(shown), ["trap", shown.trap], ...asked, ...listed(shown.others));
    }
    return found.filter(([, text]) => text);
  }

  globalThis.UnmetaResult = { result, words, decided, chosen, nearest, ran, written };
})();
