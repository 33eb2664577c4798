import TenureClient
package import TenureCore
import TenureCrypto
import TenureFormats
import TenureVault

/// The tenant, holder and device to which a ledger belongs.
package struct LedgerOwner: Sendable, Hashable {
    package let tenant: TenantID
    /// The holder's name on the vendor's server.
    package let holder: String
    /// The digest by which the tenant identifies this device.
    package let device: Digest

    package init(tenant: TenantID, holder: String, device: Digest) {
        self.tenant = tenant
        self.holder = holder
        self.device = device
    }

    /// The name of the ledger file.
    ///
    /// It contains a digest, so that the folder doesn't reveal who uses the device. Devices that share the folder have
    /// separate ledgers, so that none overwrites another's.
    package var fileName: String {
        let name = Array("tenure-content-file-v1|\(Hex.encode(digest))|\(Hex.encode(device.bytes))".utf8)
        return "holder-" + Hex.encode(Array(SHA256.hash(name).prefix(16)))
    }

    fileprivate var digest: [UInt8] {
        SHA256.hash(Array("tenure-content-holder-v1|\(tenant.text)|\(holder)".utf8))
    }
}

/// Encrypts and decrypts the frames of one ledger file, for one device and holder.
///
/// The file starts with a plaintext header, followed by frames. Each frame is encrypted with AES-256-GCM. The key is
/// derived by HKDF from the device binding, the holder and a salt that is new for each file.
///
/// The frame's number is authenticated, so frames can't be removed, moved or repeated unnoticed.
struct LedgerSeal: Sendable {
    static let headerLength = 88
    /// The bytes that a frame adds to its entries: the length prefix and the encryption overhead.
    static let overhead = 4 + AES256GCM.overhead
    /// The maximum size of a frame, in bytes: 64 MiB.
    static let longestFrame = 1 << 26

    private static let name = Array("TNRBOOK".utf8) + [1]
    private let cipher: AES256GCM
    let header: [UInt8]

    /// Creates the seal of a new file with a random salt.
    init(new owner: LedgerOwner, device: [UInt8]) throws(VaultError) {
        try self.init(owner, device: device, salt: SecureRandom.bytes(32))
    }

    /// Creates the seal of an existing file from its header.
    ///
    /// - Throws: ``VaultError``: `.corrupted` if the header was changed or truncated, `.foreign` if the file belongs to
    ///   another device or holder, or `.unreadable` if a later version wrote it.
    init(_ owner: LedgerOwner, device: [UInt8], reading bytes: [UInt8], _ file: String) throws(VaultError) {
        guard bytes.count >= Self.headerLength, bytes.starts(with: Self.name.dropLast()) else {
            throw Self.damaged(file)
        }
        let header = Array(bytes[..<Self.headerLength])
        guard SHA256.hash(Array(header[..<72])).prefix(16).elementsEqual(header[72...]) else {
            throw Self.damaged(file)
        }
        guard header[7] == Self.name[7] else {
            throw VaultError(.unreadable, "A newer version of this app wrote \(file). Update the app.")
        }
        try self.init(owner, device: device, salt: Array(header[8..<40]))
        guard constantTimeEquals(Array(header[40..<56]), Array(self.header[40..<56])) else {
            throw VaultError(
                .foreign,
                "The usage record \(file) was written on another device, or this device has a new identity. "
                    + "Connect to the internet and request the content again.")
        }
        guard header == self.header else {
            throw VaultError(.foreign, "The usage record \(file) belongs to another user.")
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
            throw VaultError(
                .unreadable, "The usage record can't be encrypted because the cryptographic library failed.")
        }
    }

    /// Encrypts the entries of a frame and adds the length prefix.
    func seal(_ entries: [UInt8], number: UInt64) throws(VaultError) -> [UInt8] {
        guard entries.count + Self.overhead <= Self.longestFrame else {
            throw VaultError(.unwritable, "A change to the usage record is too large. Request less content at once.")
        }
        do throws(CryptoError) {
            let sealed = try cipher.seal(entries, authenticating: Self.bytes(of: number, count: 8))
            return Self.bytes(of: UInt64(sealed.count), count: 4) + sealed
        } catch {
            throw VaultError(
                .unwritable, "The usage record can't be encrypted because the cryptographic library failed.")
        }
    }

    /// Decrypts the bytes after a frame's length prefix; `nil` if they were changed or belong to a frame with another
    /// number.
    func open(_ sealed: [UInt8], number: UInt64) -> [UInt8]? {
        try? cipher.open(sealed, authenticating: Self.bytes(of: number, count: 8))
    }

    private static func damaged(_ file: String) -> VaultError {
        VaultError(
            .corrupted,
            "The usage record \(file) was modified or truncated. Connect to the internet and request the content again."
        )
    }

    private static func bytes(of number: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    /// The length prefix of the frame at an offset; `nil` if it is missing or out of range.
    static func length(_ bytes: [UInt8], at offset: Int) -> Int? {
        guard bytes.count - offset >= 4 else { return nil }
        let length = (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        return (AES256GCM.overhead...longestFrame).contains(length) ? length : nil
    }
}
