/// The settings that an app is built with, such as its product, its license server and the keys it trusts.
///
/// ```swift
/// var configuration = LicenseConfiguration(server: "https://licenses.example", tenant: "acme", product: "notes")
/// configuration.signingKeys = ["k1-q7d2": "ebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ="]
/// let manager = try LicenseManager(configuration)
/// ```
public struct LicenseConfiguration: Sendable, Hashable {
    /// The license server's base URL: https, or http for a server on the same machine.
    public var server: String
    /// The vendor's id on the server, such as `acme`: 1 to 64 characters of `a`-`z`, `0`-`9`, `_` and `-`.
    public var tenant: String
    /// The product's id within the vendor's products, in the same format as ``tenant``.
    public var product: String
    /// The protocol to use with the server; Tenure's own unless set.
    public var dialect = Dialect.tenure
    /// The vendor's public signing keys by `kid`, each 32 bytes in base64, as printed by `tenure key list`.
    ///
    /// Ship the next key in an update before the server starts signing with it.
    public var signingKeys: [String: String] = [:]
    /// Which other keys are trusted; must be `.served` if ``signingKeys`` is empty.
    public var keyTrust = KeyTrust.pinned
    /// The product's SDK key, sent with each request; `nil` if the product has none.
    public var sdkKey: String?
    /// The name of this installation in lists of devices; `nil` or blank for the host name.
    ///
    /// If it has more than 256 bytes, the characters that fit are sent.
    public var deviceName: String?
    /// An identifier for this installation, 8 to 256 bytes; `nil` for the system's identifier.
    ///
    /// Set it in containers and on build machines. It must stay the same over time and differ between installations.
    /// Only hashes of the identifier leave the device.
    public var deviceIdentifier: String?
    /// The folder of the license record; `nil` for the default location.
    ///
    /// The default is the Keychain on Apple systems. Elsewhere it is the folder `tenure/TENANT/PRODUCT` in
    /// `$XDG_DATA_HOME` or `~/.local/share`.
    public var folder: String?
    /// The Keychain access group of the record, which lets an app's extensions share it; `nil` for the app's own.
    ///
    /// It applies to Apple systems, and only if ``folder`` is `nil`.
    public var keychain: String?
    /// The length in days of a trial that starts before a server has been reached; `nil` to allow none.
    ///
    /// The server confirms the trial later.
    public var trialDays: Int?
    /// The names of all entitlements that the app asks for; `nil` to accept every name.
    ///
    /// Set it, so that a misspelt name is found while you develop: in a trial, every name would be available. If the
    /// app asks for another name, a debug build stops at an assertion. In a release build, the answer is `false`, and
    /// an entry is logged. The log also names entitlements that a license grants and that aren't in the set.
    public var entitlements: Set<String>?
    /// The entitlements that are available in a trial; `nil` for all.
    ///
    /// If ``entitlements`` is set, they must be among them.
    public var trialEntitlements: Set<String>?
    /// Public keys to pin: the server must present one of them, in addition to a valid certificate.
    ///
    /// Each is the base64 of the SHA-256 of a SubjectPublicKeyInfo. If empty, no key is pinned.
    public var serverKeys: [String] = []
    /// How long ``LicenseManager/checkOnLaunch()`` waits for the server when the user isn't entitled yet.
    public var launchPatience = Duration.seconds(2)
    /// The languages of texts for the user, such as `["de"]`, most preferred first; empty for the user's languages.
    ///
    /// The client has texts in English, German, Korean, Japanese, French, Spanish and simplified Chinese.
    public var languages: [String] = []
    /// Receives log entries about requests, answers, decisions and waits, on any thread; `nil` for no log.
    ///
    /// It is ignored when two configurations are compared.
    public var log: (@Sendable (LicenseLogEntry) -> Void)? {
        get { listener.hear }
        set { listener.hear = newValue }
    }
    /// A file that shifts the clock, for tests; `nil` to leave the clock as it is.
    ///
    /// The file contains the seconds to add, as for `tenure serve --clock`. A second file with the same name plus
    /// `.error` shifts only the wall clock. It is rejected unless the server is on this machine.
    public var clockFile: String?
    private var listener = LogListener()

    /// Creates settings for a product and its server; change the other properties afterwards.
    public init(server: String, tenant: String, product: String) {
        self.server = server
        self.tenant = tenant
        self.product = product
    }
}

extension LicenseConfiguration: CustomStringConvertible {
    /// The server, the tenant and the product; no key and no identifier.
    public var description: String { "\(product) of \(tenant) at \(server)" }
}

/// Names for code that was written for Keylight's SDK.
@MainActor
public enum Keylight {
    /// The app's manager; set it once at launch, before it is used.
    public static var manager: LicenseManager!
}
