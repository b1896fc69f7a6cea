"""A toy of a dataframe engine: partitions are mapped by worker threads, one function object each."""

import queue
import threading
import traceback


class UDFError(Exception):
    pass


def map_partitions(cls, partitions, workers):
    tasks, results, errors = queue.Queue(), {}, []
    for item in enumerate(partitions):
        tasks.put(item)

    def loop():
        instance = None
        while True:
            try:
                index, rows = tasks.get_nowait()
            except queue.Empty:
                return
            try:
                instance = instance or cls()
                results[index] = instance(rows)
            except Exception:
                errors.append((index, traceback.format_exc()))

    threads = [threading.Thread(target=loop, name=f"udf-{i}") for i in range(workers)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if errors:
        raise UDFError(f"{len(errors)} partitions failed, first is {errors[0][0]}:\n{errors[0][1]}")
    return [results[i] for i in sorted(results)]
