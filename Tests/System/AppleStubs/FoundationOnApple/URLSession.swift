// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import Foundation
public import Security

// The parts of URLSession that Tenure uses, with Apple's asynchronous delegates. On Linux, URLSession is in a separate
// module.

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}

public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest?
}

public final class URLSession: NSObject, @unchecked Sendable {
    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }

    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8
        public struct Iterator: AsyncIteratorProtocol {
            public mutating func next() async throws -> UInt8? { neverRun() }
        }
        public func makeAsyncIterator() -> Iterator { neverRun() }
        public var task: URLSessionTask { neverRun() }
    }

    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) { neverRun() }
    public func finishTasksAndInvalidate() { neverRun() }
    public func invalidateAndCancel() { neverRun() }
    public func bytes(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) { neverRun() }
}

public class URLSessionTask: NSObject, @unchecked Sendable {
    public func cancel() { neverRun() }
}

public final class HTTPCookieStorage: NSObject, @unchecked Sendable {}
public final class URLCache: NSObject, @unchecked Sendable {}
public final class URLCredentialStorage: NSObject, @unchecked Sendable {}

public final class URLSessionConfiguration: NSObject {
    public class var ephemeral: URLSessionConfiguration { neverRun() }
    public var httpCookieStorage: HTTPCookieStorage?
    public var httpShouldSetCookies = true
    public var urlCache: URLCache?
    public var urlCredentialStorage: URLCredentialStorage?
    public var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    public var timeoutIntervalForRequest: TimeInterval = 60
    public var timeoutIntervalForResource: TimeInterval = 604_800
    public var httpMaximumConnectionsPerHost = 6
    public var httpAdditionalHeaders: [AnyHashable: Any]?
    public var connectionProxyDictionary: [AnyHashable: Any]?
    public var waitsForConnectivity = false
}

public struct URLRequest: Sendable {
    public enum CachePolicy: UInt, Sendable {
        case useProtocolCachePolicy, reloadIgnoringLocalCacheData
    }
    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60) {
        neverRun()
    }
    public var httpMethod: String? {
        get { neverRun() }
        set {}
    }
    public var httpBody: Data? {
        get { neverRun() }
        set {}
    }
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) { neverRun() }
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { neverRun() }
}

public class URLResponse: NSObject, @unchecked Sendable {
    public var expectedContentLength: Int64 { neverRun() }
}

public final class HTTPURLResponse: URLResponse, @unchecked Sendable {
    public var statusCode: Int { neverRun() }
    public var allHeaderFields: [AnyHashable: Any] { neverRun() }
}

public final class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    public var protectionSpace: URLProtectionSpace { neverRun() }
}

public final class URLProtectionSpace: NSObject, @unchecked Sendable {
    public var authenticationMethod: String { neverRun() }
    public var serverTrust: SecTrust? { neverRun() }
}

public final class URLCredential: NSObject, @unchecked Sendable {
    public convenience init(trust: SecTrust) { neverRun() }
}

public let NSURLAuthenticationMethodServerTrust = ""

public struct URLError: Error {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
    }
    public var code: Code { neverRun() }
    public var localizedDescription: String { neverRun() }
}

extension URLError.Code {
    public static let cancelled = Self(rawValue: -999)
    public static let badURL = Self(rawValue: -1000)
    public static let timedOut = Self(rawValue: -1001)
    public static let unsupportedURL = Self(rawValue: -1002)
    public static let cannotFindHost = Self(rawValue: -1003)
    public static let cannotConnectToHost = Self(rawValue: -1004)
    public static let networkConnectionLost = Self(rawValue: -1005)
    public static let dnsLookupFailed = Self(rawValue: -1006)
    public static let notConnectedToInternet = Self(rawValue: -1009)
    public static let userCancelledAuthentication = Self(rawValue: -1012)
    public static let internationalRoamingOff = Self(rawValue: -1018)
    public static let callIsActive = Self(rawValue: -1019)
    public static let dataNotAllowed = Self(rawValue: -1020)
    public static let appTransportSecurityRequiresSecureConnection = Self(rawValue: -1022)
    public static let secureConnectionFailed = Self(rawValue: -1200)
    public static let serverCertificateHasBadDate = Self(rawValue: -1201)
    public static let serverCertificateUntrusted = Self(rawValue: -1202)
    public static let serverCertificateHasUnknownRoot = Self(rawValue: -1203)
    public static let serverCertificateNotYetValid = Self(rawValue: -1204)
    public static let clientCertificateRejected = Self(rawValue: -1205)
    public static let clientCertificateRequired = Self(rawValue: -1206)
}

private func neverRun() -> Never { fatalError("a stub is only compiled") }
