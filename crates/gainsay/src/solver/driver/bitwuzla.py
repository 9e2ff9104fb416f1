"""The command line of Bitwuzla over its Python module: SMT-LIB on standard input, options as arguments."""
import os
import sys

import bitwuzla


def commands():
    """Yields each command as soon as it is whole."""
    text, depth, mode = bytearray(), 0, None
    while chunk := os.read(0, 1 << 16):
        for byte in chunk:
            c = chr(byte)
            if mode == ";":
                if c == "\n":
                    mode = None
                continue
            if mode:
                text.append(byte)
                if c == mode:
                    mode = None
                continue
            if c == ";":
                mode = ";"
                continue
            if depth == 0 and c.isspace():
                continue
            text.append(byte)
            if c in '"|':
                mode = c
            elif c == "(":
                depth += 1
            elif c == ")":
                depth -= 1
            if depth == 0 and mode is None and c == ")":
                yield text.decode("utf-8", "replace")
                text.clear()
    if text.strip():
        yield text.decode("utf-8", "replace")


def new():
    options = bitwuzla.Options()
    if sys.argv[1:]:
        options.set_args(*sys.argv[1:])
    return bitwuzla.Parser(bitwuzla.TermManager(), options)


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main():
    if "--version" in sys.argv:
        say("Bitwuzla " + bitwuzla.version())
        return 0
    failed, broken, header = 0, False, ""
    try:
        parser = new()
    except bitwuzla.BitwuzlaException as e:
        say('(error "%s")' % str(e).replace('"', '""'))
        return 1
    for command in commands():
        head = command[1:].split(None, 1)[0].rstrip(")") if command[1:].strip() else ""
        if head == "exit":
            break
        if head == "reset":
            parser, broken, header = new(), False, ""
        elif head == "echo":
            say(command[command.index("echo") + 4 : -1].strip())
        elif head in ("set-option", "set-logic", "set-info"):
            # The first text that is parsed fixes the options, so they go together.
            header += command + "\n"
        elif not broken:
            try:
                if header:
                    parser.parse(header, False, False)
                    header = ""
                if head in ("push", "pop"):
                    # The parser forgets its levels between two texts, the solver does not.
                    levels = int(command.strip("() ")[len(head):].strip() or "1")
                    getattr(parser.bitwuzla(), head)(levels)
                else:
                    parser.parse(command, False, False)
            except bitwuzla.BitwuzlaException as e:
                failed, broken = 1, True
                say('(error "%s")' % str(e).replace('"', '""'))
    return failed


code = main()
sys.stdout.flush()
os._exit(code)
