import TenureCore
import TenureLicensing
import TenureServerKit
package import TenureStore

extension LicensingActs {
    /// Adds what operators told the holder to a refusal about a license.
    ///
    /// It reads events, and only if the license is stopped or the device was released. Throws ``ServerError``, and what
    /// its reads throw.
    func telling(
        _ refusal: Refusal, about license: License, to activation: ActivationID?, _ reads: inout StoreReads
    ) throws -> Refusal {
        guard refusal.mayBeTold else { return refusal }
        let results = try reads.fetch(Self.plan.bind(.init(license: license, releasedAt: refusal.releasedAt)))
        return refusal.telling(results[Self.plan.queries].map(\.event), to: activation)
    }

    private struct Parameters: Sendable {
        let license: License
        let releasedAt: Timestamp?
    }

    private static let plan = QueryPlan(for: Parameters.self) { query in
        query.view(ToldAct.ofLicense) { asked in
            [
                .of(asked.license.id), .of(asked.license.product.tenant),
                asked.releasedAt.map { .of($0) } ?? .integer(.min),
            ]
        }
    }
}

/// An operator's act that may explain a refusal.
package struct ToldAct: Sendable, Hashable {
    let event: Event
}

extension ToldAct {
    /// The last stop of a license, and the releases of its devices at a time; oldest first.
    ///
    /// The query's list holds the license, its tenant and the time.
    package static let ofLicense = NamedQuery<ToldAct>(
        "acts that explain a refusal", [.integer, .text, .integer], touches: [EventRecord.table.shape],
        sqlite: """
            SELECT e.kind, e.at, e.tenant, e.product, e.license_id, e.activation_id, e.actor, e.detail
            FROM events e WHERE e.license_id = ?1 AND e.tenant = ?2
            AND (e.kind = 'activation.released' AND e.at = ?3 OR e.sequence = (
                SELECT max(s.sequence) FROM events s WHERE s.license_id = ?1 AND s.tenant = ?2
                AND s.kind IN ('license.suspended', 'license.revoked')))
            ORDER BY e.sequence
            """,
        postgres: """
            SELECT e.kind, e.at, e.tenant, e.product, e.license_id, e.activation_id, e.actor, e.detail
            FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS w (license, tenant, at)
            JOIN events e ON e.license_id = w.license AND e.tenant = w.tenant
            WHERE e.kind = 'activation.released' AND e.at = w.at OR e.sequence = (
                SELECT max(s.sequence) FROM events s WHERE s.license_id = w.license AND s.tenant = w.tenant
                AND s.kind IN ('license.suspended', 'license.revoked'))
            ORDER BY e.license_id, e.sequence
            """
    ) { row in
        let (kind, at): (EventKind, Timestamp) = (try row.next(), try row.next())
        let (tenant, product): (TenantID, ProductID?) = (try row.next(), try row.next())
        let (license, activation): (LicenseID?, ActivationID?) = (try row.next(), try row.next())
        let (actor, code): (Actor, String) = (try row.next(), try row.next())
        guard let facts = Event.facts(code: code) else { throw StoreError.unreadable("an event's detail") }
        let subject = Event.Subject(tenant: tenant, product: product, license: license, activation: activation)
        return ToldAct(event: Event(kind, at: at, actor: actor, about: subject, facts: facts))
    }
}
