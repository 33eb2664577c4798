import TenureCore
package import TenureHTTP
import TenureThreads

/// Handles a request with its endpoint, under the version of the catalog that the endpoint requires.
package struct EndpointRunner: Sendable {
    let catalog: CatalogCache
    let clock: (any WallClock)?
    let metrics: Metrics
    let log: any Log
    /// Limits repeated log lines, so that an outage doesn't fill the log.
    private let faultLines = FaultLines()

    /// Responds to a request on the calling thread, or returns a task if the response has to wait.
    ///
    /// An error becomes a response in the endpoint's format.
    func handle(_ endpoint: Endpoint, _ request: Request, _ path: PathParameters) -> HandlerResult {
        guard case .reading(let answer) = endpoint.answer else {
            return .pending { await self.answer(endpoint, request, path) }
        }
        var context = RequestContext(request: request, path: path)
        do {
            let conclusion = try catalog.readingInPlace { snapshot, reads in
                try read(endpoint, answer, &context, snapshot, &reads)
            }
            return .response(response(to: conclusion, context, endpoint.format))
        } catch  where error is PendingRead || error is CatalogChanged {
            return .pending { await self.answer(endpoint, request, path, after: error) }
        } catch {
            return .response(response(to: .refused(Failure(error)), context, endpoint.format))
        }
    }

    /// Responds to a request. An error becomes a response in the endpoint's format.
    package func answer(
        _ endpoint: Endpoint, _ request: Request, _ path: PathParameters
    ) async -> Response {
        await answer(endpoint, request, path, after: nil)
    }

    private func answer(
        _ endpoint: Endpoint, _ request: Request, _ path: PathParameters, after ending: (any Error)?
    ) async -> Response {
        var context = RequestContext(request: request, path: path)
        do {
            let conclusion =
                switch endpoint.answer {
                case .reading(let answer):
                    try await catalog.reading(after: ending) { snapshot, reads in
                        try read(endpoint, answer, &context, snapshot, &reads)
                    }
                case .waiting(let answer):
                    try await conclude(endpoint, answer, &context)
                }
            return response(to: conclusion, context, endpoint.format)
        } catch {
            return response(to: .refused(Failure(error)), context, endpoint.format)
        }
    }

    /// Returns the response to a request that the server has no free slot for.
    func busy(_ endpoint: Endpoint, _ request: Request, _ path: PathParameters) -> Response {
        let context = RequestContext(request: request, path: path)
        return response(to: .refused(Failure(ServerError.placesTaken)), context, endpoint.format)
    }

    private func response(
        to conclusion: consuming Endpoint.Conclusion, _ context: RequestContext,
        _ format: ResponseFormat
    ) -> Response {
        var response =
            switch consume conclusion {
            case .done(let done): done
            case .refused(let failure): refuse(failure, context, format)
            }
        for field in format.headers.fields { response.headers.add(field.name, field.value) }
        for name in format.echoes {
            if let value = context.request.headers[name], Self.isEchoable(value) { response.headers.add(name, value) }
        }
        return response
    }

    /// Throws if the request must not be handled, for example because the clock is untrusted.
    private func check(_ endpoint: Endpoint, _ request: Request) throws {
        // A request that waited past its deadline isn't handled, because its client no longer waits for the response.
        guard !Deadline.current.hasCome else { throw ServerError.deadlinePassed }
        // Almost no request has this header, so its elements are parsed only if the header exists.
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
    /// For ``Endpoint/CatalogUse/checkedByRead``, a success has read the catalog's version. A failure may not have
    /// read it, so this function reads the version then.
    private func read(
        _ endpoint: Endpoint,
        _ answer: (inout RequestContext, CatalogSnapshot, inout StoreReads) throws -> Endpoint.Conclusion,
        _ context: inout RequestContext, _ snapshot: CatalogSnapshot, _ reads: inout StoreReads
    ) throws -> Endpoint.Conclusion {
        try check(endpoint, context.request)
        context.caller = nil
        let isIncomplete = !endpoint.worksWithoutStore && !snapshot.isComplete
        if endpoint.catalog == .current || isIncomplete { try reads.checkCatalog() }
        do {
            return try answer(&context, snapshot, &reads)
        } catch {
            guard endpoint.catalog == .checkedByRead, !(error is PendingRead || error is CatalogChanged) else {
                throw error
            }
            // Server errors and rate limits don't depend on the catalog. For them, checking the version would only
            // cost a query per request over a limit.
            let failure = Failure(error)
            if failure.fault == nil, !failure.isTooMany { try reads.checkCatalog() }
            throw error
        }
    }

    // MARK: Endpoints that may wait

    private typealias Waiting =
        @Sendable (inout RequestContext, CatalogSnapshot) async throws -> Endpoint.Conclusion

    private func conclude(
        _ endpoint: Endpoint, _ answer: Waiting, _ context: inout RequestContext
    ) async throws -> Endpoint.Conclusion {
        try check(endpoint, context.request)
        if !endpoint.worksWithoutStore, endpoint.catalog != .currentIfReachable,
            !catalog.current.isComplete
        {
            _ = try await catalog.refreshIfChanged()
        }
        return switch endpoint.catalog {
        case .cached, .checkedByRead: try await answer(&context, catalog.current)
        case .current: try await answer(&context, try await catalog.refreshIfChanged())
        case .checkedByChange: try await change(answer, &context)
        case .currentIfReachable: try await answerIfAvailable(answer, &context)
        }
    }

    private func answerIfAvailable(
        _ answer: Waiting, _ context: inout RequestContext
    ) async throws -> Endpoint.Conclusion {
        let latest: CatalogSnapshot
        do throws(ServerError) {
            latest = try await catalog.refreshIfChanged()
        } catch let unavailable {
            guard unavailable.isTransient else { throw unavailable }
            // The store may have records that the cached catalog lacks, so the endpoint's error would be misleading.
            do { return try await answer(&context, catalog.current) } catch { throw unavailable }
        }
        return try await answer(&context, latest)
    }

    private func change(
        _ answer: Waiting, _ context: inout RequestContext
    ) async throws -> Endpoint.Conclusion {
        var attempts = RetryPolicy()
        while attempts.takeAttempt() {
            let snapshot = catalog.current
            context.caller = nil
            do {
                return try await answer(&context, snapshot)
            } catch is CatalogChanged {
                _ = try await catalog.refreshIfChanged()
            } catch {
                // An authenticated caller gets the error. For any other caller, the request runs again if the catalog
                // is newer now.
                guard context.caller == nil, Failure(error).fault == nil else { throw error }
                if try await catalog.refreshIfChanged().version == snapshot.version { throw error }
            }
        }
        throw ServerError.catalogBusy
    }

    private func refuse(_ failure: Failure, _ context: RequestContext, _ format: ResponseFormat) -> Response {
        let failure = failure.concernsMissingRecord && catalog.hasLostRecords ? .storeRewound : failure
        if format.countsRefusals { metrics.recordRefusal(code: format.code(failure)) }
        if let fault = failure.fault, let earlier = faultLines.take(fault) {
            var line = LogLine(
                fault.isTransient && format.isBusyOrdinary ? .warning : .error, format.faultEvent,
                [("id", .text(context.request.id)), ("error", .text(fault.description))])
            if earlier > 0 { line.facts.append(("unlogged", .number(earlier))) }
            log.write(line)
        }
        return format.respond(failure, context)
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
    /// The failure for a body with a content coding, because the server decodes none (RFC 9110, 15.5.16).
    fileprivate static func contentEncoded(_ coding: String) -> Failure {
        let name = String(decoding: coding.utf8.prefix(40), as: UTF8.self)
        return Failure(
            RejectedRequest(
                415, code: "content_coding_unsupported",
                "The server doesn't decode the content coding \"\(name)\". Send the body without Content-Encoding."),
            headers: ["Accept-Encoding": "identity"])
    }
}
