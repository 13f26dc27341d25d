"""How a command ends early: after Ctrl-C, SIGTERM or SIGHUP it undoes what it has begun, though its terminal may be gone."""
import contextlib, os, signal, subprocess, sys

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopping:
    """Turns the first signal into a KeyboardInterrupt. Of later ones only Ctrl-C does so: others come with the first."""

    def __init__(self):
        self.signal, self.is_held, self.is_told, self.late = None, False, False, None

    def listen(self):
        self.__init__()
        for each in SIGNALS:
            if signal.getsignal(each) != signal.SIG_IGN:  # `nohup` ignores SIGHUP
                signal.signal(each, self.take)

    def take(self, number, _=None):
        if self.late is not None:
            return self.late.append(number)
        is_first = not self.signal
        self.signal = self.signal or number
        if is_first and self.is_held:
            self.tell()
        elif is_first or number == signal.SIGINT:
            raise KeyboardInterrupt

    def tell(self):
        if not self.is_told:
            self.is_told = True
            with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: the signal came in the middle of a print
                print("Interrupted: cleans up first. Ctrl-C again ends that, too.", file=sys.stderr, flush=True)

    @contextlib.contextmanager
    def held(self):
        """Runs the block to its end before a signal counts, even without a terminal. Only Ctrl-C after one ends it."""
        before, self.is_held = self.signal, True
        if before:
            self.tell()
        try:
            with lasting():
                yield
        finally:
            self.is_held = False
            if self.signal != before:
                raise KeyboardInterrupt

    @contextlib.contextmanager
    def uninterrupted(self):
        """Takes signals after the block, also Ctrl-C. It must be short."""
        self.late = []
        try:
            yield
        finally:
            late, self.late = self.late, None
            for number in late:
                self.take(number)

    def exit_code(self, code):
        """The shell's code for the signal, or else this one."""
        return 128 + self.signal if self.signal else code


class Lasting:
    """A stream that takes all, also when its reader or its terminal is gone."""

    def __init__(self, stream):
        self.stream = stream

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def write(self, text):
        with contextlib.suppress(OSError):
            self.stream.write(text)

    def flush(self):
        with contextlib.suppress(OSError):
            self.stream.flush()


@contextlib.contextmanager
def lasting():
    with contextlib.redirect_stdout(Lasting(sys.stdout)), contextlib.redirect_stderr(Lasting(sys.stderr)):
        yield


@contextlib.contextmanager
def child(words, start_new_session, **settings):
    """A process that ends with the block, and with it all of its session, if it has one of its own."""
    process = None
    try:
        with stopping.uninterrupted():  # a signal while it starts would leave it
            process = subprocess.Popen(words, start_new_session=start_new_session, **settings)
        yield process
    finally:
        if process:
            with process, contextlib.suppress(OSError):  # OSError: all have ended
                if start_new_session:
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()


stopping = Stopping()
