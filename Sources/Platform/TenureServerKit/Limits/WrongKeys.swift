import Synchronization
package import TenureCore
package import TenureHTTP

/// Limits guessing of license keys: counts unknown keys per address and per product.
///
/// Once a product's limit is reached, only addresses that have sent unknown keys must wait, so an attacker can't lock
/// out the product's customers. A request whose source is unknown counts for the product but never has to wait. Each
/// server process counts separately.
package final class WrongKeys: Sendable {
    /// The limits on unknown keys.
    package struct Bounds: Sendable {
        /// Unknown keys per address and window.
        package var perAddress = 30
        /// Unknown keys per product and window.
        package var perProduct = 600
        /// The length of a window in seconds.
        package var window: Int64 = 900
        /// The maximum number of addresses, and of products, that are remembered.
        package var capacity = 10_000

        package init() {}
    }

    private struct Ledgers {
        var addresses: WindowCounter<IPAddress>
        var products: WindowCounter<ProductRef>
    }

    private let bounds: Bounds
    private let proxies: TrustedProxies
    private let ledgers: Mutex<Ledgers>

    package init(_ bounds: Bounds = Bounds(), behind proxies: TrustedProxies = .none) {
        self.bounds = bounds
        self.proxies = proxies
        ledgers = Mutex(
            Ledgers(
                addresses: WindowCounter(window: bounds.window, capacity: bounds.capacity),
                products: WindowCounter(window: bounds.window, capacity: bounds.capacity)))
    }

    /// How many seconds the caller must wait before it sends another key for the product; `nil` if it may send one now.
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

    /// The 429 response for a caller that must wait.
    package static func tooMany(retryAfter seconds: Int64) -> Failure {
        .tooMany(
            "Too many unknown license keys were sent from this address. Wait for the time in Retry-After, then try "
                + "again.",
            retryAfter: seconds)
    }

    /// Counts an unknown key for the request's address, if that is known, and for the product.
    package func count(_ request: Request, for product: ProductRef, at now: Timestamp) {
        let address = proxies.source(of: request)
        ledgers.withLock { ledgers in
            if let address { ledgers.addresses.add(address, at: now) }
            ledgers.products.add(product, at: now)
        }
    }
}
