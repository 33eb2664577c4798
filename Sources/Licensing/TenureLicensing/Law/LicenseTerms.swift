public import TenureCore

/// The policy, holder, order, activation limit and term of a license, which the vendor sets when issuing it and can change later.
public struct LicenseTerms: Sendable, Hashable {
    /// The id of the policy that the license follows.
    public var policy: PolicyID

    /// The holder as opaque text, such as an e-mail address; `nil` if none was given.
    public var holder: String?

    /// The vendor's reference of the order, such as an invoice number; `nil` if none was given.
    public var order: String?

    /// How many devices may be active at the same time; `nil` for the policy's limit.
    public var activationLimit: Int?

    /// The period for which the license is granted.
    ///
    /// If ``unstarted`` is set, it's the latest possible term, or without an end if there is no latest start.
    public var term: Term

    /// The length of a term that starts at the first activation; `nil` once it has started.
    public var unstarted: TermLength?

    /// Creates terms from their parts.
    public init(
        policy: PolicyID, holder: String? = nil, term: Term, unstarted: TermLength? = nil, order: String? = nil,
        activationLimit: Int? = nil
    ) {
        self.policy = policy
        self.holder = holder
        self.order = order
        self.activationLimit = activationLimit
        self.term = term
        self.unstarted = unstarted
    }

    /// Creates the terms of a license that is issued now: the policy's term, unless a change sets another end.
    public init(under policy: Policy, from now: Timestamp, _ changes: [FieldChange] = []) {
        if policy.termStarts == .activation, let length = policy.duration {
            self.init(policy: policy.id, unstarted: length, within: policy.startBy, from: now)
        } else {
            self.init(policy: policy.id, term: policy.term(from: now))
        }
        for change in changes { _ = apply(change, at: now) }
    }
}

extension LicenseTerms {
    /// A new value of one field.
    public enum FieldChange: Sendable, Hashable {
        /// The policy to use from now on.
        case policy(PolicyID)
        /// The new holder; an empty text removes the holder.
        case holder(String)
        /// The new reference of the order; an empty text removes it.
        case order(String)
        /// The new activation limit; `nil` for the policy's.
        case activationLimit(Int?)
        /// The new end of the term.
        case end(TermEnd)
        /// The end stays, although the new policy's terms differ in kind.
        case keepEnd

        /// Whether the change says what happens to the end of the term.
        var isAboutEnd: Bool {
            switch self {
            case .end, .keepEnd: true
            case .policy, .holder, .order, .activationLimit: false
            }
        }
    }

    /// Changes one field and returns the facts for the event; the array is empty if the field already has the value.
    ///
    /// If the new end lies before the term's start, the start moves to it and the term is empty. A term that hasn't
    /// started starts now if its end is set.
    mutating func apply(_ change: FieldChange, at now: Timestamp) -> [Reason.Evidence] {
        switch change {
        case .policy(let new):
            guard new != policy else { return [] }
            defer { policy = new }
            return [.init("previousPolicy", .text(policy.text)), .init("policy", .text(new.text))]
        case .holder(let new):
            guard new != holder ?? "" else { return [] }
            holder = new.isEmpty ? nil : new
            return [.init("holder", .text(new))]
        case .order(let new):
            guard new != order ?? "" else { return [] }
            order = new.isEmpty ? nil : new
            return [.init("order", .text(new))]
        case .activationLimit(let new):
            guard new != activationLimit else { return [] }
            activationLimit = new
            return [.init("activationLimit", .text(new.map(String.init) ?? "policy"))]
        case .end(let new):
            let end = new.moment
            self = settled(at: now)
            guard end != term.end || unstarted != nil else { return [] }
            let previous =
                unstarted.map { Reason.Evidence("previousLength", .text($0.description)) }
                ?? .init("previousExpiresAt", term.end.map { .date($0) } ?? .text("never"))
            let start = unstarted == nil ? term.start : now
            term = Term(start: min(end ?? start, start), end: end) ?? term
            unstarted = nil
            return [previous, .init("expiresAt", end.map { .date($0) } ?? .text("never"))]
        case .keepEnd: return []
        }
    }
}

extension LicenseTerms {
    /// What later terms of a license give beyond these, such as a later end; empty if they give nothing more.
    ///
    /// Its counterpart is ``License/takingBack(_:)``.
    package func giving(_ later: LicenseTerms) -> [String] {
        var acts: [String] = []
        if later.policy != policy { acts.append("policy \(later.policy) instead of \(policy)") }
        if later.holder != holder {
            acts.append("holder \(later.holder ?? "none") instead of \(holder ?? "none")")
        }
        if later.order != order {
            acts.append("order \(later.order ?? "none") instead of \(order ?? "none")")
        }
        if let end = term.end, later.term.end.map({ $0 > end }) ?? true {
            acts.append("ends \(later.term.end?.description ?? "never") instead of \(end)")
        }
        if later.activationLimit != activationLimit {
            let limits = [later.activationLimit, activationLimit].map { $0.map { "\($0)" } ?? "the policy's" }
            acts.append("activation limit \(limits[0]) instead of \(limits[1])")
        }
        if let length = later.unstarted, let before = unstarted, length != before {
            acts.append("lasts \(length) instead of \(before)")
        }
        return acts
    }
}
