/* The button that keeps a copy of the site on this device, and what it says while that happens. */
(() => {
  "use strict";

  const root = document.getElementById("um-offline");
  if (!root) return;
  const site = JSON.parse(document.getElementById("unmeta-site").textContent);
  const base = new URL(`${site.base}/`, location.href);
  const status = document.createElement("p");
  status.setAttribute("role", "status");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "md-button";

  function say(text) {
    status.textContent = text;
  }

  async function keep() {
    button.disabled = true;
    say("Fetching all pages …");
    try {
      const registration = await navigator.serviceWorker.register(new URL("sw.js", base), { scope: base.pathname });
      const worker = registration.installing ?? registration.waiting ?? registration.active;
      await new Promise((resolve, reject) => {
        const look = () => {
          if (worker.state === "activated") resolve();
          if (worker.state === "redundant") reject(new Error("a file could not be fetched"));
        };
        worker.addEventListener("statechange", look);
        look();
      });
      await show();
    } catch (error) {
      say(`No copy was made: ${error.message}.`);
      button.disabled = false;
    }
  }

  async function forget() {
    for (const held of await navigator.serviceWorker.getRegistrations()) {
      if (held.scope === base.href) await held.unregister();
    }
    for (const name of await caches.keys()) if (name.startsWith(`unmeta ${base.pathname}`)) await caches.delete(name);
    await show();
  }

  async function show() {
    const kept = Boolean((await navigator.serviceWorker.getRegistration(base))?.active);
    button.textContent = kept ? "Remove the copy" : "Keep a copy on this device";
    button.onclick = kept ? forget : keep;
    button.disabled = false;
    say(kept ? "This device holds a copy. Every page, the search and the box work without a network." : "");
  }

  if (!("serviceWorker" in navigator) || !isSecureContext || location.protocol === "file:") {
    say("This browser keeps copies only of pages that came over https; this one did not, or is a copy already.");
    root.replaceChildren(status);
    return;
  }
  root.replaceChildren(button, status);
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data?.unmeta) say(`Fetching all pages: ${data.done} of ${data.all} …`);
  });
  show();
})();
