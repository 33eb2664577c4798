#if canImport(CryptoKit)
    import Darwin
#else
    import CSodium
#endif

/// Compares secrets in a time that does not tell where they differ; their lengths are not kept secret.
public func constantTimeEquals(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    #if canImport(CryptoKit)
        return unsafe timingsafe_bcmp(one, other, one.count) == 0
    #else
        return unsafe sodium_memcmp(one, other, one.count) == 0
    #endif
}
