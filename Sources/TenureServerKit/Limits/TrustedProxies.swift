package import TenureHTTP

/// The proxies whose word is taken for where a request comes from.
///
/// Limits go by a request's source. Whoever else claims to come from somewhere is not believed; and a peer on this machine
/// that is no such proxy has no source at all, for it may speak for everybody.
public struct TrustedProxies: Sendable, Hashable {
    private let addresses: Set<IPAddress>
    private let trustsLocal: Bool

    /// Trusts nobody.
    public static let none = TrustedProxies(addresses: [], trustsLocal: false)

    private init(addresses: Set<IPAddress>, trustsLocal: Bool) {
        self.addresses = addresses
        self.trustsLocal = trustsLocal
    }

    /// Trusts proxies by their names: addresses, or `unix` for whoever comes over a unix socket; nil when one is neither.
    public init?(_ names: [String]) {
        let hosts = names.filter { $0 != "unix" }
        let addresses = hosts.compactMap { IPAddress($0) }
        guard addresses.count == hosts.count else { return nil }
        self.init(addresses: Set(addresses), trustsLocal: names.contains("unix"))
    }

    /// The network that a request comes from; nil when it cannot be told, and then no limit goes by it.
    ///
    /// Of a trusted proxy the last that `X-Forwarded-For` names, which the proxy itself has added; else the peer's own. Of
    /// version 6 the first 64 bits, which one party holds as a rule.
    package func source(of request: Request) -> IPAddress? {
        switch request.peer {
        case .local: return trustsLocal ? forwarded(request) : nil
        case .host(let address):
            if addresses.contains(address) { return forwarded(request) }
            return address.isLoopback ? nil : address.network
        }
    }

    private func forwarded(_ request: Request) -> IPAddress? {
        guard let last = request.headers.values("X-Forwarded-For").last?.split(separator: ",").last else { return nil }
        return IPAddress(last.filter { $0 != " " && $0 != "\t" })?.network
    }
}
