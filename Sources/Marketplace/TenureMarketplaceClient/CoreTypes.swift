public import TenureCore

// An app that enables `MemberImportVisibility` can use only members of modules that it imports. This re-export lets it
// use the members of the types below with this product's import alone. The re-export adds no other name of TenureCore.
@_exported public import struct TenureCore.AccountID

/// An account's id at a marketplace: 1 to 128 bytes of text chosen by the vendor, without control characters.
///
/// It's the `account` of MarketplaceKit's calls. Ids are compared by their bytes.
public typealias AccountID = TenureCore.AccountID

/// A time in whole seconds since 1970, such as `Timestamp(seconds: Int64(Date().timeIntervalSince1970))`.
public typealias Timestamp = TenureCore.Timestamp

/// Apple's id for an app, from 1 to 2^63 - 1; its `number` is MarketplaceKit's `AppleItemID`.
public typealias ItemID = TenureCore.AppleItemID

/// Apple's id for one version of an app, from 1 to 2^63 - 1; its `number` is MarketplaceKit's `AppleVersionID`.
public typealias VersionID = TenureCore.AppleVersionID
