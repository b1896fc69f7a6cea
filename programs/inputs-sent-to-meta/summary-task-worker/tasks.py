"""A queue worker in miniature: tasks, retries, a result store."""

import functools
import logging
import time

logger = logging.getLogger("worker.tasks")
RESULTS = {}


def task(retries=2, delay=0.05):
    def decorate(function):
        @functools.wraps(function)
        def run(task_id, *args):
            for attempt in range(retries + 1):
                try:
                    RESULTS[task_id] = ("SUCCESS", function(*args))
                    return
                except Exception as exc:
                    logger.warning(
                        "Task %s[%s] retry %d: %r", function.__name__, task_id, attempt, exc, exc_info=exc
                    )
                    time.sleep(delay)
            RESULTS[task_id] = ("FAILURE", None)
            logger.error("Task %s[%s] gave up", function.__name__, task_id)

        return run

    return decorate
