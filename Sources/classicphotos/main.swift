import Glibc

// A line that nobody reads any more is no reason to die in the middle of a file.
signal(SIGPIPE, SIG_IGN)
// A file that outgrows its limit is an error of that write, not the end of the program.
signal(SIGXFSZ, SIG_IGN)
setlocale(LC_ALL, "")
exit(await Program.run(arguments: Array(CommandLine.arguments.dropFirst())).rawValue)
