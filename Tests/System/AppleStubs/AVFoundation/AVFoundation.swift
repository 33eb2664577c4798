// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dispatch
public import FoundationOnApple

// The parts of AVFoundation that Tenure uses, declared from Apple's documentation. They do nothing.

public struct AVContentKeySystem: Hashable, RawRepresentable, @unchecked Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let fairPlayStreaming = AVContentKeySystem(rawValue: "FairPlayStreaming")
}

public struct AVContentKeySessionServerPlaybackContextOption: Hashable, RawRepresentable, @unchecked Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

open class AVContentKeySession: NSObject {
    public convenience init(keySystem: AVContentKeySystem) { neverRun() }
    open func setDelegate(_ delegate: (any AVContentKeySessionDelegate)?, queue delegateQueue: DispatchQueue?) {}
    open func processContentKeyRequest(
        withIdentifier identifier: Any?, initializationData: Data?, options: [String: Any]? = nil
    ) {}
    open func invalidatePersistableContentKey(
        _ persistableContentKeyData: Data,
        options: [AVContentKeySessionServerPlaybackContextOption: Any]? = nil,
        completionHandler handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {}
}

public protocol AVContentKeySessionDelegate: NSObjectProtocol {
    func contentKeySession(_ session: AVContentKeySession, didProvide keyRequest: AVContentKeyRequest)
    func contentKeySession(_ session: AVContentKeySession, didProvide keyRequest: AVPersistableContentKeyRequest)
    func contentKeySession(
        _ session: AVContentKeySession, didUpdatePersistableContentKey persistableContentKey: Data,
        forContentKeyIdentifier keyIdentifier: Any)
    func contentKeySession(
        _ session: AVContentKeySession, contentKeyRequest keyRequest: AVContentKeyRequest,
        didFailWithError err: any Error)
}

// These methods are optional in Apple's protocol.
extension AVContentKeySessionDelegate {
    public func contentKeySession(
        _ session: AVContentKeySession, didProvide keyRequest: AVPersistableContentKeyRequest
    ) {}
    public func contentKeySession(
        _ session: AVContentKeySession, didUpdatePersistableContentKey persistableContentKey: Data,
        forContentKeyIdentifier keyIdentifier: Any
    ) {}
    public func contentKeySession(
        _ session: AVContentKeySession, contentKeyRequest keyRequest: AVContentKeyRequest,
        didFailWithError err: any Error
    ) {}
}

open class AVContentKeyRequest: NSObject {
    open var identifier: Any? { neverRun() }
    open func respondByRequestingPersistableContentKeyRequestAndReturnError() throws { neverRun() }
    open func makeStreamingContentKeyRequestData(
        forApp appIdentifier: Data, contentIdentifier: Data?, options: [String: Any]? = nil,
        completionHandler handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {}
    open func processContentKeyResponse(_ keyResponse: AVContentKeyResponse) {}
    open func processContentKeyResponseError(_ error: any Error) {}
}

open class AVPersistableContentKeyRequest: AVContentKeyRequest {
    open func persistableContentKey(
        fromKeyVendorResponse keyVendorResponse: Data, options: [String: Any]? = nil
    ) throws -> Data { neverRun() }
}

open class AVContentKeyResponse: NSObject {
    public convenience init(fairPlayStreamingKeyResponseData: Data) { neverRun() }
}

private func neverRun() -> Never { fatalError("a stub is only compiled") }
