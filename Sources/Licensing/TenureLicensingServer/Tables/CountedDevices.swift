public import TenureCore
import TenureLicensing
import TenureServerKit
public import TenureStore

extension CountedDevice {
    /// The devices of a license that count against its limit: activated ones, and released ones that still count.
    ///
    /// The query's parameters are the license and the current time.
    static let ofLicense = NamedQuery<CountedDevice>(
        "devices of a license that count", [.integer, .integer], touches: [Activation.table.shape],
        sqlite: """
            SELECT identity, CASE WHEN count(released_at) < count(*) THEN NULL ELSE max(counts_until) END
            FROM (
                SELECT id, identity, released_at, counts_until FROM activations
                WHERE license_id = ?1 AND released_at IS NULL
                UNION ALL SELECT id, identity, released_at, counts_until FROM activations INDEXED BY activations_by_count
                WHERE license_id = ?1 AND counts_until > ?2 AND released_at IS NOT NULL)
            GROUP BY identity, CASE WHEN identity IS NULL THEN id END
            """,
        postgres: """
            SELECT a.identity, CASE WHEN count(a.released_at) < count(*) THEN NULL ELSE max(a.counts_until) END
            FROM unnest($1::bigint[], $2::bigint[]) AS w (license, now) CROSS JOIN LATERAL (
                SELECT id, identity, released_at, counts_until FROM activations
                WHERE license_id = w.license AND released_at IS NULL
                UNION ALL SELECT id, identity, released_at, counts_until FROM activations
                WHERE license_id = w.license AND counts_until > w.now AND released_at IS NOT NULL) a
            GROUP BY w.license, a.identity, CASE WHEN a.identity IS NULL THEN a.id END
            """
    ) { row in
        guard let identity = DeviceIdentity(code: try row.next()) else {
            throw StoreError.unreadable("a device's identity")
        }
        return CountedDevice(identity: identity, until: try row.next())
    }
}

/// How many licenses of a policy have reached their limit of different devices.
public struct UsedUpDevices: Sendable, Hashable {
    /// The policy that the licenses follow.
    public let policy: PolicyRef
    /// The number of the policy's licenses that have reached the limit.
    public let count: Int
}

extension UsedUpDevices {
    /// The policies that have licenses at the limit; the query's parameter is the current time.
    ///
    /// The query reads every license with a released device that still counts against the limit.
    package static let all = NamedQuery<UsedUpDevices>(
        "licenses with as many devices as they may have", [.integer],
        touches: [License.table.shape, Activation.table.shape, PolicyRow.table.shape],
        sqlite: """
            SELECT l.tenant, l.product, l.policy, count(*) FROM licenses l
            JOIN policies p ON p.tenant = l.tenant AND p.product = l.product AND p.policy = l.policy
            WHERE l.devices_count_until > ?1 AND coalesce(l.activation_limit, p.activation_limit) + CASE
                WHEN l.activation_limit IS NOT NULL AND p.device_changes IS max(3, p.activation_limit)
                THEN max(3, l.activation_limit) ELSE p.device_changes END <= (
                SELECT count(DISTINCT ifnull(a.identity, hex(a.id))) FROM activations a
                WHERE a.license_id = l.id AND (a.released_at IS NULL OR a.counts_until > ?1))
            GROUP BY l.tenant, l.product, l.policy ORDER BY l.tenant, l.product, l.policy
            """,
        postgres: """
            SELECT l.tenant, l.product, l.policy, count(*) FROM unnest($1::bigint[]) AS w (now)
            JOIN licenses l ON l.devices_count_until > w.now
            JOIN policies p ON p.tenant = l.tenant AND p.product = l.product AND p.policy = l.policy
            WHERE coalesce(l.activation_limit, p.activation_limit) + CASE
                WHEN l.activation_limit IS NOT NULL AND p.device_changes IS NOT DISTINCT FROM
                    CASE WHEN p.activation_limit IS NOT NULL THEN greatest(3, p.activation_limit) END
                THEN greatest(3, l.activation_limit) ELSE p.device_changes END <= (
                SELECT count(DISTINCT coalesce(a.identity, a.id::text)) FROM activations a
                WHERE a.license_id = l.id AND (a.released_at IS NULL OR a.counts_until > w.now))
            GROUP BY l.tenant, l.product, l.policy ORDER BY l.tenant, l.product, l.policy
            """
    ) { row in
        UsedUpDevices(
            policy: PolicyRef(product: try row.product(), policy: try row.next()), count: try row.next())
    }
}

extension RecordStore {
    /// Counts the licenses that have reached their limit of different devices, by policy.
    ///
    /// The query reads every license with a released device that still counts against the limit.
    public func usedUpDevices(at now: Timestamp) async throws(Failure) -> [UsedUpDevices] {
        try await view(UsedUpDevices.all, [.of(now)])
    }
}
