import TenureCore
package import TenureHTTP

/// The proxies whose `X-Forwarded-For` header is trusted.
///
/// The header of any other peer is ignored. Limits per source use the request's source, which this type determines. A
/// loopback peer that isn't a trusted proxy has no source, because it may be a proxy that forwards all clients'
/// requests.
public struct TrustedProxies: Sendable, Hashable {
    private let addresses: Set<IPAddress>
    private let trustsLocal: Bool

    /// Trusts no proxy.
    public static let none = TrustedProxies(addresses: [], trustsLocal: false)

    private init(addresses: Set<IPAddress>, trustsLocal: Bool) {
        self.addresses = addresses
        self.trustsLocal = trustsLocal
    }

    /// Trusts the proxies in a list.
    ///
    /// Each element is an IP address, or `unix` for every peer on a Unix socket. Returns `nil` if any element is
    /// neither.
    public init?(_ names: [String]) {
        let hosts = names.filter { $0 != "unix" }
        let addresses = hosts.compactMap { IPAddress($0) }
        guard addresses.count == hosts.count else { return nil }
        self.init(addresses: Set(addresses), trustsLocal: names.contains("unix"))
    }

    /// The network that a request comes from; `nil` if it's unknown, in which case limits per source don't apply.
    ///
    /// If the peer is a trusted proxy, the source is the last address in `X-Forwarded-For`, which that proxy added.
    /// Without the header, the source is unknown. If the address can't be parsed, the source is the proxy's own
    /// address. Otherwise, a client that makes its address unreadable would have no limit.
    ///
    /// For other peers, the source is the peer's address; it's unknown for a loopback address or a Unix socket. An IPv6
    /// address is reduced to its first 64 bits, which usually belong to one customer.
    package func source(of request: Request) -> IPAddress? {
        switch request.peer {
        case .local: return trustsLocal ? forwarded(request, by: Self.loopback) : nil
        case .host(let address):
            if addresses.contains(address) { return forwarded(request, by: address) }
            return address.isLoopback ? nil : address.network
        }
    }

    /// The address used for a proxy on a Unix socket, which has no IP address.
    private static let loopback = IPAddress(version4: 0x7F00_0001)

    private func forwarded(_ request: Request, by proxy: IPAddress) -> IPAddress? {
        HeaderText.lastElement(of: request.headers.values("X-Forwarded-For"))
            .map { (IPAddress(withPort: $0) ?? proxy).network }
    }
}
