public import TenureCrypto

/// The keys that a client believes: those compiled into the app, and those that one of them vouched for.
///
/// A key that merely was fetched is never among them (`spec/field.md` §4, ask 23).
public struct TrustedKeys: Sendable, Hashable {
    /// The keys compiled into the app; they stay whatever happens.
    public let pinned: [String: Ed25519.PublicKey]

    /// The keys that a verified keyset named.
    public private(set) var vouched: [String: Ed25519.PublicKey] = [:]

    /// Begins with the keys compiled into the app, by `kid`.
    public init(pinned: [String: Ed25519.PublicKey]) {
        self.pinned = pinned
    }

    /// The key of that name, or nil; a pinned one goes first.
    public subscript(kid: String) -> Ed25519.PublicKey? { pinned[kid] ?? vouched[kid] }

    /// The names, in the order of their bytes: what a request for the keyset says is trusted already.
    public var kids: [String] { Set(pinned.keys).union(vouched.keys).sorted() }

    /// Takes in a keyset that verified under these keys; what an earlier one vouched for and this one leaves out goes.
    ///
    /// Throws: `.badMember`, and takes in nothing, when the keyset gives a trusted name to another key.
    public mutating func adopt(_ keyset: TenureKeyset) throws(FormatError) {
        var fresh: [String: Ed25519.PublicKey] = [:]
        for key in keyset.keys {
            if let known = self[key.kid], known != key.publicKey {
                throw FormatError(
                    .badMember, "the keyset gives the name of a trusted key to another; nothing of it is believed")
            }
            if pinned[key.kid] == nil { fresh[key.kid] = key.publicKey }
        }
        vouched = fresh
    }

    /// The key that a document names in `kid`.
    func key(of document: UnverifiedJWS) throws(FormatError) -> Ed25519.PublicKey {
        let kid = try document.header.require("kid", document.header.string("kid"))
        guard let key = self[kid] else {
            throw FormatError(.unknownKey, "the key that signed the statement is not trusted; read the keyset again")
        }
        return key
    }
}
