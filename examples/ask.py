"""Asks the days that export.py has written, in DuckDB's SQL: python3 ask.py FOLDER "SELECT …"

It puts them into FOLDER/events.parquet, takes out what was erased, and deletes the days' files, which still have it. Kill it
at will, and run it again. Needs DuckDB: pip install duckdb
"""
import duckdb, glob, json, os, sys

sys.setrecursionlimit(5_000)  # for payloads with 1,000 levels
(folder, question), decoder = sys.argv[1:], json.JSONDecoder(parse_int=str, parse_float=str)
days, lines, table = sorted(glob.glob(f"{folder}/*-*-*.json")), f"{folder}/lines", f"{folder}/events.parquet"
with open(lines, "w") as out:
    for text in (open(day, newline="").read() for day in days):
        place = 1
        while text[place] != "]":
            entry, after = decoder.raw_decode(text, place)
            if "payload" in entry:
                entry["payload"] = text[text.index('"payload":', place) + 10 : after - 1]
            print(json.dumps(entry), file=out)
            place = after + 2 * (text[after] == ",")
columns = dict.fromkeys("id created_at numbered_at event_type user_id payload erased_at".split(), "TEXT")
duckdb.sql(f"CREATE TABLE entries AS FROM read_json('{lines}', format = 'nd', columns = {columns})")
if os.path.exists(table):
    duckdb.sql(f"INSERT INTO entries BY NAME FROM '{table}'")
duckdb.sql(f"""COPY (SELECT DISTINCT ON (id, created_at) * EXCLUDE erased_at FROM entries AS event
    WHERE erased_at IS NULL AND NOT EXISTS (FROM entries AS erasure WHERE erasure.id = event.id
    AND erasure.erased_at > '' AND erasure.numbered_at >= event.numbered_at)) TO '{table}.new' (FORMAT parquet)""")
os.replace(f"{table}.new", table)
for file in [*days, lines]:  # an event's before that of its erasure
    os.remove(file)
duckdb.sql(f"CREATE VIEW events AS FROM '{table}'")
print(duckdb.sql(question))
