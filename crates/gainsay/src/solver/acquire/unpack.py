"""Unpacks the members of a wheel that match the patterns, flat, into a directory ('-' only lists them)."""
import fnmatch
import os
import shutil
import sys
import zipfile

wheel, target, *patterns = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    for member in archive.infolist():
        if member.is_dir() or not any(fnmatch.fnmatch(member.filename, p) for p in patterns):
            continue
        name = os.path.basename(member.filename)
        print(name)
        if target != "-":
            place = os.path.join(target, name)
            with archive.open(member) as source, open(place, "wb") as sink:
                shutil.copyfileobj(source, sink)
            os.chmod(place, 0o755)
