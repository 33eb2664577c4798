import TenureCore
package import TenureHTTP

/// The proxies whose `X-Forwarded-For` header is trusted.
///
/// The header of any other peer is ignored. The result is a request's source, which limits are applied to. A loopback
/// peer that isn't a trusted proxy has no source, because it may be a proxy that forwards everyone's requests.
public struct TrustedProxies: Sendable, Hashable {
    private let addresses: Set<IPAddress>
    private let trustsLocal: Bool

    /// Trusts no proxy.
    public static let none = TrustedProxies(addresses: [], trustsLocal: false)

    private init(addresses: Set<IPAddress>, trustsLocal: Bool) {
        self.addresses = addresses
        self.trustsLocal = trustsLocal
    }

    /// Trusts the named proxies.
    ///
    /// A name is an IP address, or `unix` for all peers on a Unix socket. Returns `nil` if any name is neither.
    public init?(_ names: [String]) {
        let hosts = names.filter { $0 != "unix" }
        let addresses = hosts.compactMap { IPAddress($0) }
        guard addresses.count == hosts.count else { return nil }
        self.init(addresses: Set(addresses), trustsLocal: names.contains("unix"))
    }

    /// The network that a request comes from; `nil` if it's unknown, in which case limits per source don't apply.
    ///
    /// If the peer is a trusted proxy, this is the last address in `X-Forwarded-For`, which that proxy added. All
    /// addresses that can't be read count as one source, the proxy's own: otherwise a client whose text makes its
    /// address unreadable would have no limit. Without the header the source is unknown. For other peers, it's the
    /// peer's address. An IPv6 address is reduced to its first 64 bits, which usually belong to one customer.
    package func source(of request: Request) -> IPAddress? {
        switch request.peer {
        case .local: return trustsLocal ? forwarded(request, by: Self.loopback) : nil
        case .host(let address):
            if addresses.contains(address) { return forwarded(request, by: address) }
            return address.isLoopback ? nil : address.network
        }
    }

    /// The address used for a proxy on a Unix socket, which has none of its own.
    private static let loopback = IPAddress(version4: 0x7F00_0001)

    private func forwarded(_ request: Request, by proxy: IPAddress) -> IPAddress? {
        HeaderText.lastElement(of: request.headers.values("X-Forwarded-For"))
            .map { (IPAddress(withPort: $0) ?? proxy).network }
    }
}
