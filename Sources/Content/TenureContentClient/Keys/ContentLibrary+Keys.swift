import TenureClient
import TenureContent
import TenureCore
public import TenureFoundation

/// Keys of protected media, stored with the licenses and renewed with them through a ``PersistableKeySystem``.
extension ContentLibrary {
    /// Stores a key for a content item from now on.
    ///
    /// The library requests the key now, and again for each new version of the license. It deletes the key with the
    /// license.
    ///
    /// - Parameters:
    ///   - name: The content item's id.
    ///   - identifier: The key's URI in the media playlist, such as `skd://lesson-1`.
    /// - Returns: Whether the key is stored on this device. If it isn't, the next renewal requests it again.
    /// - Throws: ``ContentError``: `.misconfigured` if the configuration has no `keySystem`, `.contentName` if the item
    ///   has no license on this device, or `.notStored`.
    public func keepKey(_ name: String, identifier: String) async throws(ContentError) -> Bool {
        guard keys.system != nil else {
            throw ContentError(.misconfigured, "To store media keys, set keySystem in the configuration.")
        }
        guard let content = ContentID(name), ledgerContents[content] != nil else {
            throw ContentError(.contentName, "There is no content with that name on this device.")
        }
        if ledgerContents.keptKeys[content]?.identifier != identifier {
            try keep([.note(.key(name, KeptKey(identifier)))])
        }
        await keys.updateKeys()
        return key(name) != nil
    }

    /// The stored key of a content item, for the session that plays it; `nil` if there isn't one.
    public func key(_ name: String) -> Data? { ContentID(name).flatMap { ledgerContents.keptKeys[$0]?.key } }

    /// Replaces a stored key with the updated one that the system created, for example at the first playback.
    ///
    /// The previous key no longer plays. Unknown identifiers are ignored.
    ///
    /// - Throws: ``ContentError``: `.notStored`.
    public func keyChanged(_ identifier: String, to key: Data) throws(ContentError) {
        for (content, stored) in ledgerContents.keptKeys where stored.identifier == identifier && stored.key != nil {
            var stored = stored
            stored.key = key
            try keep([.note(.key(content.text, stored))])
        }
    }
}
