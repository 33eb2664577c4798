package import TenureCore
package import TenureCrypto
import TenureFormats

/// The public keys that a tenant's clients use to verify leases.
package struct PublishedKeys: Sendable {
    package struct Key: Sendable {
        package let kid: String
        package let publicKey: Ed25519.PublicKey
        /// The time at which the key stops being published; `nil` for a key without an end.
        let until: Timestamp?
    }

    /// The name of the key that signs new leases.
    package let primaryKid: String
    /// The keys, oldest first.
    package let keys: [Key]
}

extension LeaseKeyRing {
    fileprivate func publishedKeys(at now: Timestamp) -> PublishedKeys {
        PublishedKeys(
            primaryKid: primary.kid,
            keys: published(at: now).map { key in
                PublishedKeys.Key(
                    kid: key.kid, publicKey: key.privateKey.publicKey, until: key.record.publishedUntil)
            })
    }
}

extension CatalogSnapshot {
    /// Returns the keys that are published to a tenant's clients at a time.
    ///
    /// Also works for a snapshot that an earlier run saved on this host.
    package func publishedKeys(of tenant: TenantID, at now: Timestamp) throws(ServerError) -> PublishedKeys {
        guard !isComplete, let keys = part(KeptLeaseKeys.self)?.ofTenants[tenant] else {
            return try keyRing(of: tenant).publishedKeys(at: now)
        }
        return PublishedKeys(
            primaryKid: keys.primaryKid, keys: keys.keys.filter { key in key.until.map { now < $0 } ?? true })
    }
}

/// The public keys of all tenants, restored from a snapshot that was saved on this host.
private final class KeptLeaseKeys: CatalogPart {
    let ofTenants: [TenantID: PublishedKeys]

    init(_ ofTenants: [TenantID: PublishedKeys]) { self.ofTenants = ofTenants }
}

extension CatalogMember.KeptShare {
    /// Saves and restores the public keys; private keys aren't saved.
    static let leaseKeys = CatalogMember.KeptShare { snapshot, tenant, body in
        // The earliest possible time selects every retiring key. Keys whose publication has ended are left out when
        // the saved snapshot is used.
        guard let keys = snapshot.keyRings[tenant]?.publishedKeys(at: Timestamp(seconds: .min)) else { return }
        body.member("primaryKid", keys.primaryKid)
        body.array("leaseKeys") { list in
            for key in keys.keys {
                list.object { member in
                    member.member("kid", key.kid)
                    member.member("x", base64URL: key.publicKey.bytes)
                    member.member("until", key.until?.seconds)
                }
            }
        }
    } restore: { tenants, _ in
        KeptLeaseKeys(
            tenants.compactMapValues { object in
                guard let primary = object.string("primaryKid").value else { return nil }
                let keys = (object.objects("leaseKeys").value ?? []).compactMap { key -> PublishedKeys.Key? in
                    guard let kid = key.string("kid").value,
                        let bytes = key.string("x").value.flatMap({ Base64.decodeURL($0) }),
                        let publicKey = try? Ed25519.PublicKey(bytes: bytes)
                    else { return nil }
                    let until = key.integer("until").value.map { Timestamp(seconds: $0) }
                    return PublishedKeys.Key(kid: kid, publicKey: publicKey, until: until)
                }
                return PublishedKeys(primaryKid: primary, keys: keys)
            })
    }
}
