public import TenureCore

/// What an alternative distribution package says of itself: its `manifest.json` (`spec/apple.md` §6).
public struct PackageManifest: Sendable, Hashable {
    /// Apple's number for the app, the same in all its versions.
    public let item: AppleItemID
    /// Which version of it.
    public let version: AppleVersionID
    /// Its bundle, such as `com.example.game`.
    public let bundleID: String
    /// `shortVersionString`, such as `1.4.2`.
    public let shortVersion: String
    /// `bundleVersion`, such as `142`.
    public let bundleVersion: String
    /// `distributionPackageRevision`: grows when deltas are added to the same version; nil when it is not told.
    public let revision: Int64?
    /// The platforms, such as `ios`; empty when they are not told.
    public let platforms: [String]
    /// The oldest system that runs it, by platform, such as `17.4` for `ios`.
    public let minimumSystemVersions: [String: String]
    /// Whether it is a marketplace app itself (`appInstallDeterminants`).
    public let isMarketplace: Bool
    /// The whole app, for some devices each; never empty.
    public let variants: [Variant]
    /// What turns older versions into this one.
    public let deltas: [Delta]

    /// A device and a system that an asset is made for.
    public struct Target: Sendable, Hashable {
        /// The device's model, such as `iPhone14,8` or `iPad16,3-A`.
        public let device: String
        /// The lowest system of the bucket, such as `17.4`.
        public let os: String
    }

    /// The whole app for some devices.
    public struct Variant: Sendable, Hashable {
        /// `publicId`: names it in license requests.
        public let id: AssetID
        /// Where it lies below the package, such as `variant/NAME.ipa`.
        public let path: String
        /// What it is made for.
        public let targets: [Target]
        /// Its size in bytes, as it is downloaded.
        public let compressedSize: Int64
        /// Its size in bytes, unpacked.
        public let uncompressedSize: Int64
        /// What its bytes are checked by; nil where the manifest has no digests, as some have not.
        public let chunks: Chunks?
    }

    /// What turns one variant of an older version into one of this version.
    public struct Delta: Sendable, Hashable {
        /// `publicId`: names it in license requests.
        public let id: AssetID
        /// Where it lies below the package, such as `delta/NAME.ipa`.
        public let path: String
        /// The older version.
        public let sourceVersion: AppleVersionID
        /// What the variant of the older version was made for.
        public let targets: [Target]
        /// The variant that it results in.
        public let result: AssetID
        /// Its size in bytes, as it is downloaded.
        public let compressedSize: Int64
        /// What its bytes are checked by; nil where the manifest has no digests, as some have not.
        public let chunks: Chunks?
    }

    /// The digests of an asset's bytes, chunk by chunk.
    public struct Chunks: Sendable, Hashable {
        /// Bytes in a chunk; the last one is as long as what is left.
        public let size: Int64
        /// SHA-256 of each.
        public let digests: [Digest]
    }

    /// A file that a device may download.
    public struct Asset: Sendable, Hashable {
        /// Where it lies below the package.
        public let path: String
        /// Its size in bytes.
        public let size: Int64
        /// What its bytes are checked by; nil where nothing is known of them.
        public let chunks: Chunks?
    }

    /// The variants' and the deltas' files, in the manifest's order.
    public var assets: [Asset] {
        variants.map { Asset(path: $0.path, size: $0.compressedSize, chunks: $0.chunks) }
            + deltas.map { Asset(path: $0.path, size: $0.compressedSize, chunks: $0.chunks) }
    }

    /// The largest manifest that is read, in bytes: 8 MiB. Real ones have up to 1.1 MB.
    public static let byteLimit = 8 << 20
    /// The most variants of a package.
    public static let variantLimit = 512
    /// The most deltas of a package.
    public static let deltaLimit = 4_096
    /// The most devices that one asset is made for.
    public static let targetLimit = 4_096
}

extension PackageManifest {
    /// Bytes that a device downloads, in the smallest and in the largest variant; nil without one.
    public var downloadBytes: ClosedRange<Int64>? {
        let sizes = variants.map(\.compressedSize)
        guard let least = sizes.min(), let most = sizes.max() else { return nil }
        return least...most
    }

    /// The lowest system that the package can be installed on, by the kinds of devices that it has a variant for: never
    /// below what the app itself needs (`spec/apple-more.md` §2). Empty where no system can be read.
    public var lowestSystems: [ApplePlatform: SystemVersion] {
        let needed = minimumSystemVersions["ios"].flatMap { SystemVersion($0) }
        var lowest: [ApplePlatform: SystemVersion] = [:]
        for target in variants.lazy.flatMap(\.targets) {
            guard let platform = ApplePlatform(model: target.device), let bucket = SystemVersion(target.os) else {
                continue
            }
            lowest[platform] = min(lowest[platform] ?? bucket, bucket)
        }
        return lowest.mapValues { bucket in max(bucket, needed ?? bucket) }
    }
}
