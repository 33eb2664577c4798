import Synchronization
import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureServerKit
import TenureThreads

/// Responds to Kollus's players (`Documentation/content.md`).
///
/// It always responds within half a second, even if the store doesn't. It is a class because every endpoint holds it,
/// and a struct would be copied for every request.
final class KollusCallbacks: Sendable {
    let answer: AnswerKollus
    let book: CompletionJournal

    private let catalog: CatalogCache
    private let clock: any WallClock
    /// Prevents completions from waiting for a store that isn't responding.
    private let breaker = Mutex(StoreCircuitBreaker())

    typealias Endpoint = TenureServerKit.Endpoint<CatalogSnapshot>

    init(_ context: ServerContext) throws(ServerError) {
        catalog = context.catalog
        clock = context.clock
        answer = AnswerKollus(catalog: context.catalog, clock: context.clock, randomness: context.randomness)
        book = try CompletionJournal(in: context.folder)
    }

    /// The callback endpoints: one with a secret in the path, and one without for tenants that allow it.
    var endpoints: [Endpoint] {
        ["/content/{tenant}/kollus/drm", "/content/{tenant}/kollus/drm/{token}"].map { path in
            let fields = Fields { fields in
                try fields.required("items", .text(longest: 256 << 10), "A JSON array of 1 to 10 items.")
            }
            return Endpoint("POST", path, .kollus, .kept, authentication: .kollus(self), reads: fields) { [self] call in
                try await respond(to: call.input, at: call.caller)
            }
            // A player gets a response even if the clock is untrusted or the store doesn't respond.
            .dated(false).changing(false).workingWithoutStore()
        }
    }

    /// How long a player's request waits for the store at most.
    private static let patience = Duration.milliseconds(300)

    private func respond(to items: String, at caller: KollusCaller) async throws -> Endpoint.Conclusion {
        let callback: KollusCallback
        do throws(FormatError) {
            callback = try KollusCallback(items: Array(items.utf8))
        } catch {
            throw Failure(FieldFault("items", .other(error.message)))
        }
        let requested = callback.items
        var told = requested.isEmpty ? [] : await fromStore(requested, at: caller)
        let busy = KollusItem.Answer.busy(in: caller.language)
        if told == nil, let answers = KollusItem.Answer.withoutStore(requested, busy: busy) {
            // If the clock is untrusted, the completion is dated when it is written to the store.
            let moment = clock.doubt == nil ? clock.now() : .unknownMoment
            for item in requested where item.kind == .complete {
                await book.add(
                    Completion(
                        tenant: caller.tenant, key: item.key, user: item.user, player: item.player, at: moment))
            }
            told = requested.map { item in
                answers.first { $0.kind == item.kind && $0.key == item.key }.map { KollusToken.object($0) } ?? []
            }
        }
        guard let told else { throw Failure.kollusBusy }
        var answers = told[...]
        let objects = callback.entries.map { entry in
            switch entry {
            case .item: answers.popFirst() ?? []
            case .unread(let unread): KollusToken.object(unread, message: KollusItem.Answer.unread(in: caller.language))
            }
        }
        var response = Response(
            status: 200, headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: KollusToken.answer(objects: objects.filter { !$0.isEmpty }, key: caller.settings.securityKey))
        if !caller.settings.customKey.isEmpty { response.headers.add("X-Kollus-UserKey", caller.settings.customKey) }
        return .done(response)
    }

    /// Returns responses that are based on the store; `nil` if it doesn't respond in time.
    ///
    /// A request that only reports completions uses the store only if the circuit breaker allows it.
    private func fromStore(_ items: [KollusItem], at caller: KollusCaller) async -> [[UInt8]]? {
        if items.allSatisfy({ $0.kind == .complete }), !breaker.withLock({ $0.allowsRequest(at: .now()) }) {
            return nil
        }
        let answer = answer
        let told = await within(Self.patience) {
            try await answer(
                items, of: caller.tenant, unknown: caller.settings.unknownDownloads, in: caller.language)
        }
        breaker.withLock { $0.recordResponse(told != nil, at: .now()) }
        return told
    }

    /// Returns the authenticated caller; `nil` if the tenant has no Kollus settings or the secret in the path isn't
    /// valid.
    fileprivate func caller(
        _ tenant: TenantID, _ token: String?, in snapshot: CatalogSnapshot, of request: Request
    ) -> KollusCaller? {
        let targets = snapshot.targets(of: tenant)
        guard let kollus = targets.kollus, snapshot.catalog.tenants[tenant]?.contents != nil else { return nil }
        let caller = KollusCaller(
            tenant: tenant, settings: kollus, language: Language(of: request, at: tenant, in: snapshot))
        guard let token else { return kollus.callbackAuth == .none ? caller : nil }
        let now = clock.now()
        var isOwn = false
        // All secrets are compared, so that the response time doesn't reveal which one matches.
        for known in targets.callbackTokens where known.endsAt.map({ now < $0 }) ?? true {
            if constantTimeEquals(known.text, Array(token.utf8)) { isOwn = true }
        }
        return isOwn ? caller : nil
    }

    /// Authenticates again with a fresh catalog, because the secret may be new.
    ///
    /// Throws ``Failure`` with status 503 if the catalog can't be read in time.
    fileprivate func newPlace(
        _ tenant: TenantID, _ token: String?, of request: Request
    ) async throws(Failure) -> KollusCaller {
        let catalog = catalog
        let fresh = await within(Self.patience) { try await catalog.refreshIfChanged() }
        guard let fresh else { throw .kollusBusy }
        guard let caller = caller(tenant, token, in: fresh, of: request) else { throw .notFound }
        return caller
    }
}

extension Timestamp {
    /// The marker for an unknown time in the local journal; see ``EnterCompletions``.
    fileprivate static let unknownMoment = Timestamp(seconds: .max)
}

/// The authenticated caller of Kollus's callback: a tenant with its settings.
struct KollusCaller: Sendable {
    let tenant: TenantID
    let settings: KollusSettings
    /// The language of messages to the user.
    let language: Language
}

extension Authentication where Snapshot == CatalogSnapshot, Caller == KollusCaller {
    /// Authenticates requests with a valid callback path; all others get 404.
    fileprivate static func kollus(_ callbacks: KollusCallbacks) -> Authentication {
        Authentication { request, path, snapshot in
            guard let tenant = path["tenant"].flatMap({ TenantID($0) }) else { throw Failure.notFound }
            if let caller = callbacks.caller(tenant, path["token"], in: snapshot, of: request) { return caller }
            return try await callbacks.newPlace(tenant, path["token"], of: request)
        }
    }
}

extension Failure {
    /// The error for a catalog that can't be read in time.
    fileprivate static let kollusBusy = Failure(
        RejectedRequest(503, code: "try_again", "The license server is busy. Try again in a moment."),
        headers: ["Retry-After": "5"])
}

extension ResponseFormat {
    /// The format of Kollus's callback: forms as input, and problem details for errors.
    fileprivate static let kollus: ResponseFormat = {
        var style = ResponseFormat.contents(words: { unreadable in
            if case .mediaType = unreadable {
                (nil, nil, "The body must be a form. Send it with Content-Type: application/x-www-form-urlencoded.")
            } else {
                ProblemWords.operators.words(unreadable)
            }
        })
        style.mediaTypes = .form
        style.readsNoBodyAsEmpty = false
        return style
    }()
}

/// Waits for a result for a limited time; returns `nil` if the work takes longer or fails.
///
/// Work that hasn't started by then isn't started; the result of other late work is ignored.
func within<Value: Sendable>(
    _ time: Duration, _ work: @escaping @Sendable () async throws -> Value
) async -> Value? {
    let deadline = min(Deadline.current, .now().advanced(by: time))
    return await withCheckedContinuation { (caller: CheckedContinuation<Value?, Never>) in
        let waiting = Waiting(caller)
        let timer = Task {
            try? await Task.sleep(for: time, clock: .suspending)
            waiting.give(nil)
        }
        Task {
            let value = await Deadline.$current.withValue(deadline) { try? await work() }
            waiting.give(value)
            timer.cancel()
        }
    }
}

/// Resumes a caller once with the first result.
private final class Waiting<Value: Sendable>: Sendable {
    private let caller: Mutex<CheckedContinuation<Value?, Never>?>

    init(_ caller: CheckedContinuation<Value?, Never>) { self.caller = Mutex(caller) }

    func give(_ value: Value?) {
        let caller = caller.withLock { caller in
            defer { caller = nil }
            return caller
        }
        caller?.resume(returning: value)
    }
}
