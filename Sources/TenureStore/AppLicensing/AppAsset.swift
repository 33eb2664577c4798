public import TenureCore

/// An asset of an app's version with the key that its licenses carry.
public struct AppAsset: Sendable, Hashable {
    /// What an asset is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The whole app for some devices.
        case variant
        /// What turns an older version into this one.
        case delta
    }

    /// Whose marketplace.
    public let tenant: TenantID
    /// Its name.
    public let ref: AssetRef
    /// What it is.
    public let kind: Kind
    /// Apple's key blob, opaque, at most 4096 bytes; nil while there is none.
    public let keyBlob: [UInt8]?
    /// Whether the blob was made by the simulated engine.
    public let isSimulated: Bool

    /// Puts it together.
    public init(tenant: TenantID, ref: AssetRef, kind: Kind, keyBlob: [UInt8]?, isSimulated: Bool) {
        self.tenant = tenant
        self.ref = ref
        self.kind = kind
        self.keyBlob = keyBlob
        self.isSimulated = isSimulated
    }
}
