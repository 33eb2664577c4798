public import TenureCore

/// The manifest of an alternative distribution package, its `manifest.json` (Apple's documentation).
public struct PackageManifest: Sendable, Hashable {
    /// Apple's item id of the app, the same for all its versions.
    public let item: AppleItemID
    /// Apple's id of the version that the package contains.
    public let version: AppleVersionID
    /// The bundle id, such as `com.example.game`.
    public let bundleID: String
    /// The version number that users see, from `shortVersionString`, such as `1.4.2`.
    public let shortVersion: String
    /// The build number, from `bundleVersion`, such as `142`.
    public let bundleVersion: String
    /// `distributionPackageRevision`, which grows when deltas are added to the same version; `nil` if it is missing.
    public let revision: Int64?
    /// The supported platforms, such as `ios`.
    public let platforms: [String]
    /// The oldest operating system that runs the app, by platform, such as `17.4` for `ios`.
    public let minimumSystemVersions: [String: String]
    /// Whether the app is itself a marketplace (`appInstallDeterminants`).
    public let isMarketplace: Bool
    /// The complete app in variants for different devices; never empty.
    public let variants: [Variant]
    /// Patches from older versions to this one.
    public let deltas: [Delta]

    /// A device model and system version that an asset is made for.
    public struct Target: Sendable, Hashable {
        /// The device model, such as `iPhone14,8` or `iPad16,3-A`.
        public let device: String
        /// The lowest system version that the asset is made for, such as `17.4`.
        public let os: String
    }

    /// The complete app, built for certain devices and systems.
    public struct Variant: Sendable, Hashable {
        /// The `publicId`, which identifies the asset in license requests.
        public let id: AssetID
        /// The path relative to the package, such as `variant/NAME.ipa`.
        public let path: String
        /// The devices and systems that the variant is made for.
        public let targets: [Target]
        /// The download size in bytes.
        public let compressedSize: Int64
        /// The unpacked size in bytes.
        public let uncompressedSize: Int64
        /// The digests that verify the bytes; `nil` if the manifest has none, which is allowed.
        public let chunks: Chunks?
    }

    /// A patch from one variant of an older version to a variant of this version.
    public struct Delta: Sendable, Hashable {
        /// The `publicId`, which identifies the asset in license requests.
        public let id: AssetID
        /// The path relative to the package, such as `delta/NAME.ipa`.
        public let path: String
        /// The version that the patch starts from.
        public let sourceVersion: AppleVersionID
        /// The devices and systems that the older variant was made for.
        public let targets: [Target]
        /// The id of the variant that results from the patch.
        public let result: AssetID
        /// The download size in bytes.
        public let compressedSize: Int64
        /// The digests that verify the bytes; `nil` if the manifest has none, which is allowed.
        public let chunks: Chunks?
    }

    /// The digests of an asset's chunks.
    public struct Chunks: Sendable, Hashable {
        /// The chunk size in bytes; the last chunk may be shorter.
        public let size: Int64
        /// The SHA-256 of each chunk.
        public let digests: [Digest]
    }

    /// A file that a device may download: a variant or a delta.
    public struct Asset: Sendable, Hashable {
        /// The path relative to the package.
        public let path: String
        /// The file's size in bytes, which is the download size.
        public let size: Int64
        /// The digests that verify the bytes; `nil` if the manifest has none.
        public let chunks: Chunks?
    }

    /// The files of all variants, then of all deltas, in the manifest's order.
    public var assets: [Asset] {
        variants.map { Asset(path: $0.path, size: $0.compressedSize, chunks: $0.chunks) }
            + deltas.map { Asset(path: $0.path, size: $0.compressedSize, chunks: $0.chunks) }
    }

    /// The largest manifest that is accepted, in bytes: 8 MiB.
    ///
    /// Real manifests have up to 1.1 MB.
    public static let byteLimit = 8 << 20
    /// The most variants that a package may have.
    public static let variantLimit = 512
    /// The most deltas that a package may have.
    public static let deltaLimit = 4_096
    /// The most targets that one asset may have.
    public static let targetLimit = 4_096
}

extension PackageManifest {
    /// The download sizes of the smallest and the largest variant, in bytes; `nil` if there is no variant.
    public var downloadBytes: ClosedRange<Int64>? {
        let sizes = variants.map(\.compressedSize)
        guard let least = sizes.min(), let most = sizes.max() else { return nil }
        return least...most
    }

    /// The lowest system version that can install the package, by device platform.
    ///
    /// The result is never below the version that the app itself needs (Apple's documentation). A platform is missing
    /// if no variant targets it or its versions can't be read.
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
