public import TenureClient

// An app that enables `MemberImportVisibility` can use only members of modules that it imports. This re-export lets it
// use the members of the types below with this product's import alone. It adds no other name of TenureClient.
@_exported public import struct TenureClient.Explanation

/// Why something was refused, and what helps, in the user's language.
public typealias Explanation = TenureClient.Explanation

/// Which signing keys the client trusts besides those that the app was built with.
public typealias KeyTrust = TenureClient.KeyTrust
