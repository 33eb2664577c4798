import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureServerKit
import TenureStore

/// The endpoints for holders' devices: available content, licenses, renewals and usage reports.
struct DeviceEndpoints {
    let context: ContentContext

    var all: [Endpoint] { [contents, issue, renewals, usage, giveBack] }

    /// Lists the content that a holder may use.
    var contents: Endpoint {
        let fields = Fields { fields in
            (
                after: try fields.optional(
                    "cursor", .content, in: .query, "The value of `cursor` from the previous page."),
                limit: try fields.pageLimit()
            )
        }
        return Endpoint(
            "GET", ContentContext.base + "/contents", format: .contents, catalog: .cached,
            authentication: context.holder, reads: fields,
            answers: CursorPage.document("contents", of: OfferedContent.document),
            operation: Operation(
                "listContents", "devices", "List the content available to a holder", "Ordered by content id.")
        ) { [self] call in
            let page = try await context.contents(
                of: call.caller.present, after: call.input.after, limit: call.input.limit)
            let next = page.count == call.input.limit ? page.last?.item.id.text : nil
            let language = call.caller.present.language
            return .done(CursorPage(elements: page.map { $0.localized(inApp: language) }, cursor: next))
        }
    }

    /// Issues a license for a content item on the calling device.
    var issue: Endpoint {
        let fields = Fields { fields in
            (
                id: try fields.required("requestId", .requestID), content: try fields.required("content", .content)
            )
        }
        return Endpoint(
            "POST", ContentContext.base + "/licenses", format: .contents, catalog: .checkedByChange,
            authentication: context.holder,
            reads: fields,
            operation: Operation(
                "getContent", "devices", "Get a license for content on a device", Self.once,
                success: "The result for the license, with its signed grant."
            ).answered(200, with: ContentItemAnswer.document)
        ) { [self] call in
            let present = call.caller.present
            try context.rate.admit(present, at: context.clock.now())
            if context.catalog.current.catalog.tenants[present.tenant]?.contents?.items[call.input.content] == nil {
                // The item may have been added to the catalog after this server read it.
                let contents = try await context.catalog.refreshIfChanged().contents(of: present.tenant)
                guard contents.items[call.input.content] != nil else { throw Failure.contentUnknown }
            }
            let outcome = try await context.issue(
                call.input.content, to: present, call.request.named(call.input.id, by: present))
            return try answer(outcome, of: present.tenant)
        }
    }

    /// Returns a license at the request of its device.
    var giveBack: Endpoint {
        let fields = Fields { fields in
            (license: try fields.contentLicenseInPath(), id: try fields.required("requestId", .requestID))
        }
        return Endpoint(
            "POST", ContentContext.base + "/licenses/{license}/return", format: .contents, catalog: .checkedByChange,
            authentication: context.holder,
            reads: fields,
            operation: Operation(
                "returnContent", "devices", "Return a license",
                "The device counts against the limit until its copy expires. " + Self.once,
                success: "The result for the license, with the signed statement that it has ended."
            ).answered(200, with: ContentItemAnswer.document)
        ) { [self] call in
            let present = call.caller.present
            try context.rate.admit(present, at: context.clock.now())
            let outcome = try await context.giveBack(
                call.input.license, by: present, call.request.named(call.input.id, by: present))
            if case .answered(_, false, _) = outcome { throw Failure.notFound }
            return try answer(outcome, of: present.tenant)
        }
    }

    /// Renews several licenses, after the use in the same request has been counted.
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
            "POST", ContentContext.base + "/renewals", format: .contents, catalog: .checkedByChange,
            authentication: context.holder,
            reads: fields,
            operation: Operation(
                "renewContents", "devices", "Renew licenses",
                "Settles usage first; then each item gets a separate result. " + Self.once,
                success: "A result for each item."
            ).answered(200, with: RenewalsAnswer.document.followed(by: end))
        ) { [self] call in
            let present = call.caller.present
            try context.rate.admit(present, at: context.clock.now())
            let items = try await verified(call.input.items, of: present.tenant)
            let requested = RequestedRenewals(items: items, isAlways: call.input.isAlways, usage: call.input.usage)
            let (text, token) = present.token.successor(at: context.clock.now())
            let outcome = try await context.renew(
                requested, by: present, call.request.named(call.input.id, by: present), token: token)
            return try answer(outcome, of: present.tenant) { isGiven in
                end.json(AnswerEnd(serverTime: context.clock.now(), token: isGiven == true ? text?.text : nil))
            }
        }
        .outsideChangeLimit()
    }

    /// Counts reported use, without renewals.
    var usage: Endpoint {
        let fields = Fields { fields in
            (id: try fields.required("requestId", .requestID), usage: try fields.required("usage", .usage))
        }
        let end = AnswerEnd.token
        return Endpoint(
            "POST", ContentContext.base + "/usage", format: .contents, catalog: .checkedByChange,
            authentication: context.holder, reads: fields,
            operation: Operation(
                "reportUsage", "devices", "Report usage",
                "The list of sessions may be empty, for a device that only needs a new token. " + Self.once,
                success: "The result of each report."
            ).answered(200, with: UsageAnswer.document.followed(by: end))
        ) { [self] call in
            let present = call.caller.present
            try context.rate.admit(present, at: context.clock.now())
            let (text, token) = present.token.successor(at: context.clock.now())
            let outcome = try await context.recordUse(
                call.input.usage, by: present, call.request.named(call.input.id, by: present), token: token)
            return try answer(outcome, of: present.tenant) { isGiven in
                end.json(AnswerEnd(token: isGiven == true ? text?.text : nil))
            }
        }
    }

    private static let once = "Repeating a `requestId` within seven days returns the same response."

    /// Completes the response and signs the statements in it.
    private func answer<Extra>(
        _ outcome: DeviceRequest.Outcome<Extra>, of tenant: TenantID,
        last: (Extra?) -> [UInt8] = { _ in [] }
    ) throws -> Endpoint.Conclusion {
        switch outcome {
        case .nothingOffered: throw Failure.noContents
        case .ended(let isMissing): throw Failure.contentTokenInvalid.aboutMissingRecord(isMissing)
        case .tooManyPlays(let wait): throw ContentRateLimit.tooMany(retryAfter: wait)
        case .reused:
            throw Failure(
                RejectedRequest(
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
    private func verified(_ items: [ReadItem], of tenant: TenantID) async throws(ServerError) -> [RequestedItem] {
        guard items.contains(where: { $0.grant != nil }) else { return items.map { $0.requestedItem(nil) } }
        let ring = try await context.catalog.refreshIfChanged().keyRing(of: tenant)
        let keys = Dictionary(
            (ring.retired + ring.keys).map { ($0.kid, $0.privateKey.publicKey) }, uniquingKeysWith: { $1 })
        let trusted = TrustedKeys(pinned: keys)
        return items.map { item in
            let arrived = item.grant.flatMap { try? UnverifiedContentGrant(compact: Array($0.utf8)) }
            return item.requestedItem(arrived.flatMap { try? $0.verify(of: tenant, trusting: trusted) })
        }
    }
}

extension Request {
    fileprivate func named(_ id: String, by holder: PresentHolder) -> NamedRequest {
        NamedRequest(id, by: holder, asking: Array("\(method)\n\(path)\n".utf8) + body)
    }
}

extension HolderCredential {
    /// A new token with the same lifetime, if this one needs replacing.
    ///
    /// The new token's text isn't stored.
    fileprivate func successor(at now: Timestamp) -> (CredentialText?, HolderCredential?) {
        guard needsSuccessor(at: now) else { return (nil, nil) }
        let text = CredentialText.random(prefix: HolderCredential.tokenPrefix)
        let token = HolderCredential(
            hash: text.hash, tenant: tenant, holder: holder, kind: .token, device: device, createdAt: now,
            expiresAt: now.adding(seconds: createdAt.seconds(until: expiresAt)))
        return (text, token)
    }
}

extension Failure {
    /// The error for a content item that doesn't exist.
    static let contentUnknown = Failure(
        RejectedRequest(
            404, code: "content_unknown", "There is no content item with this id. `GET contents` lists them.",
            among: Reason.Kind.contentRequests)
    ).aboutMissingRecord()
}

extension OfferedContent {
    fileprivate func localized(inApp language: Language) -> OfferedContent {
        var localized = self
        localized.reasons = reasons.map { $0.localized(inApp: language) }
        return localized
    }

    fileprivate static let document = Document<OfferedContent>(
        "OfferedContent",
        [
            .text("content", "Which content.") { $0.item.id.text },
            .text("title", "The display name.") { $0.item.title },
            .textOrNull("course", "The course it belongs to; null if the enrolment covers only this item.") {
                $0.course?.text
            },
            .textOrNull("enrolment", "The enrolment that covers it; null if one is created at first use.") {
                $0.enrolment?.description
            },
            .textOrNull("license", "Its license on this device; null if there is none.") {
                $0.license?.description
            },
            .list("reasons", of: Reason.contentDocument, "Why no license would be issued now.") { $0.reasons },
        ])
}
