import TenureClient
import TenureContent
import TenureCore

/// Keeps the keys of protected media in step with the licenses, through a ``PersistableKeySystem``.
final class MediaKeyUpdater {
    private let store: LicenseStore
    /// The app's key system; `nil` if none is configured, so that no keys are stored.
    let system: (any PersistableKeySystem)?
    private var isSettling = false
    private var ledgerContents: LedgerContents { store.ledgerContents }

    init(_ store: LicenseStore, _ system: (any PersistableKeySystem)?) {
        self.store = store
        self.system = system
    }

    /// Requests, deletes and reports keys until every stored key matches its license.
    ///
    /// A step that fails is retried at the next call.
    nonisolated(nonsending) func updateKeys() async {
        guard let system, !isSettling else { return }
        isSettling = true
        defer { isSettling = false }
        for content in ledgerContents.keptKeys.keys.sorted() {
            var done: KeyAct?
            while let stored = ledgerContents.keptKeys[content] {
                let license = ledgerContents[content]
                let act = stored.act(beside: license)
                // Repeating the same action would fail in the same way.
                guard act != done, act != .none else { break }
                done = act
                let next = try? await outcome(of: act, stored, license?.grant, content.text, system)
                // The stored key may have changed while this call was waiting. The result then belongs to an outdated
                // key.
                guard let next, ledgerContents.keptKeys[content] == stored else { break }
                guard (try? store.commit([.note(.key(content.text, next.key))])) != nil else { return }
            }
        }
    }

    private struct Next { let key: KeptKey? }

    nonisolated(nonsending) private func outcome(
        of act: KeyAct, _ stored: KeptKey, _ grant: ContentGrant?, _ content: String, _ system: any PersistableKeySystem
    ) async throws -> Next {
        var stored = stored
        switch act {
        case .none: break
        case .ask:
            stored.key = try await system.newKey(stored.identifier, for: content)
            (stored.license, stored.version) = (grant?.license.description, grant?.version ?? 0)
        case .delete(let key):
            stored.proof = try await system.delete(key, of: content)
            stored.key = nil
        case .tell(let proof):
            try await system.tell(deletion: proof, of: content)
            return Next(key: nil)
        case .forget: return Next(key: nil)
        }
        return Next(key: stored)
    }
}
