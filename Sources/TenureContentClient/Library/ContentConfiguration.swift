public import TenureClient
import TenureVault

/// What an app was built with: whose contents it keeps, which server it asks, and whose signatures it believes.
public struct ContentConfiguration: Sendable {
    /// The server's base URL: https, or http for a server on this machine.
    public var server: String
    /// The vendor's id on the server.
    public var tenant: String
    /// The vendor's public signing keys by `kid`, each 32 bytes in base64, as `tenure key list` prints them.
    public var signingKeys: [String: String] = [:]
    /// Whether other keys are believed that the server shows over TLS; without any key built in it must be `.served`.
    public var keyTrust = KeyTrust.pinned
    /// What this installation is recognized by, 8 to 256 bytes: for containers. Nil: the system's identifier.
    public var deviceIdentifier: String?
    /// The folder for the ledgers; nil for a folder `tenure/TENANT.content` where the system keeps an app's data.
    public var folder: String?
    /// Public keys of which the server must show one: each the base64 of the SHA-256 of its SubjectPublicKeyInfo.
    public var serverKeys: [String] = []
    /// A file that moves the time, for trying out with a server on this machine.
    public var clockFile: String?
    /// Whether the media of a content are there and whole; nil asks whether the file is there and as long as it should be.
    public var mediaCheck: (@Sendable (MediaFile) -> Bool)?
    /// Keeps keys of protected media, FairPlay's for example; nil where the media need none.
    public var keySystem: (any PersistableKeySystem)?
    /// Removes the media of a content that the server had deleted; nil removes the file.
    public var mediaRemoval: (@Sendable (MediaFile) -> Void)?

    /// Names a vendor and its server; the rest is set afterwards.
    public init(server: String, tenant: String) {
        self.server = server
        self.tenant = tenant
    }
}

/// Where the media of a content lie.
public struct MediaFile: Sendable, Hashable {
    /// Which content.
    public let content: String
    /// The file's path, as the app told it.
    public let path: String
    /// How many bytes it has when it is whole; nil when the app did not say.
    public let bytes: Int64?

    /// Names a file.
    public init(content: String, path: String, bytes: Int64? = nil) {
        self.content = content
        self.path = path
        self.bytes = bytes
    }
}

/// Why contents cannot be kept on this device.
public struct ContentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Which promise was broken.
    public enum Code: String, Sendable, Hashable {
        /// The ledger cannot be written: a full disk, permissions. What it held, it holds.
        case notStored = "not_stored"
        /// The ledger cannot be read, so nothing is changed and nobody was asked.
        case notRead = "not_read"
        /// Another program, or another library of this one, has the holder's ledger open.
        case inUse = "in_use"
        /// The app's own settings cannot be used: a server's URL, a key, a name.
        case misconfigured
        /// The device has nothing that it can be recognized by.
        case noDevice = "no_device"
        /// No content can have that name.
        case contentName = "content_name"
    }

    /// The broken promise; programs branch on this.
    public let code: Code
    /// What went wrong and what to do about it.
    public let message: String

    /// Words an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// What went wrong and what to do, without the code.
    public var description: String { message }
}

extension ContentError {
    init(_ error: VaultError) {
        switch error.code {
        case .busy: self.init(.inUse, error.message + " Close it there first.")
        case .unwritable: self.init(.notStored, error.message)
        case .corrupted, .foreign, .unreadable: self.init(.notRead, error.message)
        }
    }
}
