// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import CoreFoundation

// The parts of Security that Tenure uses, declared from Apple's documentation. They compute nothing.

public typealias OSStatus = Int32
public let errSecSuccess: OSStatus = 0
public let errSecDuplicateItem: OSStatus = -25299
public let errSecItemNotFound: OSStatus = -25300
public let errSecInteractionNotAllowed: OSStatus = -25308
public let errSecAuthFailed: OSStatus = -25293
public let errSecUserCanceled: OSStatus = -128
public let errSecMissingEntitlement: OSStatus = -34018
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    neverRun()
}

public final class SecRandom {}
public typealias SecRandomRef = SecRandom
public nonisolated(unsafe) let kSecRandomDefault: SecRandomRef? = nil
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    neverRun()
}

public final class SecTrust {}
public final class SecCertificate {}
public final class SecKey {}
public func SecTrustEvaluateWithError(
    _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
) -> Bool { neverRun() }
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { neverRun() }
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { neverRun() }
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? { neverRun() }
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { neverRun() }
public let kSecAttrKeyType: CFString = ""
public let kSecAttrKeySizeInBits: CFString = ""
public let kSecAttrKeyTypeRSA: CFString = "42"
public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"

public let kSecClass: CFString = ""
public let kSecClassGenericPassword: CFString = ""
public let kSecAttrService: CFString = ""
public let kSecAttrAccount: CFString = ""
public let kSecAttrAccessGroup: CFString = ""
public let kSecAttrLabel: CFString = ""
public let kSecAttrAccessible: CFString = ""
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = ""
public let kSecAttrSynchronizable: CFString = ""
public let kSecUseDataProtectionKeychain: CFString = ""
public let kSecMatchLimit: CFString = ""
public let kSecMatchLimitOne: CFString = ""
public let kSecReturnData: CFString = ""
public let kSecReturnAttributes: CFString = ""
public let kSecAttrGeneric: CFString = ""
public let kSecValueData: CFString = ""
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    neverRun()
}
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    neverRun()
}
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { neverRun() }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { neverRun() }

private func neverRun() -> Never { fatalError("a stub is only compiled") }
