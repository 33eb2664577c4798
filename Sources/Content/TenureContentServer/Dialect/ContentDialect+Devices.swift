import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureServerKit
import TenureStore

/// The endpoints for holders' devices: licenses, renewals and usage reports.
extension ContentDialect {
    /// Issues a license for a content item on the calling device.
    var issue: Endpoint {
        let fields = Fields { fields in
            (
                id: try fields.required("requestId", .requestID), content: try fields.required("content", .content)
            )
        }
        return Endpoint(
            "POST", Self.base + "/licenses", .contents, .change, admits: holder, reads: fields,
            operation: Operation(
                "getContent", "devices", "Get a license for content on a device", Self.once,
                yes: "The result for the license, with its signed grant."
            ).answered(200, with: ContentItemAnswer.document)
        ) { [self] call in
            let present = call.place.present
            if catalog.current.catalog.tenants[present.tenant]?.contents?.items[call.input.content] == nil {
                // The item may have been added since the catalog was read.
                let contents = try await catalog.refreshIfChanged().contents(of: present.tenant)
                guard contents.items[call.input.content] != nil else { throw Failure.contentUnknown }
            }
            let outcome = try await license(
                call.input.content, to: present, call.request.named(call.input.id, by: present))
            return try answer(outcome, of: present.tenant)
        }
    }

    /// Returns a license.
    var giveBack: Endpoint {
        let fields = Fields { fields in
            (license: try fields.contentLicenseInPath(), id: try fields.required("requestId", .requestID))
        }
        return Endpoint(
            "POST", Self.base + "/licenses/{license}/return", .contents, .change, admits: holder, reads: fields,
            operation: Operation(
                "returnContent", "devices", "Return a license",
                "The device counts against the limit until its copy expires. " + Self.once,
                yes: "The result for the license, with the signed statement that it has ended."
            ).answered(200, with: ContentItemAnswer.document)
        ) { [self] call in
            let present = call.place.present
            let outcome = try await giveBack(
                call.input.license, by: present, call.request.named(call.input.id, by: present))
            if case .answered(_, false, _) = outcome { throw Failure.notFound }
            return try answer(outcome, of: present.tenant)
        }
    }

    /// Renews several licenses and settles reported use first.
    var renewals: Endpoint {
        let fields = Fields { fields in
            (
                id: try fields.required("requestId", .requestID),
                isAlways: try fields.required("when", .choice(["due", "always"])) == "always",
                items: try fields.required("items", .renewalItems), usage: try fields.optional("usage", .usage) ?? .none
            )
        }
        let end = AnswerEnd.timeAndToken
        return Endpoint(
            "POST", Self.base + "/renewals", .contents, .change, admits: holder, reads: fields,
            operation: Operation(
                "renewContents", "devices", "Renew licenses",
                "Settles usage first; then each item gets a separate result. " + Self.once,
                yes: "A result for each item."
            ).answered(200, with: RenewalsAnswer.document.followed(by: end))
        ) { [self] call in
            let present = call.place.present
            let items = try await verified(call.input.items, of: present.tenant)
            let asked = AskedRenewals(items: items, isAlways: call.input.isAlways, usage: call.input.usage)
            let (text, token) = present.token.successor(at: clock.now())
            let outcome = try await renew(
                asked, by: present, call.request.named(call.input.id, by: present), token: token)
            return try answer(outcome, of: present.tenant) { isGiven in
                end.json(AnswerEnd(serverTime: clock.now(), token: isGiven == true ? text?.text : nil))
            }
        }
        .changing(false)
    }

    /// Settles reported use without renewals.
    var usage: Endpoint {
        let fields = Fields { fields in
            (id: try fields.required("requestId", .requestID), usage: try fields.required("usage", .usage))
        }
        let end = AnswerEnd.token
        return Endpoint(
            "POST", Self.base + "/usage", .contents, .change, admits: holder, reads: fields,
            operation: Operation(
                "reportUsage", "devices", "Report usage",
                "The list of sessions may be empty, for a device that only needs a new token. " + Self.once,
                yes: "The result of each report."
            ).answered(200, with: UsageAnswer.document.followed(by: end))
        ) { [self] call in
            let present = call.place.present
            let (text, token) = present.token.successor(at: clock.now())
            let outcome = try await settle(
                call.input.usage, by: present, call.request.named(call.input.id, by: present), token: token)
            return try answer(outcome, of: present.tenant) { isGiven in
                end.json(AnswerEnd(token: isGiven == true ? text?.text : nil))
            }
        }
    }

    private static let once = "Repeating a `requestId` within seven days returns the same response."

    /// Signs the response.
    private func answer<Extra>(
        _ outcome: DeviceRequests.Outcome<Extra>, of tenant: TenantID,
        last: (Extra?) -> [UInt8] = { _ in [] }
    ) throws -> Endpoint.Conclusion {
        switch outcome {
        case .nothingOffered: throw Failure.noContents
        case .ended: throw Failure.contentTokenInvalid
        case .reused:
            throw Failure(
                TurnedAway(
                    409, code: "request_id_reused",
                    "A different request was sent with this requestId within the last seven days. Choose a new one.",
                    title: "requestId already used", among: Reason.Kind.contentRequests))
        case .answered(let reply, let extra, let snapshot):
            let key = try snapshot.keyRing(of: tenant).primary
            let body = reply.body(signedBy: key, last: last(extra))
            if reply.status < 400 { return .done(.json(status: reply.status, body)) }
            return .done(
                Response(status: reply.status, headers: ["Content-Type": ProblemDetails.mediaType], body: body))
        }
    }

    /// Verifies the grants in the items with the tenant's current and retired keys.
    ///
    /// Invalid grants are dropped.
    private func verified(_ items: [ReadItem], of tenant: TenantID) async throws(ServerError) -> [AskedItem] {
        guard items.contains(where: { $0.grant != nil }) else { return items.map { $0.asked(nil) } }
        let ring = try await catalog.refreshIfChanged().keyRing(of: tenant)
        let keys = Dictionary(
            (ring.retired + ring.keys).map { ($0.kid, $0.privateKey.publicKey) }, uniquingKeysWith: { $1 })
        let trusted = TrustedKeys(pinned: keys)
        return items.map { item in
            let arrived = item.grant.flatMap { try? UnverifiedContentGrant(compact: Array($0.utf8)) }
            return item.asked(arrived.flatMap { try? $0.verify(of: tenant, trusting: trusted) })
        }
    }
}

extension Request {
    /// The request with the id that the device gave it.
    fileprivate func named(_ id: String, by holder: PresentHolder) -> NamedRequest {
        NamedRequest(id, by: holder, asking: Array("\(method)\n\(path)\n".utf8) + body)
    }
}

extension HolderCredential {
    /// A new token with the same lifetime, if this one needs replacing.
    ///
    /// Its text isn't stored.
    fileprivate func successor(at now: Timestamp) -> (HolderTokenText?, HolderCredential?) {
        guard needsSuccessor(at: now) else { return (nil, nil) }
        let text = HolderTokenText.random()
        let token = HolderCredential(
            hash: text.hash, tenant: tenant, holder: holder, kind: .token, device: device, createdAt: now,
            expiresAt: now.adding(seconds: createdAt.seconds(until: expiresAt)))
        return (text, token)
    }
}

extension Failure {
    /// The content item doesn't exist.
    static let contentUnknown = Failure(
        TurnedAway(
            404, code: "content_unknown", "There is no content item with this id. `GET contents` lists them.",
            among: Reason.Kind.contentRequests))
}
