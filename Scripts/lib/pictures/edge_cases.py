"""Files of public collections of which ours makes something else than other programs, and is right."""

import fnmatch
import os

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "edge-cases.txt")


class EdgeCases:
    def __init__(self, lines):
        self.cases = []
        for line in lines:
            line = line.strip()
            if line and not line.startswith("#"):
                verdict, pattern, reason = line.split(None, 2)
                self.cases.append((verdict, pattern, reason))

    def reason(self, finding):
        """Why a finding is right; nil for one that is not known to be, or differs in another way than it is known to."""
        for verdict, pattern, reason in self.cases:
            if verdict == finding["verdict"] and fnmatch.fnmatch(finding["path"], "*/" + pattern):
                return reason
        return None


def read(path=LIST):
    with open(path, encoding="utf-8") as file:
        return EdgeCases(file)
