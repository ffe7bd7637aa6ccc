import Glibc

/// Which proxies the environment names, and for whom they are not, as libcurl reads it.
///
/// Read once, for a client: the environment belongs to the whole process, and who changes it while another thread
/// reads it ends the program.
package struct ProxyEnvironment: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// By scheme.
    private var proxies: [String: String] = [:]
    /// Hosts that are asked without a proxy, as a list in libcurl's form; nil for none.
    let exceptions: String?

    /// Reads variables.
    /// - Parameter variable: The value of a variable; empty ones are as good as none.
    package init(_ variable: (String) -> String?) {
        func first(_ names: [String]) -> String? {
            names.lazy.compactMap(variable).first { !$0.isEmpty }
        }
        exceptions = first(["no_proxy", "NO_PROXY"])
        guard exceptions != "*" else { return }
        // Programs behind a web server get HTTP_PROXY from whoever asks, which is why nobody reads it.
        proxies["http"] = first(["http_proxy", "all_proxy", "ALL_PROXY"])
        proxies["https"] = first(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
    }

    /// Whether there is no proxy for any address.
    package var isEmpty: Bool { proxies.isEmpty }

    /// For which schemes there are proxies; their addresses may have passwords in them.
    package var description: String { proxies.keys.sorted().joined(separator: ", ") }

    /// Nothing but ``description``.
    package var customMirror: Mirror { Mirror(self, unlabeledChildren: [description]) }

    /// The process's own variables.
    package static var current: ProxyEnvironment {
        ProxyEnvironment { name in getenv(name).map { String(cString: $0) } }
    }

    /// The proxy for addresses of a scheme, but for the hosts that are excepted; nil if there is none.
    func proxy(for scheme: String) -> String? { proxies[scheme] }
}
