import TenureCore
public import TenureFoundation
import TenureLicensing

/// Details of the license stored on this device, for display.
///
/// They are available in every state. ``LicenseManager/state`` says whether the license is valid.
public struct LicenseFacts: Sendable, Hashable {
    /// The license key with its middle hidden, such as `NOTE-****-****-0001`.
    public let maskedKey: String
    /// The policy's id, such as `yearly`; `nil` over Keylight.
    public let policyID: String?
    /// The policy's display name; `nil` if the server doesn't send it.
    public let policyName: String?
    /// The license's owner; `nil` if the vendor doesn't disclose it.
    public let holder: String?
    /// When the license was activated on this device.
    public let activatedAt: Date
    /// When a server last answered about the license.
    public let confirmedAt: Date
    /// When the current lease ends; leases are renewed automatically.
    ///
    /// If a server has refused the license without sending a lease, it is the time of the refusal.
    public let leaseEndsAt: Date
    /// When the license's term ends; `nil` if it is perpetual or the server doesn't say.
    public let expiresAt: Date?
    /// The maximum number of devices; `nil` if there is no limit or it isn't known.
    public let deviceLimit: Int?

    /// Creates the details of a license, for previews and tests.
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
    /// Creates the details from a record and its verified license; `nil` if the record contains no license.
    init?(_ record: ClientRecord, _ word: StoredLicense?, deviceLimit: Int?) {
        guard let license = record.license else { return nil }
        let lease: LeaseFacts? =
            switch word {
            case .lease(let facts): facts
            case .refused(let refusal): refusal.lease?.facts
            case .unverifiable, .unconfirmed, .unreadable, nil: nil
            }
        // Older records lack these times. A license has always been stored together with a server's response, so the
        // time of its lease is a good estimate.
        let confirmed = record.confirmed ?? license.issuedAt ?? Moment(Timestamp(seconds: 0))
        let activated = license.activatedAt ?? license.issuedAt ?? confirmed
        self.init(
            maskedKey: Self.masked(license.activation.key), policyID: lease?.policy,
            policyName: lease?.policyName, holder: lease?.holder, activatedAt: Date(activated.timestamp),
            confirmedAt: Date(confirmed.timestamp), leaseEndsAt: Date((lease?.expiresAt ?? confirmed).timestamp),
            expiresAt: lease?.termEnd.map { Date($0.timestamp) }, deviceLimit: deviceLimit)
    }

    /// The key with its middle hidden; the part before the first dash is shown if it can be a product's prefix.
    private static func masked(_ key: String) -> String {
        let prefix = key.split(atByte: "-").first.flatMap { LicenseKeyPrefix($0.uppercased()) }
        return LicenseKeyText(key)?.masked(showing: prefix) ?? "****"
    }
}
