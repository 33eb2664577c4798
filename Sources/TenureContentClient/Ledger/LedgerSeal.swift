import TenureClient
package import TenureCore
import TenureCrypto
import TenureFormats
import TenureVault

/// Whose ledger it is: a tenant's, a holder's, on a device.
package struct LedgerOwner: Sendable, Hashable {
    /// Whose content.
    package let tenant: TenantID
    /// Who keeps it, by the name that the tenant's server knows.
    package let holder: String
    /// What this device is called among the tenant's content.
    package let device: Digest

    /// Names an owner.
    package init(tenant: TenantID, holder: String, device: Digest) {
        self.tenant = tenant
        self.holder = holder
        self.device = device
    }

    /// What the ledger's file is called: a digest, so that a folder does not tell who uses the device.
    package var fileName: String { "holder-" + Hex.encode(Array(digest.prefix(16))) }

    fileprivate var digest: [UInt8] {
        SHA256.hash(Array("tenure-content-holder-v1|\(tenant.text)|\(holder)".utf8))
    }
}

/// Seals a ledger for a device and a holder: a header that anybody can read, then frames, each AES-256-GCM under a key
/// that HKDF derives from what names the device, the holder, and a salt that is new for each file.
///
/// A frame is bound to its number, so none can be left out, moved or repeated without being noticed.
struct LedgerSeal: Sendable {
    static let headerLength = 88
    /// Bytes that a frame has beside its entries: its length, then the seal's.
    static let overhead = 4 + AES256GCM.overhead
    /// The longest frame, in bytes: 64 MiB.
    static let longestFrame = 1 << 26

    private static let name = Array("TNRBOOK".utf8) + [1]
    private let cipher: AES256GCM
    let header: [UInt8]

    /// Seals a new file.
    init(new owner: LedgerOwner, device: [UInt8]) throws(VaultError) {
        try self.init(owner, device: device, salt: SecureRandom.bytes(32))
    }

    /// Opens a file by its first bytes.
    ///
    /// Throws: `.corrupted`, they were changed or cut; `.foreign`, it is another device's or holder's; `.unreadable`, a
    /// later program wrote it.
    init(_ owner: LedgerOwner, device: [UInt8], reading bytes: [UInt8], _ file: String) throws(VaultError) {
        guard bytes.count >= Self.headerLength, bytes.starts(with: Self.name.dropLast()) else {
            throw Self.damaged(file)
        }
        let header = Array(bytes[..<Self.headerLength])
        guard SHA256.hash(Array(header[..<72])).prefix(16).elementsEqual(header[72...]) else {
            throw Self.damaged(file)
        }
        guard header[7] == Self.name[7] else {
            throw VaultError(.unreadable, "A newer version of this app wrote \(file); update the app.")
        }
        try self.init(owner, device: device, salt: Array(header[8..<40]))
        guard constantTimeEquals(Array(header[40..<56]), Array(self.header[40..<56])) else {
            throw VaultError(
                .foreign,
                "The ledger \(file) was written on another device, or this one was given a new identity; "
                    + "connect to the internet and ask for the contents again.")
        }
        guard header == self.header else {
            throw VaultError(.foreign, "The ledger \(file) is another holder's.")
        }
    }

    private init(_ owner: LedgerOwner, device: [UInt8], salt: [UInt8]) throws(VaultError) {
        do throws(CryptoError) {
            let derive = { (purpose: String, length: Int) throws(CryptoError) -> [UInt8] in
                try HKDFSHA256.key(
                    from: device, salt: salt, purpose: Array("tenure-content-ledger-v1|\(purpose)".utf8),
                    length: length)
            }
            let whose = Hex.encode(owner.digest)
            let said = Self.name + salt + (try derive("device", 16)) + (try derive("holder|\(whose)", 16))
            header = said + SHA256.hash(said).prefix(16)
            cipher = try AES256GCM(key: try derive("key|\(whose)", AES256GCM.keyLength))
        } catch {
            throw VaultError(.unreadable, "The ledger cannot be sealed; the cryptographic library failed.")
        }
    }

    /// Seals the entries of a frame.
    func seal(_ entries: [UInt8], number: UInt64) throws(VaultError) -> [UInt8] {
        guard entries.count + Self.overhead <= Self.longestFrame else {
            throw VaultError(.unwritable, "A change of the ledger is too long; ask for less at once.")
        }
        do throws(CryptoError) {
            let sealed = try cipher.seal(entries, authenticating: Self.bytes(of: number, count: 8))
            return Self.bytes(of: UInt64(sealed.count), count: 4) + sealed
        } catch {
            throw VaultError(.unwritable, "The ledger cannot be encrypted; the cryptographic library failed.")
        }
    }

    /// Opens what stands behind a frame's length; nil when it is not the frame of that number, or was changed.
    func open(_ sealed: [UInt8], number: UInt64) -> [UInt8]? {
        try? cipher.open(sealed, authenticating: Self.bytes(of: number, count: 8))
    }

    private static func damaged(_ file: String) -> VaultError {
        VaultError(
            .corrupted,
            "The ledger \(file) was changed or cut; connect to the internet and ask for the contents again.")
    }

    private static func bytes(of number: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    /// The length that a frame begins with.
    static func length(_ bytes: [UInt8], at offset: Int) -> Int? {
        guard bytes.count - offset >= 4 else { return nil }
        let length = (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        return (AES256GCM.overhead...longestFrame).contains(length) ? length : nil
    }
}
