"""The SQL box's own process: answers one SELECT over the published file and ends.

DuckDB's memory limit does not count every string a query makes, and some functions cannot be interrupted; so a
reader's query runs in a process that the system bounds and that can be killed. The request comes as JSON on standard
input (`path`, `first`: statements of ours that say which tables are meant, `sql`, `seconds`), the answer goes as JSON
to standard output: `names`, `rows` and `cut`, or `refused`.
"""

from __future__ import annotations

import json
import resource
import sys
import threading
from typing import Any

import duckdb

MEMORY = "256MB"
ADDRESS_SPACE = 2 * 1024**3
ROWS = 1_000
BYTES = 4_000_000


class Refused(Exception):
    """The query is not run; the message says why."""


def answer(path: str, first: list[str], sql: str, seconds: float) -> dict[str, Any]:
    """Names, rows and what was cut, or why the query was refused."""
    con = duckdb.connect(config={"python_enable_replacements": False, "threads": 1, "memory_limit": MEMORY, "max_temp_directory_size": "0KB"})
    timer = threading.Timer(seconds, con.interrupt)
    try:
        con.execute(f"ATTACH '{path.replace(chr(39), chr(39) * 2)}' AS tracker (READ_ONLY)")
        con.execute("SET TimeZone = 'UTC'; SET enable_external_access = false; SET lock_configuration = true")
        if [s.type for s in con.extract_statements(sql)] != [duckdb.StatementType.SELECT]:
            raise Refused("The box answers one SELECT (or DESCRIBE, SUMMARIZE, FROM) at a time; it changes nothing and sets nothing.")
        timer.start()
        for statement in first:
            con.execute(statement)
        return _within_limits(con.execute(sql))
    except Refused as why:
        return {"refused": str(why)}
    except duckdb.InterruptException:
        return {"refused": "time"}
    except (duckdb.OutOfMemoryException, MemoryError):
        return {"refused": "memory"}
    except duckdb.PermissionException:
        return {"refused": "The box reads the published tables alone: no files, no addresses, no other databases."}
    except duckdb.Error as why:
        return {"refused": str(why)}
    finally:
        timer.cancel()


def _within_limits(result: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    names: list[str] = []
    for name in (d[0] for d in result.description or []):
        names.append(name if name not in names else f"{name}_{len(names)}")
    found: list[tuple[Any, ...]] = []
    size = 0
    while chunk := result.fetchmany(50):
        for row in chunk:
            size += sum(len(str(v)) for v in row)
            if len(found) == ROWS:
                return {"names": names, "rows": found, "cut": f"Only the first {ROWS:,} rows are shown."}
            if size > BYTES:
                return {
                    "names": names,
                    "rows": found,
                    "cut": f"Only the first {len(found):,} rows are shown: the answer is longer than {BYTES // 1_000_000} MB.",
                }
            found.append(row)
    return {"names": names, "rows": found, "cut": None}


def main() -> None:
    """Read the request, bound this process, answer."""
    request = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    json.dump(answer(**request), sys.stdout, default=str)


if __name__ == "__main__":
    main()
