public import TenureCore
import TenureStore

/// Which events to list; what is nil does not matter.
public struct EventFilter: Sendable, Hashable {
    /// Only this tenant's.
    public var tenant: TenantID?
    /// Only this license's, of a product or of an app.
    public var license: LicenseID?
    /// Only this account's; it needs the tenant.
    public var account: AccountID?
    /// Only this enrolment's and those of its licenses.
    public var enrolment: EnrolmentID?
    /// Only those of this license of a content.
    public var contentLicense: ContentLicenseID?
    /// Only those of this kind or family. No index has it: see ``TenureStore/Reading/eventPage(_:after:limit:)``.
    public var kind: EventKindPattern?

    /// Makes a filter.
    public init(
        tenant: TenantID? = nil, license: LicenseID? = nil, account: AccountID? = nil, enrolment: EnrolmentID? = nil,
        contentLicense: ContentLicenseID? = nil, kind: EventKindPattern? = nil
    ) {
        self.tenant = tenant
        self.license = license
        self.account = account
        self.enrolment = enrolment
        self.contentLicense = contentLicense
        self.kind = kind
    }
}

/// One kind of event, such as `license.renewed`, or a family of kinds, such as `license.*`.
public struct EventKindPattern: Sendable, Hashable, CustomStringConvertible {
    /// As it was written.
    public let text: String

    /// Reads a pattern: letters and `_`, a dot, and the same or `*`. `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isWord(parts[0]), parts[1] == "*" || Self.isWord(parts[1]) else { return nil }
        self.text = text
    }

    /// As it was written.
    public var description: String { text }

    /// Whether a kind is this one, or belongs to this family.
    public func matches(_ kind: EventKind) -> Bool {
        family.map { kind.text.hasPrefix($0) } ?? (kind.text == text)
    }

    /// How the store compares it.
    var comparison: Comparison {
        family.map { Comparison("kind", .begins($0)) } ?? .equals("kind", EventKind(told: text))
    }

    /// `license.` of `license.*`; `nil` for one kind.
    private var family: String? { text.hasSuffix(".*") ? String(text.dropLast()) : nil }

    private static func isWord(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
    }
}
