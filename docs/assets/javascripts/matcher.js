/* From a pasted text to the causes that fit it, in the reader's own browser; nothing is sent anywhere.

   globalThis.UnmetaMatch.load(index).explain(text, answers) returns the same object as the Python
   function unmeta.match.explain, whose documentation describes it. This file repeats
   src/unmeta/match/{template,paste,rank}.py function by function; tests/match/test_parity.py compares
   them. A classic script: no modules, no fetch, no DOM. */
(function () {
  "use strict";

  /* template.py */

  const HOLE_LIMIT = 600;

  function fold(text) {
    return text.replace(/[`'" \t\r\n\f\v]+/g, "").replace(/[A-Z]+/g, (part) => part.toLowerCase());
  }

  function spans(folded, text, limit = 6) {
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
      const start = rfind(text, literal, Math.max(0, before - HOLE_LIMIT - literal.length), Math.max(0, before - 1));
      if (start < 0) return null;
      span.unshift([start, start + literal.length]);
    }
    for (let place = pivot + 1; place < folded.length; place++) {
      const literal = folded[place];
      if (!literal) continue;
      const after = span.at(-1)[1];
      const start = find(text, literal, after + 1, after + HOLE_LIMIT + literal.length);
      if (start < 0) return null;
      span.push([start, start + literal.length]);
    }
    return span;
  }

  function find(text, literal, start, end) {
    const at = text.slice(start, end).indexOf(literal);
    return at < 0 ? at : at + start;
  }

  function rfind(text, literal, start, end) {
    const at = text.slice(start, end).lastIndexOf(literal);
    return at < 0 ? at : at + start;
  }

  /* paste.py */

  const LIMIT = 160000;
  const LINES = 6000;
  const HEAD_SIZE = 24000;
  const TAIL = 40000;
  const AROUND = 2000;
  const SIGNALS = [
    "meta tensor",
    "Meta tensor",
    "on meta",
    "meta device",
    "device meta",
    "='meta'",
    "offload",
    "and meta",
    "meta and ",
    "'Meta' backend",
    "device_map",
    "Traceback (most recent call last)",
    "Error: ",
  ];
  const TYPOGRAPHY = [
    ["\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f", ""],
    ["\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000", " "],
    ["\u2028\u2029\u0085", "\n"],
    ["\u2018\u2019\u201a\u201b\u2032\u00b4\uff07", "'"],
    ["\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02", '"'],
    ["\u2026\u22ef\u2025", "..."],
    ["\u2010\u2011\u2012\u2013\u2014\u2212", "-"],
    ["\u2500\u2501\u256d\u256e\u2570\u256f\u250c\u2510\u2514\u2518\u251c\u2524\u2550", "-"],
    ["\u2502\u2503\u2551\uff5c", "|"],
    ["\u203a", ">"],
    ["\u2771\u276f", "-->"],
    ["\u2192\u27f6", "->"],
    ["\uff1a", ":"],
    ["\uff1b", ";"],
    ["\uff01", "!"],
    ["\uff08", "("],
    ["\uff09", ")"],
    ["\uff0c", ","],
    ["\u241b", "\x1b"],
  ];
  const PLAIN = new Map();
  for (const [chars, value] of TYPOGRAPHY) for (const char of chars) PLAIN.set(char, value);
  const NOT_ASCII = /[^\x00-\x7f]/;
  const NON_ASCII = /[^\x00-\x7f]+/g;
  const TYPOGRAPHIC = new RegExp("[" + TYPOGRAPHY.map((row) => row[0]).join("") + "]", "g");
  const ANSI =
    /(?:\x1b|\\x1b|\\u001b|\\033|\\e)\[[0-9;?]{0,40}[A-Za-z]|\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)|\[(?:[0-9]{1,2}(?:;[0-9]{1,3}){0,4})?m/g;
  const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
  const TAG =
    /<\/?(?:a|b|i|p|br|div|span|pre|code|em|strong|details|summary|font|li|ul|td|tr|tt|blockquote)(?: [^<>\n]{0,300})?\/?>/g;
  const BREAK = /<(?:br|\/p|\/div|\/li|\/tr|\/pre)(?: ?\/)?>/g;
  const ENTITY = /&(?:amp;){0,4}(lt|gt|quot|apos|nbsp|#39|#x27|#34|#x60|#96|#10|amp);/g;
  const ENTITIES = {
    lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", "#39": "'", "#x27": "'", "#34": '"',
    "#x60": "`", "#96": "`", "#10": "\n", amp: "&",
  };
  const PREFIX = new RegExp(
    "(?:" +
      "\\[(?:[Rr]ank|RANK|default|worker|trainer)[ :]?(?<rank>[0-9]{1,5})\\]:?" +
      "|(?:[Rr]ank|RANK) ?(?<bare>[0-9]{1,5}): " +
      "|(?:std(?:err|out):|\\[std(?:err|out)\\]|[0-9]{1,5}:) (?=\\[[Rr]ank)" +
      "|\\[(?<mpi>[0-9]{1,4},[0-9]{1,5})\\](?:<std(?:err|out)>)?:" +
      "|\\((?<ray>[A-Za-z_][A-Za-z0-9_.]{0,60},? pid=[0-9]{1,9}(?:, ip=[0-9.]{1,20})?)\\)" +
      "|\\[?[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ,][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?" +
      "(?:Z|[ ]?[+-][0-9]{2}:?[0-9]{2})?\\]?:?" +
      "|\\[?[0-9]{1,2}[-/][0-9]{1,2}(?:[-/][0-9]{2,4})?[ ,]{1,2}[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?\\]?" +
      "|\\[?[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,:-][0-9]{1,9})?\\]?(?= )" +
      "|[A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8} [A-Za-z0-9._-]{1,60} [A-Za-z0-9._/-]{1,60}(?:\\[[0-9]{1,9}\\])?:" +
      "|[EWIF][0-9]{4} [0-9:.]{8,16} {1,8}[0-9]{1,20} [A-Za-z0-9_./-]{1,80}:[0-9]{1,6}\\]" +
      "|std(?:err|out) [FP](?= )" +
      "|[a-z][a-z0-9_.-]{1,60}[-_][0-9]{1,3} {1,40}\\|" +
      "|\\[?(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\\]?(?:[ :|-]|$)" +
      "|\\{[A-Za-z0-9_./-]{1,80}:[0-9]{1,6}\\}" +
      "|E {2,16}" +
      "|>{1,8}(?: |$)" +
      "|\\+[-+ ]{1,80}(?:[0-9]{1,3} -{1,80})?" +
      "|\\|" +
      "|- (?=\\[|[0-9]{4}-|[A-Z]{4,8}\\b)" +
      ")[ \\t]*",
    "y",
  );
  const AFTER = /^[-:|]{1,3} {1,12}/;
  const ARROW = /^-{1,9}> {0,4}[0-9]{1,7} {0,4}\|? {0,40}(.*)/;
  const FENCE = /^(?:```|~~~)[A-Za-z0-9_+-]{0,20}$/;
  const RULE = /^[-=*_~^ ]{3,}$/;
  const HEADER = "Traceback (most recent call last)";
  const PREFIXED = 120;
  const MARKS = /^[-=~^ |]{3,}$/;
  const LOST =
    / (?=(?:[A-Za-z_][A-Za-z0-9_]{0,40}\.){0,6}[A-Z][A-Za-z0-9_]{0,40}(?:Error|Exception|Interrupt)(?:: |$))| (?=Traceback \(most recent call last\))| (?=During handling of the above exception|The above exception was the direct cause)| (?=-{3,}> ?[0-9]{1,6} )/g;
  const FILE = /^File ["']?(.{1,400}?)["']?, line ([0-9]{1,7})(?:, in ([A-Za-z0-9_.<>]{1,200}))?/;
  const COLON =
    /^(?:File )?([^ \t:"'(][^"'(]{0,400}?\.pyx?):([0-9]{1,7})(?:: |,)? ?(?:in )?([A-Za-z0-9_.<>]{1,200})?/;
  const CELL =
    /^(?:(?:Cell )?In(?:put)? ?\[[0-9 ]{1,6}\]|<ipython-input-[0-9a-f-]{1,60}>)(?:, line [0-9]{1,7})?,?(?: in ([A-Za-z0-9_.<>]{1,200}))?/;
  const OLD = /^([^ \t"'(][^"'(]{0,400}?\.pyx?) in ([A-Za-z0-9_.<>]{1,200})/;
  const MESSAGE =
    /^((?:[A-Za-z_][A-Za-z0-9_]{0,60}\.){0,8})([A-Z][A-Za-z0-9_]{0,60}(?:Error|Exception|Warning|Interrupt|Exit|Failed|NotFound|Group)|Exception|NYI)(?::[ \t]{0,8}(.*)|$)/;
  const WARNED = /:[0-9]{1,7}: ([A-Z][A-Za-z]{2,40}Warning): (.*)/;
  const LIBRARY = /(?:site|dist)-packages\/|\/lib\/python[0-9.]{1,6}\/|\.zip\/|\.egg\/|\.whl\//g;
  const PACKAGES = [
    "torch", "transformers", "accelerate", "peft", "diffusers", "safetensors", "deepspeed",
    "sentence_transformers", "bitsandbytes", "optimum", "torchao", "trl", "lightning",
  ];
  const STDLIB = new Set(["threading.py", "runpy.py", "contextlib.py", "copy.py", "pickle.py", "functools.py"]);
  const VERSION =
    /(?:^|[^A-Za-z0-9_.\/-])(python|pytorch|torch|transformers|accelerate|safetensors|peft|diffusers|sentence[-_]transformers|deepspeed|bitsandbytes|torchao|timm)[`*"']{0,3}(?: {0,2}version)?(?: \(gpu\?\))?(?:(?:==|[ :=@|`*"'v\t]{1,12})([0-9]{1,4}\.[0-9]{1,4}[0-9A-Za-z.+]{0,24})|(?: v|==)([0-9]{1,2})(?![0-9A-Za-z.]))/g;
  const NAME = /[A-Za-z_][A-Za-z0-9_]{1,60}/g;
  const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

  function asciiText(text) {
    if (!NOT_ASCII.test(text)) return text;
    return text.replace(TYPOGRAPHIC, (char) => PLAIN.get(char)).replace(NON_ASCII, "?");
  }

  function bound(text) {
    if (text.length <= LIMIT) return text;
    const windows = [
      [0, HEAD_SIZE],
      [text.length - TAIL, text.length],
    ];
    const around_ = (at) => windows.push([Math.max(0, at - AROUND), Math.min(text.length, at + AROUND)]);
    for (const signal of SIGNALS) {
      let at = -1;
      for (let turn = 0; turn < 2; turn++) {
        at = text.indexOf(signal, at < 0 ? at + 1 : at + AROUND);
        if (at < 0) break;
        around_(at);
      }
      at = text.length - TAIL;
      for (let turn = 0; turn < 2; turn++) {
        at = at - signal.length < 0 ? -1 : text.lastIndexOf(signal, at - signal.length);
        if (at < 0) break;
        around_(at);
        at -= AROUND;
      }
    }
    windows.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const parts = [];
    let end = 0;
    for (const [start, stop] of windows) {
      if (stop <= end) continue;
      if (start > end) parts.push("\n...\n");
      parts.push(text.slice(Math.max(start, end), stop));
      end = stop;
    }
    return parts.join("");
  }

  function unescaped(text) {
    if (
      text.includes("\\n") &&
      (text.includes('\\n  File "') || text.includes("(most recent call last):\\n") || text.includes("\\nFile"))
    ) {
      text = text.replaceAll("\\n", "\n").replaceAll('\\"', '"');
    }
    if (text.includes("\x1b") || text.includes("[")) text = text.replace(ANSI, "");
    if (text.includes("&")) text = text.replace(ENTITY, (_, name) => ENTITIES[name]);
    if (text.includes("<") && text.includes(">")) text = text.replace(BREAK, "\n").replace(TAG, "");
    text = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").replaceAll("\t", " ");
    return text.replace(CONTROL, " ");
  }

  function trimmed(text, chars = " ") {
    let start = 0;
    let end = text.length;
    while (start < end && chars.includes(text[start])) start++;
    while (end > start && chars.includes(text[end - 1])) end--;
    return text.slice(start, end);
  }

  function stripped(line) {
    line = trimmed(line);
    let rank = "";
    let size = 0;
    while (size !== line.length) {
      size = line.length;
      PREFIX.lastIndex = 0;
      const found = PREFIX.exec(line);
      if (!found) break;
      rank = rank || found.groups.rank || found.groups.bare || found.groups.mpi || found.groups.ray || "";
      line = line.slice(PREFIX.lastIndex).replace(AFTER, "");
    }
    if (line.endsWith("|")) {
      let end = line.length;
      while (end && (line[end - 1] === "|" || line[end - 1] === " ")) end--;
      line = line.slice(0, end);
    }
    return [trimmed(line, line.includes("Traceback (most recent") ? "- " : " "), rank];
  }

  function clean(text) {
    return cleaned(text)[0];
  }

  function unprefixed(lines) {
    let known = null;
    lines.forEach(([line, rank], at) => {
      const start = line.indexOf(HEADER);
      if (start > 0 && start <= PREFIXED && at + 1 < lines.length) {
        const shape = line.slice(0, start).replace(/ +$/, "").replace(/[^A-Za-z0-9 ]/g, "\\$&");
        const prefix = new RegExp("^" + shape.replace(/[0-9]+/g, "[0-9]{1,20}") + " {0,8}");
        if (prefix.test(lines[at + 1][0])) known = prefix;
      }
      const found = known && known.exec(line);
      if (found) {
        const [inner, own] = stripped(line.slice(found[0].length));
        lines[at] = [inner, rank || own];
      }
    });
    return lines;
  }

  function cleaned(text) {
    const lines = [];
    const ranked = new Map();
    let raws = unescaped(bound(asciiText(text))).split("\n");
    if (raws.length > LINES) raws = [...raws.slice(0, LINES / 3), "...", ...raws.slice((-LINES * 2) / 3)];
    for (const [line, rank] of unprefixed(raws.map(stripped))) {
      if (!line || FENCE.test(line)) continue;
      if (MARKS.test(line) || RULE.test(line)) continue;
      if (!rank) {
        lines.push(line);
        continue;
      }
      if (!ranked.has(rank)) ranked.set(rank, []);
      ranked.get(rank).push(line);
    }
    for (const group of ranked.values()) for (const line of group) lines.push(line);
    return [rewrapped(lines), [...ranked.keys()]];
  }

  function rewrapped(lines) {
    const mended = [];
    for (const line of lines) {
      const last = mended.at(-1) || "";
      if (last.length > 40 && last.startsWith('File "') && !last.includes(", in ")) {
        const joined = last + (["in", ",", "line"].some((end) => last.endsWith(end)) ? " " : "") + line;
        const found = FILE.exec(joined);
        if (found && found[3]) {
          mended[mended.length - 1] = joined;
          continue;
        }
      }
      if (line.length > 80 && (line.includes("File ") || line.includes("Traceback") || line.includes(": line"))) {
        for (const part of unjoined(line)) mended.push(part);
      } else {
        mended.push(line);
      }
    }
    return mended;
  }

  function count(text, part) {
    return text.split(part).length - 1;
  }

  function unjoined(line) {
    if (
      count(line, 'File "') + count(line, "File /") + count(line, "File ~") < 2 &&
      !line.slice(1).includes("Traceback (most")
    ) {
      return [line];
    }
    line = line.replaceAll(' File "', '\nFile "').replaceAll(" File /", "\nFile /").replaceAll(" File ~", "\nFile ~");
    return line.replace(LOST, "\n").split("\n").map((part) => trimmed(part)).filter(Boolean);
  }

  function moduleOf(path) {
    path = trimmed(path.replaceAll("\\\\", "/").replaceAll("\\", "/"));
    if (path.startsWith("~/")) path = path.slice(2);
    let user = true;
    let pathEnd = 0;
    for (const found of path.matchAll(LIBRARY)) {
      pathEnd = found.index + found[0].length;
      user = false;
    }
    if (user) {
      for (const name of PACKAGES) {
        const at = path.lastIndexOf("/" + name + "/");
        const inside_ = at >= 0 ? path.slice(at + 1) : path.startsWith(name + "/") ? path : "";
        const folders = ["examples", "src", "tests", "scripts"].map((folder) => `${name}/${folder}/`);
        if (inside_ && !folders.some((folder) => inside_.startsWith(folder))) {
          path = inside_;
          user = false;
          break;
        }
      }
    } else {
      path = path.slice(pathEnd);
      if (path.startsWith("transformers_modules/") || path.startsWith("ipykernel_launcher")) user = true;
    }
    const at = path.lastIndexOf("transformers_modules/");
    if (at >= 0) {
      path = path.slice(at);
      user = true;
    }
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (path.startsWith("<frozen ") || STDLIB.has(name)) user = false;
    if (path.endsWith(".py")) path = path.slice(0, -3);
    else if (path.endsWith(".pyx")) path = path.slice(0, -4);
    if (path.endsWith("/__init__")) path = path.slice(0, -9);
    return [path, user];
  }

  function frameOf(line, at) {
    let path, number, name, found;
    if (line.startsWith("File ") && (found = FILE.exec(line))) {
      [path, number, name] = [found[1], found[2], found[3] || ""];
    } else if (
      (line.slice(0, 10).includes("In [") ||
        line.slice(0, 10).includes("In[") ||
        line.startsWith("Input In") ||
        line.startsWith("<ipython")) &&
      (found = CELL.exec(line))
    ) {
      return { module: "<cell>", function: lastPart(found[1] || "<module>"), line: 0, user: true, at, code: "", codeAt: at };
    } else if (line.includes(".py")) {
      if ((found = COLON.exec(line))) [path, number, name] = [found[1], found[2], found[3] || ""];
      else if ((found = OLD.exec(line))) [path, number, name] = [found[1], "0", found[2]];
      else return null;
      if (path.includes(" ") && !path.includes("/") && !path.includes("\\")) return null;
    } else {
      return null;
    }
    if (name && MESSAGE.test(name)) name = "";
    const [module_, user] = moduleOf(path);
    return { module: module_, function: lastPart(name), line: Number(number), user, at, code: "", codeAt: at };
  }

  function lastPart(name) {
    return name.slice(name.lastIndexOf(".") + 1);
  }

  function readPaste(text) {
    const [lines, ranks] = cleaned(text);
    const paste = { lines, ranks, frames: [], messages: [], complete: false, versions: versionsIn(lines) };
    let header = -1;
    let cut = false;
    lines.forEach((line, at) => {
      let found, frame;
      if (line.includes(": ") && (found = WARNED.exec(line))) {
        paste.messages.push([at, found[1], found[2]]);
      } else if ((frame = frameOf(line, at))) {
        paste.frames.push(frame);
      } else if ((found = MESSAGE.exec(line))) {
        paste.messages.push([at, found[2], found[3] || ""]);
        if (header >= 0 && !cut && paste.frames.length && paste.frames.at(-1).at > header) paste.complete = true;
        header = -1;
      } else if (line.includes(HEADER)) {
        header = at;
        cut = false;
      } else if (["...", "[...", "(...", "<snip", "[snip"].some((mark) => line.startsWith(mark))) {
        cut = true;
      } else if (paste.frames.length && !line.startsWith(REPEATED)) {
        const last = paste.frames.at(-1);
        found = ARROW.exec(line);
        if (found || last.at === at - 1) [last.code, last.codeAt] = [found ? found[1] : line, at];
      }
    });
    return paste;
  }

  function versionsIn(lines) {
    const versions = new Map();
    for (const line of lines) {
      if (line.length > 400 || line.startsWith("File ")) continue;
      for (const found of line.toLowerCase().matchAll(VERSION)) {
        let name = found[1].replaceAll("_", "-");
        if (name === "pytorch") name = "torch";
        let version = found[2] || found[3];
        while (version.endsWith(".")) version = version.slice(0, -1);
        if (!versions.has(name)) versions.set(name, version);
      }
    }
    return versions;
  }

  function stem(word) {
    for (const ending of ["ing", "ed", "es", "s"]) {
      if (word.length > ending.length + 3 && word.endsWith(ending) && !word.endsWith("ss")) {
        return word.slice(0, -ending.length);
      }
    }
    return word;
  }

  function wordsOf(text, whole) {
    const seen = new Set();
    for (const [name] of text.matchAll(NAME)) {
      const parts = name.match(PART) || [];
      if (parts.length > 1) seen.add(name.toLowerCase());
      if (parts.length > 1 && whole) continue;
      for (const part of parts) if (part.length > 1 && !/^[0-9]/.test(part)) seen.add(stem(part.toLowerCase()));
    }
    return [...seen];
  }

  /* pack.py */

  const BASE = 40;
  const STEP = 4;

  function unpack(text) {
    return new Map(text ? text.split("\n").map((line) => line.split(" ")) : []);
  }

  function tally(table, keys) {
    const points = new Map();
    for (const key of keys) {
      const posting = table.get(key) || "";
      for (let at = 0; at < posting.length; at += 2) {
        const cause = posting.charCodeAt(at) - BASE;
        points.set(cause, (points.get(cause) || 0) + (posting.charCodeAt(at + 1) - BASE) * STEP);
      }
    }
    return points;
  }

  /* rank.py */

  const HEAD = 16;
  const CHANCE = 8;
  const CUT = 24;
  const SHOWN = 24;
  const CODE = 28;
  const REPEATED = "[Previous line repeated";
  const PLUMBING = "torch/nn/modules/module";
  const TRACE = 24;
  const END = 5;
  const TELLING = 24;
  const CLOSE = 28;
  const YES = 1;
  const NO = -1;
  const HOOKED = ["weights map", "sequentialhook", "aligndeviceshook", " hf hook"];
  const HINTS = [
    "init_empty_weights", "to_empty", "hf_device_map", "cpu_ram_efficient_loading", "fsdp_cpu_ram_efficient_loading",
  ];
  const META_ONLY = new Set(["register_empty_parameter", "register_empty_buffer", "meta_local_scalar_dense"]);
  const BOUND = new Set(["earlier", "not_earlier", "wording"]);
  const TOKEN = /[a-z0-9]+/g;
  const SPACES = /[-_ \n]+/g;
  const QUOTE = /[`'"]+/g;
  const SIGN =
    /(?:device|type)[ =(]{1,3}meta(?![a-z0-9/])|(?:^|[^a-z0-9.])meta (?:tensors?|device|parameters?|params?|weights?|buffers?|backend|kernels?|init|module|modules|state|storage)(?![a-z0-9])|(?:^|[^a-z0-9])(?:on|to|onto|from|in|is|are|be|left|still|stuck|remains?|stays?|device|torch has no attribute):? (?:the )?meta(?! ?(?:llama|ai|platforms?|inc|learning|opt|research|seamless|chameleon|prompt|data|class|quest|tags?|logo|store|horizon|business|verified))(?![a-z0-9/.])|(?:^|[^a-z0-9])\(meta\)|dispatchkey.meta|meta[a-z]{3,8}type(?![a-z0-9])/;
  // In the list of backends that torch prints after a missing kernel one line tells the operator's kind.
  const REGISTERED =
    /\b(?!FuncTorchBatched:)[A-Za-z]{1,60}: (?:fallthrough )?registered at [^ \n]{1,200} \[[a-z ]{1,20}\]/g;
  const PRINTED = /(parameters|buffers): ([0-9]{1,9}) of ([0-9]{1,9}) on meta/g;
  const HOOKS = /accelerate hooks: ([0-9]{1,9})/;

  function squash(text) {
    return trimmed(text.toLowerCase().replace(QUOTE, "").replace(SPACES, " "));
  }

  function sightings(wordings, text, ends) {
    const found = [];
    wordings.forEach(([symptom, name, literals, lead, size, meta], order) => {
      const sought = literals[lead];
      const head = sought.slice(0, HEAD);
      let at = text.indexOf(head);
      if (at < 0) return;
      const whole = spans(literals, text);
      for (const span of whole) found.push([-size, 0, size, order, { symptom, name, span, line: 0 }]);
      if (whole.length || sought.length <= HEAD) return;
      for (let turn = 0; turn < 4; turn++) {
        const length = common(sought, text, at);
        const stop = ends.has(at + length) || text.startsWith("...", at + length);
        const cut = stop && length >= Math.min(CUT + 12, Math.max(CUT, Math.floor(size / 2)));
        const hole = length === sought.length && length >= CUT + HEAD;
        const enough = sought.slice(0, length).includes("meta")
          ? length >= CUT || ends.has(at + length)
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

  function unsaid(lines, starts, seen) {
    const rest = [...lines];
    const places = new Map();
    for (const { span } of seen) {
      for (const [start, end] of span) {
        let line = lineAt(starts, start);
        while (line < lines.length && starts[line] < end) {
          if (!places.has(line)) {
            places.set(line, [...lines[line]].flatMap((char, at) => (" `'\"".includes(char) ? [] : [at])));
          }
          const own = places.get(line);
          const first = Math.max(start - starts[line], 0);
          const last = Math.min(end - starts[line], own.length) - 1;
          if (first <= last) {
            const [a, b] = [own[first], own[last] + 1];
            rest[line] = rest[line].slice(0, a) + " ".repeat(b - a) + rest[line].slice(b);
          }
          line++;
        }
      }
    }
    return rest;
  }

  function evidenceOf(paste, wordings) {
    const folded = paste.lines.map(fold);
    const starts = [];
    let end = 0;
    for (const line of folded) {
      starts.push(end);
      end += line.length;
    }
    const seen = sightings(wordings, folded.join(""), new Set([...starts, end]));
    for (const sighting of seen) sighting.line = lineAt(starts, sighting.span[0][0]);
    let rest = unsaid(paste.lines, starts, seen);
    for (const frame of paste.frames) {
      // A library's functions and source lines are nobody's words; of the person's own the names count.
      rest[frame.at] = frame.user ? `${frame.module} ${frame.function}` : frame.module;
      if (frame.code && !frame.user) rest[frame.codeAt] = "";
    }
    let whole = rest.join("\n");
    if (whole.includes("registered at ")) {
      whole = whole.replace(REGISTERED, "");
      rest = whole.split("\n");
    }
    let text = squash(whole);
    for (const fact of [printedFacts(whole), ...paste.ranks.slice(0, 8).map((rank) => `[rank${rank}]`)]) {
      if (fact) text += " " + fact;
    }
    const names = new Set(paste.frames.map((frame) => `${frame.module}:${frame.function}`));
    const stop = stoppedAt(paste.frames, paste.versions.has("torch"));
    if (stop) names.add(`${PLUMBING}:_apply(${stop})`);
    const features = [...featuresOf(paste.frames)];
    if (paste.frames.length && !paste.complete) {
      features.push(...ending(paste.frames));
      if (paste.frames[0].at > 0) features.push("=" + fold(paste.lines[paste.frames[0].at - 1]).slice(0, CODE));
    }
    for (const symptom of new Set(seen.map((sighting) => sighting.symptom))) features.push(`seen ${symptom}`);
    const atFrames = new Set(paste.frames.map((frame) => frame.at));
    const own = rest.filter((line, at) => !atFrames.has(at) && !line.startsWith(REPEATED));
    for (const frame of paste.frames) {
      if (frame.module !== PLUMBING) own.push(frame.module.split("/")[0] + " " + frame.function);
    }
    const said = own.join("\n");
    const words = wordsOf(said);
    const tokens = new Set([...(text.match(TOKEN) || []), ...words]);
    return {
      seen,
      text,
      tokens,
      frames: paste.frames,
      complete: paste.complete,
      versions: paste.versions,
      names,
      features,
      hinted: HINTS.some((hint) => words.includes(hint)),
      sign: signed(text) || paste.frames.some((frame) => META_ONLY.has(frame.function)),
      words,
      wholes: wordsOf(said, true),
      last: new Map(seen.map((sighting) => [sighting.symptom, sighting])),
    };
  }

  function traitsOf(evidence) {
    const names = evidence.frames
      .filter((frame) => !frame.user && frame.module !== PLUMBING)
      .map((frame) => `${frame.module}:${frame.function}`);
    return [...new Set([...evidence.wholes, ...names])];
  }

  function signed(text) {
    if (HOOKED.some((name) => text.includes(name))) return true;
    let at = text.indexOf("meta");
    for (let turn = 0; turn < 200; turn++) {
      if (at < 0) return false;
      if (SIGN.test(text.slice(Math.max(0, at - 24), at + 30))) return true;
      at = text.indexOf("meta", at + 4);
    }
    return false;
  }

  function printedFacts(text) {
    const facts = [];
    for (const [, kind, some, all] of text.matchAll(PRINTED)) {
      const amount = !Number(some) ? "no" : Number(some) === Number(all) ? "all" : "some";
      facts.push(`${amount} ${kind} are on meta`);
    }
    const hooks = facts.length && HOOKS.exec(text);
    if (hooks) facts.push(Number(hooks[1]) ? "accelerate hooks are attached" : "without accelerate hooks");
    return facts.join(", ");
  }

  function stoppedAt(frames, known) {
    const applies = (frame) => frame.function === "_apply" && frame.module === PLUMBING;
    const last = frames.findLastIndex(applies);
    if (last < 0) return "";
    const { code } = frames[last];
    const nested = known && !code && last > 0 && applies(frames[last - 1]);
    const away = nested ? frames[last].line - frames[last - 1].line : 0;
    if (code.includes("fn(buf)") || (away >= 40 && away <= 120)) return "buffer";
    return code.includes("fn(param)") || (away >= 15 && away < 40) ? "parameter" : "";
  }

  const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? 0xedb88320 ^ (byte >>> 1) : byte >>> 1;
    return byte >>> 0;
  });

  function short(feature) {
    let crc = 0xffffffff;
    for (let at = 0; at < feature.length; at++) crc = CRC[(crc ^ feature.charCodeAt(at)) & 255] ^ (crc >>> 8);
    return ((crc ^ 0xffffffff) >>> 0).toString(16);
  }

  function featuresOf(frames) {
    const features = new Set();
    let loading = false;
    for (const frame of frames) {
      features.add(`${frame.user ? "user" : frame.module}:${frame.function}`);
      if (frame.user && loading && frame.function === "__init__") features.add("from_pretrained>__init__");
      loading = loading || ["from_pretrained", "from_config", "_from_config"].includes(frame.function);
      if (frame.code) features.add("=" + fold(frame.code).slice(0, CODE));
    }
    const last = frames.at(-1);
    if (last) features.add(`last ${last.user ? "user" : last.module}:${last.function}`);
    return features;
  }

  function ending(frames) {
    return frames.length >= END ? ["end " + frames.slice(-END).map((frame) => frame.function).join(">")] : [];
  }

  function frameKey(value) {
    const steps = value.split(">").map((step) => {
      const [module_, ...name] = trimmed(step).split(":");
      return `${module_.replaceAll(".", "/")}:${lastPart(name.join(":"))}`;
    });
    return steps.join(" > ");
  }

  function passes(value, frames) {
    const steps = value.split(" > ");
    let step = 0;
    for (const frame of frames) {
      const colon = steps[step].indexOf(":");
      const module_ = steps[step].slice(0, colon);
      const fits = module_ === "*" || (module_ === "user" ? frame.user : module_ === frame.module);
      const name = steps[step].slice(colon + 1);
      if (fits && (name === "*" || name === frame.function)) {
        step++;
        if (step === steps.length) return true;
      }
    }
    return false;
  }

  function mentioned(value, text) {
    let at = text.indexOf(value);
    for (let turn = 0; turn < 40; turn++) {
      if (at < 0) return false;
      const end = at + value.length;
      const before = at > 0 && isWord(value[0]) && isWord(text[at - 1]);
      const after = end < text.length && isWord(value.at(-1)) && isWord(text[end]);
      if (!before && !after) return true;
      at = text.indexOf(value, at + 1);
    }
    return false;
  }

  function isWord(char) {
    return (char >= "a" && char <= "z") || (char >= "0" && char <= "9");
  }

  function inside(ranges, versions) {
    let result = 0;
    for (const name of Object.keys(ranges)) {
      if (!versions.has(name)) continue;
      const version = numbers(versions.get(name));
      for (const part of ranges[name].split(",")) if (!holds(trimmed(part), version)) return NO;
      result = YES;
    }
    return result;
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

  function holds(part, version) {
    const sign = [">=", "<=", "==", "!=", "~="].includes(part.slice(0, 2)) ? part.slice(0, 2) : part.slice(0, 1);
    const text = trimmed(part.slice(sign.length));
    const wanted = numbers(text);
    if (sign === "==" || sign === "!=" || version.length < 2) {
      const size = Math.min(wanted.length, version.length);
      const begins = compared(version.slice(0, size), wanted.slice(0, size));
      if ([">", "<", ">=", "<="].includes(sign)) return sign[0] === ">" ? begins >= 0 : begins <= 0;
      if (text.endsWith("*") || version.length < wanted.length) return (begins === 0) === (sign === "==");
      return (compared(version, wanted) === 0) === (sign === "==");
    }
    const order = compared(version, wanted);
    if (sign === ">=") return order >= 0;
    if (sign === "<=") return order <= 0;
    if (sign === ">") return order > 0;
    if (sign === "<") return order < 0;
    const series = wanted.slice(0, -1);
    return order >= 0 && version.length >= series.length && series.every((number, at) => version[at] === number);
  }

  function compared(left, right) {
    for (let at = 0; at < Math.max(left.length, right.length); at++) {
      const a = left[at] ?? 0;
      const b = right[at] ?? 0;
      if (a !== b) return a > b ? 1 : -1;
    }
    return 0;
  }

  class Matcher {
    constructor(index) {
      this.index = index;
      this.wordings = [];
      index.symptoms.forEach((symptom, at) => {
        for (const [name, literals] of symptom.wordings) this.wordings.push(wording(at, name, literals));
      });
      this.alike = [];
      index.lookalikes.forEach((other, at) => {
        for (const literals of other.messages) this.alike.push(wording(at, "", literals));
      });
      this.words = unpack(index.words);
      this.traits = unpack(index.traits);
      this.features = new Map(Object.entries(index.features));
      this.vocabulary = null;
      this.showing = index.symptoms.map(() => []);
      this.asking = index.clues.map(() => []);
      index.causes.forEach((cause, at) => {
        for (const [symptom, alone, clues] of cause.shown) {
          this.showing[symptom].push([at, alone]);
          for (const clue of clues) if (this.asking[clue].at(-1) !== at) this.asking[clue].push(at);
        }
      });
      this.prepare(index.clues);
    }

    prepare(clues) {
      this.byFrame = new Map();
      this.paths = new Map();
      this.byWord = new Map();
      this.written = new Map();
      const said = new Map();
      const add = (table, name, entry) => (table.has(name) ? table.get(name).push(entry) : table.set(name, [entry]));
      clues.forEach(([key, , ...values], at) => {
        if (key === "through" || key === "not_through") {
          for (const [weight, value] of values) {
            const name = frameKey(value);
            if (!this.written.has(name)) this.written.set(name, value);
            const simple = !name.includes(" ") && name[0] !== "*" && !name.startsWith("user:");
            add(simple ? this.byFrame : this.paths, name, [at, weight]);
          }
        } else if (key === "mentions" || key === "not_mentions") {
          for (const [weight, value] of values) {
            const name = squash(value);
            if (!this.written.has(name)) this.written.set(name, value);
            add(said, name, [at, weight]);
          }
        }
      });
      const parts = new Map();
      for (const value of said.keys()) parts.set(value, value.match(TOKEN) || []);
      const often = new Map();
      for (const tokens of parts.values()) for (const token of tokens) often.set(token, (often.get(token) || 0) + 1);
      for (const [value, tokens] of parts) {
        if (!tokens.length) continue;
        const rarest = tokens.reduce((best, token) => (often.get(token) < often.get(best) ? token : best));
        if (!this.byWord.has(rarest)) this.byWord.set(rarest, new Map());
        this.byWord.get(rarest).set(value, said.get(value));
      }
    }

    explain(text, answers) {
      const paste = readPaste(text);
      const evidence = evidenceOf(paste, this.wordings);
      const symptoms = [...new Set(evidence.seen.map((seen) => seen.symptom))];
      const hits = this.hits(evidence);
      const extra = this.index.causes.map((cause) => cause.prior);
      this.addFrames(extra, evidence);
      this.addWords(extra, evidence);
      const learnt = this.learnt(evidence);
      const told = new Map(Object.entries(answers || {}));
      const glance = extra.map((points, at) => points + (learnt.get(at) || 0));
      const ranked = this.likely(glance, symptoms, hits).map((at) => {
        const [score, clues] = this.scored(at, evidence, hits, told);
        const like = extra[at] - this.index.causes[at].prior;
        return [glance[at] + score, at, clues, like, like + score];
      });
      ranked.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
      return this.answer(text, paste, evidence, symptoms, ranked);
    }

    hits(evidence) {
      const hits = new Map();
      const hit = (value, clues) => {
        for (const [clue, weight] of clues) {
          const best = hits.get(clue);
          if (!best || weight > best[0] || (weight === best[0] && value < best[1])) hits.set(clue, [weight, value]);
        }
      };
      for (const name of evidence.names) if (this.byFrame.has(name)) hit(name, this.byFrame.get(name));
      if (evidence.frames.length) {
        for (const [value, clues] of this.paths) if (passes(value, evidence.frames)) hit(value, clues);
      }
      for (const token of evidence.tokens) {
        for (const [value, clues] of this.byWord.get(token) || []) {
          if (value === token || mentioned(value, evidence.text)) hit(value, clues);
        }
      }
      return hits;
    }

    likely(extra, symptoms, hits) {
      if (extra.length <= CLOSE) return extra.map((_, at) => at);
      const { index } = this;
      const rough = [...extra];
      for (const symptom of symptoms) {
        const weight = index.symptoms[symptom].weight + index.weights.final;
        for (const [at, alone] of this.showing[symptom]) rough[at] += weight + index.weights.alone * alone;
      }
      for (const [clue, [weight]] of hits) {
        const points = index.clues[clue][0].startsWith("not_") ? -weight : weight;
        for (const at of this.asking[clue]) rough[at] += points;
      }
      const order = rough.map((_, at) => at);
      return order.sort((a, b) => rough[b] - rough[a] || a - b).slice(0, CLOSE);
    }

    scored(at, evidence, hits, answers) {
      const { index } = this;
      const { weights } = index;
      const cause = index.causes[at];
      const final = evidence.seen.length ? evidence.seen.at(-1).symptom : -1;
      let score = 0;
      let named = 0;
      const toldClues = [];
      const found = [];
      const done = new Set();
      for (const [symptom, alone, clues, reported] of cause.shown) {
        const seen = evidence.last.has(symptom);
        if (seen) {
          score += index.symptoms[symptom].weight;
          if (symptom === final) score += weights.final + reported;
          if (alone) named = weights.alone;
        }
        for (const clue of clues) {
          if (done.has(clue) || !(seen || hits.has(clue))) continue;
          if (!seen && !["mentions", "through"].includes(index.clues[clue][0])) continue;
          done.add(clue);
          const [told, points, hit] = this.told(clue, symptom, evidence, hits, answers);
          if (hit) found.push([points, hit]);
          else score += points;
          toldClues.push([Math.abs(points), clue, told, hit]);
        }
      }
      const [total, counted] = distinct(found);
      score += named + total;
      if (inside(cause.applies, evidence.versions) === NO) score -= weights.outside;
      toldClues.sort((a, b) => b[0] - a[0]); // what tells most comes first
      return [score, toldClues.filter((item) => !item[3] || counted.includes(item[3])).map((item) => item.slice(1))];
    }

    told(clue, symptom, evidence, hits, answers) {
      const [key, name, ...values] = this.index.clues[clue];
      const { against, answer } = this.index.weights;
      if (name && answers.has(name)) return answers.get(name) ? [YES, answer, ""] : [NO, -answer, ""];
      if (hits.has(clue)) {
        const [points, hit] = hits.get(clue);
        return key.startsWith("not_") ? [NO, -points, hit] : [YES, points, hit];
      }
      if (key === "through" || key === "not_through") {
        if (!evidence.complete) return [0, 0, ""];
        return key === "through" ? [NO, -against, ""] : [YES, against, ""];
      }
      if (BOUND.has(key) && evidence.last.has(symptom)) {
        const here = evidence.last.get(symptom);
        if (key === "wording") {
          if (!here.name) return [0, 0, ""];
          const points = values[0][0];
          return values.some(([, value]) => value === here.name) ? [YES, points, ""] : [NO, -points, ""];
        }
        for (const [points, value] of values) {
          if (evidence.seen.some((seen) => seen.symptom === value && seen.span[0][0] < here.span[0][0])) {
            return key === "earlier" ? [YES, points, ""] : [NO, -points, ""];
          }
        }
      } else if (key === "version") {
        const told = inside(values[1], evidence.versions);
        return [told, told * values[0], ""];
      }
      return [0, 0, ""];
    }

    addFrames(scores, evidence) {
      const { alike } = this.index.weights;
      if (!evidence.frames.length && evidence.last.size < 2) return;
      const shared = new Map();
      let own = 0;
      const coded = evidence.features.some((feature) => feature[0] === "=");
      for (const feature of evidence.features) {
        const [weight, ...runs] = this.features.get(short(feature)) || [0];
        own += weight;
        for (const run of runs) shared.set(run, (shared.get(run) || 0) + weight);
      }
      const best = new Map();
      for (const [run, weight] of shared) {
        const [cause, functions, code] = this.index.runs[run];
        const total = coded ? functions + code : functions;
        const least = evidence.complete ? total : weight;
        const share = Math.min(Math.floor((100 * weight) / least), Math.floor((100 * weight) / own));
        let points = Math.floor((weight * weight) / least);
        points += Math.floor((alike * Math.max(0, share - 40) * Math.min(weight, TELLING)) / (60 * TELLING));
        if (share > 95 && evidence.complete) points += Math.floor(alike / 2);
        if (points > (best.get(cause) || 0)) best.set(cause, points);
      }
      for (const [cause, points] of best) scores[cause] += points;
    }

    addWords(scores, evidence) {
      let { words } = evidence;
      if (words.length <= 60 && !evidence.seen.length) {
        words = [...new Set(words.map((word) => (this.words.has(word) ? word : this.corrected(word))))];
      }
      const share = this.index.weights.words;
      const most = this.index.weights[evidence.seen.length ? "words beside" : "words alone"];
      for (const [cause, total] of tally(this.words, words)) {
        scores[cause] += Math.min(most, Math.floor((total * share) / (share + words.length)));
      }
    }

    learnt(evidence) {
      const traits = traitsOf(evidence);
      const share = Math.floor(Math.sqrt(traits.length + 12));
      const points = tally(this.traits, traits);
      for (const [cause, total] of points) {
        points.set(cause, Math.min(this.index.weights.traits, Math.floor(total / share)));
      }
      return points;
    }

    corrected(word) {
      if (word.length < 5) return word;
      if (!this.vocabulary) {
        this.vocabulary = new Map();
        for (const known of this.words.keys()) {
          if (!this.vocabulary.has(known[0])) this.vocabulary.set(known[0], []);
          this.vocabulary.get(known[0]).push(known);
        }
      }
      for (const known of this.vocabulary.get(word[0]) || []) {
        if (Math.abs(known.length - word.length) < 2 && known.length > 4 && near(word, known)) return known;
      }
      return word;
    }

    places(text, paste, evidence) {
      if (text.includes("\r")) text = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
      let start = 0;
      return evidence.seen.map((seen) => {
        const shown = paste.lines[seen.line];
        let found = -1;
        for (const needle of [shown.slice(0, 60), shown.slice(0, TRACE)]) {
          if (found < 0) found = text.indexOf(needle, start);
          if (found < 0) found = text.indexOf(needle);
        }
        start = Math.max(start, found + 1);
        if (found < 0) return 0;
        let line = 1;
        for (let at = text.indexOf("\n"); at >= 0 && at < found; at = text.indexOf("\n", at + 1)) line++;
        return line;
      });
    }

    answer(text, paste, evidence, symptoms, ranked) {
      const { index } = this;
      const places = this.places(text, paste, evidence);
      const { weights, causes } = index;
      const shows = ranked.filter((item) => causes[item[1]].shown.some((shown) => symptoms.includes(shown[0])));
      const listed = new Set(shows.map((item) => item[1]));
      ranked = ranked.filter((item) => listed.has(item[1]) || item[0] - causes[item[1]].prior > weights.listed);
      let whyNot = null;
      let verdict;
      const top = Math.max(0, ...ranked.map((item) => item[4]));
      const weak = symptoms.map((at) => index.symptoms[at].weak);
      const backed =
        ranked.length > 0 &&
        (ranked[0][3] > weights["words beside"] || ranked[0][2].some(([, told, hit]) => told === YES && hit));
      const notices = symptoms.length > 0 && symptoms.every((at) => index.symptoms[at].notice);
      const ended = notices ? this.lookAlike(paste) : null;
      if (ended && ended.final) {
        [whyNot, verdict] = [ended, "look-alike"];
      } else if (symptoms.length && (evidence.sign || weak.some((mark) => mark === 0 || (mark === 1 && backed)))) {
        const lead = ranked.length > 1 ? ranked[0][0] - ranked[1][0] : weights.lead;
        verdict = ranked.length && lead >= weights.lead ? "cause" : "symptom";
      } else {
        whyNot = this.lookAlike(paste);
        if (evidence.sign && !(whyNot && whyNot.strong)) {
          verdict = top >= weights.guess ? "guess" : "unlisted";
        } else if (evidence.hinted && !paste.messages.length && !(whyNot && !whyNot.weak)) {
          verdict = top > weights.listed ? "guess" : "nothing";
        } else if (whyNot || paste.messages.length || symptoms.length || top < weights.silent) {
          verdict = whyNot ? "look-alike" : "nothing";
        } else {
          verdict = "guess";
        }
      }
      const known = ["cause", "symptom", "guess", "unlisted"].includes(verdict);
      if (known) whyNot = null;
      return {
        known,
        verdict,
        says: index.says[verdict],
        symptoms: symptoms.map((at) => index.symptoms[at].id),
        seen: evidence.seen.map((seen, at) => ({
          id: index.symptoms[seen.symptom].id,
          title: index.symptoms[seen.symptom].title,
          url: index.site + "e/" + index.symptoms[seen.symptom].id + "/",
          wording: seen.name,
          line: places[at],
          text: paste.lines[seen.line].slice(0, 300),
        })),
        causes: ranked.slice(0, SHOWN).map(([score, at, clues]) => this.cause(at, score, clues)),
        why_not: whyNot && { id: whyNot.id, title: whyNot.title, says: whyNot.says },
        next: verdict === "cause" || !known ? null : { says: index.says.next, code: index.says.code },
      };
    }

    cause(at, score, clues) {
      const cause = this.index.causes[at];
      const yes = [];
      const no = [];
      const open = [];
      const said = new Set();
      for (const [clue, told, hit] of clues) {
        const [key, name, ...values] = this.index.clues[clue];
        if ((!told && key !== "ask") || (hit && said.has(hit))) continue;
        said.add(hit);
        (told > 0 ? yes : told ? no : open).push({ clue: key, id: name || String(clue), says: this.says(key, values, hit) });
      }
      return { id: cause.id, title: cause.title, url: this.index.site + "e/" + cause.id + "/", score, yes, no, open };
    }

    says(key, values, hit) {
      if (key === "ask") return values[0];
      let names;
      if (key === "version") {
        names = Object.entries(values[1]).map(([name, wanted]) => `${name} ${wanted}`);
      } else if (key === "earlier" || key === "not_earlier") {
        names = values.map(([, value]) => `“${this.index.symptoms[value].title}”`);
      } else if (hit) {
        names = [this.written.get(hit)];
        key = key.replace("not_", "");
      } else {
        names = values.map(([, value]) => value);
      }
      return this.index.says[key].replaceAll("{}", () => names.join(" or "));
    }

    lookAlike(paste) {
      const folded = paste.lines.map(fold);
      const ends = new Set([0]);
      let at = 0;
      for (const line of folded) ends.add((at += line.length));
      const seen = sightings(this.alike, folded.join(""), ends);
      return seen.length ? this.index.lookalikes[seen.at(-1).symptom] : null;
    }
  }

  function wording(at, name, literals) {
    let lead = 0;
    literals.forEach((literal, place) => {
      if (literals[lead].length < CUT && literal.length > literals[lead].length) lead = place;
    });
    const size = literals.reduce((sum, literal) => sum + literal.length, 0);
    return [at, name, literals, lead, size, literals.some((literal) => literal.includes("meta"))];
  }

  function distinct(found) {
    found.sort((a, b) => Math.abs(b[0]) - Math.abs(a[0]) || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0));
    let total = 0;
    const counted = [];
    for (const [points, hit] of found) {
      if (counted.some((other) => hit.includes(other) || other.includes(hit))) continue;
      counted.push(hit);
      total += points;
    }
    return [total, counted];
  }

  function near(word, known) {
    let start = 0;
    const least = Math.min(word.length, known.length);
    while (start < least && word[start] === known[start]) start++;
    const a = word.slice(start);
    const b = known.slice(start);
    if (a.length === b.length) {
      return (
        a.slice(1) === b.slice(1) ||
        (a.slice(0, 1) === b.slice(1, 2) && a.slice(1, 2) === b.slice(0, 1) && a.slice(2) === b.slice(2))
      );
    }
    return a.slice(1) === b || a === b.slice(1);
  }

  globalThis.UnmetaMatch = { load: (index) => new Matcher(index), clean, readPaste };
})();
