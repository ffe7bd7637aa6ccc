import Glibc

// A process that transfers, and prints what a test is to know, as lines of a name and a number.
//
//     transfer-child look-ups cancelled|timed-out|again|ended PORT
//
// The test has loaded a resolver into it that does not answer for names that begin with "slow" until it is told to.
//
//     transfer-child shortage client|host|retry|upload PORT
//
// It has no free file descriptors for a while.
//
//     transfer-child end digests PORT
//
// It ends while other threads digest.
guard CommandLine.arguments.count == 4, let port = Int(CommandLine.arguments[3]) else { exit(2) }
let server = TransferServer(port: port)
switch (CommandLine.arguments[1], CommandLine.arguments[2]) {
case ("look-ups", "cancelled"): LookUpRun(server).cancelled()
case ("look-ups", "timed-out"): LookUpRun(server).timedOut()
case ("look-ups", "again"): LookUpRun(server).again()
case ("look-ups", "ended"): LookUpRun(server).ended()
case ("shortage", "client"): ShortageRun(server).client()
case ("shortage", "host"): ShortageRun(server).host()
case ("shortage", "retry"): ShortageRun(server).retry()
case ("shortage", "upload"): ShortageRun(server).upload()
case ("end", "digests"): endAmidDigests()
default: exit(2)
}
