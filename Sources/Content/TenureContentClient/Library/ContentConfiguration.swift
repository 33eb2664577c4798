public import TenureClient
import TenureFoundation
import TenureVault

/// The settings of a content library, such as the vendor, its server and the trusted signing keys.
public struct ContentConfiguration: Sendable {
    /// The server's base URL: https, or http for a server on this machine.
    public var server: String
    /// The vendor's tenant id on the server, as in the URLs of the content API.
    public var tenant: String
    /// The vendor's public signing keys by `kid`, each 32 bytes in base64, as `tenure key list` prints them.
    public var signingKeys: [String: String] = [:]
    /// Whether to trust keys that the server publishes over TLS.
    ///
    /// If ``signingKeys`` is empty, this must be `.served`.
    public var keyTrust = KeyTrust.pinned
    /// An identifier of this installation, 8 to 256 bytes, for containers; `nil` to use the system's identifier.
    public var deviceIdentifier: String?
    /// The folder for the ledgers; `nil` to use `tenure/TENANT.content` in the app's data folder.
    public var folder: String?
    /// Pinned server keys: each is the base64 SHA-256 of a SubjectPublicKeyInfo.
    ///
    /// The server must present one of them. If the list is empty, any key with a valid certificate is accepted.
    public var serverKeys: [String] = []
    /// The path of a file that shifts the clock, for tests with a server on this machine; `nil` outside tests.
    public var clockFile: String?
    /// Checks that a media file is present and complete; `nil` checks that it exists and has the expected size.
    public var mediaCheck: (@Sendable (MediaFile) -> Bool)?
    /// Requests and deletes keys of protected media, for example FairPlay's; `nil` if the media need no keys.
    public var keySystem: (any PersistableKeySystem)?
    /// Removes the media of an item that the server deleted; `nil` removes the file at ``MediaFile/path``.
    public var mediaRemoval: (@Sendable (MediaFile) -> Void)?

    /// Creates a configuration; set the other properties before opening a library.
    public init(server: String, tenant: String) {
        self.server = server
        self.tenant = tenant
    }
}

/// Where a content item's media file is, and how large it is when complete.
public struct MediaFile: Sendable, Hashable {
    /// The id of the content item.
    public let content: String
    /// The path of the file on this device.
    public let path: String
    /// The size of the complete file in bytes; `nil` if unknown.
    public let bytes: Int64?

    /// Creates a description of a media file, which needn't exist yet.
    public init(content: String, path: String, bytes: Int64? = nil) {
        self.content = content
        self.path = path
        self.bytes = bytes
    }
}

extension MediaFile {
    /// Whether the file exists and has the expected size, if one is known.
    static let isWhole: @Sendable (MediaFile) -> Bool = { media in
        guard let facts = try? FileManager.default.attributesOfItem(atPath: media.path),
            let size = (facts[.size] as? UInt64) ?? (facts[.size] as? UInt).map(UInt64.init)
        else { return false }
        return media.bytes.map { UInt64(exactly: $0) == size } ?? true
    }
}

/// An error that prevents a content library from working on this device.
public struct ContentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors, as stable codes.
    public enum Code: String, Sendable, Hashable {
        /// The ledger can't be written, for example because of a full disk or missing permissions.
        ///
        /// Its contents are unchanged.
        case notStored = "not_stored"
        /// The ledger can't be read.
        ///
        /// Nothing was changed, and no request was sent.
        case notRead = "not_read"
        /// Another program, or another library in this one, has the holder's ledger open.
        case inUse = "in_use"
        /// The app's configuration is invalid, for example a server URL, a key or a name.
        case misconfigured
        /// The system provides no identifier of the device, and the app set none.
        case noDevice = "no_device"
        /// The content name is invalid or, for a key, has no license on this device.
        case contentName = "content_name"
    }

    /// The kind of error, for programs to branch on.
    public let code: Code
    /// What went wrong and what to do about it.
    public let message: String

    /// Creates an error with a message that says what to do.
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
