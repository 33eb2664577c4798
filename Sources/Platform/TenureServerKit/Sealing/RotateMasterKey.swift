package import TenureCore
import TenureCrypto
package import TenureStore

/// Replaces the master key of a store while servers use it.
///
/// First, the new key is saved in the store, encrypted under the present key. From then on, servers encrypt under the
/// new key and decrypt with either key. Next, every secret is encrypted under the new key. Finally, the record of the
/// change is removed, so that the present key no longer decrypts the new key. Each step can be repeated after an
/// interruption.
package struct RotateMasterKey: Sendable {
    private let store: ServerStore
    private let schema: StoreSchema

    package init(_ store: any Store, of schema: StoreSchema) {
        (self.store, self.schema) = (ServerStore(store), schema)
    }

    /// Saves the new key in the store. Does nothing if an earlier call has saved it.
    ///
    /// Returns the new key, joined with the present one. Throws ``ServerError`` with the code `master_key_changed`,
    /// and changes nothing, if another change of the key was begun or finished in the meantime.
    ///
    /// - Parameters:
    ///   - present: The bytes of the store's present key.
    ///   - next: The bytes of the new key.
    package func begin(from present: [UInt8], to next: [UInt8]) async throws(ServerError) -> MasterKey {
        let change: MasterKeyState.Rotation
        let presentKey: MasterKey
        let key: MasterKey
        do throws(CryptoError) {
            presentKey = try MasterKey(bytes: present)
            let nextKey = try MasterKey(bytes: next)
            change = .init(
                next: try presentKey.seal(next, labelled: MasterKeyState.nextLabel),
                current: try nextKey.seal(present, labelled: MasterKeyState.currentLabel))
            key = nextKey.decrypting(with: [presentKey])
        } catch {
            throw ServerError(.crypto, "The new master key couldn't be encrypted.", cause: error.code.text)
        }
        let plan = Self.plan
        let isBegun = try await store.perform(
            Transaction(plan.bind()) { results in
                let state = plan.queries.keys.state(in: results)
                guard let check = state.checkValue, presentKey.matches(checkValue: check) else {
                    return TransactionResult(false)
                }
                guard state.change == nil else { return TransactionResult(state.next(after: presentKey) == next) }
                return TransactionResult(
                    true,
                    [plan.queries.keys.beginning(change, in: results)]
                        + plan.queries.marks.raised(for: [], in: results))
            })
        guard isBegun else { throw Self.otherChange }
        return key
    }

    /// Counts the rows of all tables that may contain secrets.
    package func rows() async throws(ServerError) -> Int {
        var count = 0
        for row in schema.sealedRows {
            do throws(StoreError) {
                let snapshot = try await store.inner.snapshot()
                let result: Result<Int, StoreError>
                do throws(StoreError) { result = .success(try await snapshot.count(of: row.untypedTable)) } catch {
                    result = .failure(error)
                }
                await snapshot.end()
                count += try result.get()
            } catch {
                throw ServerError(error)
            }
        }
        return count
    }

    /// Encrypts every secret under the new key. Repeats that until a pass finds no secret under another key.
    ///
    /// - Parameter report: Receives the number of rows that were read since the last call, during the first pass only.
    /// - Throws: ``ServerError`` with the code `master_key_wrong` if a secret can't be decrypted with either key.
    package func encryptAnew(
        under key: MasterKey, report: (Int) -> Void
    ) async throws(ServerError) {
        // At least two passes are needed, because a prepared signing key may move to a table that was read before.
        var isFirst = true
        while true {
            var count = 0
            for row in schema.sealedRows {
                count += try await encryptAnew(row, under: key) { if isFirst { report($0) } }
            }
            if count == 0, !isFirst { return }
            isFirst = false
        }
    }

    /// Makes the new key the store's key, after every secret was encrypted under it. Does nothing if that was done
    /// before.
    ///
    /// Throws ``ServerError`` with the code `master_key_changed` if the store is being changed to another key.
    package func finish(under key: MasterKey, at now: Timestamp) async throws(ServerError) {
        try await finish(under: key, at: now) { $0.change != nil && $0.resolved(key)?.encrypts(like: key) ?? false }
    }

    /// Makes a key the master key of a copy that isn't in use, even if the copy was made during a change of the key.
    package func finishCopy(under key: MasterKey, at now: Timestamp) async throws(ServerError) {
        try await finish(under: key, at: now) { _ in true }
    }

    private func finish(
        under key: MasterKey, at now: Timestamp, if isOwn: @escaping @Sendable (MasterKeyState) -> Bool
    ) async throws(ServerError) {
        let checkValue: [UInt8]
        do throws(CryptoError) {
            checkValue = try key.checkValue()
        } catch {
            throw ServerError(.crypto, "The new master key couldn't be used.", cause: error.code.text)
        }
        let plan = Self.plan
        let isFinished = try await store.perform(
            Transaction(plan.bind()) { results in
                let state = plan.queries.keys.state(in: results)
                // Another command may have finished the same change.
                if let check = state.checkValue, key.matches(checkValue: check) { return TransactionResult(true) }
                guard isOwn(state) else { return TransactionResult(false) }
                return TransactionResult(
                    true,
                    plan.queries.keys.completion(checkValue, at: now, in: results)
                        + plan.queries.marks.raised(for: [], in: results))
            })
        guard isFinished else { throw Self.otherChange }
    }

    private static var otherChange: ServerError {
        ServerError(
            .masterKeyChanged,
            "The master key was changed, or is being changed, by another command. Run `tenure doctor`, then repeat the "
                + "command with the files of the store's present key and of its new one.")
    }

    private static let plan = QueryPlan(isAlone: true) { query in
        (keys: MasterKeyState.Queries(&query), marks: query.part(TenantMarks.init) { _ in [] })
    }

    private static let pageSize = 200
}

extension RotateMasterKey {
    /// Reads all rows of a table once. Returns the number of secrets that were encrypted again.
    private func encryptAnew<Row: SealedRow>(
        _ type: Row.Type, under key: MasterKey, report: (Int) -> Void
    ) async throws(ServerError) -> Int {
        let plan = QueryPlan(isAlone: Row.table.shape.changesAlone, for: [StoredValue].self) { query in
            query.each(Row.table.key) { $0 }
        }
        var count = 0
        var cursor: [StoredValue] = []
        while true {
            let listing = Listing(
                Row.table.all, where: [[Comparison(Row.sealedColumn, .isNotNull)]], after: cursor,
                limit: Self.pageSize)
            let page = try await store.list(listing)
            var changes: [[StoredValue]: Row] = [:]
            var before: [[StoredValue]: [UInt8]] = [:]
            for row in page {
                guard let fresh = try Self.encryptedAnew(row, under: key) else { continue }
                changes[row.keyValues] = fresh
                before[row.keyValues] = row.sealedBytes
            }
            if !changes.isEmpty {
                let (changed, read) = (changes, before)
                try await store.perform(
                    Transaction(plan.bind(changed.keys.flatMap(\.self)), yielding: true) { results in
                        TransactionResult(
                            (),
                            results[plan.queries].compactMap { row in
                                let key = row.keyValues
                                // A server may have replaced the secret since the row was read.
                                guard let sealed = changed[key]?.sealedBytes, row.sealedBytes == read[key] else {
                                    return nil
                                }
                                return .replace(row, by: row.with(sealedBytes: sealed))
                            })
                    })
                count += changes.count
            }
            report(page.count)
            guard page.count == Self.pageSize, let last = page.last else { return count }
            cursor = last.keyValues
        }
    }

    /// Returns the row with its secret encrypted under the new key; `nil` if it already is, or if the row has no
    /// secret.
    private static func encryptedAnew<Row: SealedRow>(_ row: Row, under key: MasterKey) throws(ServerError) -> Row? {
        guard row.sealedBytes != nil, let newest = key.alone.first else { return nil }
        if (try? newest.open(row)) != nil { return nil }
        do throws(CryptoError) {
            guard let secret = try key.open(row) else { return nil }
            return row.with(sealedBytes: try newest.seal(secret, of: row))
        } catch {
            throw ServerError(
                .masterKeyWrong,
                "A row of the table \(Row.table.shape.name) can't be decrypted with either master key. The change isn't "
                    + "finished, and both keys still work. Run `tenure doctor --deep` to find the row.")
        }
    }
}
