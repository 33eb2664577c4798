import TenureCore
import TenureStore

/// Checks the master key and whether it decrypts the signing keys.
enum KeyCheck {
    /// Checks the keys, and stores the decrypted catalog in the context for later checks.
    static func run(_ file: MasterKeyFile, in context: inout ConcernContext) async -> [Finding] {
        let store = context.store
        do {
            guard let checkValue = try await store.setting(MasterKey.checkValueSetting) else {
                return [.ok("master key", "not needed yet: the store is empty")]
            }
            guard try file.read().matches(checkValue: checkValue) else {
                return [
                    .failure(
                        "master key", "\(file.path) is not the key of this store",
                        cure: "Pass the right one with --master-key-file FILE.")
                ]
            }
            let keys = try await store.signingKeys()
            let catalog = try await context.features.cache(of: store, under: try file.read()).current
            context.catalog = catalog
            let bare = catalog.catalog.tenants.keys.filter { catalog.keyRings[$0] == nil }.sorted()
            let restored = try await KeysBeforeRestore.stillSigning(in: store, of: keys)
            return [exposure(of: file, beside: context.place)]
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

    private static func exposure(of file: MasterKeyFile, beside place: StoreLocation) -> Finding {
        if file.isExposed {
            return .warning("master key", "other users may read \(file.path)", cure: "Run chmod 600 \(file.path).")
        }
        if case .folder(let path) = place, file.path == DataFolder(path: path).standardMasterKey {
            return .warning(
                "master key", "it is in the data folder, so anyone who copies the folder has both",
                cure: "Move it elsewhere, and pass --master-key-file FILE.")
        }
        return .ok("master key", file.path)
    }
}
