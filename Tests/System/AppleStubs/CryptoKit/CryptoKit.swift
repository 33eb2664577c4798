// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import FoundationOnApple

// The parts of CryptoKit that Tenure uses, declared from Apple's documentation. They compute nothing.

public protocol HashFunction: Sendable {
    associatedtype Digest: CryptoKit.Digest
    static var blockByteCount: Int { get }
    init()
    func finalize() -> Digest
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
}

extension HashFunction {
    public static func hash<D: DataProtocol>(data: D) -> Digest { neverRun() }
    public mutating func update<D: DataProtocol>(data: D) { neverRun() }
}

public protocol Digest: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable where Element == UInt8 {
    static var byteCount: Int { get }
}

public protocol MessageAuthenticationCode: Hashable, ContiguousBytes, CustomStringConvertible, Sequence
where Element == UInt8 {
    var byteCount: Int { get }
}

public struct SHA256: HashFunction {
    public typealias Digest = SHA256Digest
    public static var blockByteCount: Int { 64 }
    public init() {}
    public func finalize() -> SHA256Digest { neverRun() }
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { neverRun() }
}

public struct SHA256Digest: Digest {
    public static var byteCount: Int { 32 }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { neverRun() }
    public func makeIterator() -> Array<UInt8>.Iterator { neverRun() }
    public var description: String { neverRun() }
}

public struct SymmetricKey: ContiguousBytes, Equatable, Sendable {
    public var bitCount: Int { neverRun() }
    public init<D: ContiguousBytes>(data: D) { neverRun() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { neverRun() }
    public static func == (one: SymmetricKey, other: SymmetricKey) -> Bool { neverRun() }
}

public struct HashedAuthenticationCode<H: HashFunction>: MessageAuthenticationCode {
    public var byteCount: Int { neverRun() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { neverRun() }
    public func makeIterator() -> Array<UInt8>.Iterator { neverRun() }
    public var description: String { neverRun() }
    public func hash(into hasher: inout Hasher) { neverRun() }
    public static func == (one: Self, other: Self) -> Bool { neverRun() }
}

public struct HMAC<H: HashFunction> {
    public typealias MAC = HashedAuthenticationCode<H>
    public static func authenticationCode<D: DataProtocol>(for data: D, using key: SymmetricKey) -> MAC { neverRun() }
    public static func isValidAuthenticationCode<C: ContiguousBytes, D: DataProtocol>(
        _ mac: C, authenticating authenticatedData: D, using key: SymmetricKey
    ) -> Bool { neverRun() }
}

public struct HKDF<H: HashFunction> {
    public static func deriveKey<Salt: DataProtocol, Info: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt, info: Info, outputByteCount: Int
    ) -> SymmetricKey { neverRun() }
}

public enum AES {
    public enum GCM {
        public struct Nonce: ContiguousBytes, Sequence, Sendable {
            public init() { neverRun() }
            public init<D: DataProtocol>(data: D) throws { neverRun() }
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { neverRun() }
            public func makeIterator() -> Array<UInt8>.Iterator { neverRun() }
        }

        public struct SealedBox: Sendable {
            public var tag: Data { neverRun() }
            public var ciphertext: Data { neverRun() }
            public var nonce: AES.GCM.Nonce { neverRun() }
            public var combined: Data? { neverRun() }
            public init<D: DataProtocol>(combined: D) throws { neverRun() }
            public init<C: DataProtocol, T: DataProtocol>(nonce: AES.GCM.Nonce, ciphertext: C, tag: T) throws {
                neverRun()
            }
        }

        public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
            _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil,
            authenticating authenticatedData: AuthenticatedData
        ) throws -> SealedBox { neverRun() }

        public static func open<AuthenticatedData: DataProtocol>(
            _ sealedBox: SealedBox, using key: SymmetricKey, authenticating authenticatedData: AuthenticatedData
        ) throws -> Data { neverRun() }
    }
}

public enum Curve25519 {
    public enum Signing {
        public struct PublicKey: Sendable {
            public var rawRepresentation: Data { neverRun() }
            public init<D: ContiguousBytes>(rawRepresentation: D) throws { neverRun() }
            public func isValidSignature<S: DataProtocol, D: DataProtocol>(_ signature: S, for data: D) -> Bool {
                neverRun()
            }
        }

        public struct PrivateKey: Sendable {
            public var rawRepresentation: Data { neverRun() }
            public var publicKey: PublicKey { neverRun() }
            public init() { neverRun() }
            public init<D: ContiguousBytes>(rawRepresentation data: D) throws { neverRun() }
            public func signature<D: DataProtocol>(for data: D) throws -> Data { neverRun() }
        }
    }
}

private func neverRun() -> Never { fatalError("a stub is only compiled") }
