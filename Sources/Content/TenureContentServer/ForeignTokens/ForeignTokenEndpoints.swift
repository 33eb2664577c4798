import TenureContent
import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

/// The endpoints that create tokens for other license servers.
///
/// A vendor's backend calls them, never an app.
struct ForeignTokenEndpoints {
    let context: ContentContext

    var all: [Endpoint] { [kollusToken, doveRunnerToken, axinomToken] }

    /// Creates a token and URL with which Kollus's player plays or downloads content.
    var kollusToken: Endpoint {
        let fields = Fields { fields in
            (
                holder: try fields.required("holder", .holder, "Whose."),
                contents: try fields.required("contents", .texts(of: .content, count: 1...100), "The content to play."),
                seconds: try fields.optional(
                    "seconds", .integer(1...86_400), else: Int(KollusToken.Media.lifetime),
                    "How long the token is valid."),
                isDownload: try fields.optional("download", .boolean, "Whether the content will be downloaded.")
                    ?? false
            )
        }
        let document = Document<(token: String, url: String, expiresAt: Timestamp)>(
            nil,
            [
                .text("token", "The JSON Web Token.") { $0.token },
                .text("url", "The URL for the player.") { $0.url },
                .integer("expiresAt", "When it expires.") { $0.expiresAt.seconds },
            ])
        return tokens(
            .kollus, reads: fields, answers: document,
            Operation(
                "makeKollusToken", "contents", "Create a token for Kollus's player",
                "The player gets the limits in the callback.")
        ) { [self] call in
            let input = call.input
            let (decision, now, targets) = try await context.foreignTerms(
                input.contents, for: input.holder, at: call.caller.tenant)
            guard let kollus = targets.kollus else { throw Failure.licenseServerUnknown(.kollus) }
            return try decision.answered { permitted in
                let token = KollusToken.Media(
                    user: input.holder, expiresAt: now.adding(seconds: Int64(input.seconds)),
                    media: permitted.map { .init(key: $0.item.kollusKey) })
                return (
                    token.signed(key: kollus.securityKey),
                    token.url(key: kollus.securityKey, customKey: kollus.customKey, isDownload: input.isDownload),
                    token.expiresAt
                )
            }
        }
    }

    /// Creates a license token for DoveRunner.
    var doveRunnerToken: Endpoint {
        let fields = Fields { fields in
            (
                holder: try fields.required("holder", .holder, "The holder; at most 32 bytes."),
                content: try fields.required(
                    "content", .content, "The content to play; its id is the content id in DoveRunner."),
                drm: try fields.required("drm", .choice, "The DRM system.") as DoveRunnerToken.DRM
            )
        }
        return tokens(
            .doverunner, reads: fields, answers: Self.foreignToken,
            Operation("makeDoveRunnerToken", "contents", "Create a license token for DoveRunner", Self.policyOfGrant)
        ) { [self] call in
            let input = call.input
            let (decision, now, targets) = try await context.foreignTerms(
                [input.content], for: input.holder, at: call.caller.tenant)
            guard let site = targets.doverunner?.site else { throw Failure.licenseServerUnknown(.doverunner) }
            return try decision.answered { permitted in
                guard let one = permitted.first else { throw Failure.contentUnknown }
                let token: DoveRunnerToken
                do throws(FormatError) {
                    token = try DoveRunnerToken(
                        .init(one.terms, at: now), for: input.drm, user: input.holder, content: input.content.text,
                        site: site, at: now)
                } catch {
                    throw Failure(
                        RejectedRequest(422, code: "field_invalid", "\(error.message).", title: "Not supported"))
                }
                return ForeignToken(
                    token: token.text, header: DoveRunnerToken.header, expiresAt: token.expiresAt,
                    notExpressed: one.notExpressed(by: .doverunner))
            }
        }
    }

    /// Creates a license message for Axinom.
    var axinomToken: Endpoint {
        let fields = Fields { fields in
            (
                holder: try fields.required("holder", .holder, "Whose."),
                content: try fields.required("content", .content, "The content to play."),
                keyIDs: try fields.required(
                    "keyIds", .texts(of: .contentKey, count: 1...64), "The UUIDs of the content's keys.")
            )
        }
        return tokens(
            .axinom, reads: fields, answers: Self.foreignToken,
            Operation("makeAxinomToken", "contents", "Create a license message for Axinom", Self.policyOfGrant)
        ) { [self] call in
            let input = call.input
            let (decision, _, targets) = try await context.foreignTerms(
                [input.content], for: input.holder, at: call.caller.tenant)
            guard let key = targets.axinom?.key else { throw Failure.licenseServerUnknown(.axinom) }
            return try decision.answered { permitted in
                guard let one = permitted.first,
                    let message = AxinomMessage(.init(one.terms), keyIDs: input.keyIDs)
                else { throw Failure.contentUnknown }
                return ForeignToken(
                    token: message.signed(key), header: AxinomMessage.header, expiresAt: one.terms.expiresAt,
                    notExpressed: one.notExpressed(by: .axinom))
            }
        }
    }

    private static let policyOfGrant =
        "Based on the policy and the end date that a grant would have now. It doesn't count as a device. "
        + "`notExpressed` lists what the license server doesn't support."

    private static let foreignToken = Document<ForeignToken>(
        nil,
        [
            .text("token", "The token to send to the license server.") { $0.token },
            .text("header", "The header to send it in.") { $0.header },
            .init("expiresAt", Schema.integer().orNull, "When it expires; null for never.") {
                $1.member("expiresAt", $0.expiresAt?.seconds)
            },
            .init("notExpressed", .list(of: .text()), "Fields of the grant that it doesn't carry, and `deviceLimit`.") {
                $1.member("notExpressed", $0.notExpressed)
            },
        ])

    /// Returns an endpoint that creates bearer tokens.
    ///
    /// The responses of the endpoint aren't stored, because anyone who holds a token can use it.
    private func tokens<Input: Sendable, Body: Sendable>(
        _ target: ForeignTarget, reads fields: Fields<Input>, answers document: Document<Body>,
        _ operation: Operation,
        _ make: @escaping @Sendable (Call<ContentCaller, Input>) async throws -> Documented<Body>
    ) -> Endpoint {
        Endpoint(
            "POST", ContentContext.base + "/tokens/\(target.rawValue)", format: .contents, catalog: .current,
            authentication: context.with("content:token"),
            reads: fields, answers: document, operation: operation
        ) { call in try await make(call) }
    }
}

/// A token for another license server.
private struct ForeignToken: Sendable {
    let token: String
    let header: String
    let expiresAt: Timestamp?
    let notExpressed: [String]
}

extension PermittedContent {
    fileprivate func notExpressed(by target: ForeignTarget) -> [String] {
        target.notExpressed(terms, deviceLimit: deviceLimit)
    }
}

extension Decision where Outcome == [PermittedContent] {
    /// Returns the response to the vendor's backend.
    ///
    /// A refusal has status 403, as for devices.
    fileprivate func answered<Body>(
        _ make: ([PermittedContent]) throws -> Body
    ) throws -> Documented<Body> {
        switch self {
        case .granted(let permitted): return .done(try make(permitted))
        case .refused(let refusal):
            var failure = Failure(refusal).aboutMissingRecord(refusal.first.code == .enrolmentUnknown)
            failure.status = 403
            return .refused(failure)
        }
    }
}

extension FieldType where Value == String {
    fileprivate static var contentKey: FieldType {
        .text(
            "a UUID", like: "00000000-0000-0000-0000-000000000000", schema: .text(format: "uuid")
        ) { text in ActivationID(text: text) == nil ? nil : text }
    }
}

extension Failure {
    /// The error for a tenant without settings for the license server.
    fileprivate static func licenseServerUnknown(_ target: ForeignTarget) -> Failure {
        Failure(
            RejectedRequest(
                404, code: "license_server_unknown",
                "This tenant has no settings for \(target.rawValue). Add its keys under \"content\" in the catalog and "
                    + "apply it.", among: Reason.Kind.contentRequests))
    }
}
