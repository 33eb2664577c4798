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

    /// Turns a request away that may not try a key of the product now: 429, which says when it may.
    package func check(_ request: Request, for product: ProductRef, at now: Timestamp) throws(Failure) {
        guard let address = proxies.source(of: request) else { return }
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
        let address = proxies.source(of: request)
        ledgers.withLock { ledgers in
            if let address { ledgers.addresses.add(address, at: now) }
            ledgers.products.add(product, at: now)
        }
    }
}
