/* From a pasted text to the causes that fit it, in the reader's own browser; nothing is sent anywhere.

   globalThis.UnmetaMatch.load(index).explain(text, answers) returns the same object as the Python
   function unmeta.match.explain, whose documentation describes it. Like src/unmeta/match/{template,read,
   evidence,score}.py this file only interprets the index: patterns, claims and weights stand there;
   conformance/*.jsonl and tests/match/test_parity.py hold both to the same answers. A classic script: no
   modules, no fetch, no DOM. */
(function () {
  "use strict";

  /* --- text --------------------------------------------------------------------------------- */

  const HOLE_LIMIT = 600;

  function fold(text) {
    return text.replace(/[`'" \t\r\n\f\v]+/g, "").replace(/[A-Z]+/g, (part) => part.toLowerCase());
  }

  function squash(text) {
    return trimmed(text.toLowerCase().replace(/[`'"]+/g, "").replace(/[-_ \n]+/g, " "));
  }

  function trimmed(text, chars = " ") {
    let start = 0;
    let end = text.length;
    while (start < end && chars.includes(text[start])) start++;
    while (end > start && chars.includes(text[end - 1])) end--;
    return text.slice(start, end);
  }

  function trimmedEnd(text, chars) {
    let end = text.length;
    while (end && chars.includes(text[end - 1])) end--;
    return text.slice(0, end);
  }

  function count(text, part) {
    let found = 0;
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found++;
    return found;
  }

  const opened = (text) => (text.match(/[([{]/g) || []).length - (text.match(/[)\]}]/g) || []).length;
  const lastOf = (name) => name.slice(name.lastIndexOf(".") + 1);
  const ends = (text, ...parts) => parts.some((part) => text.endsWith(part));
  const begins = (text, ...parts) => parts.some((part) => text.startsWith(part));

  function spans(folded, text, limit) {
    let pivot = 0;
    folded.forEach((literal, at) => {
      if (literal.length > folded[pivot].length) pivot = at;
    });
    const sought = folded[pivot];
    const found = [];
    let at = text.indexOf(sought);
    for (let turn = 0; turn < limit; turn++) {
      if (at < 0) return found;
      const span = around(folded, text, pivot, at);
      if (span) found.push(span);
      at = text.indexOf(sought, at + sought.length);
    }
    if (at >= 0) {
      const span = around(folded, text, pivot, text.lastIndexOf(sought));
      if (span && (!found.length || span[0][0] >= found.at(-1).at(-1)[1])) found.push(span);
    }
    return found;
  }

  function around(folded, text, pivot, at) {
    const span = [[at, at + folded[pivot].length]];
    for (let place = pivot - 1; place >= 0; place--) {
      const literal = folded[place];
      if (!literal) continue;
      const before = span[0][0];
      const low = Math.max(0, before - HOLE_LIMIT - literal.length);
      const start = text.slice(low, Math.max(0, before - 1)).lastIndexOf(literal);
      if (start < 0) return null;
      span.unshift([low + start, low + start + literal.length]);
    }
    for (let place = pivot + 1; place < folded.length; place++) {
      const literal = folded[place];
      if (!literal) continue;
      const after = span.at(-1)[1];
      const start = text.slice(after + 1, after + HOLE_LIMIT + literal.length).indexOf(literal);
      if (start < 0) return null;
      span.push([after + 1 + start, after + 1 + start + literal.length]);
    }
    return span;
  }

  /* --- read.py ------------------------------------------------------------------------------ */

  const WRAPPED = 70;
  const BAR = 200;
  const LEFT_OUT = 60;
  const PREFIXED = 120;

  class Reader {
    constructor(grammar) {
      this.grammar = grammar;
      this.limits = grammar.limits;
      this.first = {}; // anchored at the beginning
      this.once = {}; // the first one anywhere
      this.any = {}; // all of them
      for (const [name, pattern] of Object.entries(grammar.patterns)) {
        this.first[name] = new RegExp("^(?:" + pattern + ")");
        this.once[name] = new RegExp(pattern);
        this.any[name] = new RegExp(pattern, "g");
      }
      this.prefix = new RegExp("^(?:" + grammar.prefixes.join("|") + ")[ \\t]*");
      this.plain = new Map();
      for (const [chars, value] of grammar.typography) for (const char of chars) this.plain.set(char, value);
      this.typographic = new RegExp("[" + grammar.typography.map((row) => row[0]).join("") + "]", "g");
      this.modules = new Map();
    }

    has(name, text) {
      return this.once[name].exec(text);
    }

    read(text) {
      if (/[^\x00-\x7f]/.test(text)) {
        text = text.replace(this.typographic, (char) => this.plain.get(char)).replace(/[^\x00-\x7f]+/g, "?");
      }
      const paste = { lines: this.lines(text), frames: [], messages: [], complete: false, versions: new Map() };
      paste.ranks = [...new Set(paste.lines.map((line) => line.rank).filter(Boolean))];
      this.label(paste);
      return paste;
    }

    bounded(text) {
      const { characters, head, tail, around: near } = this.limits;
      if (text.length <= characters) return [[1, text]];
      const windows = [[0, head], [text.length - tail, text.length]];
      const add = (at) => windows.push([Math.max(0, at - near), Math.min(text.length, at + near)]);
      for (const signal of this.grammar.signals) {
        let at = -1;
        for (let turn = 0; turn < 2; turn++) {
          at = text.indexOf(signal, at < 0 ? at + 1 : at + near);
          if (at < 0) break;
          add(at);
        }
        at = text.length - tail;
        for (let turn = 0; turn < 2; turn++) {
          const end = Math.max(0, at) - signal.length;
          at = end < 0 ? -1 : text.lastIndexOf(signal, end);
          if (at < 0) break;
          add(at);
          at -= near;
        }
      }
      windows.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      const parts = [];
      let end = 0;
      let counted = 0;
      let number = 1;
      for (const [start, stop] of windows) {
        if (stop <= end) continue;
        const first = Math.max(start, end);
        number += count(text.slice(counted, first), "\n");
        counted = first;
        if (parts.length && first === end) parts.at(-1)[1] += text.slice(first, stop);
        else parts.push([number, text.slice(first, stop)]);
        end = stop;
      }
      return parts;
    }

    lines(text) {
      let raws = [];
      text = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
      for (const [number, stretch] of this.bounded(text)) {
        if (raws.length) raws.push([number, "..."]);
        this.unescaped(stretch).split("\n").forEach((raw, at) => raws.push([number + at, raw]));
      }
      const most = this.limits.lines;
      if (raws.length > most) {
        const third = Math.floor(most / 3);
        raws = [...raws.slice(0, third), [raws[third][0], "..."], ...raws.slice(Math.floor((-most * 2) / 3))];
      }
      const lines = [];
      let gap = false;
      for (const [number, raw] of raws) {
        for (const piece of raw.split("\x0b")) {
          const line = this.stripped(piece, number, gap);
          gap = !line.text;
          lines.push(line);
        }
      }
      const kept = [];
      const ranked = new Map();
      for (const line of this.unprefixed(lines)) {
        if (!line.text) continue;
        if (!line.rank) kept.push(line);
        else if (ranked.has(line.rank)) ranked.get(line.rank).push(line);
        else ranked.set(line.rank, [line]);
      }
      for (const group of ranked.values()) for (const line of group) kept.push(line);
      return this.mended(kept);
    }

    unescaped(text) {
      text = text.replaceAll("\x0b", " ");
      if (
        text.includes("\\n") &&
        ['\\n  File "', '\\n  File \\"', "(most recent call last):\\n", "\\nFile"].some((mark) => text.includes(mark))
      ) {
        text = text.replaceAll("\\n", "\x0b").replaceAll('\\"', '"');
      }
      if (text.includes("\x1b") || text.includes("[")) text = text.replace(this.any.ansi, "");
      if (text.includes("&")) {
        text = text.replace(this.any.entity, (_, name) => this.grammar.entities[name].replaceAll("\n", "\x0b"));
      }
      if (text.includes("<") && text.includes(">")) text = text.replace(this.any.break, "\x0b").replace(this.any.tag, "");
      return text.replaceAll("\t", "    ").replace(this.any.control, " ");
    }

    stripped(raw, number, gap) {
      let text = trimmed(raw);
      let rank = "";
      let logged = false;
      let size = 0;
      while (size !== text.length) {
        size = text.length;
        const found = this.prefix.exec(text);
        if (!found) break;
        for (const group of found.slice(1)) rank = rank || group || "";
        logged = logged || Boolean(this.has("level", found[0]));
        text = text.slice(found[0].length);
        const after = this.first.after.exec(text);
        if (after) text = text.slice(after[0].length);
      }
      if (text.endsWith("|")) text = trimmedEnd(text, "| ");
      if (text.includes(this.grammar.header)) text = trimmed(text, "- ");
      const column = Math.max(0, trimmedEnd(raw, " |").length - text.length);
      return { text: trimmed(text), number, column, rank, logged, gap, zone: "", frame: -1 };
    }

    unprefixed(lines) {
      let known = null;
      lines.forEach((line, at) => {
        const start = line.text.indexOf(this.grammar.header);
        if (start > 0 && start <= PREFIXED && at + 1 < lines.length) {
          const lead = trimmedEnd(line.text.slice(0, start), " ").replace(this.any.special, "\\$&");
          const prefix = new RegExp("^" + lead.replace(this.any.digits, "[0-9]{1,20}") + " {0,8}");
          if (prefix.test(lines[at + 1].text)) known = prefix;
        }
        const found = known && known.exec(line.text);
        if (found) {
          const inner = this.stripped(line.text.slice(found[0].length), line.number, line.gap);
          line.text = inner.text;
          line.rank = line.rank || inner.rank;
          line.logged = true;
        }
      });
      return lines;
    }

    mended(lines) {
      const done = [];
      for (const line of lines) {
        const last = done.length ? done.at(-1).text : "";
        if (last.length > 40 && last.startsWith('File "') && !last.includes(", in ")) {
          const joined = last + (ends(last, "in", ",", "line") ? " " : "") + line.text;
          const found = this.first.file.exec(joined);
          if (found && found[3]) {
            done.at(-1).text = joined;
            continue;
          }
        }
        const marks = ["File ", "Traceback", ": line"];
        if (line.text.length > 80 && marks.some((mark) => line.text.includes(mark))) done.push(...this.unjoined(line));
        else done.push(line);
      }
      return done;
    }

    unjoined(line) {
      let text = line.text;
      const marks = ['File "', "File /", "File ~"];
      const files = marks.reduce((sum, mark) => sum + count(text, mark), 0);
      if (files < 2 && !text.slice(1).includes("Traceback (most")) return [line];
      for (const mark of marks) text = text.replaceAll(" " + mark, "\n" + mark);
      const parts = [];
      for (const raw of text.replace(this.any.lost, "\n").split("\n")) {
        let part = trimmed(raw);
        let rest = "";
        const found = part.startsWith("File ") && this.first.file.exec(part);
        if (found) [part, rest] = [found[0], trimmed(part.slice(found[0].length))];
        for (const [piece, column] of [[part, line.column], [rest, line.column + 2]]) {
          if (piece) parts.push({ ...line, text: piece, column, gap: false });
        }
      }
      return parts;
    }

    label(paste) {
      const { first } = this;
      const { header, repeated } = this.grammar;
      const { lines, frames } = paste;
      let start = -1;
      let cut = false;
      let inside = false;
      let before = -1;
      let fenced = false;
      let told = -1;
      let owed = 0;
      let found;
      lines.forEach((line, at) => {
        const text = line.text;
        let frame;
        if (first.fence.test(text)) {
          fenced = !fenced && text.length > 3;
          [line.zone, inside, told] = ["noise", false, -1];
        } else if (first.linked.test(text) || first.banner.test(text)) {
          [line.zone, inside, told, before] = ["noise", false, -1, at + 1];
        } else if (first.rule.test(text)) {
          line.zone = "noise";
          if (!inside) before = at + 1;
          if (text.length > 20) [inside, before] = [false, at + 1];
        } else if (text.includes(header)) {
          [start, cut, inside, before, told] = [at, false, false, at + 1, -1];
          line.zone = "noise";
        } else if (text.startsWith(repeated)) {
          line.zone = "source";
          const count = frames.length ? this.has("digits", text) : null;
          if (count) frames.at(-1).times += Number(count[0].slice(0, 3));
        } else if (text.includes(": ") && (found = this.has("warned", text))) {
          paste.messages.push([at, found[1], found[2]]);
          [line.zone, inside, told] = ["message", false, at];
          line.frame = this.module(text.slice(0, found.index))[1] ? -2 : -3;
        } else if (!(inside && text[0] === ">") && (frame = this.frame(text, at))) {
          frames.push(frame);
          this.above(paste, frame, before);
          [line.zone, line.frame] = [frame.user ? "own" : "frame", frames.length - 1];
          [inside, before, told] = [true, at + 1, -1];
        } else if ((found = first.message.exec(text))) {
          paste.messages.push([at, found[2], found[3] || ""]);
          [line.zone, told] = ["message", at];
          if (start >= 0 && !cut && frames.length && frames.at(-1).at > start) paste.complete = true;
          [start, inside] = [-1, false];
        } else if (text.length < LEFT_OUT && begins(text, "...", "[...", "(...", "<snip", "[snip")) {
          cut = true;
          line.zone = "noise";
        } else if (inside && this.isSource(lines, at, frames.at(-1))) {
          this.source(paste, line, at);
        } else if (told >= 0 && this.continues(lines[told], lines[at - 1].text, line)) {
          line.zone = "message";
          if (line.column >= 2 && lines[told].frame < -1 && text.includes("warn(")) {
            line.zone = lines[told].frame === -2 ? "code" : "source";
            told = -1;
          }
        } else if (owed > 0 && !line.gap) {
          line.zone = "code";
          owed += opened(text);
        } else {
          [told, inside] = [-1, false];
          line.zone = this.loose(text, line.logged, fenced);
          owed = line.zone === "code" ? opened(text) : 0;
        }
      });
      this.versions(paste);
    }

    above(paste, frame, before) {
      const { lines } = paste;
      if (before < 0 || frame.at - before < 1 || !["", "<module>"].includes(frame.function) || frame.line === 0) return;
      if (begins(lines[frame.at].text, "File ", "Cell", "In", "<")) return;
      for (let at = before; at < frame.at; at++) {
        const line = lines[at];
        const found = this.first.definition.exec(line.text);
        if (found) frame.function = found[1];
        if (["prose", "log", "code", "noise"].includes(line.zone) && line.column >= 4) {
          [line.zone, line.frame] = [frame.user ? "code" : "source", paste.frames.length - 1];
          [frame.code, frame.codeAt] = [line.text, at];
        }
      }
    }

    isSource(lines, at, frame) {
      const line = lines[at];
      const place = lines[frame.at];
      if (this.first.arrow.test(line.text) || line.column > place.column) return true;
      if (line.gap || this.isProse(line.text)) return false;
      if (!place.text.includes(", line ")) return true;
      return at === frame.at + 1 && this.first.code.test(line.text);
    }

    source(paste, line, at) {
      const frame = paste.frames.at(-1);
      [line.zone, line.frame] = [frame.user ? "code" : "source", paste.frames.length - 1];
      const found = this.first.arrow.exec(line.text);
      const pointed = found && this.first.pointed.test(line.text);
      if (found) line.text = found[1];
      else if (this.first.marks.test(line.text)) {
        line.zone = "noise";
        return;
      }
      if (pointed || (!found && !frame.code)) [frame.code, frame.codeAt] = [line.text, at];
    }

    continues(told, above, line) {
      if (line.gap || line.logged !== told.logged) return false;
      if (/^[a-z]/.test(line.text) && line.column <= told.column) {
        return above.length >= WRAPPED && !".!?:)".includes(above.at(-1)) && !line.text.includes("(");
      }
      return line.column > told.column || /^[-'"`([{<0-9]/.test(line.text);
    }

    loose(text, logged, fenced) {
      if (text.length < BAR && this.has("progress", text)) return "noise";
      if (!logged && this.first.code.test(text)) return "code";
      if (logged || "[{|<".includes(text[0]) || text.includes("|")) return "log";
      return this.isProse(text) && !fenced ? "prose" : "log";
    }

    isProse(text) {
      const words = text.split(" ");
      const plain = words.filter((word) => /^[A-Za-z]+$/.test(trimmed(word, ".,;:!?()'\"`"))).length;
      if (text.includes("(") && this.has("call", text)) return ".;,:".includes(text.at(-1)) || plain >= 3;
      return plain >= 2 && plain * 2 >= words.length;
    }

    frame(text, at) {
      const { first } = this;
      let found;
      let path;
      let number;
      let name;
      if (text.startsWith("> File ")) text = text.slice(2);
      const head = text.slice(0, 10);
      if (text.startsWith("File ") && (found = first.file.exec(text))) {
        [path, number, name] = [found[1], found[2], found[3] || ""];
      } else if (
        (head.includes("In [") || head.includes("In[") || begins(text, "Input In", "<ipython")) &&
        (found = first.cell.exec(text))
      ) {
        return { module: "<cell>", function: lastOf(found[1] || "<module>"), line: 0, user: true, at, code: "", codeAt: at, times: 1 };
      } else if (text.includes(".py")) {
        if ((found = first.colon.exec(text))) [path, number, name] = [found[1], found[2], found[3] || ""];
        else if ((found = first.old.exec(text))) [path, number, name] = [found[1], "0", found[2]];
        else return null;
        if (path.includes(" ") && !path.includes("/") && !path.includes("\\")) return null;
      } else {
        return null;
      }
      if (name && first.message.test(name)) name = "";
      const [module, user] = this.module(path);
      return { module, function: lastOf(name), line: Number(number), user, at, code: "", codeAt: at, times: 1 };
    }

    module(path) {
      let known = this.modules.get(path);
      if (!known) {
        if (this.modules.size > 2000) this.modules.clear();
        this.modules.set(path, (known = this.located(path)));
      }
      return known;
    }

    located(path) {
      const { grammar } = this;
      path = trimmed(path.replaceAll("\\\\", "/").replaceAll("\\", "/"));
      if (path.startsWith("~/")) path = path.slice(2);
      let end = 0;
      for (const found of path.matchAll(this.any.library)) end = found.index + found[0].length;
      let user = !end;
      if (end) {
        path = path.slice(end);
        user = begins(path, ...grammar.own);
      } else {
        for (const name of grammar.packages) {
          const at = path.lastIndexOf("/" + name + "/");
          const inner = at >= 0 ? path.slice(at + 1) : path.startsWith(name + "/") ? path : "";
          if (inner && !begins(inner.slice(name.length + 1), "examples/", "src/", "tests/", "scripts/")) {
            [path, user] = [inner, false];
            break;
          }
        }
      }
      const at = path.lastIndexOf("transformers_modules/");
      if (at >= 0) [path, user] = [path.slice(at), true];
      if (path.startsWith("<frozen ") || grammar.standard.includes(path.slice(path.lastIndexOf("/") + 1))) user = false;
      for (const suffix of [".py", ".pyx"]) if (path.endsWith(suffix)) path = path.slice(0, -suffix.length);
      if (path.endsWith("/__init__")) path = path.slice(0, -9);
      return [path, user];
    }

    versions(paste) {
      for (const line of paste.lines) {
        if (line.text.length > 400 || ["own", "frame", "source", "code"].includes(line.zone)) continue;
        let stated = false;
        for (const found of line.text.toLowerCase().matchAll(this.any.version)) {
          stated = true;
          let name = found[1].replaceAll("_", "-");
          if (name === "pytorch") name = "torch";
          if (!paste.versions.has(name)) paste.versions.set(name, trimmedEnd(found[2] || found[3], "."));
        }
        if (stated && ["prose", "log"].includes(line.zone) && line.text.length < 60) line.zone = "versions";
      }
    }
  }

  /* --- evidence.py -------------------------------------------------------------------------- */

  const HEAD = 16;
  const CHANCE = 8;
  const CUT = 24;
  const WORDY = 240;
  const HOLE = 200;
  const LONG = 400;
  const DEEP = 4;
  const SILENT = new Set(["own", "frame", "source", "code", "noise"]);

  function wording(at, name, literals) {
    let lead = 0;
    literals.forEach((literal, place) => {
      if (literals[lead].length < CUT && literal.length > literals[lead].length) lead = place;
    });
    const size = literals.reduce((sum, literal) => sum + literal.length, 0);
    return [at, name, literals, lead, size, literals.some((literal) => literal.includes("meta"))];
  }

  function sightings(wordings, text, stops) {
    const found = [];
    wordings.forEach(([symptom, name, literals, lead, size, meta], order) => {
      const sought = literals[lead];
      const head = sought.slice(0, HEAD);
      let at = text.indexOf(head);
      if (at < 0) return;
      const whole = spans(literals, text, 60);
      for (const span of whole) found.push([-size, 0, size, order, { symptom, name, span, line: 0 }]);
      if (whole.length || sought.length <= HEAD) return;
      for (let turn = 0; turn < 4; turn++) {
        const length = common(sought, text, at);
        const stop = stops.has(at + length) || text.startsWith("...", at + length);
        const cut = stop && length >= Math.min(CUT + 12, Math.max(CUT, Math.floor(size / 2)));
        const hole = length === sought.length && length >= CUT + HEAD;
        const enough = sought.slice(0, length).includes("meta")
          ? length >= CUT || stops.has(at + length)
          : !meta && (cut || hole || length * 10 >= size * 9);
        if (enough) {
          const known = length * 2 > size ? name : "";
          found.push([CHANCE - length, 1, size, order, { symptom, name: known, span: [[at, at + length]], line: 0 }]);
        }
        at = text.indexOf(head, at + HEAD);
        if (at < 0) break;
      }
    });
    if (!found.length) {
      wordings.forEach(([symptom, , literals, , size], order) => {
        const span = beheaded(literals, text);
        if (span) found.push([span[0] - span[1], 1, size, order, { symptom, name: "", span: [span], line: 0 }]);
      });
    }
    found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3]);
    const kept = [];
    for (const item of found) {
      const seen = item[4];
      const start = seen.span[0][0];
      const end = seen.span.at(-1)[1];
      if (kept.every((other) => end <= other.span[0][0] || start >= other.span.at(-1)[1])) kept.push(seen);
    }
    return kept.sort((a, b) => a.span[0][0] - b.span[0][0]);
  }

  function beheaded(literals, text) {
    const sought = literals.reduce((best, literal) => (literal.length > best.length ? literal : best));
    const at = sought.length > 2 * CUT ? text.indexOf(sought.slice(-CUT)) : -1;
    if (at < 0) return null;
    let length = CUT;
    while (
      length < sought.length &&
      length - CUT < at &&
      sought[sought.length - length - 1] === text[at + CUT - length - 1]
    ) {
      length++;
    }
    const end = at + CUT;
    return length >= 2 * CUT && sought.slice(-length).includes("meta") ? [end - length, end] : null;
  }

  function common(literal, text, at) {
    let length = 0;
    const limit = Math.min(literal.length, text.length - at);
    while (length < limit && literal[length] === text[at + length]) length++;
    return length;
  }

  function lineAt(starts, place) {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (place < starts[middle]) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }

  class Evidence {
    constructor(paste, wordings, names, reader, messages) {
      this.messages = messages;
      this.paste = paste;
      this.reader = reader;
      this.symptoms = names;
      this.features = new Map();
      this.names = new Map();
      this.find(wordings);
      this.readMessages();
      this.readFrames();
      this.origins = new Map();
      [this.open, this.owed] = ["", 0];
      this.readWords();
      this.readRest();
      this.readSigns();
    }

    add(feature, line) {
      if (!this.features.has(feature)) this.features.set(feature, line);
    }

    find(wordings) {
      const { lines } = this.paste;
      this.places = [];
      this.starts = [];
      let end = 0;
      let text = "";
      lines.forEach((line, at) => {
        if (SILENT.has(line.zone)) return;
        this.places.push(at);
        this.starts.push(text.length);
        text += fold(line.text);
        end = text.length;
      });
      this.text = text;
      this.ends = new Set([...this.starts, end]);
      const found = sightings(wordings, text, this.ends);
      this.said = lines.map((line) => line.text);
      this.covered = new Set();
      for (const seen of found) {
        seen.line = this.places[lineAt(this.starts, seen.span[0][0])];
        for (const [start, stop] of seen.span) this.blank(start, stop);
      }
      this.seen = found.filter((seen) => seen.symptom < this.symptoms.length);
      this.spoken = new Map();
      for (const { symptom, line } of found) {
        if (symptom >= this.symptoms.length) this.spoken.set(this.messages[symptom - this.symptoms.length], line);
      }
      for (const [name, line] of this.spoken) this.add(`q ${name}`, line);
    }

    blank(start, stop) {
      for (let at = lineAt(this.starts, start); at < this.starts.length && this.starts[at] < stop; at++) {
        const place = this.places[at];
        this.covered.add(place);
        const { text } = this.paste.lines[place];
        const own = [];
        for (let n = 0; n < text.length; n++) if (!" `'\"".includes(text[n])) own.push(n);
        const first = Math.max(start - this.starts[at], 0);
        const last = Math.min(stop - this.starts[at], own.length) - 1;
        if (first > last) continue;
        const [a, b] = [own[first], own[last] + 1];
        const said = this.said[place];
        this.said[place] = said.slice(0, a) + " ".repeat(b - a) + said.slice(b);
      }
    }

    readMessages() {
      let holes = 0;
      for (const seen of this.seen) {
        const name = this.symptoms[seen.symptom];
        this.add(`m ${name}`, seen.line);
        if (seen.name) this.add(`n ${name}/${seen.name}`, seen.line);
        for (let at = 0; at + 1 < seen.span.length; at++) {
          const [start, stop] = [seen.span[at][1], seen.span[at + 1][0]];
          if (stop - start > HOLE || holes >= 24) continue;
          const parts = this.text.slice(start, stop).match(this.reader.any.hole) || [];
          for (const part of parts.slice(0, 12)) {
            holes++;
            this.add(`h ${part}`, seen.line);
          }
        }
      }
      this.last = new Map();
      for (const seen of this.seen) this.last.set(seen.symptom, seen);
      this.final = this.seen.at(-1) || null;
      if (this.final) this.add(`M ${this.symptoms[this.final.symptom]}`, this.final.line);
      const message = this.paste.messages.at(-1);
      if (message && !this.covered.has(message[0])) {
        this.add(`x ${message[1]}`, message[0]);
        for (const word of this.words(message[2]).slice(0, 30)) this.add(`y ${word}`, message[0]);
      }
    }

    readFrames() {
      const { frames } = this.paste;
      const { plumbing } = this.reader.grammar;
      let loading = false;
      for (const frame of frames) {
        const name = `${frame.module}:${frame.function}`;
        if (!this.names.has(name)) this.names.set(name, frame.at);
        if (frame.user) {
          if (loading && frame.function === "__init__") this.add("d __init__<", frame.at);
          loading = loading && frame.function === "__init__";
          this.add(`d ${frame.function}`, frame.at);
          this.named(`${frame.module.slice(frame.module.lastIndexOf("/") + 1)} ${frame.function}`, frame.at, false);
        } else {
          this.add(`f ${name}`, frame.at);
          if (frame.module !== plumbing) this.add(`p ${frame.module.split("/")[0]}`, frame.at);
        }
        loading = loading || ["from_pretrained", "from_config", "_from_config"].includes(frame.function);
      }
      const trace = this.trace();
      let entered = null;
      trace.forEach((frame, at) => {
        if (at + 1 < trace.length && frame.user && !trace[at + 1].user) entered = trace[at + 1];
      });
      if (entered) this.add(`e ${entered.module}:${entered.function}`, entered.at);
      const last = trace.at(-1);
      if (last) this.add(last.user ? "F own" : `F ${last.module}:${last.function}`, last.at);
      const applied = trace.filter((frame) => frame.function === "_apply" && !frame.user);
      const depth = applied.reduce((sum, frame) => sum + frame.times, 0);
      if (depth) this.add(`s depth ${Math.min(depth, DEEP)}`, last.at);
      const stop = stoppedAt(trace, plumbing, this.paste.versions.has("torch"));
      if (stop) {
        this.add(`s ${stop}`, last.at);
        this.names.set(`${plumbing}:_apply(${stop})`, last.at);
      }
    }

    trace() {
      const { frames, messages } = this.paste;
      if (!this.final) return frames;
      for (const seen of this.seen) {
        if (seen.symptom !== this.final.symptom) continue;
        let before = -1;
        for (const [at] of messages) if (at < seen.line) before = Math.max(before, at);
        const trace = frames.filter((frame) => before < frame.at && frame.at < seen.line);
        if (trace.length) return trace;
      }
      return frames;
    }

    words(text) {
      return [...new Set((text.match(this.reader.any.name) || []).map((name) => stem(name.toLowerCase())))];
    }

    readWords() {
      const seen = { prose: 0, log: 0 };
      this.paste.lines.forEach((line, at) => {
        const { zone } = line;
        const text = this.said[at];
        if (zone === "code") {
          this.readCode(text.slice(0, LONG), at);
          this.named(text.slice(0, LONG), at, true);
        } else if (zone in seen && seen[zone] < WORDY) {
          if (text.includes("registered at ") && this.reader.has("backends", text)) return;
          if (zone === "prose" && (text.includes("(") || text.includes("="))) this.readCode(text.slice(0, LONG), at);
          seen[zone] += this.named(text, at, zone === "prose");
        }
      });
    }

    readCode(text, at) {
      const { any, first, grammar } = this.reader;
      let before = "";
      for (const found of text.matchAll(any.call)) {
        const path = found[1];
        const name = lastOf(path);
        const owner = path.slice(0, Math.max(0, path.length - name.length - 1));
        if (path[0] === ")") {
          this.add(`o ${before}.${name}`, at);
          if (before[0] >= "A" && before[0] <= "Z") this.add(`o New.${name}`, at);
        } else if (owner) {
          const value = lastOf(owner);
          if (this.origins.has(value)) this.add(`o ${this.origins.get(value)}.${name}`, at);
          else if (owner === value && value === value.toLowerCase()) this.add(`c ${value}.${name}`, at);
        }
        before = name;
        this.add(`c ${name}`, at);
        this.add(`i ${name.toLowerCase()}`, at);
        if (found[2]) this.add(`c ${name}(${found[2]})`, at);
      }
      let mapped = false;
      for (const found of text.matchAll(any.keyword)) {
        const name = found[1];
        if ((found.index === 0 && !this.open) || text[found.index + found[0].length] === "=") continue;
        mapped = mapped || name === "device_map";
        this.add(`k ${name}`, at);
        this.add(`i ${name}`, at);
        const value = trimmed(found[2], "'\"").split(":")[0];
        if (grammar.values.includes(value)) this.add(`k ${name}=${value}`, at);
      }
      const found = first.assigned.exec(text);
      if (found) {
        [this.open, this.owed] = [lastOf(found[1]), 0];
        this.origins.set(this.open, lastOf(found[2]));
      }
      this.owed += count(text, "(") - count(text, ")");
      if (mapped && this.open && !this.origins.get(this.open).endsWith("+map")) {
        this.origins.set(this.open, this.origins.get(this.open) + "+map");
      }
      if (this.owed <= 0) [this.open, this.owed] = ["", 0];
    }

    named(text, at, own) {
      const names = text.match(this.reader.any.name) || [];
      for (const name of names) {
        const low = name.toLowerCase();
        const split = name.includes("_") || name !== low;
        if (own && (name.includes("_") || name.slice(1) !== low.slice(1))) this.add(`i ${low}`, at);
        for (const word of split ? name.match(this.reader.any.part) || [] : [name]) {
          if (word.length > 2) this.add(`a ${stem(word.toLowerCase())}`, at);
        }
      }
      return names.length;
    }

    readRest() {
      const { ranks, versions } = this.paste;
      if (ranks.length > 1 || ranks.some((rank) => /^[0-9]+$/.test(rank))) this.add("r ranks", 0);
      for (const [name, steps] of Object.entries(this.reader.grammar.releases)) {
        if (!versions.has(name)) continue;
        const stated = numbers(versions.get(name));
        const reached = steps.filter((step) => order(numbers(step), stated) <= 0);
        this.add(`v ${name} ${reached.length ? reached.at(-1) : "old"}`, 0);
      }
    }

    readSigns() {
      const zones = new Map();
      this.prose = [];
      const told = (fact, at) => {
        this.prose.push([at, fact]);
        this.add(`z ${fact}`, at);
      };
      this.paste.lines.forEach((line, at) => {
        const text = this.said[at];
        let found;
        if (line.zone === "prose") this.prose.push([at, squash(text)]);
        if (text.includes("eta") || text.includes("hook") || text.includes("weights")) {
          zones.set(line.zone, [...(zones.get(line.zone) || []), squash(text)]);
        }
        if (text.includes(" on meta") && (found = this.reader.has("printed", text))) {
          const amount = !Number(found[2]) ? "no" : Number(found[2]) === Number(found[3]) ? "all" : "some";
          told(`${amount} ${found[1]} are on meta`, at);
        } else if (text.includes("accelerate hooks: ") && (found = this.reader.has("hooks", text))) {
          told(Number(found[1]) ? "accelerate hooks are attached" : "without accelerate hooks", at);
        }
      });
      this.joined = this.prose.map(([, text]) => text).join("\n");
      this.signed = [...zones].filter(([, texts]) => this.speaks(texts.join("\n"))).map(([zone]) => zone);
      const only = this.reader.grammar.meta_only;
      if (this.paste.frames.some((frame) => only.includes(frame.function))) this.signed.push("frames");
    }

    saidIn(phrase) {
      if (!this.joined.includes(phrase)) return -1;
      const found = this.prose.find(([, text]) => whole(phrase, text));
      return found ? found[0] : -1;
    }

    speaks(text) {
      if (this.reader.grammar.sign_names.some((name) => text.includes(name))) return true;
      let at = text.indexOf("meta");
      for (let turn = 0; turn < 200 && at >= 0; turn++) {
        if (this.reader.has("sign", text.slice(Math.max(0, at - 24), at + 30))) return true;
        at = text.indexOf("meta", at + 4);
      }
      return false;
    }
  }

  function whole(phrase, text) {
    const letter = (char) => char !== undefined && /[a-z0-9]/.test(char);
    let at = text.indexOf(phrase);
    for (let turn = 0; turn < 40 && at >= 0; turn++) {
      const end = at + phrase.length;
      if (!(letter(phrase[0]) && letter(text[at - 1])) && !(letter(phrase.at(-1)) && letter(text[end]))) return true;
      at = text.indexOf(phrase, at + 1);
    }
    return false;
  }

  function stoppedAt(frames, plumbing, known) {
    const applies = (frame) => frame.function === "_apply" && frame.module === plumbing;
    let last = frames.length - 1;
    while (last >= 0 && !applies(frames[last])) last--;
    if (last < 0) return "";
    const { code } = frames[last];
    const nested = known && !code && last > 0 && applies(frames[last - 1]);
    const away = nested ? frames[last].line - frames[last - 1].line : 0;
    if (code.includes("fn(buf)") || (away >= 40 && away <= 120)) return "buffer";
    return code.includes("fn(param)") || (away >= 15 && away < 40) ? "parameter" : "";
  }

  function stem(word) {
    for (const end of ["ing", "ed", "es", "s"]) {
      if (word.length > end.length + 3 && word.endsWith(end) && !word.endsWith("ss")) return word.slice(0, -end.length);
    }
    return word;
  }

  function numbers(version) {
    const result = [];
    for (const part of version.split("+")[0].split(".")) {
      const digits = /^[0-9]*/.exec(part)[0];
      if (!digits) break;
      result.push(Number(digits));
      if (digits !== part) break;
    }
    return result;
  }

  function order(left, right) {
    for (let at = 0; at < Math.max(left.length, right.length); at++) {
      const [a, b] = [left[at] ?? 0, right[at] ?? 0];
      if (a !== b) return a > b ? 1 : -1;
    }
    return 0;
  }

  /* --- score.py ----------------------------------------------------------------------------- */

  const SHOWN = 24;
  const LEARNT = 3;
  const YES = 1;
  const NO = -1;
  const BOUND = new Set(["earlier", "not_earlier", "wording"]);
  const CHECKED = new Set(["through", "calls", "says", "holes", "earlier", "ask"]);
  const CROWDED = "afdch";
  const [TRACED, WORDED] = ["mMnqokcxyFfeshadpz", "mqokcad"];
  const BASE = 40;
  const STEP = 10;
  const NONE = 45;

  const told = (answer, group = "", amount = 0, line = -1, found = "") => ({
    answer, group, amount, line, found, points: 0,
  });
  const NOTHING = told(0);

  function unpack(text) {
    const found = new Map();
    let last = "";
    for (const line of text ? text.split("\n") : []) {
      const tab = line.indexOf("\t");
      last = last.slice(0, Number(line[0])) + line.slice(1, tab);
      found.set(last, line.slice(tab + 1));
    }
    return found;
  }

  function eachPoint(posting, use) {
    for (let at = 0; at < posting.length; at += 2) {
      use(posting.charCodeAt(at) - BASE, STEP * (posting.charCodeAt(at + 1) - BASE - NONE));
    }
  }

  const shared = (count) => (count <= 12 ? 100 : Math.floor(10000 / Math.floor(Math.sqrt(Math.floor((count * 10000) / 12)))));

  function passes(value, frames) {
    const steps = value.split(" > ");
    let step = 0;
    for (const frame of frames) {
      const colon = steps[step].indexOf(":");
      const [module, name] = [steps[step].slice(0, colon), steps[step].slice(colon + 1)];
      const fits = module === "*" || (module === "user" ? frame.user : module === frame.module);
      if (fits && (name === "*" || name === frame.function) && ++step === steps.length) return frame.at;
    }
    return -1;
  }

  function inside(ranges, versions) {
    let result = 0;
    for (const [name, wanted] of Object.entries(ranges)) {
      if (!versions.has(name)) continue;
      const version = numbers(versions.get(name));
      if (!wanted.split(",").every((part) => holds(trimmed(part), version))) return NO;
      result = YES;
    }
    return result;
  }

  function holds(part, version) {
    const sign = [">=", "<=", "==", "!=", "~="].includes(part.slice(0, 2)) ? part.slice(0, 2) : part.slice(0, 1);
    const text = trimmed(part.slice(sign.length));
    const wanted = numbers(text);
    const compare = {
      ">=": (way) => way >= 0,
      "<=": (way) => way <= 0,
      ">": (way) => way > 0,
      "<": (way) => way < 0,
    };
    if (sign === "==" || sign === "!=" || version.length < 2) {
      const size = Math.min(wanted.length, version.length);
      const way = order(version.slice(0, size), wanted.slice(0, size));
      if (sign in compare) return sign[0] === ">" ? way >= 0 : way <= 0;
      if (text.endsWith("*") || version.length < wanted.length) return (way === 0) === (sign === "==");
      return (order(version, wanted) === 0) === (sign === "==");
    }
    const way = order(version, wanted);
    if (sign in compare) return compare[sign](way);
    const most = wanted.slice(0, -1);
    return way >= 0 && most.every((number, at) => version[at] === number) && version.length >= most.length;
  }

  class Matcher {
    constructor(index) {
      this.index = index;
      this.reader = new Reader(index.grammar);
      this.names = index.symptoms.map((symptom) => symptom.id);
      this.wordings = index.symptoms.flatMap((symptom, at) =>
        symptom.wordings.map(([name, literals]) => wording(at, name, literals)),
      );
      this.messages = Object.keys(index.messages);
      this.messages.forEach((name, at) => {
        for (const literals of index.messages[name].texts) this.wordings.push(wording(this.names.length + at, name, literals));
      });
      this.alike = index.lookalikes.flatMap((other, at) => other.messages.map((literals) => wording(at, "", literals)));
      this.learnt = unpack(index.learnt);
      this.known = new Map(Object.entries(index.known.weights));
      this.written = new Map(Object.entries(index.written));
      this.asked = new Map();
      this.phrases = [];
      this.paths = [];
      index.clues.forEach(([key, , ...values], row) => {
        if (!["calls", "holes", "says", "through", "not_through"].includes(key)) return;
        for (const [rare, value] of values) {
          if (key === "says") this.phrases.push([value, row, rare]);
          else if (key.endsWith("through") && (value.includes(" > ") || value[0] === "*" || value.startsWith("user:"))) {
            this.paths.push([value, row, rare, key === "through" && value.includes(" > ") ? "path" : key]);
          } else if (this.asked.has(value)) this.asked.get(value).push([row, rare, key]);
          else this.asked.set(value, [[row, rare, key]]);
        }
      });
    }

    evidence(text) {
      return new Evidence(this.reader.read(text), this.wordings, this.names, this.reader, this.messages);
    }

    explain(text, answers) {
      return this.rank(this.evidence(text), answers);
    }

    rank(evidence, answers) {
      const [scores, clues] = this.scores(evidence, answers || {});
      const ranked = scores.map((_, at) => at).sort((a, b) => scores[b] - scores[a] || a - b);
      return this.answer(evidence, ranked, scores, clues);
    }

    scores(evidence, answers) {
      const scores = this.residual(evidence);
      const { weights } = this.index;
      const hits = this.hits(evidence);
      const all = this.index.causes.map((cause, at) => {
        const [claims, clues] = this.claims(cause, evidence, hits, answers);
        for (const [group, amount] of claims) scores[at] += Math.floor((weights[group] * amount) / 100);
        for (const [, result] of clues) {
          if (result.group) result.points = Math.floor((weights[result.group] * result.amount) / 100);
        }
        return clues;
      });
      return [scores, all];
    }

    residual(evidence) {
      const scores = [...this.index.bias];
      const crowd = new Map();
      const tally = (feature, share) => {
        eachPoint(this.learnt.get(feature) || "", (cause, gain) => {
          scores[cause] += Math.floor((gain * share) / 100);
        });
      };
      for (const feature of evidence.features.keys()) {
        if (!CROWDED.includes(feature[0])) tally(feature, 100);
        else if (crowd.has(feature[0])) crowd.get(feature[0]).push(feature);
        else crowd.set(feature[0], [feature]);
      }
      for (const features of crowd.values()) for (const feature of features) tally(feature, shared(features.length));
      return scores;
    }

    hits(evidence) {
      const hits = new Map();
      const hit = (row, rare, group, line, value) => {
        if (!hits.has(row) || rare > hits.get(row).amount) {
          hits.set(row, told(group === "not_through" ? NO : YES, group, rare, line, value));
        }
      };
      for (const found of [evidence.names, evidence.features]) {
        for (const [value, line] of found) {
          for (const [row, rare, group] of this.asked.get(value) || []) hit(row, rare, group, line, value);
        }
      }
      if (evidence.prose.length) {
        for (const [value, row, rare] of this.phrases) {
          const line = evidence.saidIn(value);
          if (line >= 0) hit(row, rare, "says", line, value);
        }
      }
      if (evidence.paste.frames.length) {
        for (const [value, row, rare, group] of this.paths) {
          const line = passes(value, evidence.paste.frames);
          if (line >= 0) hit(row, rare, group, line, value);
        }
      }
      return hits;
    }

    claims(cause, evidence, hits, answers) {
      const { clues, symptoms } = this.index;
      const claims = [];
      const all = [];
      const done = new Set();
      const shown = new Set(cause.shown.map((row) => row[0]));
      const final = evidence.final ? evidence.final.symptom : -1;
      for (const symptom of evidence.last.keys()) {
        if (shown.has(symptom)) claims.push([symptom === final ? "final" : "other", symptoms[symptom].rare]);
        else claims.push(["unexplained", 100]);
      }
      if (final >= 0 && !shown.has(final)) claims.push(["unshown", 100]);
      for (const [symptom, alone, rows] of cause.shown) {
        const here = evidence.last.has(symptom);
        if (here && alone) claims.push(["alone", 100]);
        for (const row of rows) {
          const key = clues[row][0];
          if (done.has(row) || (!here && (BOUND.has(key) || key === "ask"))) continue;
          done.add(row);
          const result = hits.get(row) || this.told(clues[row], symptom, here, evidence, answers);
          if (result.group) claims.push([result.group, result.amount]);
          if (result.answer || key === "ask") all.push([row, result]);
        }
      }
      if (Object.keys(cause.applies).length && inside(cause.applies, evidence.paste.versions) === NO) {
        claims.push(["elsewhere", 100]);
      }
      return [claims, all];
    }

    told([key, name, ...values], symptom, here, evidence, answers) {
      if (key === "ask") {
        if (!Object.hasOwn(answers, name)) return NOTHING;
        return answers[name] ? told(YES, "answer", 100) : told(NO, "answer", -100);
      }
      if (key === "version") {
        const way = inside(values[0], evidence.paste.versions);
        return told(way, ["version_no", "", "version"][way + 1], 100);
      }
      if (key === "wording") {
        const seen = evidence.last.get(symptom);
        if (!seen.name) return NOTHING;
        return values.includes(seen.name) ? told(YES, "wording", 100, seen.line) : told(NO, "wording_no", 100, seen.line);
      }
      if (key === "earlier" || key === "not_earlier") {
        const start = evidence.last.get(symptom).span[0][0];
        for (const [rare, value] of values) {
          for (const seen of evidence.seen) {
            if (seen.symptom === value && seen.span[0][0] < start) return told(key === "earlier" ? YES : NO, key, rare, seen.line);
          }
        }
        return key === "earlier" ? told(0, "no_earlier", 100) : NOTHING;
      }
      if (key.endsWith("through") && here && evidence.paste.complete) {
        return key === "through" ? told(NO, "against", 100) : told(YES);
      }
      return NOTHING;
    }

    isKnown(evidence) {
      const [kind, ...signs] = this.signs(evidence);
      if (signs.includes("! ended known") && signs.includes("! raised 0")) return true;
      const weigh = (sign) => this.known.get(sign) || 0;
      const told = signs.reduce((sum, sign) => sum + weigh(sign), 0);
      return Math.min(told, told + this.index.known.bias + weigh(kind)) > 0;
    }

    signs(evidence) {
      const { paste } = evidence;
      const { lookalikes, messages, symptoms } = this.index;
      const kinds = new Set();
      for (const at of evidence.last.keys()) kinds.add(`! ${symptoms[at].notice ? "notice" : "raised"} ${symptoms[at].weak}`);
      for (const name of evidence.spoken.keys()) kinds.add(`! spoken ${messages[name].meta}`);
      const signs = [paste.messages.length || paste.frames.length ? "! trace" : "! words", ...kinds];
      const ended = this.ended(evidence);
      if (ended) {
        signs.push(`! ended ${ended}`);
        if (ended !== "known") {
          for (const kind of kinds.size ? kinds : ["! nothing"]) signs.push(`${kind} then ${ended}`);
        }
      }
      signs.push(...evidence.signed.map((zone) => `! sign ${zone}`));
      const features = [...evidence.features.keys()];
      if (features.some((feature) => this.reader.grammar.hints.includes(feature.slice(2)))) signs.push("! hint");
      const other = this.lookAlike(evidence);
      if (other >= 0) {
        const alike = lookalikes[other];
        signs.push(kinds.size ? "! alike" : "! alike alone", `! alike ${alike.id}`);
        if (alike.final && [...kinds].every((kind) => kind.startsWith("! notice"))) signs.push("! alike final");
        if (alike.strong) signs.push("! alike strong");
      }
      const wanted = signs[0] === "! trace" ? TRACED : WORDED;
      return [...signs, ...features.filter((feature) => wanted.includes(feature[0]))];
    }

    ended({ covered, paste }) {
      const raised = paste.messages.filter(([, kind]) => !kind.endsWith("Warning"));
      if (!raised.length) return "";
      const start = raised.at(-1)[0];
      for (let at = start; at < paste.lines.length && (at === start || paste.lines[at].zone === "message"); at++) {
        if (covered.has(at)) return "known";
      }
      const before = paste.frames.filter((frame) => frame.at < start).at(-1);
      return before && before.user ? "own" : "other";
    }

    lookAlike(evidence) {
      const seen = sightings(this.alike, evidence.text, evidence.ends);
      return seen.length ? seen.at(-1).symptom : -1;
    }

    shares(scores) {
      const top = Math.max(...scores, scores.length ? -Infinity : 0);
      const parts = scores.map((score) => Math.exp((score - top) / this.index.heat));
      const sum = parts.reduce((total, part) => total + part, 0);
      return parts.map((part) => part / sum);
    }

    answer(evidence, ranked, scores, clues) {
      const { index } = this;
      const shares = this.shares(scores);
      const known = this.isKnown(evidence);
      const first = ranked.length ? 100 * shares[ranked[0]] : 0;
      let other = null;
      let verdict;
      if (!known) {
        other = index.lookalikes[this.lookAlike(evidence)] || null;
        verdict = other ? "look-alike" : "nothing";
      } else if (evidence.seen.length || evidence.spoken.size) {
        const best = clues[ranked[0]];
        const denied = best.some(([row, result]) => result.answer === NO && index.clues[row][0] === "ask");
        const sure = first >= index.sure && this.supported(ranked[0], best, evidence) && !denied;
        verdict = sure ? "cause" : "symptom";
      } else verdict = first >= index.guess ? "guess" : "unlisted";
      const shows = (at) => index.causes[at].shown.some((row) => evidence.last.has(row[0]));
      const listed = ranked.filter((at) => known && (100 * shares[at] >= 1 || shows(at)));
      const { lines } = evidence.paste;
      const gains = this.gains(evidence, listed.slice(0, SHOWN));
      return {
        known,
        verdict,
        says: index.says[verdict],
        symptoms: [...new Set(evidence.seen.map((seen) => this.names[seen.symptom]))],
        seen: evidence.seen.map((seen) => ({
          id: this.names[seen.symptom],
          title: index.symptoms[seen.symptom].title,
          url: index.site + "e/" + this.names[seen.symptom] + "/",
          wording: seen.name,
          line: lines[seen.line].number,
          text: lines[seen.line].text.slice(0, 300),
        })),
        causes: [...gains].map(([at, own]) => this.cause(at, scores[at], shares[at], clues[at], evidence, own)),
        why_not: other && { id: other.id, title: other.title, says: other.says },
        next: verdict === "cause" || !known ? null : { says: index.says.next, code: index.says.code },
      };
    }

    supported(at, clues, evidence) {
      return (
        clues.some(([row, result]) => result.answer === YES && CHECKED.has(this.index.clues[row][0])) ||
        this.index.causes[at].shown.some(([symptom, alone]) => alone && evidence.last.has(symptom))
      );
    }

    cause(at, score, share, clues, evidence, gains) {
      const cause = this.index.causes[at];
      const { lines } = evidence.paste;
      const kinds = { [YES]: [], [NO]: [], 0: [] };
      const quoted = new Set();
      for (const [row, result] of [...clues].sort((a, b) => Math.abs(b[1].points) - Math.abs(a[1].points))) {
        const [key, name, ...values] = this.index.clues[row];
        const says = this.says(key, values, result);
        if (quoted.has(`${result.answer} ${says}`)) continue;
        quoted.add(`${result.answer} ${says}`);
        const line = lines[result.line];
        kinds[result.answer].push({
          clue: key,
          id: name,
          says,
          line: line ? line.number : 0,
          text: line ? line.text.slice(0, 120) : "",
        });
      }
      kinds[YES].push(...this.reasons(gains, evidence, new Set(kinds[YES].map((item) => item.line))));
      return {
        id: cause.id,
        title: cause.title,
        url: this.index.site + "e/" + cause.id + "/",
        score,
        share: Math.floor(100 * share + 0.5),
        yes: kinds[YES],
        no: kinds[NO],
        open: kinds[0],
      };
    }

    gains(evidence, causes) {
      const gains = new Map(causes.map((at) => [at, new Map()]));
      for (const [feature, line] of evidence.features) {
        if (line < 0 || "mMnv".includes(feature[0])) continue;
        eachPoint(this.learnt.get(feature) || "", (cause, gain) => {
          const own = gains.get(cause);
          if (own) own.set(line, (own.get(line) || 0) + gain);
        });
      }
      return gains;
    }

    reasons(gains, evidence, quoted) {
      const found = [];
      for (const line of [...gains.keys()].sort((a, b) => gains.get(b) - gains.get(a) || a - b)) {
        const shown = evidence.paste.lines[line];
        if (found.length >= LEARNT || gains.get(line) < this.index.telling || quoted.has(shown.number)) continue;
        const says = this.index.says.learnt;
        found.push({ clue: "learnt", id: `learnt-${line}`, says, line: shown.number, text: shown.text.slice(0, 120) });
      }
      return found;
    }

    says(key, values, result) {
      if (key === "ask") return String(values[0]);
      let names;
      if (key === "version") names = Object.entries(values[0]).map(([name, wanted]) => `${name} ${wanted}`);
      else if (key === "wording") names = values;
      else if (key.endsWith("earlier")) names = values.map(([, value]) => `“${this.index.symptoms[value].title}”`);
      else {
        const marks = key === "says" ? "“”" : "``";
        const asked = result.found ? [result.found] : values.map(([, value]) => value);
        names = asked.map((value) => marks[0] + this.written.get(value) + marks[1]);
      }
      key = key.replace("not_", "");
      if ((key === "wording" && result.answer === NO) || (key === "through" && !result.found)) key = "not_" + key;
      return this.index.says[key].replaceAll("{}", () => names.join(" or "));
    }
  }

  globalThis.UnmetaMatch = { load: (index) => new Matcher(index), inside, numbers };
})();
