"""A program that takes an exam: the exam starts it, kills it and reads its log."""
import os, shutil, signal, subprocess, tempfile, threading
from contextlib import suppress


class Program:
    """Runs a command in a shell, with settings of the exam and none of this shell's own of these kinds."""

    OWN = "CONNECTOR_", "CONSUMER_"

    def __init__(self, command, settings):
        self.command, self.settings, self.process = command, settings, None
        self.log = tempfile.NamedTemporaryFile(buffering=0) if command else None

    def start(self):
        own = {name: value for name, value in os.environ.items() if not name.startswith(self.OWN)}
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", self.command], env={**own, **self.settings}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        # A pipe, not the file: what limits its files must not keep it from writing a log.
        threading.Thread(target=shutil.copyfileobj, args=[self.process.stdout.raw, self.log], daemon=True).start()

    def kill(self, with_signal=signal.SIGKILL):
        """Ends the program and all that it has started."""
        if self.process:
            with suppress(OSError):
                os.killpg(self.process.pid, with_signal)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(30)

    def restart(self):
        self.kill()
        self.start()

    @property
    def has_ended(self):
        return bool(self.process) and self.process.poll() is not None

    def lines(self):
        with open(self.log.name, errors="replace") as log:
            return log.read()

    def processes(self):
        """The numbers of all that it has started."""
        for name in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
            with suppress(OSError, IndexError, ValueError), open(f"/proc/{name}/stat") as stat:
                if self.process and int(stat.read().rpartition(")")[2].split()[2]) == self.process.pid:
                    yield int(name)

    def memory(self):
        """The bytes that its processes have in memory. None where that cannot be seen."""
        total = 0
        for each in self.processes():
            with suppress(OSError, IndexError, ValueError), open(f"/proc/{each}/statm") as memory:
                total += int(memory.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return total or None
