public import TenureCore

/// The rules for the steps of a sign-in.
extension SignIn {
    /// How long codes, links and tokens work, in seconds.
    public enum Lifetime {
        /// The lifetime of an authorization code.
        public static let code: Int64 = 60
        /// The lifetime of a link back from the shop's sign-in page.
        public static let link: Int64 = 300
        /// The lifetime of a handoff token, which an app receives at its installation.
        public static let handoff: Int64 = 900
        /// The lifetime of an access token.
        public static let access: Int64 = 3_600
        /// The lifetime of a refresh token: 90 days.
        public static let refresh: Int64 = 90 * 86_400
    }

    /// The digests of a new pair of tokens.
    public struct Pair: Sendable, Hashable {
        /// The digest of the refresh token.
        public let refresh: Digest
        /// The digest of the access token.
        public let access: Digest

        /// Creates a pair from its digests.
        public init(refresh: Digest, access: Digest) {
            self.refresh = refresh
            self.access = access
        }
    }

    /// The result of presenting a code, a handoff token or a refresh token.
    public enum Answer: Sendable, Hashable {
        /// The pair of tokens is issued; the value is the changed sign-in.
        case given(SignIn)
        /// No tokens are issued, and nothing changes.
        case refused
        /// A used code or token was presented again, so the sign-in has ended.
        case ended(SignIn)
    }

    /// The results of the checks on a presented code.
    public struct CodeProof: Sendable, Hashable {
        /// Whether the code is the sign-in's current secret.
        public let isNext: Bool
        /// Whether the client, the code verifier and the redirect URI match those for which the code was issued.
        public let isBound: Bool

        /// Creates a value from its parts.
        public init(isNext: Bool, isBound: Bool) {
            self.isNext = isNext
            self.isBound = isBound
        }
    }

    /// Exchanges an authorization code for tokens.
    ///
    /// A code that was already used ends the sign-in if the client, the verifier and the redirect URI match. A party
    /// that only saw the code in a URL has no verifier, so its request is refused and changes nothing.
    public func redeem(_ proof: CodeProof, for pair: Pair, at now: Timestamp) -> Answer {
        guard endedAt == nil, proof.isBound else { return .refused }
        switch stage {
        case .code: return proof.isNext && now < expiresAt ? .given(opened(with: pair, at: now)) : .refused
        case .open: return binding?.challenge == nil ? .refused : .ended(ended(at: now))
        case .link, .handoff: return .refused
        }
    }

    /// Exchanges a handoff token for tokens and binds the sign-in to the app.
    public func exchange(isNext: Bool, bindingTo binding: Binding, for pair: Pair, at now: Timestamp) -> Answer {
        guard stage == .handoff, isNext, works(at: now) else { return .refused }
        var bound = self
        bound.binding = binding
        return .given(bound.opened(with: pair, at: now))
    }

    /// Exchanges a refresh token for new tokens.
    ///
    /// - Parameter isBound: Whether the app that presents the token is the app to which the token was issued.
    public func refresh(_ shown: RefreshFamily.Shown, isBound: Bool, for pair: Pair, at now: Timestamp) -> Answer {
        guard stage == .open, isBound, works(at: now) else { return .refused }
        switch family.show(shown, at: now) {
        case .refused: return .refused
        case .ended: return .ended(ended(at: now))
        case .given(let next):
            var after = self
            after.family = next
            // If an exchange is repeated, the access token of the previous exchange stops working. The access token
            // before that one works until it expires.
            if shown == .newest { (after.former, after.formerAccess) = (secret, access) }
            return .given(after.giving(pair, at: now))
        }
    }

    /// Replaces the link back from the shop by an authorization code; returns `nil` if the link no longer works.
    public func led(isNext: Bool, to code: Digest, of binding: Binding, at now: Timestamp) -> SignIn? {
        guard stage == .link, isNext, works(at: now) else { return nil }
        var after = self
        after.stage = .code
        after.secret = code
        after.binding = binding
        after.expiresAt = now.adding(seconds: Lifetime.code)
        return after
    }

    /// Whether a link back from the shop still works.
    public func leads(isNext: Bool, at now: Timestamp) -> Bool { stage == .link && isNext && works(at: now) }

    /// Which of a sign-in's access tokens an app presents.
    public enum ShownAccess: Sendable, Hashable {
        /// The access token that was issued last.
        case latest
        /// The access token that was issued before the last one.
        case former
    }

    /// Whether this access token still works.
    public func admits(_ shown: ShownAccess, at now: Timestamp) -> Bool {
        guard endedAt == nil, stage == .open, let access = shown == .latest ? access : formerAccess else {
            return false
        }
        return now < access.madeAt.adding(seconds: Lifetime.access)
    }

    /// Returns the sign-in to save when an access token is used; `nil` if the use needn't be recorded.
    public func noted(_ shown: ShownAccess, at now: Timestamp) -> SignIn? {
        guard shown == .latest, family.notesUse(at: now) else { return nil }
        var after = self
        after.family.take()
        return after
    }

    /// Whether this state of the sign-in is more advanced than another one: its stage is later, or its access token
    /// newer.
    package func isAhead(of other: SignIn) -> Bool {
        if stage.position != other.stage.position { return stage.position > other.stage.position }
        guard let access else { return false }
        return other.access.map { access.madeAt > $0.madeAt } ?? true
    }

    /// Returns a copy that has ended; an earlier end is kept.
    public func ended(at now: Timestamp) -> SignIn {
        var over = self
        over.endedAt = endedAt ?? now
        return over
    }

    private func opened(with pair: Pair, at now: Timestamp) -> SignIn {
        var open = self
        open.stage = .open
        open.family = RefreshFamily(newest: 1)
        return open.giving(pair, at: now)
    }

    private func giving(_ pair: Pair, at now: Timestamp) -> SignIn {
        var after = self
        after.secret = pair.refresh
        after.access = Access(digest: pair.access, madeAt: now)
        after.expiresAt = now.adding(seconds: Lifetime.refresh)
        return after
    }
}

extension SignIn.Stage {
    fileprivate var position: Int {
        switch self {
        case .link: 0
        case .code, .handoff: 1
        case .open: 2
        }
    }
}
