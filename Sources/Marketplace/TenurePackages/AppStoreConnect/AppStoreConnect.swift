import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureMarketplace
import TenureServerKit
import TenureThreads

/// A client of App Store Connect's API for packages.
///
/// The client sends its bearer token only to the configured host. It follows links in responses without the token, over
/// https, and only to public addresses. If the configured host is on loopback, as in a test setup, links may lead
/// anywhere.
struct AppStoreConnect: Sendable {
    let connection: Connection
    let outbound: any Outbound
    let clock: any WallClock

    /// A resource of App Store Connect: a version of a package, a variant or a delta.
    struct Resource: Sendable, Hashable {
        let id: String
        /// A temporary URL of the file, which needs no token; `nil` if the response contains none.
        let url: String?
        /// The state of a version, `COMPLETED` or `REPLACED`; `nil` for other resources.
        let state: String?
        /// The number of a version; 0 for other resources.
        let version: Int64
        /// The file's checksum in hexadecimal; `nil` if the response contains none.
        ///
        /// The length of the checksum determines the algorithm.
        let checksum: String?
        let keyBlob: [UInt8]?
        /// How many more requests are allowed this hour; `nil` if the response doesn't contain the number.
        var remaining: Int?
    }

    func version(_ id: String) async throws(ConnectTrouble) -> Resource {
        try await resource("/v1/alternativeDistributionPackageVersions/\(id)")
    }

    func asset(_ id: AssetID, isDelta: Bool) async throws(ConnectTrouble) -> Resource {
        try await resource("/v1/alternativeDistributionPackage\(isDelta ? "Deltas" : "Variants")/\(id)")
    }

    /// Returns a package's versions in no particular order.
    ///
    /// At most fifty pages are read.
    func versions(of package: String) async throws(ConnectTrouble) -> [Resource] {
        var next: String? = connection.url + "/v1/alternativeDistributionPackages/\(package)/versions?limit=200"
        var all: [Resource] = []
        for _ in 0..<50 {
            guard let url = next else { return all }
            let (body, remaining) = try await send(url)
            guard let list = body.objects("data").value else { throw .init(.trouble, "unreadable") }
            all += list.compactMap { Resource($0, remaining: remaining) }
            next = body.object("links").value?.string("next").value
            if let following = next, WebURL(following)?.origin != connection.url {
                throw .init(.trouble, "foreign_link")
            }
        }
        return all
    }

    private func resource(_ path: String) async throws(ConnectTrouble) -> Resource {
        let (body, remaining) = try await send(connection.url + path)
        guard let data = body.object("data").value ?? body.objects("data").value?.first,
            let resource = Resource(data, remaining: remaining)
        else { throw .init(.trouble, "unreadable") }
        return resource
    }

    private func send(_ url: String) async throws(ConnectTrouble) -> (FlatObject, remaining: Int?) {
        let token: String
        do {
            token = try connection.token(at: clock.now())
        } catch {
            throw .init(.failed, "key_unusable")
        }
        let answer: Response
        do throws(OutboundError) {
            answer = try await outbound.send(
                .get(url, headers: ["Authorization": "Bearer \(token)", "Accept": "application/json"]),
                within: OutboundLimits(reach: reach, size: 4 << 20, seconds: 30))
        } catch {
            throw ConnectTrouble(error)
        }
        guard answer.isSuccess else { throw ConnectTrouble(answer, at: clock.now()) }
        guard let body = try? FlatObject(scanning: answer.body.bytes) else { throw .init(.trouble, "unreadable") }
        return (body, Self.remaining(answer.headers["X-Rate-Limit"]))
    }

    /// Reads the remaining requests from a header such as `user-hour-lim:3500;user-hour-rem:500;`; `nil` if it doesn't
    /// contain them.
    static func remaining(_ field: String?) -> Int? {
        guard let field, field.utf8.count <= 256 else { return nil }
        for part in field.split(atByte: ";") {
            guard let (name, value) = part.cut(at: ":"), name.withoutBlanks == "user-hour-rem" else { continue }
            return Int(value.withoutBlanks)
        }
        return nil
    }

    /// Whether the configured host is on loopback, as in a test setup.
    private var isLocal: Bool { WebURL(connection.url)?.isThisMachine ?? false }

    private var reach: OutboundLimits.Reach { isLocal ? .everywhere : .publicAddresses }

    /// Downloads a link without sending the bearer token.
    ///
    /// At most three redirects are followed; each target is checked like the link. The result is the final response.
    ///
    /// - Parameters:
    ///   - limit: The longest accepted body, in bytes.
    ///   - seconds: The time limit for the whole download, redirects included.
    ///   - begin: Receives the head of the final response and returns whether to read its body.
    /// - Throws: ``ConnectTrouble``.
    func follow(
        _ link: String, headers: Headers = [:], limit: Int64, seconds: Int,
        begin: @escaping @Sendable (Response) -> Bool, take: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(ConnectTrouble) -> Response {
        var url = link
        let deadline = SteadyTime.now().advanced(by: .seconds(seconds))
        for _ in 0...3 {
            let left = Int(SteadyTime.now().duration(to: deadline).components.seconds)
            guard left > 0 else { throw .init(.trouble, "unreachable") }
            guard let address = WebURL(url), !address.hasUser,
                address.scheme == "https" || address.scheme == "http" && isLocal
            else {
                throw .init(.failed, "link_refused")
            }
            let answer: Response
            do throws(OutboundError) {
                answer = try await outbound.fetch(
                    .get(url, headers: headers),
                    within: OutboundLimits(reach: reach, size: limit, seconds: left),
                    begin: { Self.isRedirect($0.status) ? false : begin($0) }, take: take)
            } catch {
                throw ConnectTrouble(error)
            }
            guard Self.isRedirect(answer.status) else { return answer }
            guard let target = answer.headers["Location"] else { throw .init(.trouble, "unreadable") }
            url = target.hasPrefix("/") && !target.hasPrefix("//") ? address.origin + target : target
        }
        throw .init(.trouble, "too_many_redirects")
    }

    private static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }
}

extension AppStoreConnect.Resource {
    init?(_ data: FlatObject, remaining: Int?) {
        guard let id = data.string("id").value, let facts = data.object("attributes").value else { return nil }
        self.id = id.lowercased()
        url = facts.string("url").value
        state = facts.string("state").value
        version = facts.integer("version").value ?? facts.string("version").value.flatMap { Int64($0) } ?? 0
        checksum = facts.string("fileChecksum").value
        keyBlob = facts.string("alternativeDistributionKeyBlob").value.flatMap { text in
            Base64.decodeLenient(text).flatMap { (1...KeyBlobs.blobLimit).contains($0.count) ? $0 : nil }
        }
        self.remaining = remaining
    }
}

/// An error of App Store Connect, or of a link that it returned.
struct ConnectTrouble: Error, Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// Apple or the developer must act first; the attempt doesn't count as a failure.
        case waiting
        /// A later attempt may succeed; the number of attempts is limited.
        case trouble
        /// No later attempt can succeed.
        case failed
        /// The server is shutting down.
        case cancelled
    }

    let kind: Kind
    /// A code for the cause, such as `agreement_missing`.
    let cause: String
    /// How many seconds to wait before the next attempt; 0 if the cause demands no wait.
    let seconds: Int64

    init(_ kind: Kind, _ cause: String, seconds: Int64 = 0) {
        self.kind = kind
        self.cause = cause
        self.seconds = seconds
    }

    init(_ error: OutboundError) {
        switch error.kind {
        case .cancelled: self.init(.cancelled, "stopped")
        case .forbidden: self.init(.failed, "link_refused")
        case .tooLong: self.init(.trouble, "too_long")
        case .unreachable: self.init(.trouble, "unreachable")
        }
    }

    /// Interprets a response with an unexpected status.
    init(_ answer: Response, at now: Timestamp) {
        let after = RetryAfter.seconds(answer.headers["Retry-After"], answered: answer.headers["Date"], now: now)
        switch answer.status {
        case 401: self.init(.waiting, "not_authorized", seconds: 3600)
        case 403:
            let codes = (try? FlatObject(scanning: answer.body.bytes))?.objects("errors").value ?? []
            let isAgreement = codes.contains { $0.string("code").value?.contains("AGREEMENT") ?? false }
            self.init(.waiting, isAgreement ? "agreement_missing" : "not_authorized", seconds: 3600)
        case 404: self.init(.trouble, "not_found", seconds: 60)
        case 429: self.init(.waiting, "rate_limited", seconds: max(after ?? 60, 1))
        case 500...599: self.init(.trouble, "apple_unavailable", seconds: after ?? 0)
        default: self.init(.trouble, "status_\(answer.status)")
        }
    }
}
