/// What a sign-in goes through.
extension SignIn {
    /// For how long texts work, in seconds.
    public enum Lifetime {
        /// A code.
        public static let code: Int64 = 60
        /// A link back from the shop.
        public static let link: Int64 = 300
        /// What an app is given at its installation.
        public static let handoff: Int64 = 900
        /// An access token.
        public static let access: Int64 = 3_600
        /// A refresh token: ninety days.
        public static let refresh: Int64 = 90 * 86_400
    }

    /// What an app is given: digests of both tokens.
    public struct Pair: Sendable, Hashable {
        /// Of the refresh token.
        public let refresh: Digest
        /// Of the access token.
        public let access: Digest

        /// States it.
        public init(refresh: Digest, access: Digest) {
            self.refresh = refresh
            self.access = access
        }
    }

    /// What becomes of a text that an app shows.
    public enum Answer: Sendable, Hashable {
        /// The sign-in as it is now; the pair works.
        case given(SignIn)
        /// Nothing is given and nothing changes.
        case refused
        /// Somebody shows what was used: all that it gave is over.
        case ended(SignIn)
    }

    /// What is right of a code that is shown.
    public struct CodeProof: Sendable, Hashable {
        /// Whether it is this sign-in's next text.
        public let isNext: Bool
        /// Whether client, verifier and place are those that it was made for.
        public let isBound: Bool

        /// States it.
        public init(isNext: Bool, isBound: Bool) {
            self.isNext = isNext
            self.isBound = isBound
        }
    }

    /// Decides on a code. One that was used ends what it gave, if it is shown by who could use it: who merely read it in an
    /// address has no verifier, and changes nothing.
    public func redeem(_ proof: CodeProof, for pair: Pair, at now: Timestamp) -> Answer {
        guard endedAt == nil, proof.isBound else { return .refused }
        switch stage {
        case .code: return proof.isNext && now < expiresAt ? .given(opened(with: pair, at: now)) : .refused
        case .open: return binding?.challenge == nil ? .refused : .ended(ended(at: now))
        case .link, .handoff: return .refused
        }
    }

    /// Decides on what an app was given at its installation; it is bound to the app from then on.
    public func exchange(isNext: Bool, bindingTo binding: Binding, for pair: Pair, at now: Timestamp) -> Answer {
        guard stage == .handoff, isNext, works(at: now) else { return .refused }
        var bound = self
        bound.binding = binding
        return .given(bound.opened(with: pair, at: now))
    }

    /// Decides on a refresh token.
    /// - Parameter isBound: Whether the app is the one that it was given to.
    public func refresh(_ shown: RefreshFamily.Shown, isBound: Bool, for pair: Pair, at now: Timestamp) -> Answer {
        guard stage == .open, isBound, works(at: now) else { return .refused }
        switch family.show(shown, at: now) {
        case .refused: return .refused
        case .ended: return .ended(ended(at: now))
        case .given(let next):
            var after = self
            after.family = next
            // A successor that is replaced gives nobody access; the token before it goes on to its end.
            if shown == .newest { (after.former, after.formerAccess) = (secret, access) }
            return .given(after.giving(pair, at: now))
        }
    }

    /// The code that follows the link back from the shop; nil when the link no longer works.
    public func led(isNext: Bool, to code: Digest, of binding: Binding, at now: Timestamp) -> SignIn? {
        guard stage == .link, isNext, works(at: now) else { return nil }
        var after = self
        after.stage = .code
        after.secret = code
        after.binding = binding
        after.expiresAt = now.adding(seconds: Lifetime.code)
        return after
    }

    /// Whether the link back from the shop still works.
    public func leads(isNext: Bool, at now: Timestamp) -> Bool { stage == .link && isNext && works(at: now) }

    /// Which access token is shown.
    public enum ShownAccess: Sendable, Hashable {
        /// The one that was given last.
        case latest
        /// The one before.
        case former
    }

    /// Whether an access token opens anything.
    public func admits(_ shown: ShownAccess, at now: Timestamp) -> Bool {
        guard endedAt == nil, stage == .open, let access = shown == .latest ? access : formerAccess else {
            return false
        }
        return now < access.madeAt.adding(seconds: Lifetime.access)
    }

    /// What is to be saved when an access token is used; nil when it need not be noted.
    public func noted(_ shown: ShownAccess, at now: Timestamp) -> SignIn? {
        guard shown == .latest, family.notesUse(at: now) else { return nil }
        var after = self
        after.family.take()
        return after
    }

    /// The same, over.
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
