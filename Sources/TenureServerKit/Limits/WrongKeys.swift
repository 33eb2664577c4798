import Synchronization
package import TenureCore
package import TenureHTTP

/// Counts unknown keys by address, and for a product over all addresses, and tells who has sent too many.
///
/// Over a product's bound only those addresses wait that sent such keys themselves, so that nobody can lock a product's
/// customers out. Requests whose address is unknown are counted for their product and never wait. Each server on a store
/// counts for itself.
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
    private let proxies: TrustedProxies
    private let ledgers: Mutex<Ledgers>

    /// Starts with nothing counted.
    package init(_ bounds: Bounds = Bounds(), behind proxies: TrustedProxies = .none) {
        self.bounds = bounds
        self.proxies = proxies
        ledgers = Mutex(
            Ledgers(
                addresses: CountLedger(window: bounds.window, capacity: bounds.capacity),
                products: CountLedger(window: bounds.window, capacity: bounds.capacity)))
    }

    /// Seconds until the caller may try keys of the product again; nil if it may do so now.
    package func wait(_ request: Request, for product: ProductRef, at now: Timestamp) -> Int64? {
        guard let address = proxies.source(of: request) else { return nil }
        return ledgers.withLock { ledgers in
            let own = ledgers.addresses.count(of: address, at: now)
            guard own > 0 else { return nil }
            if own >= bounds.perAddress { return ledgers.addresses.secondsLeft(of: address, at: now) }
            guard ledgers.products.count(of: product, at: now) >= bounds.perProduct else { return nil }
            return ledgers.products.secondsLeft(of: product, at: now)
        }
    }

    /// The answer to a caller that has to wait: 429.
    package static func tooMany(retryAfter seconds: Int64) -> Failure {
        .tooMany(
            "Too many unknown license keys were sent from this address. Try again after the time in Retry-After.",
            retryAfter: seconds)
    }

    /// Counts a key that nobody has.
    package func count(_ request: Request, for product: ProductRef, at now: Timestamp) {
        let address = proxies.source(of: request)
        ledgers.withLock { ledgers in
            if let address { ledgers.addresses.add(address, at: now) }
            ledgers.products.add(product, at: now)
        }
    }
}
