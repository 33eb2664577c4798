import TenureContent
import TenureCore
import TenureHTTP
import TenureServerKit
import TenureStore

/// The vendor's endpoints for content licenses.
///
/// A holder's device may read its own licenses.
extension ContentDialect {
    private static let license = base + "/licenses/{license}"

    /// Lists licenses.
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
            "GET", Self.base + "/licenses", .contentLists, .kept, admits: with("content:read", orHolder: true),
            reads: fields, answers: CursorPage.document("licenses", of: ContentLicense.document),
            operation: Operation(
                "listContentLicenses", "contents", "List content licenses",
                "Ordered by id, or with `holder` by device and content. One request examines "
                    + "\(PagedContentLicenses.stretch) licenses at most, so without `holder` a page can be short "
                    + "although `cursor` is set.")
        ) { [self] call in
            var filter = call.input.filter
            if let holder = call.place.holder { (filter.holder, filter.device) = (holder.holder, holder.device) }
            let (chosen, input) = (filter, call.input)
            let page = try await asking { () async throws(StoreError) in
                try await store.pagedContentLicenses(
                    chosen, of: call.place.tenant, after: input.after, limit: input.limit)
            }
            return .done(CursorPage(elements: page.licenses, cursor: page.next?.description))
        }
    }

    /// Returns one license.
    var showLicense: Endpoint {
        Endpoint(
            "GET", Self.license, .contents, .kept, admits: with("content:read", orHolder: true),
            reads: Fields { try $0.contentLicenseInPath() },
            answers: Document.one("license", of: ContentLicense.document),
            operation: Operation("getContentLicense", "contents", "Get a content license")
        ) { [self] call in
            .done(try await explained(call.input, at: call.place).license)
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
            "GET", Self.license + "/explain", .contents, .kept, admits: with("content:read", orHolder: true),
            reads: Fields { try $0.contentLicenseInPath() }, answers: document,
            operation: Operation(
                "explainContentLicense", "contents", "Explain a content license",
                "Why it can't be played, as far as reports show, and why it wouldn't be renewed.")
        ) { [self] call in
            let reasons = try await explained(call.input, at: call.place).reasons
            let language = call.place.holder?.language ?? .english
            return .done(reasons.map { $0.told(inApp: language) })
        }
    }

    private func explained(
        _ id: ContentLicenseID, at place: ContentPlace
    ) async throws -> ExplainContentLicense.Explained {
        let found = try await ExplainContentLicense(catalog: catalog, clock: clock)(id, of: place.tenant)
        guard let found, place.holder.map({ found.license.isOf($0) }) ?? true else { throw Failure.notFound }
        return found
    }

    /// The endpoints that act on a license.
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

    private func licenseAct(_ act: ContentAct, _ operation: Operation) -> Endpoint {
        let fields = Fields { fields in
            (
                id: try fields.contentLicenseInPath(),
                reason: try fields.optional("reason", .line(1...256), "The reason recorded in the event.")
            )
        }
        return Endpoint(
            "POST", "\(Self.license)/\(act.rawValue)", .contents, .kept, admits: with("content:write"),
            reads: fields, answers: Document.one("license", of: ContentLicense.document), operation: operation
        ) { [self] call in
            let outcome = try await ActOnContentLicense(store: store, clock: clock)(
                act, on: call.input.id, of: call.place.tenant, why: call.input.reason, by: call.place.actor)
            switch outcome {
            case .done(let license, _): return .done(license)
            case .refused(let refusal): return .refused(Failure(refusal))
            case .unknown: throw Failure.notFound
            }
        }
    }

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
            "GET", Self.base + "/contents", .contents, .kept, admits: holder, reads: fields,
            answers: CursorPage.document("contents", of: OfferedContent.document),
            operation: Operation(
                "listContents", "devices", "List the content available to a holder", "Ordered by content id.")
        ) { [self] call in
            let page = try await contents(
                of: call.place.present, after: call.input.after, limit: call.input.limit)
            let next = page.count == call.input.limit ? page.last?.item.id.text : nil
            let language = call.place.present.language
            return .done(CursorPage(elements: page.map { $0.told(inApp: language) }, cursor: next))
        }
    }
}

extension OfferedContent {
    fileprivate func told(inApp language: Language) -> OfferedContent {
        var told = self
        told.reasons = reasons.map { $0.told(inApp: language) }
        return told
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
