public import Foundation
import TenureCore
import TenureFormats

/// The license that is kept on this device: what an app shows about it.
///
/// It is there in every state of the license; ``LicenseManager/state`` says whether it holds.
public struct LicenseFacts: Sendable, Hashable {
    /// The license key with its middle hidden, such as `NOTE-****-****-0001`.
    public let maskedKey: String
    /// The plan, such as `yearly`; nil over Keylight.
    public let policyID: String?
    /// The plan's name for people; nil where the server does not say.
    public let policyName: String?
    /// Whom the license belongs to; nil where the vendor does not show it.
    public let holder: String?
    /// When the license was activated here.
    public let activatedAt: Date
    /// When a server last answered about it.
    public let confirmedAt: Date
    /// When the lease ends that confirms it, which is renewed by itself; of a license that a server refused, when it did.
    public let leaseEndsAt: Date
    /// When the license's term ends; nil when it is perpetual, or the server does not say.
    public let expiresAt: Date?
    /// How many devices may use the license at once; nil when there is no limit, or the server does not say.
    public let deviceLimit: Int?

    /// Puts facts together, for previews and tests.
    public init(
        maskedKey: String, policyID: String? = nil, policyName: String? = nil, holder: String? = nil,
        activatedAt: Date, confirmedAt: Date, leaseEndsAt: Date, expiresAt: Date? = nil, deviceLimit: Int? = nil
    ) {
        self.maskedKey = maskedKey
        self.policyID = policyID
        self.policyName = policyName
        self.holder = holder
        self.activatedAt = activatedAt
        self.confirmedAt = confirmedAt
        self.leaseEndsAt = leaseEndsAt
        self.expiresAt = expiresAt
        self.deviceLimit = deviceLimit
    }
}

extension LicenseFacts {
    /// Reads the facts off a record and the last word on its license; nil without a license.
    init?(_ record: ClientRecord, _ word: StoredLicense?, deviceLimit: Int?) {
        guard let license = record.license else { return nil }
        let lease: LeaseFacts? =
            switch word {
            case .lease(let facts): facts
            case .refused(let no): no.lease?.facts
            case .unverifiable, .unconfirmed, .unreadable, nil: nil
            }
        // What no program wrote down is told by what it did: a license was never kept without an answer.
        let confirmed = record.confirmed ?? license.issuedAt ?? Moment(Timestamp(seconds: 0))
        let activated = license.activatedAt ?? license.issuedAt ?? confirmed
        self.init(
            maskedKey: Self.masked(license.activation.key), policyID: lease?.policy,
            policyName: lease?.policyName, holder: lease?.holder, activatedAt: Date(activated.timestamp),
            confirmedAt: Date(confirmed.timestamp), leaseEndsAt: Date((lease?.expiresAt ?? confirmed).timestamp),
            expiresAt: lease?.termEnd.map { Date($0.timestamp) }, deviceLimit: deviceLimit)
    }

    /// The key with its middle hidden; what stands before the first dash is shown where it can be a product's prefix.
    private static func masked(_ key: String) -> String {
        let prefix = key.split(separator: "-").first.flatMap { LicenseKeyPrefix($0.uppercased()) }
        return LicenseKeyText(key)?.masked(showing: prefix) ?? "****"
    }
}
