import TenureCore
package import TenureHTTP
import TenureThreads

/// Handles a request with its endpoint, under the right version of the catalog.
package struct EndpointRunner<Catalog: CatalogSource>: Sendable {
    let catalog: Catalog
    let clock: (any WallClock)?
    let metrics: Metrics
    let log: any Log
    /// Keeps an outage from filling the log.
    private let faultLines = FaultLines()

    /// Responds to a request on the calling thread, or as far as possible without waiting.
    ///
    /// An error becomes a response in the endpoint's format.
    func handle(_ endpoint: Endpoint<Catalog.Snapshot>, _ request: Request, _ path: PathParameters) -> HandlerResult {
        guard case .reading(let answer) = endpoint.answer else {
            return .pending { await self.answer(endpoint, request, path) }
        }
        var context = RequestContext(request: request, path: path)
        do {
            let conclusion = try catalog.readingInPlace { snapshot, reads in
                try read(endpoint, answer, &context, snapshot, &reads)
            }
            return .response(response(to: conclusion, context, endpoint.style))
        } catch let pending as PendingStep {
            return .pending { await self.answer(endpoint, request, path, after: pending) }
        } catch {
            return .response(response(to: .refused(Failure(error)), context, endpoint.style))
        }
    }

    /// Responds to a request; an error becomes a response in the endpoint's format.
    package func answer(
        _ endpoint: Endpoint<Catalog.Snapshot>, _ request: Request, _ path: PathParameters
    ) async -> Response {
        await answer(endpoint, request, path, after: nil)
    }

    private func answer(
        _ endpoint: Endpoint<Catalog.Snapshot>, _ request: Request, _ path: PathParameters, after pending: PendingStep?
    ) async -> Response {
        var context = RequestContext(request: request, path: path)
        do {
            let conclusion =
                switch endpoint.answer {
                case .reading(let answer):
                    try await catalog.changing(after: pending) { snapshot, changes in
                        try read(endpoint, answer, &context, snapshot, &changes.reads)
                    }
                case .changing(let answer):
                    try await change(endpoint, answer, &context)
                case .waiting(let answer):
                    try await conclude(endpoint, answer, &context)
                }
            return response(to: conclusion, context, endpoint.style)
        } catch {
            return response(to: .refused(Failure(error)), context, endpoint.style)
        }
    }

    /// The response to a request that the server has no free place for.
    func busy(_ endpoint: Endpoint<Catalog.Snapshot>, _ request: Request, _ path: PathParameters) -> Response {
        let context = RequestContext(request: request, path: path)
        return response(to: .refused(Failure(ServerError.placesTaken)), context, endpoint.style)
    }

    private func response(
        to conclusion: consuming Endpoint<Catalog.Snapshot>.Conclusion, _ context: RequestContext,
        _ style: ResponseFormat
    ) -> Response {
        var response =
            switch consume conclusion {
            case .done(let done): done
            case .refused(let failure): refuse(failure, context, style)
            case .stale: refuse(Failure(ServerError.catalogBusy), context, style)
            }
        for field in style.headers.fields { response.headers.add(field.name, field.value) }
        for name in style.echoes {
            if let value = context.request.headers[name], Self.isEchoable(value) { response.headers.add(name, value) }
        }
        return response
    }

    /// Throws if the request must not be handled now.
    private func check(_ endpoint: Endpoint<Catalog.Snapshot>, _ request: Request) throws {
        // A request that waited past its deadline isn't started, because its client no longer waits for the response.
        guard !Deadline.current.hasCome else { throw ServerError.deadlinePassed }
        // Almost no request has the field.
        if request.headers["Content-Encoding"] != nil,
            let coding = HeaderText.elements(of: request.headers.values("Content-Encoding"))
                .first(where: { $0.asciiLowercased != "identity" })
        {
            throw Failure.contentEncoded(String(coding))
        }
        if endpoint.isDated, clock?.doubt != nil { throw Failure.clockInDoubt }
    }

    // MARK: Endpoints that only read

    /// Handles a request in one run of its reads.
    ///
    /// If its queries also return the catalog's version, a success has read that version. A failure may not have, so
    /// this checks it.
    private func read(
        _ endpoint: Endpoint<Catalog.Snapshot>,
        _ answer: (inout RequestContext, Catalog.Snapshot, inout StoreReads) throws ->
            Endpoint<Catalog.Snapshot>
            .Conclusion,
        _ context: inout RequestContext, _ snapshot: Catalog.Snapshot, _ reads: inout StoreReads
    ) throws -> Endpoint<Catalog.Snapshot>.Conclusion {
        try check(endpoint, context.request)
        context.caller = nil
        let isIncomplete = !endpoint.worksWithoutStore && !Catalog.isComplete(snapshot)
        if endpoint.freshness == .checked || isIncomplete { try reads.checkCatalog() }
        do {
            return try answer(&context, snapshot, &reads)
        } catch {
            guard endpoint.freshness == .read, !(error is PendingStep) else { throw error }
            // Server errors and rate limits don't depend on the catalog. Checking its version would cost a query for
            // each request over a limit.
            let failure = Failure(error)
            if failure.fault == nil, !failure.isTooMany { try reads.checkCatalog() }
            throw error
        }
    }

    /// Handles a request that changes the store, with one run for each of its steps.
    private func change(
        _ endpoint: Endpoint<Catalog.Snapshot>,
        _ answer: (inout RequestContext, Catalog.Snapshot, inout StoreChanges) throws ->
            Endpoint<Catalog.Snapshot>
            .Conclusion,
        _ context: inout RequestContext
    ) async throws -> Endpoint<Catalog.Snapshot>.Conclusion {
        try check(endpoint, context.request)
        return try await catalog.changing { snapshot, changes in
            if !Catalog.isComplete(snapshot) { try changes.reads.checkCatalog() }
            do {
                return try answer(&context, snapshot, &changes)
            } catch {
                // An authenticated caller gets the error. Otherwise, authentication is repeated if there's a newer
                // catalog.
                guard context.caller == nil, !(error is PendingStep), Failure(error).fault == nil else { throw error }
                try changes.reads.checkCatalog()
                throw error
            }
        }
    }

    // MARK: Endpoints that may wait

    private typealias Waiting =
        @Sendable (inout RequestContext, Catalog.Snapshot) async throws -> Endpoint<Catalog.Snapshot>.Conclusion

    private func conclude(
        _ endpoint: Endpoint<Catalog.Snapshot>, _ answer: Waiting, _ context: inout RequestContext
    ) async throws -> Endpoint<Catalog.Snapshot>.Conclusion {
        try check(endpoint, context.request)
        if !endpoint.worksWithoutStore, endpoint.freshness != .checkedIfAvailable,
            !Catalog.isComplete(catalog.current)
        {
            _ = try await catalog.refreshIfChanged()
        }
        return switch endpoint.freshness {
        case .kept, .read: try await answer(&context, catalog.current)
        case .checked: try await answer(&context, try await catalog.refreshIfChanged())
        case .change: try await change(answer, &context)
        case .checkedIfAvailable: try await answerIfAvailable(answer, &context)
        }
    }

    private func answerIfAvailable(
        _ answer: Waiting, _ context: inout RequestContext
    ) async throws -> Endpoint<Catalog.Snapshot>.Conclusion {
        let latest: Catalog.Snapshot
        do throws(ServerError) {
            latest = try await catalog.refreshIfChanged()
        } catch let unavailable {
            guard unavailable.isTransient else { throw unavailable }
            // The store may contain what the cached catalog lacks, so an error of the endpoint would be misleading.
            do { return try await answer(&context, catalog.current) } catch { throw unavailable }
        }
        return try await answer(&context, latest)
    }

    private func change(
        _ answer: Waiting, _ context: inout RequestContext
    ) async throws -> Endpoint<Catalog.Snapshot>.Conclusion {
        var attempts = RetryPolicy()
        while attempts.takeAttempt() {
            let snapshot = catalog.current
            context.caller = nil
            do {
                let conclusion = try await answer(&context, snapshot)
                guard case .stale = conclusion else { return conclusion }
                _ = try await catalog.refreshIfChanged()
            } catch {
                // An authenticated caller gets the error. Otherwise, authentication is repeated if there's a newer
                // catalog.
                guard context.caller == nil, Failure(error).fault == nil else { throw error }
                let latest = try await catalog.refreshIfChanged()
                if Catalog.version(of: latest) == Catalog.version(of: snapshot) { throw error }
            }
        }
        return .stale
    }

    private func refuse(_ failure: Failure, _ context: RequestContext, _ style: ResponseFormat) -> Response {
        if style.countsRefusals { metrics.recordRefusal(code: style.code(failure)) }
        if let fault = failure.fault, let earlier = faultLines.take(fault) {
            var line = LogLine(
                fault.isTransient && style.isBusyOrdinary ? .warning : .error, style.faultEvent,
                [("id", .text(context.request.id)), ("error", .text(fault.description))])
            if earlier > 0 { line.facts.append(("unlogged", .number(earlier))) }
            log.write(line)
        }
        return style.respond(failure, context)
    }

    private static func isEchoable(_ value: String) -> Bool {
        (1...64).contains(value.utf8.count) && value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension ServerError {
    fileprivate static let deadlinePassed = ServerError(
        .init("deadline_passed"), "The request waited too long to start. Try again.", isTransient: true)

    fileprivate static let placesTaken = ServerError(
        .init("server_busy"), "The server is busy. Try again in a moment.", isTransient: true)
}

extension Failure {
    /// The failure for a body in a content coding, which the server doesn't decode (RFC 9110, 15.5.16).
    fileprivate static func contentEncoded(_ coding: String) -> Failure {
        let name = String(decoding: coding.utf8.prefix(40), as: UTF8.self)
        return Failure(
            RejectedRequest(
                415, code: "content_coding_unsupported",
                "The server doesn't decode the content coding \"\(name)\". Send the body without Content-Encoding."),
            headers: ["Accept-Encoding": "identity"])
    }
}
