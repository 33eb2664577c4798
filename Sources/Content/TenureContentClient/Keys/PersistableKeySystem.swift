import TenureContent
import TenureCore
public import TenureFoundation

/// Requests and deletes the persistable keys of protected media, through the vendor's key server.
///
/// ``ContentLibrary`` decides when a key is requested or deleted. `FairPlayKeys` implements this protocol for FairPlay.
public protocol PersistableKeySystem: Sendable {
    /// Requests a new persistable key from the vendor's key server.
    ///
    /// Use a new session for each request: a session that has already loaded the key doesn't request it again. If this
    /// method throws, the library keeps the stored key.
    ///
    /// - Parameters:
    ///   - identifier: The key's URI in the media playlist, such as `skd://lesson-1`.
    ///   - content: The id of the content item.
    /// - Throws: An error if the key server is unreachable or refuses the request.
    func newKey(_ identifier: String, for content: String) async throws -> Data

    /// Invalidates a stored key.
    ///
    /// - Parameters:
    ///   - key: The key, as returned by ``newKey(_:for:)`` or updated later.
    ///   - content: The id of the content item.
    /// - Returns: The proof of deletion, which is later passed to ``tell(deletion:of:)``.
    func delete(_ key: Data, of content: String) async throws -> Data

    /// Reports a deleted key to the vendor's key server; throws if the server didn't receive the report.
    func tell(deletion proof: Data, of content: String) async throws
}

/// The key stored with a content item's license.
package struct KeptKey: Sendable, Hashable, Codable {
    /// The key's URI in the media playlist.
    package let identifier: String
    /// The license for which the key was requested; `nil` before the first request.
    package var license: String?
    /// The license version for which the key was requested; 0 before the first request.
    package var version: Int64 = 0
    /// The key as last returned by the system; `nil` before the first key and after deletion.
    package var key: Data?
    /// The proof of deletion, until the vendor's key server has received it.
    package var proof: Data?

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case identifier = "identifier"
        case license = "license"
        case version = "version"
        case key = "key"
        case proof = "proof"
    }

    /// Creates a record for a key that hasn't been requested yet.
    package init(_ identifier: String) { self.identifier = identifier }
}

/// The next step for a stored key.
package enum KeyAct: Sendable, Hashable {
    case none
    /// Request a new key for the current license version.
    case ask
    /// Delete this key and store the proof of deletion.
    case delete(Data)
    /// Send this proof of deletion to the vendor's key server.
    case tell(Data)
    /// Remove the record; there is no key to delete.
    case forget
}

extension KeptKey {
    /// The next step for this key, given the item's license.
    ///
    /// Each new license version needs a new key. A key without a license, or with one that the server stopped, is
    /// deleted.
    package func act(beside license: KeptLicense?) -> KeyAct {
        if let proof { return .tell(proof) }
        guard let license, license.ledger.stop == nil else { return key.map { .delete($0) } ?? .forget }
        let isOfThis = self.license == license.grant.license.description && version >= license.grant.version
        return isOfThis ? .none : .ask
    }

    /// The approximate size in the ledger, in bytes, with the data in base64.
    var bytes: Int { 200 + ((key?.count ?? 0) + (proof?.count ?? 0)) * 4 / 3 }
}
