/// What a ``TransferSchedule`` keeps to.
struct ScheduleLimits {
    /// Transfers at the same time with one host, at least 1.
    var perHost = 8
    /// Transfers at the same time in all, at least 1.
    var inAll = 64
    /// Transfers at the same time, in all, at hosts that have not answered yet, the first at each of them apart: hosts that never answer hold
    /// no more than this for the time that it takes to find out.
    var unanswered: Int { max(1, inAll / 8) }
    /// The shortest time between two requests to one host on the average of a second, see ``RequestPaces``; zero for none.
    var interval = Duration.zero
    /// The longest rest of a host that fails again and again. A host whose next attempt after so long a rest fails is given
    /// up. Zero for no rests but those that hosts ask for.
    var patience = Duration.seconds(60)
    /// Names that are being looked up at the same time, also for transfers that are over; at least 1.
    var lookUps = 16
    /// How long a name that was looked up need not be looked up again. libcurl keeps it for 60 s, counted in whole seconds and from
    /// earlier on: it must not look up what counts as known here.
    var nameLifetime = Duration.seconds(58)
}
