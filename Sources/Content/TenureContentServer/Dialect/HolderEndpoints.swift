import TenureCore
import TenureFormats
import TenureServerKit

/// The vendor's endpoints for holders' credentials: device tokens and links to the learner page.
struct HolderEndpoints {
    let context: ContentContext

    var all: [Endpoint] { [makeToken, makeLink, endHolder] }

    /// Creates a token for a holder's device.
    var makeToken: Endpoint {
        let fields = Fields { fields in
            (
                holder: try fields.required("holder", .holder, "Whose."),
                device: try fields.required("device", .device, "The device's id, a digest."),
                name: try fields.optional("name", .line(1...128), "The device's display name."),
                hours: try fields.optional(
                    "hours", .integer(1...87_600), else: HolderCredential.tokenHours, "How long.")
            )
        }
        let document = Document<(text: String, expiresAt: Timestamp)>(
            nil,
            [
                .text("token", "Shown once.") { $0.text },
                .integer("expiresAt", "When it expires.") { $0.expiresAt.seconds },
            ])
        return Endpoint(
            "POST", ContentContext.base + "/holders/token", format: .contents, catalog: .cached,
            authentication: context.with("content:token"),
            reads: fields,
            answers: document, status: 201,
            operation: Operation(
                "makeHolderToken", "contents", "Create a token for a holder's device",
                "The device sends it in every request. It is replaced automatically while the device has a license.",
                success: "Created. The token is shown only this once.")
        ) { [self] call in
            let input = call.input
            try await context.checkOffer(of: call.caller.tenant)
            return .done(
                try await context.makeHolderToken(
                    for: input.holder, on: input.device, at: call.caller.tenant, named: input.name,
                    hours: input.hours))
        }
    }

    /// Ends the credentials of a holder, or of one of the holder's devices.
    var endHolder: Endpoint {
        let fields = Fields { fields in
            (
                holder: try fields.required("holder", .holder, "Whose."),
                device: try fields.optional("device", .device, "Only this device's tokens.")
            )
        }
        return Endpoint(
            "POST", ContentContext.base + "/holders/end", format: .contents, catalog: .cached,
            authentication: context.with("content:token"),
            reads: fields,
            answers: Document<Int>(nil, [.integer("ended", "How many of them were valid until now.") { Int64($0) }]),
            operation: Operation(
                "endHolderTokens", "contents", "End a holder's tokens, links and sessions",
                "For a lost device. Licenses stay; release the device to return them.")
        ) { [self] call in
            .done(
                try await context.endHolderCredentials(
                    of: call.input.holder, on: call.input.device, at: call.caller.tenant))
        }
    }

    /// Creates a one-time link to a holder's learner page.
    var makeLink: Endpoint {
        let fields = Fields { fields in
            (
                holder: try fields.required("holder", .holder, "Whose."),
                hours: try fields.optional(
                    "hours", .integer(1...CredentialText.mostLinkHours), else: CredentialText.linkHours,
                    "When it expires, whether used or not.")
            )
        }
        let document = Document<LearnerLink>(
            nil,
            [
                .text("path", "The path on this server. It is shown only this once.") { $0.path },
                .integer("expiresAt", "When it expires.") { $0.expiresAt.seconds },
            ])
        return Endpoint(
            "POST", ContentContext.base + "/holders/link", format: .contents, catalog: .cached,
            authentication: context.with("content:token"),
            reads: fields,
            answers: document, status: 201,
            operation: Operation(
                "makeHolderLink", "contents", "Create a one-time link to a holder's page",
                "The page shows courses, content and devices, and lets the holder release a device if the policies "
                    + "allow it. Anyone with the link acts as the holder.",
                success: "Created. The path is shown only this once.")
        ) { [self] call in
            try await context.checkOffer(of: call.caller.tenant)
            return .done(
                try await context.makeLearnerLink(
                    for: call.input.holder, of: call.caller.tenant, hours: call.input.hours, by: call.caller.actor))
        }
    }
}
