import Synchronization
package import TenureCore
package import TenureHTTP

/// Limits guessing of license keys: counts unknown keys per address and per product.
///
/// Once a product's limit is reached, only addresses that have sent unknown keys must wait, so an attacker can't lock
/// out the product's customers. A request whose source is unknown counts for the product but never has to wait. Each
/// server process counts separately.
///
/// Before a key is looked up, an attempt takes one of the address's tries, and returns it unless the key is unknown.
/// Otherwise, a caller could send many keys at once before the first unknown key is counted. Simultaneous attempts
/// with the same key share one try, so that a company can activate many devices at once from one address.
package final class WrongKeys: Sendable {
    /// The limits on unknown keys.
    package struct Bounds: Sendable {
        /// The number of unknown keys per address and window.
        package var perAddress = 30
        /// The number of unknown keys per product and window.
        package var perProduct = 600
        /// The length of a window in seconds.
        package var window: Int64 = 900
        /// The seconds to wait if attempts in progress hold all remaining tries of an address.
        package var pause: Int64 = 1
        /// The maximum number of addresses, and of products, whose counts are stored.
        package var capacity = 10_000

        package init() {}
    }

    /// A key that an address is trying for a product.
    fileprivate struct TriedKey: Hashable {
        let address: IPAddress
        let product: ProductRef
        let key: Digest
    }

    private struct Ledgers {
        var addresses: WindowCounter<IPAddress>
        var products: WindowCounter<ProductRef>
        /// The number of attempts in progress with each key.
        var attempts: [TriedKey: Int] = [:]
        /// The number of different keys that each address is trying.
        var keys: [IPAddress: Int] = [:]
    }

    /// An attempt whose key is being looked up. It holds one of the address's tries until it's deallocated.
    package final class Attempt: Sendable {
        fileprivate let tried: TriedKey
        private let limits: WrongKeys

        fileprivate init(_ tried: TriedKey, in limits: WrongKeys) {
            self.tried = tried
            self.limits = limits
        }

        deinit { limits.end(tried) }
    }

    /// Whether a key may be looked up.
    package enum Permission: Sendable {
        /// The key may be looked up. Keep the attempt until the look-up has ended; it's `nil` if the request's source
        /// is unknown.
        case admitted(Attempt?)
        /// The caller must wait for this many seconds before sending another key.
        case refused(retryAfter: Int64)
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

    /// Reserves one of the address's attempts for looking up a key. If none is left, returns how long to wait.
    ///
    /// - Parameter key: The hash of the key as the client sent it.
    package func begin(
        _ request: Request, for product: ProductRef, key: Digest, at now: Timestamp
    ) -> Permission {
        guard let address = proxies.source(of: request) else { return .admitted(nil) }
        let tried = TriedKey(address: address, product: product, key: key)
        let wait = ledgers.withLock { ledgers -> Int64? in
            if let wait = secondsToWait(tried, in: ledgers, at: now) { return wait }
            let same = ledgers.attempts[tried, default: 0]
            if same == 0 { ledgers.keys[address, default: 0] += 1 }
            ledgers.attempts[tried] = same + 1
            return nil
        }
        return wait.map { .refused(retryAfter: $0) } ?? .admitted(Attempt(tried, in: self))
    }

    /// Returns the seconds that the address must wait before the key may be looked up; `nil` if no wait is needed.
    private func secondsToWait(_ tried: TriedKey, in ledgers: Ledgers, at now: Timestamp) -> Int64? {
        let address = tried.address
        let counted = ledgers.addresses.count(of: address, at: now)
        if counted >= bounds.perAddress { return ledgers.addresses.secondsLeft(of: address, at: now) }
        let others = ledgers.keys[address, default: 0] - (ledgers.attempts[tried] == nil ? 0 : 1)
        guard counted + others > 0 else { return nil }
        if counted + others >= bounds.perAddress { return bounds.pause }
        guard ledgers.products.count(of: tried.product, at: now) >= bounds.perProduct else { return nil }
        return counted > 0 ? ledgers.products.secondsLeft(of: tried.product, at: now) : bounds.pause
    }

    private func end(_ tried: TriedKey) {
        ledgers.withLock { ledgers in
            guard let same = ledgers.attempts[tried] else { return }
            ledgers.attempts[tried] = same > 1 ? same - 1 : nil
            guard same == 1, let keys = ledgers.keys[tried.address] else { return }
            ledgers.keys[tried.address] = keys > 1 ? keys - 1 : nil
        }
    }

    /// Counts an unknown key for the product and, if the source is known, for the address of the attempt.
    ///
    /// Returns `nil` if the caller may learn that the key is unknown. Otherwise, simultaneous attempts have used up
    /// the address's tries, and the caller must wait for the returned number of seconds.
    package func count(_ attempt: Attempt?, for product: ProductRef, at now: Timestamp) -> Int64? {
        ledgers.withLock { ledgers in
            if let address = attempt?.tried.address {
                if ledgers.addresses.count(of: address, at: now) >= bounds.perAddress {
                    return ledgers.addresses.secondsLeft(of: address, at: now)
                }
                ledgers.addresses.add(address, at: now)
            }
            ledgers.products.add(product, at: now)
            return nil
        }
    }

    /// The 429 response for a caller that must wait.
    package static func tooMany(retryAfter seconds: Int64) -> Failure {
        .tooMany(
            "Too many unknown license keys were sent from this address. Wait for the time in Retry-After, then try "
                + "again.",
            retryAfter: seconds)
    }
}
