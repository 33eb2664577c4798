public import TenureCore
import TenureStore

/// Selects the events to list. A property that is `nil` doesn't restrict the selection.
public struct EventFilter: Sendable, Hashable {
    /// Selects events of this tenant.
    public let tenant: TenantID
    /// Selects events of this license, which belongs to a product or an app.
    public var license: LicenseID?
    /// Selects events of this account.
    public var account: AccountID?
    /// Selects events of this enrolment and its licenses.
    public var enrolment: EnrolmentID?
    /// Selects events of this content license.
    public var contentLicense: ContentLicenseID?
    /// Selects events of the holder with this reference.
    public var holderRef: String?
    /// Selects events of this kind, or of this family of kinds.
    ///
    /// No index covers the kind; see ``TenureStore/Reading/eventPage(_:after:limit:)``.
    public var kind: EventFilter.KindPattern?

    /// Creates a filter.
    public init(
        tenant: TenantID, license: LicenseID? = nil, account: AccountID? = nil, enrolment: EnrolmentID? = nil,
        contentLicense: ContentLicenseID? = nil, holderRef: String? = nil,
        kind: EventFilter.KindPattern? = nil
    ) {
        self.tenant = tenant
        self.license = license
        self.account = account
        self.enrolment = enrolment
        self.contentLicense = contentLicense
        self.holderRef = holderRef
        self.kind = kind
    }
}

extension EventFilter {
    /// One kind of event, such as `license.renewed`, or a family of kinds, such as `license.*`.
    public struct KindPattern: Sendable, Hashable, CustomStringConvertible {
        /// The text that the pattern was parsed from.
        public let text: String

        /// Parses a pattern: a word, a dot, and another word or `*`; `nil` for any other text.
        ///
        /// A word consists of lowercase ASCII letters and `_`.
        public init?(_ text: String) {
            let parts = text.split(atByte: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, Self.isWord(parts[0]), parts[1] == "*" || Self.isWord(parts[1]) else { return nil }
            self.text = text
        }

        /// The text that the pattern was parsed from.
        public var description: String { text }

        /// Whether the pattern matches a kind of event.
        public func matches(_ kind: EventKind) -> Bool {
            family.map { kind.text.hasPrefix($0) } ?? (kind.text == text)
        }

        /// The pattern as a condition of a query.
        var comparison: Comparison {
            family.map { Comparison("kind", .begins($0)) } ?? .equals("kind", EventKind(told: text))
        }

        /// The prefix of a family's kinds, such as `license.`; `nil` if the pattern is a single kind.
        private var family: String? { text.hasSuffix(".*") ? String(text.dropLast()) : nil }

        private static func isWord(_ text: Substring) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
        }
    }
}
