package import TenureHTTP

/// The proxies whose `X-Forwarded-For` header is trusted.
///
/// Limits apply to a request's source. Other peers' headers are ignored. A loopback peer that isn't a trusted proxy has
/// no source, because it may forward requests of anyone.
public struct TrustedProxies: Sendable, Hashable {
    private let addresses: Set<IPAddress>
    private let trustsLocal: Bool

    /// Trusts no proxy.
    public static let none = TrustedProxies(addresses: [], trustsLocal: false)

    private init(addresses: Set<IPAddress>, trustsLocal: Bool) {
        self.addresses = addresses
        self.trustsLocal = trustsLocal
    }

    /// Trusts proxies by IP address, or `unix` for all peers on a Unix socket.
    ///
    /// Returns `nil` for any other name.
    public init?(_ names: [String]) {
        let hosts = names.filter { $0 != "unix" }
        let addresses = hosts.compactMap { IPAddress($0) }
        guard addresses.count == hosts.count else { return nil }
        self.init(addresses: Set(addresses), trustsLocal: names.contains("unix"))
    }

    /// The network that a request comes from; `nil` if it's unknown, and then source limits don't apply.
    ///
    /// For a trusted proxy, it's the last address in `X-Forwarded-For`, which the proxy has added; otherwise it's the
    /// peer's address. An IPv6 network is the first 64 bits, which usually belong to one party.
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
