package import TenureHTTP
import TenureThreads

/// Handles a request with its endpoint, under the right version of the catalog.
package struct EndpointRunner<Catalog: CatalogSource>: Sendable {
    let catalog: Catalog
    let clock: (any WallClock)?
    let metrics: Metrics
    let log: any Log
    let changes: ChangesUnderWay

    /// Responds to a request; an error becomes a response in the endpoint's format.
    package func answer(
        _ endpoint: Endpoint<Catalog.Snapshot>, _ request: Request, _ path: PathParameters
    ) async -> Response {
        let style = endpoint.style
        var context = RequestContext(request: request, path: path)
        var response: Response
        do {
            switch try await conclude(endpoint, &context) {
            case .done(let done): response = done
            case .refused(let failure): response = refuse(failure, context, style)
            case .stale: response = refuse(Failure(ServerError.catalogBusy), context, style)
            }
        } catch {
            response = refuse(Failure(error), context, style)
        }
        for field in style.headers.fields { response.headers.add(field.name, field.value) }
        for name in style.echoes {
            if let value = request.headers[name], Self.isEchoable(value) { response.headers.add(name, value) }
        }
        return response
    }

    private func conclude(
        _ endpoint: Endpoint<Catalog.Snapshot>, _ context: inout RequestContext
    ) async throws -> Endpoint<Catalog.Snapshot>.Conclusion {
        // A request that waited past its deadline isn't started, because its client no longer waits for the response.
        guard Deadline.current > .now() else { throw ServerError.deadlinePassed }
        if endpoint.isDated, clock?.doubt != nil { throw Failure.clockInDoubt }
        guard endpoint.isChange else { return try await fetch(endpoint, &context) }
        guard changes.begins() else { throw ServerError.changesBusy }
        defer { changes.end() }
        return try await fetch(endpoint, &context)
    }

    private func fetch(
        _ endpoint: Endpoint<Catalog.Snapshot>, _ context: inout RequestContext
    ) async throws -> Endpoint<Catalog.Snapshot>.Conclusion {
        if !endpoint.worksWithoutStore, endpoint.freshness != .checkedIfAvailable,
            !Catalog.isComplete(catalog.current)
        {
            _ = try await catalog.refreshIfChanged()
        }
        return switch endpoint.freshness {
        case .kept: try await endpoint.answer(&context, catalog.current)
        case .checked: try await endpoint.answer(&context, try await catalog.refreshIfChanged())
        case .read: try await read(endpoint, &context)
        case .change: try await change(endpoint, &context)
        case .checkedIfAvailable: try await answerIfAvailable(endpoint, &context)
        }
    }

    private func answerIfAvailable(
        _ endpoint: Endpoint<Catalog.Snapshot>, _ context: inout RequestContext
    ) async throws -> Endpoint<Catalog.Snapshot>.Conclusion {
        let latest: Catalog.Snapshot
        do throws(ServerError) {
            latest = try await catalog.refreshIfChanged()
        } catch let unavailable {
            guard unavailable.isTransient else { throw unavailable }
            // The store may contain what the cached catalog lacks, so an error of the endpoint would be misleading.
            do { return try await endpoint.answer(&context, catalog.current) } catch { throw unavailable }
        }
        return try await endpoint.answer(&context, latest)
    }

    /// Handles a request whose query also returns the catalog's version.
    ///
    /// A success has already read that version. A failure may not have, so this checks it.
    private func read(
        _ endpoint: Endpoint<Catalog.Snapshot>, _ context: inout RequestContext
    ) async throws -> Endpoint<Catalog.Snapshot>.Conclusion {
        var snapshot = catalog.current
        var attempts = RetryPolicy()
        while attempts.takeAttempt() {
            let answer: Result<Endpoint<Catalog.Snapshot>.Conclusion, any Error>
            do {
                answer = .success(try await endpoint.answer(&context, snapshot))
            } catch {
                let failure = Failure(error)
                // Server errors and rate limits don't depend on the catalog. Checking its version would cost a query
                // for each request over a limit.
                if failure.fault != nil || failure.isTooMany { throw error }
                answer = .failure(error)
                _ = try await catalog.refreshIfChanged()
            }
            let latest = catalog.current
            if Catalog.version(of: latest) == Catalog.version(of: snapshot) { return try answer.get() }
            snapshot = latest
        }
        return .stale
    }

    private func change(
        _ endpoint: Endpoint<Catalog.Snapshot>, _ context: inout RequestContext
    ) async throws -> Endpoint<Catalog.Snapshot>.Conclusion {
        var attempts = RetryPolicy()
        while attempts.takeAttempt() {
            let snapshot = catalog.current
            context.caller = nil
            do {
                let conclusion = try await endpoint.answer(&context, snapshot)
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
        if let fault = failure.fault {
            log.write(
                LogLine(
                    fault.isTransient && style.isBusyOrdinary ? .warning : .error, style.faultEvent,
                    [("id", .text(context.request.id)), ("error", .text(fault.description))]))
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

    fileprivate static let changesBusy = ServerError(
        .init("changes_busy"), "Too many changes are in progress. Try again in a moment.", isTransient: true)
}
