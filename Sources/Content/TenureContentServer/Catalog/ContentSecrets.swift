import TenureContent
package import TenureCore
import TenureFormats
package import TenureServerKit
import TenureStore

/// A tenant's decrypted settings for other license servers.
package struct TenantTargets: Sendable {
    /// The settings for Kollus; `nil` if the tenant has none.
    package internal(set) var kollus: KollusSettings?
    /// The settings for DoveRunner; `nil` if the tenant has none.
    var doverunner: DoveRunnerSettings?
    /// The settings for Axinom; `nil` if the tenant has none.
    var axinom: AxinomSettings?
    /// The decrypted callback tokens and when each one stops working, newest last.
    var callbackTokens: [(text: [UInt8], endsAt: Timestamp?)] = []
}

extension TenantTargets {
    /// Whether the tenant has settings for a license server.
    func has(_ target: ForeignTarget) -> Bool {
        switch target {
        case .kollus: kollus != nil
        case .doverunner: doverunner != nil
        case .axinom: axinom != nil
        }
    }

    /// Adds decrypted settings for the license server with this name.
    ///
    /// License servers that this version of Tenure doesn't support are ignored.
    fileprivate mutating func take(_ json: [UInt8], for target: String) {
        switch ForeignTarget(rawValue: target) {
        case .kollus: kollus = KollusSettings(json: json)
        case .doverunner: doverunner = DoveRunnerSettings(json: json)
        case .axinom: axinom = AxinomSettings(json: json)
        case nil: break
        }
    }
}

/// The decrypted settings of all tenants, held in memory with the catalog.
final class ContentSecrets: CatalogPart {
    let ofTenants: [TenantID: TenantTargets]

    private init(_ ofTenants: [TenantID: TenantTargets]) { self.ofTenants = ofTenants }

    /// Reads and decrypts the settings of the tenants that have changed since the previous catalog.
    static func open(
        _ store: ServerStore, under master: MasterKey, in scope: CatalogScope
    ) async throws(ServerError) -> (any CatalogPart)? {
        let existing = scope.existing?.part(ContentSecrets.self)?.ofTenants ?? [:]
        return ContentSecrets(
            try await scope.values(over: existing) { tenant, targets in
                let (rows, tokens) = try await read(tenant, store)
                for row in rows {
                    let json = try row.json(under: master)
                    targets[row.tenant, default: TenantTargets()].take(json, for: row.target)
                }
                for token in tokens {
                    let text = try master.open(token.sealed, of: token.tenant, for: CallbackTokenRow.purpose)
                    targets[token.tenant, default: TenantTargets()].callbackTokens.append((text, token.endsAt))
                }
            })
    }

    /// The settings that Kollus's callbacks need, stored on the local disk, so that a server can start without the
    /// store.
    static let storedShare = CatalogMember.KeptShare { snapshot, tenant, body in
        body.member("hasContents", snapshot.catalog.tenants[tenant]?.contents != nil)
        let targets = snapshot.targets(of: tenant)
        guard let kollus = targets.kollus else { return }
        body.member("kollus", json: kollus.json)
        body.array("callbackTokens") { list in
            for token in targets.callbackTokens {
                list.object { member in
                    member.member("text", String(decoding: token.text, as: UTF8.self))
                    member.member("endsAt", token.endsAt?.seconds)
                }
            }
        }
    } restore: { tenants, catalog in
        var all: [TenantID: TenantTargets] = [:]
        for (tenant, object) in tenants {
            if object.boolean("hasContents").value == true { catalog.tenants[tenant]?.contents = ContentCatalog() }
            guard let kollus = object.object("kollus").value.flatMap({ KollusSettings($0) }) else { continue }
            all[tenant, default: TenantTargets()].kollus = kollus
            for token in object.objects("callbackTokens").value ?? [] {
                guard let text = token.string("text").value else { continue }
                let end = token.integer("endsAt").value.map { Timestamp(seconds: $0) }
                all[tenant, default: TenantTargets()].callbackTokens.append((Array(text.utf8), end))
            }
        }
        return ContentSecrets(all)
    }

    private static func read(
        _ tenant: TenantID?, _ store: ServerStore
    ) async throws(ServerError) -> ([ContentTargetRow], [CallbackTokenRow]) {
        guard let tenant else {
            let results = try await store.fetch(all.bind())
            return (results[all.queries.0], results[all.queries.1])
        }
        let results = try await store.fetch(own.bind(tenant))
        return (results[own.queries.0], results[own.queries.1])
    }

    private static let all = QueryPlan { query in
        (
            query.rows(ContentTargetRow.table.all, upTo: .everything),
            query.rows(CallbackTokenRow.table.all, upTo: .everything)
        )
    }
    private static let own = QueryPlan(for: TenantID.self) { query in
        (
            query.rows(ContentTargetRow.ofTenant, upTo: .everything) { [.of($0)] },
            query.rows(CallbackTokenRow.ofTenant, upTo: .everything) { [.of($0)] }
        )
    }
}

extension CallbackTokenRow {
    /// The purpose to which the encryption is bound, so that no other secret can replace a token.
    static let purpose = "callback"
}

extension CatalogSnapshot {
    /// A tenant's settings for other license servers; empty if it has none.
    package func targets(of tenant: TenantID) -> TenantTargets {
        part(ContentSecrets.self)?.ofTenants[tenant] ?? TenantTargets()
    }

    /// The content that a tenant offers; throws ``Failure`` with status 404 if it offers none.
    func contents(of tenant: TenantID) throws -> ContentCatalog {
        guard let contents = catalog.tenants[tenant]?.contents else { throw Failure.noContents }
        return contents
    }
}

extension Failure {
    /// The error for a tenant that offers no content.
    static let noContents = Failure(
        RejectedRequest(
            404, code: "contents_unknown", "This tenant has no offline content. Add it to the catalog and apply it.",
            among: Reason.Kind.contentRequests)
    ).aboutMissingRecord()
}
