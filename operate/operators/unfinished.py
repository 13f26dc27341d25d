"""Keeps the progress of an erasure or a fill, so that the same command goes on after an interruption."""
import fcntl, hashlib, json, os
from operators.command import Failure


class Unfinished:
    """The file of work that has not ended, of an erasure or a fill. Its target and its request name it.

    Only one process at a time may have it open. `progress` has the members `kept` of what was last saved, or is None.
    The file of the lock stays: if it were removed, two processes could each lock a file of its name.
    """

    def __init__(self, target, request, kind="erasure", kept=("erasure_id", "next", "erased")):
        self.kind, self.kept = kind, kept
        folder = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
        self.folder = os.path.join(folder, "connector-events")
        self.work = {"target": target.url, "request": request}
        name = hashlib.sha256(json.dumps(self.work, sort_keys=True).encode()).hexdigest()[:32]
        self.path = os.path.join(self.folder, f"{kind}-{name}.json")
        self.lock_path = os.path.join(self.folder, f"{kind}-{name}.lock")

    def __enter__(self):
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            self.lock = os.open(self.lock_path, os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # ends with the process, even if it is killed
        except BlockingIOError:
            raise Failure("the same command runs already") from None
        except OSError as error:
            raise Failure(f"{error.filename}: {error.strerror}") from None
        self.progress = self.read()
        return self

    def __exit__(self, *_):
        os.close(self.lock)

    def read(self):
        try:
            with open(self.path) as file:
                return json.load(file)["progress"]
        except FileNotFoundError:
            return None
        except (OSError, ValueError, LookupError, TypeError):
            raise Failure(f"{self.path} is damaged; delete it to begin a new {self.kind}") from None

    def save(self, answer):
        """Saves the progress. A reader sees either the file before or the new one."""
        self.progress = {name: answer[name] for name in self.kept}
        new = self.path + ".new"
        try:
            with open(new, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                json.dump({**self.work, "progress": self.progress}, file, indent=2)
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self.path)
        except OSError as error:
            raise Failure(f"{new}: {error.strerror}") from None

    def end(self):
        os.remove(self.path)
