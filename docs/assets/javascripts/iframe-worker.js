/* The theme's search runs in a worker, and browsers start none from file://. There, a hidden frame
   stands in for it: the same script, called in the page's own thread. */
if (location.protocol === "file:") {
  globalThis.Worker = class extends EventTarget {
    #inbox = [];
    #frame = document.createElement("iframe");
    #ready = false;

    constructor(url) {
      super();
      this.#frame.hidden = true;
      this.#frame.title = "Search";
      document.documentElement.append(this.#frame);
      const inner = this.#frame.contentWindow;
      inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inner.document.createElement("script");
      script.src = url;
      script.addEventListener("load", () => {
        this.#ready = true;
        this.#inbox.splice(0).forEach((data) => this.#hand(data));
      });
      inner.document.head.append(script);
    }

    postMessage(data) {
      if (this.#ready) this.#hand(data);
      else this.#inbox.push(data);
    }

    terminate() {
      this.#frame.remove();
    }

    #hand(data) {
      const inner = this.#frame.contentWindow;
      inner.dispatchEvent(new inner.MessageEvent("message", { data }));
    }
  };
}
