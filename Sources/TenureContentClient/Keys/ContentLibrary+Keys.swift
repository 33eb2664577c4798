public import Foundation
import TenureClient
import TenureCore

/// Keys of protected media, kept beside the licenses and renewed with them (`PersistableKeySystem`).
extension ContentLibrary {
    /// Keeps a key for a content from now on: it is asked for now, and again with each new version of the license, and
    /// deleted with it. Answers whether it is here; where it is not, it is asked for with the next renewal.
    ///
    /// Throws ``ContentError``: `.misconfigured` without a `keySystem`, `.contentName` for a content that is not kept,
    /// `.notStored`.
    /// - Parameter identifier: What the media's playlist calls it, such as `skd://lesson-1`.
    public func keepKey(_ name: String, identifier: String) async throws(ContentError) -> Bool {
        guard keySystem != nil else {
            throw ContentError(.misconfigured, "Name a keySystem in the configuration to keep keys of media.")
        }
        guard let content = ContentID(name), shelf[content] != nil else {
            throw ContentError(.contentName, "No content of that name is kept on this device.")
        }
        if shelf.keptKeys[content]?.identifier != identifier {
            try keep([.note(.key(name, KeptKey(identifier)))])
        }
        await settleKeys()
        return key(name) != nil
    }

    /// The key of a content, for the session that plays it; nil when it is not here.
    public func key(_ name: String) -> Data? { ContentID(name).flatMap { shelf.keptKeys[$0]?.key } }

    /// Replaces the key of a content by the one that the system made of it, at its first play for example: the one before
    /// it plays no more. What is not kept is left alone.
    ///
    /// Throws ``ContentError``: `.notStored`.
    public func keyChanged(_ identifier: String, to key: Data) throws(ContentError) {
        for (content, kept) in shelf.keptKeys where kept.identifier == identifier && kept.key != nil {
            var kept = kept
            kept.key = key
            try keep([.note(.key(content.text, kept))])
        }
    }

    /// Does what is to be done about keys; what fails is tried again with the next run.
    func settleKeys() async {
        guard let keySystem, !isSettlingKeys else { return }
        isSettlingKeys = true
        defer { isSettlingKeys = false }
        for content in shelf.keptKeys.keys.sorted() {
            var done: KeyAct?
            while let kept = shelf.keptKeys[content] {
                let license = shelf[content]
                let act = kept.act(beside: license)
                // The same act again would be the same failure.
                guard act != done, act != .none else { break }
                done = act
                let next = try? await outcome(of: act, kept, license?.grant, content.text, keySystem)
                // The system may have changed it meanwhile, or another be wanted; then what came is for a key of the past.
                guard let next, shelf.keptKeys[content] == kept else { break }
                guard (try? commit([.note(.key(content.text, next.key))])) != nil else { return }
            }
        }
    }

    private struct Next { let key: KeptKey? }

    private func outcome(
        of act: KeyAct, _ kept: KeptKey, _ grant: ContentGrant?, _ content: String, _ system: any PersistableKeySystem
    ) async throws -> Next {
        var kept = kept
        switch act {
        case .none: break
        case .ask:
            kept.key = try await system.newKey(kept.identifier, for: content)
            (kept.license, kept.version) = (grant?.license.description, grant?.version ?? 0)
        case .delete(let key):
            kept.proof = try await system.delete(key, of: content)
            kept.key = nil
        case .tell(let proof):
            try await system.tell(deletion: proof, of: content)
            return Next(key: nil)
        case .forget: return Next(key: nil)
        }
        return Next(key: kept)
    }
}
