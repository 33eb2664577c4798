public import TenureCore
import TenureServerKit
public import TenureStore

/// A marketplace's key as it is stored: the private half sealed under the master key.
public struct MarketplaceKeyRecord: Sendable, Hashable {
    /// What a key is for (`spec/apple.md` §1 and §5).
    public enum Purpose: String, Sendable, Hashable, CaseIterable {
        /// RSA-3072: devices seal requests to it.
        case encryption
        /// RSA-3072: signs licenses.
        case signing
        /// P-256: signs install tokens.
        case distribution
        /// The secret that protects key blobs on their way (PASK).
        case pask
    }

    /// Where it came from.
    public enum Origin: String, Sendable, Hashable, CaseIterable {
        /// Made by this server, to try things out.
        case simulated
        /// Handed over by Apple or made with its papers; never replaced by a simulated one.
        case imported
    }

    /// Whose marketplace.
    public let tenant: TenantID
    /// Its name, unique in the tenant among keys of its purpose; part of its certificate's URL.
    public let kid: String
    /// What it is for.
    public let purpose: Purpose
    /// Where it came from.
    public let origin: Origin
    /// The certificate in DER, or the public key where there is no certificate; empty for a PASK.
    public let certificate: [UInt8]
    /// The private key or secret, sealed; nil when it is kept outside, such as in an HSM.
    public let sealedSecret: [UInt8]?
    /// When it was made or imported.
    public let createdAt: Timestamp
    /// From when on the configuration names it and licenses are signed with it; its URL answers from the beginning.
    public var namedFrom: Timestamp

    /// Puts a record together.
    public init(
        tenant: TenantID, kid: String, purpose: Purpose, origin: Origin, certificate: [UInt8],
        sealedSecret: [UInt8]?, createdAt: Timestamp, namedFrom: Timestamp
    ) {
        self.tenant = tenant
        self.kid = kid
        self.purpose = purpose
        self.origin = origin
        self.certificate = certificate
        self.sealedSecret = sealedSecret
        self.createdAt = createdAt
        self.namedFrom = namedFrom
    }
}

extension MarketplaceKeyRecord.Purpose: StorableCode {}

extension MarketplaceKeyRecord.Origin: StorableCode {}

extension MarketplaceKeyRecord: Stored {
    /// Keys of marketplaces.
    public static let table = Table<MarketplaceKeyRecord>(
        "marketplace_keys", key: ["tenant", "purpose", "kid"],
        [
            Field("tenant") { $0.tenant }, Field("kid") { $0.kid }, Field("purpose") { $0.purpose },
            Field("origin") { $0.origin }, Field("certificate") { $0.certificate },
            Field("sealed_secret") { $0.sealedSecret }, Field("created_at") { $0.createdAt },
            Field("named_from") { $0.namedFrom },
        ],
        parents: [TenantRow.table.shape], changesAlone: true
    ) { row throws(StoreError) in
        MarketplaceKeyRecord(
            tenant: try row.next(), kid: try row.next(), purpose: try row.next(), origin: try row.next(),
            certificate: try row.next(), sealedSecret: try row.next(), createdAt: try row.next(),
            namedFrom: try row.next())
    }

    /// All of them, the oldest first.
    public static let byAge = table.set("by_age", order: [.up("created_at")])
    /// A tenant's, the oldest first.
    public static let ofTenant = table.set("of_tenant", "tenant", order: [.up("created_at")])
}

extension Store {
    /// Reads the keys of a tenant's marketplace, or of all, oldest first.
    public func marketplaceKeys(of tenant: TenantID? = nil) async throws(StoreError) -> [MarketplaceKeyRecord] {
        guard let tenant else { return try await look(allKeys.asked())[allKeys.looks] }
        return try await look(ownKeys.asked(.of(tenant)))[ownKeys.looks]
    }
}

private let allKeys = LoadForm { ask in ask.rows(MarketplaceKeyRecord.byAge, upTo: Asking.everything) }
private let ownKeys = LoadForm { ask in ask.rows(MarketplaceKeyRecord.ofTenant, upTo: Asking.everything) }
