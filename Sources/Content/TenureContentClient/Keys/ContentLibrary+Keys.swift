import TenureContent
public import Foundation
import TenureClient
import TenureCore

/// Keys of protected media, stored with the licenses and renewed with them through a ``PersistableKeySystem``.
extension ContentLibrary {
    /// Stores a key for a content item from now on.
    ///
    /// The key is requested now and again for each new version of the license. It is deleted with the license.
    ///
    /// - Parameters:
    ///   - name: The content item's id.
    ///   - identifier: The key's URI in the media playlist, such as `skd://lesson-1`.
    /// - Returns: Whether the key is stored on this device. If it isn't, the next renewal requests it again.
    /// - Throws: ``ContentError``: `.misconfigured` without a `keySystem`, `.contentName` for an item without a license
    ///   on this device, or `.notStored`.
    public func keepKey(_ name: String, identifier: String) async throws(ContentError) -> Bool {
        guard keySystem != nil else {
            throw ContentError(.misconfigured, "To store media keys, set keySystem in the configuration.")
        }
        guard let content = ContentID(name), shelf[content] != nil else {
            throw ContentError(.contentName, "There is no content with that name on this device.")
        }
        if shelf.keptKeys[content]?.identifier != identifier {
            try keep([.note(.key(name, KeptKey(identifier)))])
        }
        await settleKeys()
        return key(name) != nil
    }

    /// The stored key of a content item, for the session that plays it; `nil` if there isn't one.
    public func key(_ name: String) -> Data? { ContentID(name).flatMap { shelf.keptKeys[$0]?.key } }

    /// Replaces a stored key with the updated one that the system created, for example at the first playback.
    ///
    /// The previous key no longer plays. Unknown identifiers are ignored.
    ///
    /// - Throws: ``ContentError``: `.notStored`.
    public func keyChanged(_ identifier: String, to key: Data) throws(ContentError) {
        for (content, kept) in shelf.keptKeys where kept.identifier == identifier && kept.key != nil {
            var kept = kept
            kept.key = key
            try keep([.note(.key(content.text, kept))])
        }
    }

    /// Requests, deletes and reports keys as needed.
    ///
    /// The next run retries what failed.
    func settleKeys() async {
        guard let keySystem, !isSettlingKeys else { return }
        isSettlingKeys = true
        defer { isSettlingKeys = false }
        for content in shelf.keptKeys.keys.sorted() {
            var done: KeyAct?
            while let kept = shelf.keptKeys[content] {
                let license = shelf[content]
                let act = kept.act(beside: license)
                // Repeating the same action would fail in the same way.
                guard act != done, act != .none else { break }
                done = act
                let next = try? await outcome(of: act, kept, license?.grant, content.text, keySystem)
                // The stored key may have changed while this call was waiting. The result then belongs to an outdated
                // key.
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
