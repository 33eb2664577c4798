public import TenureCore
public import TenureFormats

/// The key blobs of a package's assets, read from the `keyblobs.json` next to its manifest.
///
/// The file maps each asset's public id to base64. A blob is Apple's `alternativeDistributionKeyBlob`, which Tenure
/// stores without reading it (Apple's documentation).
public struct KeyBlobs: Sendable, Hashable {
    /// The blobs by asset; they may include assets that the manifest doesn't list.
    public let byAsset: [AssetID: [UInt8]]

    /// The largest blob that is accepted, in bytes; Apple's sample has 560.
    public static let blobLimit = 4_096
    /// The largest file that is accepted, in bytes: 32 MiB.
    public static let byteLimit = 32 << 20

    /// Parses the file.
    ///
    /// Throws ``FormatError``: `.malformed` if the file isn't a JSON object or is too large. `.badMember` if a name
    /// isn't a valid asset id, or a value isn't base64 of 1 to 4096 bytes.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        guard bytes.count <= Self.byteLimit else {
            throw FormatError(.malformed, "a file of key blobs must be at most \(Self.byteLimit >> 20) MiB")
        }
        let root = try FlatObject(document: bytes, named: "file of key blobs")
        var blobs: [AssetID: [UInt8]] = [:]
        for (name, value) in try Self.texts(root) {
            guard let asset = AssetID(name) else {
                throw FormatError(.badMember, "\"\(name.prefix(64))\" is not the public id of an asset")
            }
            guard let blob = Base64.decodeLenient(value), (1...Self.blobLimit).contains(blob.count) else {
                throw FormatError(
                    .badMember, "the key blob of \(asset) must be 1 to \(Self.blobLimit) bytes in base64")
            }
            blobs[asset] = blob
        }
        byAsset = blobs
    }

    private static func texts(_ root: FlatObject) throws(FormatError) -> [(String, String)] {
        var texts: [(String, String)] = []
        for name in root.names { texts.append((name, try root.require(name, root.string(name)))) }
        return texts
    }
}
