import TenureContent
import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit
import TenureStore

/// The vendor's endpoints for content licenses.
///
/// A holder's device may read its own licenses.
struct ContentLicenseEndpoints {
    let context: ContentContext

    var all: [Endpoint] { [listLicenses, showLicense, explainLicense] + licenseActs }

    private static let license = ContentContext.base + "/licenses/{license}"

    /// Lists a tenant's licenses, optionally filtered by holder, content item and device.
    var listLicenses: Endpoint {
        let fields = Fields { fields in
            (
                filter: ContentLicenseFilter(
                    holder: try fields.optional("holder", .holder, in: .query, "Only those of this holder."),
                    content: try fields.optional("content", .content, in: .query, "Only those for this content item."),
                    device: try fields.optional("device", .device, in: .query, "Only those on this device.")),
                after: try fields.cursor("The value of `cursor` from the previous page.") as ContentLicenseID?,
                limit: try fields.pageLimit()
            )
        }
        return Endpoint(
            "GET", ContentContext.base + "/licenses", format: .contentLists, catalog: .cached,
            authentication: context.with("content:read", orHolder: true),
            reads: fields, answers: CursorPage.document("licenses", of: ContentLicense.document),
            operation: Operation(
                "listContentLicenses", "contents", "List content licenses",
                "Ordered by id, or with `holder` by device and content. One request examines "
                    + "\(BoundedPage<ContentLicense>.stretch) licenses at most, so without `holder` a page can be short "
                    + "although `cursor` is set.")
        ) { [self] call in
            var filter = call.input.filter
            if let holder = call.caller.holder {
                (filter.holder, filter.ownHolder, filter.device) = (nil, holder.holder, holder.device)
            }
            let (chosen, input) = (filter, call.input)
            let page = try await context.store.contentLicenses(
                chosen, of: call.caller.tenant, after: input.after, limit: input.limit)
            return .done(CursorPage(elements: page.rows, cursor: page.next?.id.description))
        }
    }

    /// Returns one license; a holder's device may read its own licenses.
    var showLicense: Endpoint {
        Endpoint(
            "GET", Self.license, format: .contents, catalog: .cached,
            authentication: context.with("content:read", orHolder: true),
            reads: Fields { try $0.contentLicenseInPath() },
            answers: Document.one("license", of: ContentLicense.document),
            operation: Operation("getContentLicense", "contents", "Get a content license")
        ) { [self] call in
            .done(try await explained(call.input, at: call.caller).license)
        }
    }

    /// Explains why a license can't be played or renewed.
    var explainLicense: Endpoint {
        let document = Document<[Reason]>(
            nil,
            [
                .list(
                    "reasons", of: Reason.contentDocument,
                    "The reasons, most specific first; empty if nothing prevents it."
                ) {
                    $0
                }
            ])
        return Endpoint(
            "GET", Self.license + "/explain", format: .contents, catalog: .cached,
            authentication: context.with("content:read", orHolder: true),
            reads: Fields { try $0.contentLicenseInPath() }, answers: document,
            operation: Operation(
                "explainContentLicense", "contents", "Explain a content license",
                "Why it can't be played, as far as reports show, and why it wouldn't be renewed.")
        ) { [self] call in
            let reasons = try await explained(call.input, at: call.caller).reasons
            let language = call.caller.holder?.language ?? .english
            return .done(reasons.map { $0.localized(inApp: language) })
        }
    }

    private func explained(
        _ id: ContentLicenseID, at caller: ContentCaller
    ) async throws -> ExplainedContentLicense {
        let found = try await context.explainContentLicense(id, of: caller.tenant)
        guard let found, caller.holder.map({ found.license.isOf($0) }) ?? true else { throw Failure.notFound }
        return found
    }

    /// The endpoints that revoke, expire, delete and reset a license.
    var licenseActs: [Endpoint] {
        [
            licenseAct(
                .revoke,
                Operation("revokeContentLicense", "contents", "Revoke a content license", "Final.")),
            licenseAct(
                .expire,
                Operation(
                    "expireContentLicense", "contents", "Expire a content license", "A reset undoes this.")),
            licenseAct(
                .delete,
                Operation(
                    "deleteContentLicense", "contents", "Delete content from a device",
                    "A reset undoes this.")),
            licenseAct(
                .reset,
                Operation(
                    "resetContentLicense", "contents", "Reset a content license",
                    "Its next renewal is due at once. Fails for a revoked or returned license.")),
        ]
    }

    private func licenseAct(_ act: ContentLicense.Act, _ operation: Operation) -> Endpoint {
        let fields = Fields { fields in
            (
                id: try fields.contentLicenseInPath(),
                reason: try fields.optional("reason", .line(1...256), "The reason recorded in the event.")
            )
        }
        return Endpoint(
            "POST", "\(Self.license)/\(act.rawValue)", format: .contents, catalog: .cached,
            authentication: context.with("content:write"),
            reads: fields, answers: Document.one("license", of: ContentLicense.document), operation: operation
        ) { [self] call in
            let outcome = try await context.perform(
                act, on: call.input.id, of: call.caller.tenant, why: call.input.reason, by: call.caller.actor)
            switch outcome {
            case .done(let license, _): return .done(license)
            case .refused(let refusal): return .refused(Failure(refusal))
            case .unknown: throw Failure.notFound
            }
        }
    }
}
