public import Foundation
import TenureCore

/// The part of a system that keeps keys of protected media, with the vendor's key server behind it: FairPlay's, in
/// `FairPlayKeys`. A library asks it; it decides nothing.
public protocol PersistableKeySystem: Sendable {
    /// Gets a new key to keep, from the vendor's key server.
    ///
    /// It is asked for in a session of its own: one that has the key loaded already asks for none. It throws when nobody can
    /// be asked, or the key server says no; what is kept stays then.
    /// - Parameters:
    ///   - identifier: What the media's playlist calls it, such as `skd://lesson-1`.
    ///   - content: Which content it is for.
    func newKey(_ identifier: String, for content: String) async throws -> Data

    /// Makes a kept key useless, and answers what proves that to the vendor's key server.
    func delete(_ key: Data, of content: String) async throws -> Data

    /// Tells the vendor's key server that a key was deleted; throws when it did not hear.
    func tell(deletion proof: Data, of content: String) async throws
}

/// A key as it is kept beside a content's license.
package struct KeptKey: Sendable, Hashable, Codable {
    /// What the media's playlist calls it.
    package let identifier: String
    /// The license that it was asked for under; nil before the first.
    package var license: String?
    /// The version of that license.
    package var version: Int64 = 0
    /// The key, as the system gave it last; nil when it never did, and after it was deleted.
    package var key: Data?
    /// What proves that it was deleted, until the vendor heard of it.
    package var proof: Data?

    /// Wants a key.
    package init(_ identifier: String) { self.identifier = identifier }
}

/// What is to be done about a kept key.
package enum KeyAct: Sendable, Hashable {
    /// Nothing.
    case none
    /// A new one is asked for.
    case ask
    /// It is deleted, and the proof of that kept.
    case delete(Data)
    /// The vendor is told that it was deleted.
    case tell(Data)
    /// Nothing is left of it, and nothing was.
    case forget
}

extension KeptKey {
    /// What is to be done, by what is kept of its content: with each version of the license there is a new key, and none
    /// stays where there is no license, or the server stopped it.
    package func act(beside license: KeptLicense?) -> KeyAct {
        if let proof { return .tell(proof) }
        guard let license, license.ledger.stop == nil else { return key.map { .delete($0) } ?? .forget }
        let isOfThis = self.license == license.grant.license.description && version >= license.grant.version
        return isOfThis ? .none : .ask
    }

    /// How many bytes of a ledger it takes, about.
    var bytes: Int { 200 + ((key?.count ?? 0) + (proof?.count ?? 0)) * 4 / 3 }
}
