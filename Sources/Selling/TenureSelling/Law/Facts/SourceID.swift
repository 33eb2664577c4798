package import TenureCore

/// Distinguishes the ids of sources from other slugs at compile time.
package enum SourceTag {}

/// The id of a source: one shop's account at a payment provider, unique within its tenant.
package typealias SourceID = Slug<SourceTag>

/// A provider's id for one of its objects, such as `sub_1`, `pi_1` or `txn_01`. It has 1 to 128 characters of `A`-`Z`,
/// `a`-`z`, `0`-`9`, `_`, `-` and `.`. At least one of them isn't a dot.
///
/// It's also the reference of an order: the id of the subscription or, for a single purchase, of the payment.
package struct ProviderID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The text as the provider wrote it.
    package let text: String

    /// Creates an id; returns `nil` if the text is empty, too long or has other characters.
    package init?(_ text: String) {
        guard (1...128).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed),
            // Ids are used in URL paths, where `.` and `..` would lead to another object.
            text.utf8.contains(where: { $0 != 0x2E })
        else { return nil }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E: true
        default: false
        }
    }

    package var description: String { text }

    /// Compares the bytes.
    package static func < (one: ProviderID, other: ProviderID) -> Bool { one.text < other.text }
}
