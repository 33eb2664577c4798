package import TenureClient
package import TenureContent
package import TenureCore
import TenureCrypto
import TenureFormats
import TenureFoundation
import TenureHTTP
package import TenureHTTPClient

/// The client of the content API, for one holder on this device (`Documentation/content-client.md`).
///
/// Each call sends one request, plus at most one for the keys if a signature doesn't verify; lists send one per page.
/// Grants, refusals and times are verified before they are returned.
package struct ContentService: Sendable {
    let server: ServerAddressBase
    let owner: LedgerOwner
    let keys: ContentKeys
    private let patient: Exchange
    private let quick: Exchange

    /// Creates a client with two transports.
    ///
    /// The transport `quickly` has short timeouts, for requests while the user waits to play.
    package init(
        _ server: ServerAddressBase, owner: LedgerOwner, keys: ContentKeys, over transport: any HTTPTransport,
        quickly: any HTTPTransport, now: @escaping @Sendable () -> Timestamp
    ) {
        self.server = server
        self.owner = owner
        self.keys = keys
        patient = Exchange(transport, now: now)
        quick = Exchange(quickly, now: now)
    }

    /// This device's id as 64 hexadecimal digits.
    var deviceName: String { Hex.encode(owner.device.bytes) }

    /// Requests the server's signed time.
    ///
    /// A response with another nonce counts as no usable response.
    package func time(quickly: Bool = false) async -> ContentReply<Timestamp> {
        let nonce = StatementNonce.random().description
        return await send(.get(url("time?nonce=\(nonce)")), quickly).then { object in
            guard let text = object.string("time").value else { return .unknown(.notThisServer) }
            let reply: ContentReply<ContentTime> = await verified(text, quickly)
            return await reply.then { time in
                time.nonce == nonce
                    ? .success(time.issuedAt)
                    : .unknown(RequestFailure(.captive, "The response contains the time for another request."))
            }
        }
    }

    /// Requests a license for a content item on this device.
    package func license(
        _ content: ContentID, request: String, token: String, quickly: Bool = false
    ) async -> ContentReply<ContentItemAnswer> {
        let body = JSONWriter.object {
            $0.member("requestId", request)
            $0.member("content", content.text)
        }
        return await item(post("licenses", body, token), request, quickly)
    }

    /// Returns a license to the server for good.
    package func giveBack(
        _ license: ContentLicenseID, request: String, token: String
    ) async -> ContentReply<ContentItemAnswer> {
        let body = JSONWriter.object { $0.member("requestId", request) }
        return await item(post("licenses/\(license)/return", body, token), request, false)
    }

    /// Renews 1 to 100 licenses and reports use, which the server counts before it decides on the renewals.
    package func renew(
        _ items: [RenewalItem], always: Bool, usage: [SessionReport], request: String, token: String,
        quickly: Bool = false
    ) async -> ContentReply<ContentSettling> {
        let body = JSONWriter.object { body in
            body.member("requestId", request)
            body.member("when", always ? "always" : "due")
            body.array("items") { list in
                for item in items {
                    list.object { member in
                        member.member("license", item.license.description)
                        member.member("version", item.version)
                        if let proof = item.proof { member.member("grant", String(decoding: proof, as: UTF8.self)) }
                    }
                }
            }
            if !usage.isEmpty { body.usage(usage) }
        }
        return await send(post("renewals", body, token), quickly).then { object in
            guard let answers = object.objects("items").value, answers.count == items.count else {
                return .unknown(.notThisServer)
            }
            var settling = ContentSettling(object)
            for answer in answers { settling.items.append(await read(answer, request, quickly)) }
            return .success(settling)
        }
    }

    /// Reports use, up to 500 sessions.
    package func report(
        _ usage: [SessionReport], request: String, token: String
    ) async -> ContentReply<ContentSettling> {
        let body = JSONWriter.object {
            $0.member("requestId", request)
            $0.usage(usage)
        }
        return await send(post("usage", body, token), false).then { .success(ContentSettling($0)) }
    }

    private func item(
        _ request: OutgoingRequest, _ id: String, _ quickly: Bool
    ) async -> ContentReply<ContentItemAnswer> {
        await send(request, quickly).then { .success(await read($0, id, quickly)) }
    }

    private func read(_ object: FlatObject, _ request: String, _ quickly: Bool) async -> ContentItemAnswer {
        var answer = ContentItemAnswer(reading: object)
        if let text = object.string("grant").value {
            let reply: ContentReply<ContentGrant> = await verified(text, quickly)
            if case .success(let grant) = reply, grant.device == owner.device {
                answer.grant = VerifiedGrant(grant: grant, proof: Array(text.utf8))
            }
        }
        if let text = object.string("refusal").value {
            let reply: ContentReply<ContentRefusal> = await verified(text, quickly)
            if case .success(let refusal) = reply, refusal.device == owner.device, refusal.request == request {
                answer.refusal = refusal
            }
        }
        return answer
    }

    /// Sends one request; a failure response counts as a refusal only if it has the content server's format.
    func send(_ request: OutgoingRequest, _ quickly: Bool) async -> ContentReply<FlatObject> {
        switch await (quickly ? quick : patient).send(request) {
        case .nothing(let unreached): return .unknown(unreached)
        case .said(200...299, let object): return .success(object)
        case .said(let status, let object):
            guard let no = ContentServerRefusal(status, object) else { return .unknown(.notThisServer) }
            return .refused(no)
        }
    }

    /// Verifies a statement about this tenant's content.
    ///
    /// If the key is unknown or the signature fails, it fetches the served keys once.
    func verified<Statement: ContentStatement>(_ text: String, _ quickly: Bool) async -> ContentReply<Statement> {
        do throws(FormatError) {
            let statement = try UnverifiedContentStatement<Statement>(compact: Array(text.utf8))
            do throws(FormatError) {
                return .success(try statement.verify(of: owner.tenant, trusting: keys.trusted))
            } catch {
                guard error.code == .unknownKey || error.code == .badSignature, keys.mayLook(),
                    case .success(let set) = await send(.get(url("keys")), quickly)
                else { throw error }
                keys.learn(set)
                return .success(try statement.verify(of: owner.tenant, trusting: keys.trusted))
            }
        } catch {
            return .unknown(RequestFailure(LeaseProblem(error)))
        }
    }

    /// Whether stored bytes prove a grant under the current keys.
    package func proves(_ proof: [UInt8], _ grant: ContentGrant) -> Bool {
        let statement = try? UnverifiedContentGrant(compact: proof)
        return (try? statement?.verify(of: owner.tenant, trusting: keys.trusted)) == grant
    }

    /// The user's preferred languages for `Accept-Language`, at most eight.
    static let languages = Locale.preferredLanguages.prefix(8).joined(separator: ", ")

    /// A random request id of 128 bits.
    func newRequest() -> String { Base64.encodeURL(SecureRandom.bytes(16)) }

    func url(_ path: String) -> String { server.url("/content/\(owner.tenant)/v1/\(path)") }

    func post(_ path: String, _ body: [UInt8], _ token: String) -> OutgoingRequest {
        .post(url(path), json: body, headers: ["Authorization": "Bearer \(token)", "Accept-Language": Self.languages])
    }
}

extension RequestFailure {
    /// The failure for a response that doesn't have a content server's format.
    static let notThisServer = RequestFailure(.captive, "The response doesn't have the content server's format.")
}
