"""A provider in Python: entries of a key-value store that is a JSON file.

It reads one JSON-RPC request from each line of its standard input and writes one answer to each line
of its standard output. Everything else that is printed becomes a line of the user's log.
"""

import json
import os
import sys
import threading
import time

store_lock = threading.Lock()
output_lock = threading.Lock()
cancelled = {}  # The running calls: their ids, and how they are told to stop.


def send(message):
    with output_lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def log(call, text):
    send({"method": "log", "params": {"call": call, "text": text}})


# The store.


def load(file):
    try:
        with open(file, encoding="utf-8") as stream:
            return json.load(stream)
    except FileNotFoundError:
        return {}


def save(file, entries):
    with open(file + ".new", "w", encoding="utf-8") as stream:
        json.dump(entries, stream, indent=2)
    os.replace(file + ".new", file)


def history(file, key, word):
    with open(file + ".log", "a", encoding="utf-8") as stream:
        stream.write(json.dumps({"timeMs": int(time.time() * 1000), "key": key, "text": word}) + "\n")


def split(id):
    file, _, key = id.rpartition("#")
    return file, key


# The operations.


def create(call, inputs, context):
    problems = check(call, inputs, context)
    if problems:
        raise ValueError("; ".join(problems))
    file, key = inputs["file"], inputs["key"]
    with store_lock:
        entries = load(file)
        if key in entries:
            raise ValueError(f"{file} has an entry {key} already")
        entries[key] = {"value": inputs["value"], "version": 1, "owner": context["name"]}
        save(file, entries)
        history(file, key, "created")
    log(call, f"created {key}")
    return {"id": f"{file}#{key}", "outputs": {"value": inputs["value"], "version": 1}}


def read(call, id, context):
    file, key = split(id)
    entry = load(file).get(key)
    return entry and {"value": entry["value"], "version": entry["version"]}


def update(call, id, oldInputs, newInputs, context):
    file, key = split(id)
    with store_lock:
        entries = load(file)
        if key not in entries:
            raise ValueError(f"{file} has no entry {key}")
        entries[key]["value"] = newInputs["value"]
        entries[key]["version"] += 1
        save(file, entries)
        history(file, key, f"changed to version {entries[key]['version']}")
    return {"value": entries[key]["value"], "version": entries[key]["version"]}


def delete(call, id, context):
    file, key = split(id)
    with store_lock:
        entries = load(file)
        if entries.pop(key, None):
            save(file, entries)
            history(file, key, "deleted")


def check(call, inputs, context):
    missing = [name for name in ("file", "key", "value") if not isinstance(inputs.get(name), str)]
    return [f"{name} must be a text" for name in missing]


def diff(call, oldInputs, newInputs, context):
    names = sorted(set(oldInputs) | set(newInputs))
    changes = [name for name in names if oldInputs.get(name) != newInputs.get(name)]
    return {"changes": changes, "replace": [name for name in changes if name in ("file", "key")]}


def find(call, inputs, context):
    entry = load(inputs["file"]).get(inputs["key"])
    if not entry or entry["owner"] != context["name"] or entry["value"] != inputs["value"]:
        return None
    outputs = {"value": entry["value"], "version": entry["version"]}
    return {"id": f"{inputs['file']}#{inputs['key']}", "outputs": outputs}


def fetch_log(call, id, options, context):
    file, key = split(id)
    with open(file + ".log", encoding="utf-8") as stream:
        while not cancelled[call].is_set():
            line = stream.readline()
            if not line:
                if not options["follow"]:
                    return
                cancelled[call].wait(0.1)
                continue
            entry = json.loads(line)
            if entry["key"] == key and entry["timeMs"] >= options.get("sinceMs", 0):
                send({"method": "line", "params": {"call": call, "text": entry["text"], "timeMs": entry["timeMs"]}})


def fetch_stats(call, id, context):
    file, key = split(id)
    entry = load(file).get(key)
    now = int(time.time() * 1000)
    if not entry:
        return []
    return [
        {"name": "writes", "unit": "1", "points": [{"timeMs": now, "value": entry["version"]}]},
        {"name": "size", "unit": "bytes", "points": [{"timeMs": now, "value": len(entry["value"])}]},
    ]


operations = {
    "create": create,
    "read": read,
    "update": update,
    "delete": delete,
    "check": check,
    "diff": diff,
    "find": find,
    "fetchLog": fetch_log,
    "fetchStats": fetch_stats,
}


# The protocol.


def answer(id, method, params):
    try:
        if method == "operations":
            send({"id": id, "result": list(operations)})
        elif method not in operations:
            send({"id": id, "error": {"code": -32601, "message": f"there is no operation {method}"}})
        elif params["context"]["type"].split("/")[-1] != "Entry":
            raise ValueError(f"there is no type {params['context']['type']}")
        else:
            send({"id": id, "result": operations[method](id, **params)})
    except Exception as error:
        send({"id": id, "error": {"code": 1, "message": str(error)}})
    finally:
        cancelled.pop(id, None)


for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "$/cancel":
        event = cancelled.get(request["params"]["id"])
        if event:
            event.set()
        continue
    cancelled[request["id"]] = threading.Event()
    arguments = (request["id"], request["method"], request["params"])
    threading.Thread(target=answer, args=arguments, daemon=True).start()
