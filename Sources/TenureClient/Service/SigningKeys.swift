import Foundation
package import TenureCrypto

/// The keys that leases are verified with: those the app was built with, and those learned since.
///
/// `@unchecked`: everything that changes is behind `lock`. (`Mutex` needs newer systems than the client supports.)
package final class SigningKeys: @unchecked Sendable {
    private let lock = NSLock()
    private let pinned: [String: Ed25519.PublicKey]
    private var learned: [String: Ed25519.PublicKey] = [:]

    /// How many learned keys are kept at most.
    package static let limit = 64

    /// Begins with the keys that the app was built with, by `kid`.
    package init(pinned: [String: Ed25519.PublicKey]) {
        self.pinned = pinned
    }

    /// All keys that are believed, by `kid`.
    package var all: [String: Ed25519.PublicKey] {
        lock.withLock { learned.merging(pinned) { _, pinned in pinned } }
    }

    /// The learned keys alone.
    package var others: [String: Ed25519.PublicKey] { lock.withLock { learned } }

    /// Believes more keys, and answers whether anything was new.
    ///
    /// A kid that is pinned keeps its key. One that is learned keeps it too, unless `replacing`: then the source is to be
    /// believed about its own names.
    @discardableResult
    package func learn(_ keys: [String: Ed25519.PublicKey], replacing: Bool = false) -> Bool {
        lock.withLock {
            let before = learned
            for (kid, key) in keys.sorted(by: { $0.key < $1.key }) where pinned[kid] == nil {
                guard learned[kid] != nil ? replacing : learned.count < Self.limit else { continue }
                learned[kid] = key
            }
            return learned != before
        }
    }
}
