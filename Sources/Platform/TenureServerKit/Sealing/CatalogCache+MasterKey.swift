import TenureStore

extension MasterKey {
    /// Returns the key as the store uses it now: the one that encrypts, joined with those that decrypt.
    ///
    /// While `tenure master-key rotate` is under way, the new key encrypts, and both decrypt.
    ///
    /// Throws `master_key_wrong` if the store's key was changed and can't be found with this one any more.
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
    /// The key that encrypts what is saved under the latest snapshot.
    package var master: MasterKey { current.master }

    /// Decrypts a stored value.
    ///
    /// If it was encrypted under a key that this server doesn't know yet, reads the catalog, which leads to that key.
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

    /// Encrypts and saves values; if the master key was changed in between, does so again with the new one.
    ///
    /// - Parameter save: Encrypts under the key, and checks it in the transaction
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

    /// Reads the catalog again although its version may be the same.
    @inline(never) private func refreshed() async throws(ServerError) -> CatalogSnapshot { try await refresh() }
}

extension CatalogSnapshot {
    /// Throws `master_key_changed` unless values that this key encrypted may be saved under this snapshot.
    ///
    /// Without this, a value could be saved under a key that the store doesn't have any more.
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
