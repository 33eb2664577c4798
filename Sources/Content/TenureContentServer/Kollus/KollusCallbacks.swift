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
    let journal: CompletionJournal

    private let context: ContentContext
    /// Prevents completions from waiting for a store that isn't responding.
    private let breaker = Mutex(StoreCircuitBreaker())

    /// - Parameter folder: The folder of the server's local data; `nil` if it saves nothing locally.
    init(_ context: ContentContext, folder: String?) throws(ServerError) {
        self.context = context
        journal = try CompletionJournal(in: folder)
    }

    /// The callback endpoints: one with a secret in the path, and one without for tenants that allow it.
    var endpoints: [Endpoint] {
        ["/content/{tenant}/kollus/drm", "/content/{tenant}/kollus/drm/{token}"].map { path in
            let fields = Fields { fields in
                try fields.required("items", .text(longest: 256 << 10), "A JSON array of 1 to 10 items.")
            }
            return Endpoint(
                "POST", path, format: .kollus, catalog: .cached, authentication: .kollus(self), reads: fields
            ) { [self] call in
                try await respond(to: call.input, at: call.caller)
            }
            // A player gets a response even if the clock is untrusted or the store doesn't respond.
            .dated(false).outsideChangeLimit().workingWithoutStore()
        }
    }

    /// How long a player's request waits for the store at most.
    private static let timeout = Duration.milliseconds(300)

    private func respond(to items: String, at caller: KollusCaller) async throws -> Endpoint.Conclusion {
        let callback: KollusCallback
        do throws(FormatError) {
            callback = try KollusCallback(items: Array(items.utf8))
        } catch {
            throw Failure(FieldFault("items", .other(error.message)))
        }
        let requested = callback.items
        var responses: [KollusReply?]? = requested.isEmpty ? [] : await fromStore(requested, at: caller)
        let busy = KollusItem.Answer.busy(in: caller.language)
        if responses == nil, let answers = KollusItem.Answer.withoutStore(requested, busy: busy) {
            // If the clock is untrusted, the completion is dated when it is written to the store.
            let time = context.clock.doubt == nil ? context.clock.now() : .unknownMoment
            for item in requested where item.kind == .complete {
                await journal.add(
                    Completion(
                        tenant: caller.tenant, key: item.key, user: item.user, player: item.player, at: time))
            }
            responses = requested.map { item in
                answers.first { $0.kind == item.kind && $0.key == item.key }.map { .answer($0) }
            }
        }
        guard let responses else { throw Failure.kollusBusy }
        var answers = responses[...]
        let objects = callback.entries.map { entry in
            switch entry {
            case .item: (answers.popFirst() ?? nil)?.object ?? []
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
    private func fromStore(_ items: [KollusItem], at caller: KollusCaller) async -> [KollusReply?]? {
        if items.allSatisfy({ $0.kind == .complete }), !breaker.withLock({ $0.allowsRequest(at: .now()) }) {
            return nil
        }
        let responses = await within(Self.timeout) { [context] in
            try await context.answerKollus(
                items, of: caller.tenant, unknown: caller.settings.unknownDownloads, in: caller.language)
        }
        breaker.withLock { $0.recordResponse(responses != nil, at: .now()) }
        return responses
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
        let now = context.clock.now()
        var isOwn = false
        // All secrets are compared, so that the response time doesn't reveal which one matches.
        for callbackToken in targets.callbackTokens where callbackToken.endsAt.map({ now < $0 }) ?? true {
            if constantTimeEquals(callbackToken.text, Array(token.utf8)) { isOwn = true }
        }
        return isOwn ? caller : nil
    }

    /// Authenticates again with a fresh catalog, because the secret may be new.
    ///
    /// - Throws: ``Failure`` with status 503 if the catalog can't be read in time, or 404 if the secret still isn't
    ///   valid.
    fileprivate func reauthenticate(
        _ tenant: TenantID, _ token: String?, of request: Request
    ) async throws(Failure) -> KollusCaller {
        let fresh = await within(Self.timeout) { [context] in try await context.catalog.refreshIfChanged() }
        guard let fresh else { throw .kollusBusy }
        guard let caller = caller(tenant, token, in: fresh, of: request) else {
            throw .notFound.aboutMissingRecord(token.map(CallbackTokenRow.isWellFormed) ?? true)
        }
        return caller
    }
}

extension Timestamp {
    /// The marker for an unknown time in the local journal; see ``EnterCompletions``.
    fileprivate static let unknownMoment = Timestamp(seconds: .max)
}

/// The authenticated caller of Kollus's callback: a tenant with its settings, and the language of its messages.
struct KollusCaller: Sendable {
    let tenant: TenantID
    let settings: KollusSettings
    /// The language of messages to the user.
    let language: Language
}

extension Authentication where Caller == KollusCaller {
    /// Authenticates requests with a valid callback path; all others get 404.
    fileprivate static func kollus(_ callbacks: KollusCallbacks) -> Authentication {
        Authentication { request, path, snapshot in
            guard let tenant = path["tenant"].flatMap({ TenantID($0) }) else {
                throw Failure.notFound.aboutMissingRecord(false)
            }
            if let caller = callbacks.caller(tenant, path["token"], in: snapshot, of: request) { return caller }
            return try await callbacks.reauthenticate(tenant, path["token"], of: request)
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
        var format = ResponseFormat.contents(words: { unreadable in
            if case .mediaType = unreadable {
                (nil, nil, "The body must be a form. Send it with Content-Type: application/x-www-form-urlencoded.")
            } else {
                ProblemWords.operators.words(unreadable)
            }
        })
        format.mediaTypes = .form
        format.readsNoBodyAsEmpty = false
        return format
    }()
}

/// Waits for a result for a limited time; returns `nil` if the work takes longer or fails.
///
/// Work that hasn't started within this time isn't started. A result that arrives later is ignored.
func within<Value: Sendable>(
    _ time: Duration, _ work: @escaping @Sendable () async throws -> Value
) async -> Value? {
    let deadline = min(Deadline.current, .now().advanced(by: time))
    return await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
        let waiting = Waiting(continuation)
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
    private let continuation: Mutex<CheckedContinuation<Value?, Never>?>

    init(_ continuation: CheckedContinuation<Value?, Never>) { self.continuation = Mutex(continuation) }

    func give(_ value: Value?) {
        let continuation = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume(returning: value)
    }
}

extension KollusReply {
    /// The reply as an object of the callback's response.
    var object: [UInt8] {
        switch self {
        case .answer(let answer): KollusToken.object(answer)
        case .repeated(let reply): reply.reply
        }
    }
}

extension IdempotentReply {
    /// Stores the answer to the item with this name, in the form in which it is sent and repeated.
    init(_ answer: KollusItem.Answer, to name: Digest, at now: Timestamp) {
        self.init(key: name, fingerprint: name, reply: KollusToken.object(answer), at: now)
    }

    /// When the content of a stored answer expires, in POSIX seconds; 0 for never, `nil` if the answer doesn't say.
    var kollusExpirationDate: Int64? { KollusToken.expirationDate(of: reply) }
}
