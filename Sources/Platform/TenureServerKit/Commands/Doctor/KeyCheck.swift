import TenureCommandLine
import TenureCore
import TenureStore

/// Checks the master key and whether it decrypts the signing keys.
enum KeyCheck {
    /// Checks the keys, and stores the decrypted catalog in the context for the checks that follow.
    static func run(_ file: MasterKeyFile, in context: inout ConcernContext) async -> [Finding] {
        let store = context.store
        do {
            let state = try await MasterKeyState.read(from: store)
            guard state.checkValue != nil else {
                return [.ok("master key", "not needed yet: the store is empty")]
            }
            let key = try file.read()
            guard let master = state.resolved(key) else {
                let former = state.replacedAt(key).map { ": the key was changed on \($0.local)" } ?? ""
                return [
                    .failure(
                        "master key", "\(file.path) is not the key of this store\(former)",
                        cure: "Pass the right one with --master-key-file FILE.")
                ]
            }
            let keys = try await store.signingKeys()
            let catalog = try await context.features.cache(of: store, under: master).current
            context.catalog = catalog
            let bare = catalog.catalog.tenants.keys.filter { catalog.keyRings[$0] == nil }.sorted()
            let restored = try await KeysBeforeRestore.stillSigning(in: store, of: keys)
            if catalog.part(StoreSecrets.self) == nil {
                return [
                    .failure(
                        "master key", "the store lacks the secrets behind public ids and refresh tokens",
                        cure: "Restore a backup that has them."
                    )
                ]
            }
            let late = try await ServerReport.withOtherKey(than: master, in: store, at: context.now)
            return [exposure(of: file, beside: context.location)] + unfinished(state) + late.map(Self.late)
                + restored.map { key in
                    .warning(
                        "signing keys",
                        "the store was restored without the one that it replaced, and tenant \(key.tenant) still signs "
                            + "with \(key.kid): keys created since the backup are lost, and a key that was replaced "
                            + "because it leaked signs again",
                        cure: "Run `tenure key rotate --tenant \(key.tenant)`.")
                }
                + bare.map { tenant in
                    .failure(
                        "signing keys", "tenant \(tenant) has none", cure: "Run `tenure key rotate --tenant \(tenant)`."
                    )
                } + (bare.isEmpty ? [.ok("signing keys", "\(keys.count), all decrypted")] : [])
        } catch let error as StoreError {
            return [.failure("keys", error)]
        } catch let error as ServerError where error.code != .masterKeyWrong && error.code != .crypto {
            return [
                .failure(
                    "keys", error.description,
                    cure: "Another master key doesn't help. See what `tenure doctor` says about the store.")
            ]
        } catch {
            return [
                .failure("keys", "\(error)", cure: "Provide the right master key; nothing can be signed without it.")
            ]
        }
    }

    private static func unfinished(_ state: MasterKeyState) -> [Finding] {
        guard state.change != nil else { return [] }
        return [
            .warning(
                "master key", "it is being changed; until that is finished, the former and the new key file both work",
                cure: "If no `tenure master-key rotate` is running, run it again with the same --new-key-file.")
        ]
    }

    private static func late(_ server: ServerReport) -> Finding {
        .warning(
            "master key", "a server hasn't read the new key yet: \(server.name)",
            cure: "It reads the key from the store within seconds. If it doesn't, restart it with the new key's file.")
    }

    private static func exposure(of file: MasterKeyFile, beside location: StoreLocation) -> Finding {
        if file.isExposed {
            return .warning("master key", "other users may read \(file.path)", cure: "Run chmod 600 \(file.path).")
        }
        if case .folder(let path) = location, file.path == DataFolder(path: path).standardMasterKey {
            return .warning(
                "master key", "it is in the data folder, so anyone who copies the folder has both",
                cure: "Move it elsewhere, and pass --master-key-file FILE.")
        }
        return .ok("master key", file.path)
    }
}
