import Synchronization
package import TenureCore
package import TenureHTTP

/// Bounds how many keys that nobody has are looked up: by address, and for a product by all addresses together.
///
/// Over a product's bound only those addresses are turned away that sent such keys themselves, so that nobody can lock a
/// product's customers out. Requests whose address cannot be told are counted for their product and never turned away.
/// It is this process's own: each server on a store counts for itself.
package final class WrongKeys: Sendable {
    /// The bounds.
    package struct Bounds: Sendable {
        /// Wrong keys of one address in a window.
        package var perAddress = 30
        /// Wrong keys for one product in a window.
        package var perProduct = 600
        /// How long they count, in seconds.
        package var window: Int64 = 900
        /// Addresses, and products, that are remembered at once.
        package var capacity = 10_000

        /// The usual bounds.
        package init() {}
    }

    private struct Ledgers {
        var addresses: CountLedger<IPAddress>
        var products: CountLedger<ProductRef>
    }

    private let bounds: Bounds
    private let ledgers: Mutex<Ledgers>

    /// Starts with nothing counted.
    package init(_ bounds: Bounds = Bounds()) {
        self.bounds = bounds
        ledgers = Mutex(
            Ledgers(
                addresses: CountLedger(window: bounds.window, capacity: bounds.capacity),
                products: CountLedger(window: bounds.window, capacity: bounds.capacity)))
    }

    /// Turns a request away that may not try a key of the product now: 429, which says when it may.
    package func check(_ request: Request, for product: ProductRef, at now: Timestamp) throws(Failure) {
        guard let address = request.clientNetwork else { return }
        let wait: Int64? = ledgers.withLock { ledgers in
            let own = ledgers.addresses.count(of: address, at: now)
            guard own > 0 else { return nil }
            if own >= bounds.perAddress { return ledgers.addresses.secondsLeft(of: address, at: now) }
            guard ledgers.products.count(of: product, at: now) >= bounds.perProduct else { return nil }
            return ledgers.products.secondsLeft(of: product, at: now)
        }
        guard let wait else { return }
        throw .tooMany("Too many license keys that nobody has were sent from this address.", retryAfter: wait)
    }

    /// Counts a key that nobody has.
    package func count(_ request: Request, for product: ProductRef, at now: Timestamp) {
        let address = request.clientNetwork
        ledgers.withLock { ledgers in
            if let address { ledgers.addresses.add(address, at: now) }
            ledgers.products.add(product, at: now)
        }
    }
}

extension Request {
    /// The network that the request came from, as far as it can be believed; nil when it cannot be told.
    ///
    /// The peer's own address, or, when the peer is this machine and so a proxy, the last that `X-Forwarded-For` names:
    /// that one the proxy itself has added. Of version 6 the first 64 bits, which one party holds as a rule.
    package var clientNetwork: IPAddress? {
        if case .host(let address) = peer, !address.isLoopback { return address.network }
        guard let last = headers.values("X-Forwarded-For").last?.split(separator: ",").last else { return nil }
        return IPAddress(last.filter { $0 != " " && $0 != "\t" })?.network
    }
}
