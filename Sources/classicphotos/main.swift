import Glibc
import PhotoPipeline
import Wording

// Where a standard descriptor is closed, the next file or connection would get its number, and what is said to people
// would land there. What is written to a closed standard output is lost, so writing there has to fail.
for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
    _ = open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
}
ProcessLimits.prepare()
// A line that nobody reads any more is no reason to die in the middle of a file.
signal(SIGPIPE, SIG_IGN)
// A file that outgrows its limit is an error of that write, not the end of the program.
signal(SIGXFSZ, SIG_IGN)
Translation.begin(domain: "classicphotos-cli", folder: InstalledFiles.localeFolder)
ProcessEnd.exit(Console.endOutput(await Program.run(arguments: Array(CommandLine.arguments.dropFirst()))).rawValue)
