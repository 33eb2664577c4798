import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit

/// The vendor's endpoints for enrolments; a holder's device may read those of its holder.
struct EnrolmentEndpoints {
    let context: ContentContext

    var all: [Endpoint] {
        [addEnrolment, importEnrolments, listEnrolments, showEnrolment, endEnrolment] + enrolmentActs
    }

    private static let enrolment = ContentContext.base + "/enrolments/{enrolment}"

    /// Responds to a repeated request with the current state of its enrolment.
    private var repeated: RepeatedRecords {
        RepeatedRecords(
            .member("enrolment"), of: CountedEnrolment.document, in: context.catalog, at: context.clock,
            shownBy: "content:read", id: { EnrolmentID(number: $0)?.description ?? "" },
            number: { $0.enrolment.id.number }
        ) { [context] numbers, tenant in
            try await context.enrolments(numbers.compactMap { EnrolmentID(number: $0) }, of: tenant)
        }
    }

    /// Enrols a holder in a course or a content item.
    var addEnrolment: Endpoint {
        let fields = Fields { fields in
            let scope = try fields.one(
                of: FieldReader.Alternative(
                    "course", FieldType<CourseID>.slug(),
                    "The course; it covers all content items that the course has at the time."),
                or: FieldReader.Alternative("content", FieldType<ContentID>.content, "A single content item."),
                must: "a course, or send content")
            var terms = Enrolment.Terms()
            for field in EnrolmentField.dates { try field.read(&fields, &terms) }
            let holder = try fields.required("holder", .holder, "The holder; any text.")
            for field in EnrolmentField.others { try field.read(&fields, &terms) }
            return EnrolmentOrder(
                holder: holder, scope: Enrolment.Scope(scope), terms: terms,
                reference: try fields.optional("reference", .line(1...256), "The vendor's reference for it; unique."))
        }
        let document = Document.one("enrolment", of: CountedEnrolment.document)
        return Endpoint(
            "POST", ContentContext.base + "/enrolments", format: .contents, catalog: .cached,
            authentication: context.with("content:write"),
            reads: fields,
            repeats: .once(repeated), answers: document, status: 201,
            operation: Operation(
                "addEnrolment", "enrolments", "Enrol a holder",
                "Send `course` or `content`. Repeating a `reference` updates only dates and policy.",
                success: "Enrolled.")
        ) { [self] call in
            try await context.checkOffer(of: call.caller.tenant)
            let order = call.input
            if order.terms.isEmpty { throw Failure(FieldFault("endsAt", .invalid(must: "later than startsAt"))) }
            let once = try await context.addEnrolmentOnce(
                call.repeatable, order, of: call.caller.tenant, by: call.caller.actor
            ) { outcome in
                guard case .done(let enrolment, _, _) = outcome else { return nil }
                return RepeatableAnswer(document.json(enrolment), records: [enrolment.enrolment.id.number])
            }
            return try once.documented { outcome in
                switch outcome {
                case .done(let enrolment, _, _): return .done(enrolment)
                case .refused(let refusal): return .refused(Failure(refusal))
                case .notOffered(let missing): return .refused(missing.failure)
                }
            }
        }
    }

    /// Lists enrolments; for a holder's device, only those of its holder.
    var listEnrolments: Endpoint {
        let fields = Fields { fields in
            (
                holder: try fields.optional("holder", .holder, in: .query, "Only those of this holder."),
                course: try fields.optional("course", .slug(), in: .query, "Only those for this course.") as CourseID?,
                state: try fields.optional("state", .choice, in: .query, "Only those in this state.")
                    as Enrolment.Status?,
                after: try fields.cursor("The value of `cursor` from the previous page.") as EnrolmentID?,
                limit: try fields.pageLimit()
            )
        }
        return Endpoint(
            "GET", ContentContext.base + "/enrolments", format: .contentLists, catalog: .cached,
            authentication: context.with("content:read", orHolder: true),
            reads: fields, answers: CursorPage.document("enrolments", of: CountedEnrolment.document),
            operation: Operation(
                "listEnrolments", "enrolments", "List enrolments",
                "Ordered by id. One request examines \(BoundedPage<Enrolment>.stretch) enrolments at most, so with a "
                    + "filter a page can be short although `cursor` is set.")
        ) { [self] call in
            let input = call.input
            let filter = EnrolmentFilter(
                holder: call.caller.holder == nil ? input.holder : nil, ownHolder: call.caller.holder?.holder,
                course: input.course, state: input.state)
            let page = try await context.enrolments(
                filter, of: call.caller.tenant, after: input.after, limit: input.limit)
            return .done(CursorPage(elements: page.enrolments, cursor: page.next?.description))
        }
    }

    /// Returns one enrolment; a holder's device may read those of its holder.
    var showEnrolment: Endpoint {
        Endpoint(
            "GET", Self.enrolment, format: .contents, catalog: .cached,
            authentication: context.with("content:read", orHolder: true),
            reads: Fields { try $0.enrolmentInPath() },
            answers: Document.one("enrolment", of: CountedEnrolment.document),
            operation: Operation("getEnrolment", "enrolments", "Get an enrolment")
        ) { [self] call in
            let found = try await context.enrolment(call.input, of: call.caller.tenant)
            guard let found, call.caller.holder.map({ $0.holder == found.enrolment.holder }) ?? true else {
                throw Failure.notFound
            }
            return .done(found)
        }
    }

    /// The actions on an enrolment, except ending it.
    var enrolmentActs: [Endpoint] {
        [
            enrolmentAct(
                "pause",
                Operation("pauseEnrolment", "enrolments", "Pause an enrolment", "Devices keep their current licenses.")
            ) { fields in
                try fields.nothing()
                return .pause
            },
            enrolmentAct("resume", Operation("resumeEnrolment", "enrolments", "Resume an enrolment")) { fields in
                try fields.nothing()
                return .resume
            },
            enrolmentAct(
                "extend",
                Operation(
                    "extendEnrolment", "enrolments", "Extend an enrolment",
                    "Send `endsAt` or `days`. Days count from its end, or from now if that has passed. An enrolment without "
                        + "an end is refused.")
            ) { fields in
                let span = try fields.one(
                    of: FieldReader.Alternative(
                        "days", FieldType<Int>.integer(1...36_500), "The number of days to add."),
                    or: FieldReader.Alternative("endsAt", FieldType<Timestamp>.seconds, "The new end."),
                    must: "a number of days, or send endsAt")
                return switch span {
                case .first(let days): .extend(.days(days))
                case .second(let end): .extend(.until(end))
                }
            },
        ]
    }

    private func enrolmentAct(
        _ verb: String, _ operation: Operation,
        _ read: @escaping @Sendable (inout FieldReader) throws -> EnrolmentAct
    ) -> Endpoint {
        let fields = Fields { fields in (id: try fields.enrolmentInPath(), act: try read(&fields)) }
        let document = Document.one("enrolment", of: CountedEnrolment.document)
        return Endpoint(
            "POST", "\(Self.enrolment)/\(verb)", format: .contents, catalog: .cached,
            authentication: context.with("content:write"),
            reads: fields,
            repeats: .once(repeated), answers: document, operation: operation
        ) { [self] call in
            try await context.checkOffer(of: call.caller.tenant)
            let once = try await context.performOnce(
                call.repeatable, call.input.act, on: call.input.id, of: call.caller.tenant, by: call.caller.actor
            ) { outcome in
                guard case .done(let enrolment, _, _) = outcome else { return nil }
                return RepeatableAnswer(document.json(enrolment), records: [enrolment.enrolment.id.number])
            }
            return try once.documented { outcome in
                switch outcome {
                case .done(let enrolment, _, _): return .done(enrolment)
                case .refused(let refusal): return .refused(Failure(refusal))
                case .unknown: throw Failure.notFound
                }
            }
        }
    }

    /// Ends an enrolment: now and for good, with a choice of what happens to its licenses, or at an earlier date than
    /// its current end.
    var endEnrolment: Endpoint {
        let fields = Fields { fields in
            (
                id: try fields.enrolmentInPath(),
                end: try fields.optional(
                    "endsAt", .seconds, "When it ends, before its current end; by default now, for good."),
                fate: try fields.optional("licenses", .choice, "What happens to the licenses; by default `keep`.")
                    ?? Enrolment.EndedLicenses.keep
            )
        }
        let document = EndedEnrolment.document
        return Endpoint(
            "POST", "\(Self.enrolment)/end", format: .contents, catalog: .cached,
            authentication: context.with("content:write"),
            reads: fields,
            repeats: .once(repeated), answers: document,
            operation: Operation(
                "endEnrolment", "enrolments", "End an enrolment",
                "Final, unless `endsAt` is sent: such an end can be extended. For a refund, send `licenses: revoke`.")
        ) { [self] call in
            if call.input.end != nil, call.input.fate != .keep {
                throw Failure(FieldFault("licenses", .invalid(must: "keep if endsAt is sent")))
            }
            let once = try await context.performOnce(
                call.repeatable, call.input.end.map(EnrolmentAct.endAt) ?? .end(call.input.fate), on: call.input.id,
                of: call.caller.tenant,
                by: call.caller.actor
            ) { outcome in
                guard case .done(let enrolment, _, let playable) = outcome else { return nil }
                return RepeatableAnswer(
                    document.json(EndedEnrolment(enrolment: enrolment, playable: playable)),
                    records: [enrolment.enrolment.id.number])
            }
            return try once.documented { outcome in
                switch outcome {
                case .done(let enrolment, _, let playable):
                    return .done(EndedEnrolment(enrolment: enrolment, playable: playable))
                case .refused(let refusal): return .refused(Failure(refusal))
                case .unknown: throw Failure.notFound
                }
            }
        }
    }
}

/// The response to the end of an enrolment: the enrolment, and how long devices can still play.
private struct EndedEnrolment: Sendable {
    let enrolment: CountedEnrolment
    let playable: ContentGrant.PlayableReach

    static let document = Document<EndedEnrolment>(
        nil,
        [
            .init("enrolment", CountedEnrolment.document.schema) { ended, object in
                object.object("enrolment") { CountedEnrolment.document.write(ended.enrolment, into: &$0) }
            },
            .init(
                "playableUntil", Schema.integer().orNull,
                "Until when devices may play without contacting the server; null for no end; absent if they may not.",
                isAlways: false
            ) { ended, object in
                switch ended.playable {
                case .nothing: break
                case .until(let end): object.member("playableUntil", end.seconds)
                case .unlimited: object.null("playableUntil")
                }
            },
        ])
}

extension Enrolment.Scope {
    fileprivate init(_ named: FieldReader.OneOf<CourseID, ContentID>) {
        switch named {
        case .first(let course): self = .course(course)
        case .second(let content): self = .content(content)
        }
    }
}

extension EnrolmentOrder.NotOffered {
    /// The error response for a request that names an object which the tenant doesn't offer.
    fileprivate var failure: Failure {
        let status = if case .policy = self { 422 } else { 404 }
        return Failure(
            RejectedRequest(status, code: explanation.code, explanation.sentence, among: Reason.Kind.contentRequests))
    }
}
