package import TenureCore
import TenureFormats
import TenureHTTP
import TenureStore

/// An endpoint's response to a repeated request whose first response can't be sent again.
///
/// The response has the records in their present state. It contains no secrets; for example, a license's document has
/// no license key.
package struct RepeatedRecords: Sendable {
    /// The position of the records in the response.
    package enum Position: Sendable {
        /// The record's members are the response's.
        case alone
        /// The record is the value of the member with this name.
        case member(String)
        /// The records are a list, which is the value of the member with this name.
        case list(String)
    }

    private let catalog: CatalogCache
    private let clock: any WallClock
    private let scope: String
    private let body: @Sendable (_ ids: [Int64], _ tenant: TenantID, _ areShown: Bool) async throws -> [UInt8]
    private let makeSchema: @Sendable () -> Schema

    /// Declares how records are returned.
    ///
    /// - Parameters:
    ///   - scope: The scope that a token needs to see the records. Without it, a token gets only the records' ids,
    ///     unless it sent the first request.
    ///   - document: The document of a record, which must have a member `id`.
    ///   - id: Returns the text of a record's id in the document, given the id's number.
    ///   - load: Reads a tenant's records by the numbers of their ids, in any order. If a record no longer exists,
    ///     only its id is returned.
    package init<Record: Sendable>(
        _ position: Position, of document: Document<Record>, in catalog: CatalogCache, at clock: any WallClock,
        shownBy scope: String, id: @escaping @Sendable (Int64) -> String, number: @escaping @Sendable (Record) -> Int64,
        load: @escaping @Sendable ([Int64], TenantID) async throws -> [Record]
    ) {
        self.catalog = catalog
        self.clock = clock
        self.scope = scope
        let response = position.document(of: document.repeated)
        makeSchema = { response.schema }
        body = { ids, tenant, areShown in
            let found = areShown ? try await load(ids, tenant) : []
            let records = Dictionary(found.map { (number($0), $0) }) { first, _ in first }
            return response.json(ids.map { RepeatedRecord(id: id($0), record: records[$0]) })
        }
    }

    /// The schema of the response to a repeated request.
    var schema: Schema { makeSchema() }

    /// Returns the outcome of a request whose key was used before; `nil` if the key is new, so that the request must
    /// be carried out.
    func earlier<Output>(_ request: RepeatableRequest) async throws -> Documented<Output>? {
        switch try await catalog.repetition(of: request, at: clock.now()) {
        case nil: return nil
        case .keyReused: return .refused(.keyReused)
        case .repeated(let row): return .repeated(row)
        }
    }

    /// The response to a request that repeats an earlier one.
    ///
    /// The earlier response is sent again only within a day, and only to the caller who got it. Otherwise, the records
    /// are returned in their present state.
    ///
    /// - Parameter status: The status of the first response.
    func response(
        to caller: some TenantCaller, repeating earlier: IdempotentResponse, status: Int
    ) async throws -> Response {
        let isOwn = earlier.actor == caller.actor
        var response: Response
        if isOwn, let body = try await catalog.response(of: earlier, at: clock.now()) {
            response = .json(status: status, body)
        } else {
            let areShown = isOwn || caller.scopes.contains(scope)
            response = .json(status: 200, try await body(earlier.recordNumbers, caller.tenant, areShown))
        }
        response.headers.add("Idempotent-Replayed", "true")
        return response
    }
}

extension CatalogCache {
    /// Compares a request with an earlier request that had the same key; `nil` if there is none, or if it's older than
    /// ``StoredResponse/lifetime``, so that the request must be carried out.
    ///
    /// Call this before other checks, because records that a repeated request names may have been removed since. Like
    /// the change itself, a repetition is returned only when the first request's change is durable.
    package func repetition(
        of request: RepeatableRequest, at now: Timestamp
    ) async throws(ServerError) -> RepeatableRequest.Repetition<IdempotentResponse>? {
        let plan = earlierResponse
        let earlier = try await store.fetch(plan.bind(request.key))[plan.queries]
        let repetition = request.repetition(of: earlier, at: now)
        guard case .repeated = repetition else { return repetition }
        // The standby may not have confirmed the row's commit, and a failover may have lost it since. So a transaction
        // reads the row again, because it waits for the standby and runs on the server that accepts changes.
        let confirmed = try await store.perform(
            Transaction(plan.bind(request.key)) { results in TransactionResult(results[plan.queries]) })
        return request.repetition(of: confirmed, at: now)
    }
}

private let earlierResponse = QueryPlan(for: Digest.self) { query in
    query.row(IdempotentResponse.table.key) { [.of($0)] }
}

extension CatalogCache {
    /// Returns the first response to a request; `nil` if the response is older than a day or was deleted.
    package func response(of earlier: IdempotentResponse, at now: Timestamp) async throws(ServerError) -> [UInt8]? {
        guard let sealed = earlier.sealed, earlier.hasCurrentResponse(at: now) else { return nil }
        return try await decrypting { master throws(ServerError) in
            try master.open(sealedAnswer: sealed, to: earlier.key)
        }
    }
}

/// A record in the response to a repeated request.
private struct RepeatedRecord<Record: Sendable>: Sendable {
    let id: String
    /// The record in its present state; `nil` if the caller may not see it, or if it no longer exists.
    let record: Record?
}

extension Document where Value: Sendable {
    /// The document of a record that may be reduced to its id.
    fileprivate var repeated: Document<RepeatedRecord<Value>> {
        Document<RepeatedRecord<Value>>(
            name.map { "Repeated" + $0 },
            members.map { member in
                member.name == "id"
                    ? .init("id", member.schema) { $1.member("id", $0.id) }
                    : .init(member.name, member.schema, isAlways: false) { repeated, object in
                        if let record = repeated.record { member.write(record, &object) }
                    }
            })
    }
}

extension RepeatedRecords.Position {
    fileprivate func document<Record>(
        of record: Document<RepeatedRecord<Record>>
    ) -> Document<[RepeatedRecord<Record>]> {
        typealias Records = [RepeatedRecord<Record>]
        let members: [Document<Records>.Member] =
            switch self {
            case .alone:
                record.members.map { member in
                    .init(member.name, member.schema, isAlways: member.isAlways) { records, object in
                        if let record = records.first { member.write(record, &object) }
                    }
                }
            case .member(let name):
                [
                    .init(name, record.schema) { records, object in
                        object.object(name) { inner in
                            if let first = records.first { record.write(first, into: &inner) }
                        }
                    }
                ]
            case .list(let name): [.list(name, of: record) { $0 }]
            }
        return Document<Records>(
            nil,
            members + [.boolean("repeated", "True: an earlier request with this key was carried out.") { _ in true }])
    }
}
