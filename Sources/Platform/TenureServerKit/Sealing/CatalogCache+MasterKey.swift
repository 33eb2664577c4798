import TenureStore

extension MasterKey {
    /// Returns the key that encrypts in the store now, joined with the keys that only decrypt.
    ///
    /// During `tenure master-key rotate`, the new key encrypts, and both keys decrypt.
    ///
    /// Throws `master_key_wrong` if this key doesn't belong to the store, for example because the store's key was
    /// changed.
    package func current(in store: ServerStore) async throws(ServerError) -> MasterKey {
        let state = try await store.masterKeyState()
        if let key = state.resolved(self) { return key }
        let reason =
            state.replacedAt(self).map { "The master key of the store was changed on \($0)" }
            ?? "This isn't the master key of the store"
        throw ServerError(.masterKeyWrong, reason + ". Start the server with the right one: --master-key-file FILE.")
    }
}

extension CatalogCache {
    /// The master key that encrypts values saved under the latest snapshot.
    package var master: MasterKey { current.master }

    /// Decrypts a stored value.
    ///
    /// If this server doesn't know the value's key yet, reads the catalog, which also reads the new master key, and
    /// tries again.
    package func decrypting<Value: Sendable>(
        _ open: (MasterKey) throws(ServerError) -> Value
    ) async throws(ServerError) -> Value {
        do throws(ServerError) {
            return try open(master)
        } catch {
            guard error.code == .masterKeyWrong else { throw error }
            return try open(try await refreshed().master)
        }
    }

    /// Encrypts and saves values. If the master key changes in between, encrypts and saves them again under the new
    /// key.
    ///
    /// - Parameter save: Encrypts under the given key, and checks the key in the transaction
    ///   (``CatalogSnapshot/checkEncryption(by:)``).
    package func encrypting<Value: Sendable>(
        _ save: (MasterKey) async throws(ServerError) -> Value
    ) async throws(ServerError) -> Value {
        do throws(ServerError) {
            return try await save(master)
        } catch {
            guard error.code == .masterKeyChanged else { throw error }
            return try await save(master)
        }
    }

    /// Reads the catalog again, even if its version is unchanged.
    @inline(never) private func refreshed() async throws(ServerError) -> CatalogSnapshot { try await refresh() }
}

extension CatalogSnapshot {
    /// Throws `master_key_changed` unless values that this key encrypted may be saved under this snapshot.
    ///
    /// Without this check, a value could be saved under a key that no longer belongs to the store.
    package func checkEncryption(by master: MasterKey) throws(ServerError) {
        guard self.master.encrypts(like: master) else {
            throw ServerError(
                .masterKeyChanged, "The master key was changed meanwhile. Nothing was changed; try again.",
                isTransient: true)
        }
    }
}

extension ServerError.Code {
    package static let masterKeyChanged = ServerError.Code("master_key_changed")
}
