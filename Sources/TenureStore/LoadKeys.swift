public import TenureCore

/// Names what a decision needs to see.
public struct LoadKeys: Sendable, Hashable {
    /// How a change names its license.
    public enum LicenseSelector: Sendable, Hashable {
        /// By its id.
        case id(LicenseID)
        /// By its key, among the licenses of one product.
        case key(Digest, in: ProductRef)
        /// By an activation of it; the activation is loaded too.
        case activation(ActivationID)
    }

    /// The license, and with `.activation` the activation.
    public var license: LicenseSelector?

    /// The device whose seat is asked about; loads the license's ``TenureCore/Seats``.
    public var seatsFor: DeviceIdentity?

    /// Whether the whole catalog is needed, with the number of licenses of each policy and of each marketplace's app.
    public var catalog: Bool

    /// The tenant whose signing keys are needed.
    public var signingKeysOf: TenantID?

    /// The request whose earlier answer is needed, if there is one.
    public var answerTo: Digest?

    /// The value of the server's own that is needed.
    public var setting: String?

    /// The app licenses and rights that are needed.
    public var apps: AppKeys?

    /// The account that is needed.
    public var account: AccountRef?

    /// The credential of an account that is needed, by the hash of its text.
    public var credential: Digest?

    /// The credential of a license's holder that is needed, by the hash of its text.
    public var licenseCredential: Digest?

    /// The moment after which the holder's releases of the license's devices are needed.
    public var releasesByHolderAfter: Timestamp?

    /// The trial that is needed, if there is one.
    public var trial: TrialName?

    /// Names what is needed; by default nothing.
    public init(
        license: LicenseSelector? = nil, seatsFor: DeviceIdentity? = nil, catalog: Bool = false,
        signingKeysOf: TenantID? = nil, answerTo: Digest? = nil, setting: String? = nil, apps: AppKeys? = nil,
        account: AccountRef? = nil, credential: Digest? = nil, licenseCredential: Digest? = nil,
        trial: TrialName? = nil, releasesByHolderAfter: Timestamp? = nil
    ) {
        self.apps = apps
        self.account = account
        self.credential = credential
        self.licenseCredential = licenseCredential
        self.trial = trial
        self.releasesByHolderAfter = releasesByHolderAfter
        self.license = license
        self.seatsFor = seatsFor
        self.catalog = catalog
        self.signingKeysOf = signingKeysOf
        self.setting = setting
        self.answerTo = answerTo
    }
}

/// What an engine loaded for a decision.
public struct Loaded: Sendable {
    /// The catalog's version in this transaction: a decision made under another one must be made again.
    public var catalogVersion: Int64

    /// The license; nil when none goes by that name.
    public var license: License?

    /// The seats of that license as the device sees them; nil when not asked for or when there is no license.
    public var seats: Seats?

    /// The activation; nil when not asked for or unknown.
    public var activation: Activation?

    /// The catalog; nil when not asked for.
    public var catalog: Catalog?

    /// How many licenses each policy has; empty when the catalog was not asked for.
    public var licensesPerPolicy: [PolicyRef: Int]

    /// How many app licenses each app of a tenant has; empty when the catalog was not asked for.
    public var licensesPerApp: [TenantID: [AppleItemID: Int]]

    /// The signing keys; empty when not asked for.
    public var signingKeys: [SigningKeyRecord]

    /// The value of the server's own; nil when not asked for or never set.
    public var setting: [UInt8]?

    /// What was answered to the request before; nil when not asked for or never answered.
    public var answer: RememberedAnswer?

    /// The app licenses and rights; nil when not asked for.
    public var apps: LoadedApps?

    /// The account; nil when not asked for or unknown.
    public var account: Account?

    /// The credential; nil when not asked for or unknown.
    public var credential: AccountCredential?

    /// The credential of a license's holder; nil when not asked for or unknown.
    public var licenseCredential: LicenseCredential?

    /// When the holder released devices of the license; empty when not asked for or when there is no license.
    public var releasesByHolder: [Timestamp]

    /// The trial; nil when not asked for or never begun.
    public var trial: Trial?

    /// Puts it together.
    public init(
        catalogVersion: Int64, license: License? = nil, seats: Seats? = nil, activation: Activation? = nil,
        catalog: Catalog? = nil, licensesPerPolicy: [PolicyRef: Int] = [:],
        licensesPerApp: [TenantID: [AppleItemID: Int]] = [:], signingKeys: [SigningKeyRecord] = [],
        answer: RememberedAnswer? = nil, setting: [UInt8]? = nil, apps: LoadedApps? = nil, account: Account? = nil,
        credential: AccountCredential? = nil, licenseCredential: LicenseCredential? = nil, trial: Trial? = nil,
        releasesByHolder: [Timestamp] = []
    ) {
        self.apps = apps
        self.account = account
        self.credential = credential
        self.licenseCredential = licenseCredential
        self.trial = trial
        self.releasesByHolder = releasesByHolder
        self.catalogVersion = catalogVersion
        self.license = license
        self.seats = seats
        self.activation = activation
        self.catalog = catalog
        self.licensesPerPolicy = licensesPerPolicy
        self.licensesPerApp = licensesPerApp
        self.signingKeys = signingKeys
        self.setting = setting
        self.answer = answer
    }
}

/// Names a policy on this server.
public struct PolicyRef: Sendable, Hashable {
    /// Whose policy it is.
    public let product: ProductRef
    /// Its name in the product.
    public let policy: PolicyID

    /// Names a policy.
    public init(product: ProductRef, policy: PolicyID) {
        self.product = product
        self.policy = policy
    }
}
