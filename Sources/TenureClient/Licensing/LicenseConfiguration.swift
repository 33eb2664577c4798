public import Foundation

/// What an app was built with: which product it is, which server it asks, and whose signatures it believes.
///
/// ```swift
/// var configuration = LicenseConfiguration(server: "https://licenses.example", tenant: "acme", product: "notes")
/// configuration.signingKeys = ["k1": "ebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ="]
/// let manager = try LicenseManager(configuration)
/// ```
public struct LicenseConfiguration: Sendable, Hashable {
    /// The license server's base URL: https, or http for a server on this machine.
    public var server: String
    /// The vendor's id on the server.
    public var tenant: String
    /// The product's id.
    public var product: String
    /// What is spoken with the server.
    public var dialect = Dialect.tenure
    /// The vendor's public signing keys by `kid`, each 32 bytes in base64, as `tenure key list` prints them. Build in the
    /// next one before the server signs with it.
    public var signingKeys: [String: String] = [:]
    /// Which other keys are believed; without any key built in it must be `.served`.
    public var keyTrust = KeyTrust.pinned
    /// The product's SDK key, if it has one.
    public var sdkKey: String?
    /// What this installation is called in lists of devices; nil for the host's name.
    public var deviceName: String?
    /// What this installation is recognized by, 8 to 256 bytes: for containers and build machines. It must stay the same,
    /// and differ between installations. Nil: the system's identifier, of which only hashes leave the device.
    public var deviceIdentifier: String?
    /// The folder for the license record; nil for the Keychain on Apple systems, and elsewhere for a folder
    /// `tenure/TENANT/PRODUCT` in `$XDG_DATA_HOME` or `~/.local/share`.
    public var folder: String?
    /// The Keychain access group in which the record is kept, so that an app's extensions share it; nil for the app's
    /// own. For Apple systems, where `folder` is nil.
    public var keychain: String?
    /// How many days a trial lasts that begins before any server was reached; nil for none. The server confirms it later.
    public var trialDays: Int?
    /// The entitlements of a trial; nil for all.
    public var trialEntitlements: Set<String>?
    /// Public keys of which the server must show one: each the base64 of the SHA-256 of its SubjectPublicKeyInfo. On top
    /// of the ordinary checks of its certificate; empty demands none.
    public var serverKeys: [String] = []
    /// How long ``LicenseManager/checkOnLaunch()`` waits for a server that could open what is closed.
    public var launchPatience = Duration.seconds(2)
    /// Hears of questions, answers, decisions and waits, from any thread; nil for nobody. Configurations are compared
    /// without it.
    public var log: (@Sendable (LicenseLogEntry) -> Void)? {
        get { listener.hear }
        set { listener.hear = newValue }
    }
    /// A file that moves the time, for trying out: it holds seconds, as for `tenure serve --clock`. A second file, with
    /// `.error` after its name, sets the wall clock wrong. Refused unless the server is on this machine.
    public var clockFile: String?
    private var listener = LogListener()

    /// Names a product and its server; the rest is set afterwards.
    public init(server: String, tenant: String, product: String) {
        self.server = server
        self.tenant = tenant
        self.product = product
    }
}

/// Names for code that was written for Keylight's SDK.
@MainActor
public enum Keylight {
    /// The app's manager; nil until it is set, once, at launch.
    public static var manager: LicenseManager!
}

extension Notification.Name {
    /// Keylight's name for ``tenureLicenseDidChange``; the same notification.
    public static let keylightLicenseDidChange = tenureLicenseDidChange
}
