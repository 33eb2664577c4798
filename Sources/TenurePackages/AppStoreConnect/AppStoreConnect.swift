import TenureCore
import TenureCrypto
import TenureFormats
import TenureServerKit
import TenureThreads

/// Asks App Store Connect for packages (`spec/apple.md` §6, `spec/apple-more.md` §1 and §7).
///
/// Its bearer goes to the configured host alone. The links that it answers with are fetched without it, over https, from
/// addresses of the internet; where the configured host is on loopback, for trying out, from anywhere.
struct AppStoreConnect: Sendable {
    let connection: Connection
    let outbound: any Outbound
    let clock: any WallClock

    /// Something that App Store Connect has: a version of a package, a variant or a delta.
    struct Resource: Sendable, Hashable {
        let id: String
        /// Where its file is, for a while.
        let url: String?
        /// Of a version, `COMPLETED` or `REPLACED`.
        let state: String?
        /// Of a version, its number.
        let version: Int64
        /// A digest of the file, of a kind that its length tells.
        let checksum: String?
        let keyBlob: [UInt8]?
        /// How many more questions this hour admits; nil where it is not said.
        var remaining: Int?
    }

    func version(_ id: String) async throws(ConnectTrouble) -> Resource {
        try await resource("/v1/alternativeDistributionPackageVersions/\(id)")
    }

    func asset(_ id: AssetID, isDelta: Bool) async throws(ConnectTrouble) -> Resource {
        try await resource("/v1/alternativeDistributionPackage\(isDelta ? "Deltas" : "Variants")/\(id)")
    }

    /// The versions of a package, in no order; of many pages the first fifty.
    func versions(of package: String) async throws(ConnectTrouble) -> [Resource] {
        var next: String? = connection.url + "/v1/alternativeDistributionPackages/\(package)/versions?limit=200"
        var all: [Resource] = []
        for _ in 0..<50 {
            guard let url = next else { return all }
            let (body, remaining) = try await ask(url)
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
        let (body, remaining) = try await ask(connection.url + path)
        guard let data = body.object("data").value ?? body.objects("data").value?.first,
            let resource = Resource(data, remaining: remaining)
        else { throw .init(.trouble, "unreadable") }
        return resource
    }

    private func ask(_ url: String) async throws(ConnectTrouble) -> (FlatObject, remaining: Int?) {
        let token: String
        do {
            token = try connection.token(at: clock.now())
        } catch {
            throw .init(.failed, "key_unusable")
        }
        let answer: OutboundAnswer
        do throws(OutboundError) {
            answer = try await outbound.ask(
                OutboundRequest(
                    url, fields: [("Authorization", "Bearer \(token)"), ("Accept", "application/json")],
                    reach: reach, limit: 4 << 20, seconds: 30))
        } catch {
            throw ConnectTrouble(error)
        }
        guard (200...299).contains(answer.status) else { throw ConnectTrouble(answer, at: clock.now()) }
        guard let body = try? FlatObject(scanning: answer.body) else { throw .init(.trouble, "unreadable") }
        return (body, Self.remaining(answer["X-Rate-Limit"]))
    }

    /// `user-hour-lim:3500;user-hour-rem:500;`
    static func remaining(_ field: String?) -> Int? {
        guard let field, field.utf8.count <= 256 else { return nil }
        for part in field.split(separator: ";") {
            let pair = part.split(separator: ":").map { $0.filter { $0 != " " } }
            if pair.count == 2, pair[0] == "user-hour-rem" { return Int(pair[1]) }
        }
        return nil
    }

    /// Whether it is on this machine, for trying out.
    private var isLocal: Bool { WebURL(connection.url)?.isThisMachine ?? false }

    private var reach: OutboundRequest.Reach { isLocal ? .everywhere : .publicAddresses }

    /// Fetches what a link leads to, without the bearer. At most three redirects are followed, each looked at like the
    /// link itself. Answers the last answer; throws ``ConnectTrouble``.
    /// - Parameters:
    ///   - limit: Bytes that may come.
    ///   - seconds: Until when the last answer must be whole, whatever was followed before.
    ///   - begin: Is told the last answer's head, and says whether its body is wanted.
    func follow(
        _ link: String, fields: [(name: String, value: String)] = [], limit: Int64, seconds: Int,
        begin: @escaping @Sendable (OutboundAnswer) -> Bool, take: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(ConnectTrouble) -> OutboundAnswer {
        var url = link
        let deadline = SteadyTime.now().advanced(by: .seconds(seconds))
        for _ in 0...3 {
            let left = Int(SteadyTime.now().duration(to: deadline).components.seconds)
            guard left > 0 else { throw .init(.trouble, "unreachable") }
            guard let place = WebURL(url), !place.hasUser, place.scheme == "https" || place.scheme == "http" && isLocal
            else {
                throw .init(.failed, "link_refused")
            }
            let answer: OutboundAnswer
            do throws(OutboundError) {
                answer = try await outbound.fetch(
                    OutboundRequest(url, fields: fields, reach: reach, limit: limit, seconds: left),
                    begin: { Self.isRedirect($0.status) ? false : begin($0) }, take: take)
            } catch {
                throw ConnectTrouble(error)
            }
            guard Self.isRedirect(answer.status) else { return answer }
            guard let target = answer["Location"] else { throw .init(.trouble, "unreadable") }
            url = target.hasPrefix("/") && !target.hasPrefix("//") ? place.origin + target : target
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

/// Why App Store Connect, or a link of its, gave nothing.
struct ConnectTrouble: Error, Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// It is the other side's turn; failures are not counted.
        case waiting
        /// It may go better another time, so often.
        case trouble
        /// It never will.
        case failed
        /// The server is being stopped.
        case cancelled
    }

    let kind: Kind
    /// Which it is, such as `agreement_missing`.
    let cause: String
    /// Seconds until it is worth trying again.
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

    /// What an answer says that is none of the wished ones.
    init(_ answer: OutboundAnswer, at now: Timestamp) {
        let after = RetryAfter.seconds(answer["Retry-After"], answered: answer["Date"], now: now)
        switch answer.status {
        case 401: self.init(.waiting, "not_authorized", seconds: 3600)
        case 403:
            let codes = (try? FlatObject(scanning: answer.body))?.objects("errors").value ?? []
            let isAgreement = codes.contains { $0.string("code").value?.contains("AGREEMENT") ?? false }
            self.init(.waiting, isAgreement ? "agreement_missing" : "not_authorized", seconds: 3600)
        case 404: self.init(.trouble, "not_found", seconds: 60)
        case 429: self.init(.waiting, "rate_limited", seconds: max(after ?? 60, 1))
        case 500...599: self.init(.trouble, "apple_unavailable", seconds: after ?? 0)
        default: self.init(.trouble, "status_\(answer.status)")
        }
    }
}
