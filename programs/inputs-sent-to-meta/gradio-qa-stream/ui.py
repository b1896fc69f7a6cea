"""Stands for the demo framework: runs a generator function in a thread and collects its chunks."""

import queue
import sys
import threading
import traceback


class Stream:
    def __init__(self, function):
        self.function = function

    def __call__(self, *args):
        chunks, done = queue.Queue(), object()

        def produce():
            try:
                for chunk in self.function(*args):
                    chunks.put(chunk)
            except Exception:
                print("Traceback of the event handler:", file=sys.stderr)
                traceback.print_exc()
                chunks.put("**Error**")
            finally:
                chunks.put(done)

        threading.Thread(target=produce, name="event-queue").start()
        while (chunk := chunks.get(timeout=60)) is not done:
            yield chunk
