package import TenureHTTP

/// One thing that the server answers to, as a value: where it is, who is let in, what it reads, and what answers.
///
/// `Snapshot` is the catalog that a request works with from its beginning to its end.
package struct Endpoint<Snapshot: Sendable>: Sendable {
    /// What a request is answered with, if it is not thrown back.
    package enum Conclusion: Sendable {
        /// It is done; this is the answer.
        case done(Response)
        /// The law says no.
        case refused(Failure)
        /// Nothing was saved, for the catalog is no longer the one under which the request was let in: look again.
        case stale
    }

    /// Which catalog a request works with.
    package enum Freshness: Sendable {
        /// The one that the store has when the request comes.
        case checked
        /// For an answer that rests on a read which tells the catalog's version: the cached one, and a newer one when
        /// the read has shown that to be old.
        case read
        /// For a change that is saved only under the catalog of its own transaction: the cached one, again when
        /// that is old.
        case change
        /// The cached one, without a question to the store.
        case kept
        /// The one that the store has, or the cached one while the store is unavailable.
        case checkedIfAvailable
    }

    /// The method.
    package let method: String
    /// The pattern of the path.
    package let path: String
    /// How it speaks.
    package let style: Style
    /// Which catalog it works with.
    package let freshness: Freshness
    /// Whether anything with a date comes of it, signed or written: then it rests while the clock is in doubt. So does every
    /// method but `GET` and `HEAD`, unless it says otherwise.
    package var isDated: Bool
    /// Whether its requests count among the changes, which may take no more than half of what a server does at once: then
    /// however many write, a refresh and a read have room. So does every method but `GET` and `HEAD` that does not rest on a
    /// read, unless it says otherwise.
    package private(set) var isChange: Bool
    /// Whether it answers before the catalog was read, with what was kept on this machine or with nothing.
    package private(set) var worksWithoutStore = false
    /// What tools are told of it; nil for what is another's format.
    package internal(set) var operation: Operation?
    /// When it answers beside another room's endpoint at the same method and path; nil for one that is alone there.
    var precedence: Precedence?

    /// Lets a request in, reads it and answers. Notes in the scene where it was let in.
    var answer: @Sendable (inout Scene, Snapshot) async throws -> Conclusion

    /// The same, dated or not.
    package func dated(_ isDated: Bool = true) -> Endpoint {
        var endpoint = self
        endpoint.isDated = isDated
        return endpoint
    }

    /// The same, among the changes or not.
    package func changing(_ isChange: Bool) -> Endpoint {
        var endpoint = self
        endpoint.isChange = isChange
        return endpoint
    }

    /// The same, answering before the catalog was read too.
    package func workingWithoutStore() -> Endpoint {
        var endpoint = self
        endpoint.worksWithoutStore = true
        return endpoint
    }

    /// Bytes from which on a body is read apart from the thread that took it in.
    private static var longBody: Int { 64 << 10 }

    /// Declares an endpoint.
    /// - Parameters:
    ///   - admits: Who is let in, and where to.
    ///   - reads: What is read of the request, once it is let in.
    ///   - operation: What tools are told of it.
    ///   - action: Answers. May throw ``Failure`` and ``ServerError``.
    package init<Place: Sendable, Input: Sendable>(
        _ method: String, _ path: String, _ style: Style, _ freshness: Freshness,
        admits: Admission<Snapshot, Place>, reads fields: Fields<Input>, operation: Operation? = nil,
        _ action: @escaping @Sendable (Call<Place, Input>) async throws -> Conclusion
    ) {
        self.method = method
        self.path = path
        self.style = style
        isDated = method != "GET" && method != "HEAD"
        self.freshness = freshness
        if case .read = freshness { isChange = false } else { isChange = isDated }
        var declaration = fields.declaration
        if case .ignored = style.unknownMembers { declaration.isClosed = false }
        self.operation = operation?.at(
            method, path, admits.members, declaration, scope: admits.scope, credentials: admits.credentials)
        let admit = admits.admit
        answer = { scene, snapshot in
            let place = try await admit(scene.request, scene.path, snapshot)
            scene.place = place
            let input =
                scene.request.body.count > Self.longBody
                ? try await fields.apart(scene.request, scene.path, as: style)
                : try fields(scene.request, scene.path, as: style)
            return try await action(Call(request: scene.request, place: place, input: input))
        }
    }
}

/// A request that was let in and read.
package struct Call<Place: Sendable, Input: Sendable>: Sendable {
    /// The request.
    package let request: Request
    /// Where it was let in.
    package let place: Place
    /// What was read.
    package let input: Input
    /// Names the request, where it is to be carried out once and its client has named it.
    package var repeatable: RepeatableRequest?
}

/// Who is let in at an endpoint, and to what.
package struct Admission<Snapshot: Sendable, Place: Sendable>: Sendable {
    /// What a token needs to be let in; nil where no token is asked for.
    package let scope: String?
    /// What a request may carry to be let in, for tools: one of these; empty where it needs nothing.
    package let credentials: [Credential]
    /// Parameters of the path that it looks at, for tools.
    package let members: [FieldDeclaration.Member]

    let admit: @Sendable (Request, PathParameters, Snapshot) async throws -> Place

    /// Lets in by the request, its path and the catalog. The closure throws ``Failure`` to turn away.
    package init(
        scope: String? = nil, credentials: [Credential] = [.operatorToken], members: [FieldDeclaration.Member] = [],
        _ admit: @escaping @Sendable (Request, PathParameters, Snapshot) async throws -> Place
    ) {
        self.scope = scope
        self.credentials = credentials
        self.members = members
        self.admit = admit
    }
}

extension Admission where Place == Void {
    /// Lets everyone in.
    package static var everyone: Admission { Admission { _, _, _ in } }
}
