import TenureCore
import TenureStore

/// What a group of changes asks to see, as columns of arrays.
struct GroupKeys {
    private var ids: [(LicenseID, String?)] = []
    private var keys: [(hash: Digest, product: ProductRef, identity: String?)] = []
    private var activations: [(ActivationID, String?)] = []
    private var requests: [Digest] = []
    private var trials: Set<TrialName> = []
    private(set) var seatsAreAsked = false
    /// The earliest moment after which releases by holders are asked for.
    private(set) var releasesAfter: Timestamp?
    private var apps = GroupAppKeys()

    init(_ group: [any WaitingChange]) {
        for change in group {
            apps.add(change.keys)
            if let after = change.keys.releasesByHolderAfter { releasesAfter = min(after, releasesAfter ?? after) }
            if let request = change.keys.answerTo { requests.append(request) }
            if let trial = change.keys.trial { trials.insert(trial) }
            let identity = change.keys.seatsFor?.code
            if change.keys.seatsFor != nil { seatsAreAsked = true }
            switch change.keys.license {
            case nil: break
            case .id(let id): ids.append((id, identity))
            case .key(let hash, let product): keys.append((hash, product, identity))
            case .activation(let id): activations.append((id, identity))
            }
        }
    }

    var licensesAreAsked: Bool { !ids.isEmpty || !keys.isEmpty || !activations.isEmpty }
    var answersAreAsked: Bool { !requests.isEmpty }
    var appsAreAsked: Bool { !apps.areEmpty }
    var trialsAreAsked: Bool { !trials.isEmpty }

    /// What ``SQL/wanted`` binds.
    var values: [Value] {
        [
            .integers(ids.map(\.0.number)), .texts(ids.map(\.1)), .blobs(keys.map(\.hash.bytes)),
            .texts(keys.map(\.product.tenant.text)), .texts(keys.map(\.product.product.text)),
            .texts(keys.map(\.identity)), .ids(activations.map(\.0)), .texts(activations.map(\.1)),
        ]
    }

    /// What loads it, in this order: the licenses first, for their locks make all that follows hold still.
    var statements: [Statement] {
        var statements = [Statement(.catalogVersion)]
        if licensesAreAsked {
            statements.append(Statement(.lockLicenses, values))
            statements.append(Statement(.activationsByID, [.ids(activations.map(\.0))]))
        }
        if licensesAreAsked, seatsAreAsked {
            statements.append(Statement(.seatsTaken, values + [.integer(Int64(RunningState.enoughSeats))]))
            statements.append(Statement(.liveActivationsOfDevices, values))
        }
        if licensesAreAsked, let releasesAfter {
            statements.append(Statement(.releasesByHolder, values + [.integer(releasesAfter.seconds)]))
        }
        if answersAreAsked { statements += SQL.loadingAnswers(to: requests) }
        if appsAreAsked { statements += apps.statements }
        if trialsAreAsked { statements += SQL.loadingTrials(Array(trials)) }
        return statements
    }
}

extension SQL {
    /// The licenses that a group names, each with the identity of the device that asks about it.
    ///
    /// `OFFSET 0` keeps the look at the key to the key's index: of a table it knows nothing about, the planner takes
    /// tenant and product for as good a choice.
    private static let wanted: StaticString = """
        WITH wanted (id, identity) AS (
            SELECT w.id, w.identity FROM unnest($1::bigint[], $2::text[]) AS w (id, identity)
            UNION SELECT l.id, w.identity
            FROM unnest($3::bytea[], $4::text[], $5::text[], $6::text[]) AS w (key_hash, tenant, product, identity)
            JOIN LATERAL (SELECT id, tenant, product FROM licenses WHERE key_hash = w.key_hash OFFSET 0) AS l
                ON l.tenant = w.tenant AND l.product = w.product
            UNION SELECT a.license_id, w.identity
            FROM unnest($7::uuid[], $8::text[]) AS w (id, identity) JOIN activations a ON a.id = w.id
        )

        """

    /// Locks in the order of ids, so that two servers never wait for each other.
    fileprivate static let lockLicenses = SQL(
        wanted, licenseColumns, " WHERE id IN (SELECT id FROM wanted) ORDER BY id FOR UPDATE")
    fileprivate static let activationsByID = SQL(activationColumns, " WHERE id = ANY ($1::uuid[])")
    fileprivate static let seatsTaken = SQL(
        wanted,
        """
        SELECT w.id, (SELECT count(*) FROM (
            SELECT 1 FROM activations a WHERE a.license_id = w.id AND a.released_at IS NULL LIMIT $9::bigint) AS seats)
        FROM (SELECT DISTINCT id FROM wanted) AS w
        """)
    fileprivate static let releasesByHolder = SQL(
        wanted,
        """
        SELECT a.license_id, a.released_at FROM (SELECT DISTINCT id FROM wanted) AS w
        JOIN activations a ON a.license_id = w.id
        WHERE a.released_at > $9::bigint AND a.released_by = 'holder'
        """)
    fileprivate static let liveActivationsOfDevices = SQL(
        wanted,
        """
        SELECT a.id, a.license_id, a.activated_at, a.last_seen_at, a.released_at, a.name, a.identity,
            a.released_by
        FROM wanted w CROSS JOIN LATERAL (
            SELECT * FROM activations
            WHERE license_id = w.id AND released_at IS NULL AND identity = w.identity
            ORDER BY activated_at DESC, id DESC LIMIT 1) AS a
        """)
}
