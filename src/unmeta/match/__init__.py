"""From a pasted text to the causes that fit it.

`unmeta.match.explain(text)` and `UnmetaMatch.load(index).explain(text)` in
`docs/assets/javascripts/matcher.js` run the same index and give the same object:

    {
      "known": true,                      a meta problem was recognised
      "verdict": "cause",                 cause | symptom | guess | unlisted | look-alike | nothing
      "says": "One sentence for the person.",
      "symptoms": ["no-data-to-copy"],    ids, in the order of the paste
      "seen": [{"id", "title", "url", "wording", "line", "text"}],   line counts from 1 in the cleaned paste
      "causes": [{"id", "title", "url", "score",
                  "yes": [CLUE], "no": [CLUE], "open": [CLUE]}],     best first; open clues are questions
      "why_not": null,                    {"id", "title", "says"} for a look-alike
      "next": {"says": "...", "code": "..."}                         what to run or paste next; null when sure
    }

A CLUE is {"clue": "through", "id": "…", "says": "…"}; an answer to a question is given back as
`explain(text, {clue_id: true | false})` and re-ranks. `url` is relative to the site's root.
"""
