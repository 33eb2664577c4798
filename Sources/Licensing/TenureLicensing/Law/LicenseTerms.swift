public import TenureCore

/// The values of a license that the vendor sets when issuing it and can change later.
///
/// These are the policy, the holder, the name and address for letters, the order, the activation limit and the term.
public struct LicenseTerms: Sendable, Hashable {
    /// The id of the policy that the license follows.
    public var policy: PolicyID

    /// The holder as opaque text, such as an e-mail address; `nil` if none was given.
    public var holder: String?

    /// The e-mail address to which the vendor's letters about the license go, as it was typed; `nil` if none was given.
    public var holderEmail: String?

    /// The name of the person to whom the letters are addressed; `nil` if none was given.
    public var holderName: String?

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

    /// Creates terms with these values, which aren't checked.
    public init(
        policy: PolicyID, holder: String? = nil, term: Term, unstarted: TermLength? = nil, order: String? = nil,
        activationLimit: Int? = nil, holderEmail: String? = nil, holderName: String? = nil
    ) {
        self.policy = policy
        self.holder = holder
        self.holderEmail = holderEmail
        self.holderName = holderName
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
        /// The new holder; an empty text means that the license has no holder.
        case holder(String)
        /// The new address for letters; an empty text removes it and the holder's name.
        case holderEmail(String)
        /// The new name of the holder; an empty text removes it.
        case holderName(String)
        /// The new reference of the order; an empty text removes it.
        case order(String)
        /// The new activation limit; `nil` for the policy's.
        case activationLimit(Int?)
        /// The new end of the license's term.
        case end(TermEnd)
        /// Keeps the end, although the new policy's terms differ in kind.
        case keepEnd

        /// Whether the change can leave the license without an address for letters.
        package var mayRemoveAddress: Bool {
            switch self {
            case .holder, .holderEmail: true
            case .policy, .holderName, .order, .activationLimit, .end, .keepEnd: false
            }
        }

        /// Whether the change says what happens to the end of the term.
        var isAboutEnd: Bool {
            switch self {
            case .end, .keepEnd: true
            case .policy, .holder, .holderEmail, .holderName, .order, .activationLimit: false
            }
        }
    }

    /// The name of an event's fact that lists changed fields without their values, which may name a person.
    package static let changedFact = "changed"

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
            return [Self.changed("holder")]
        case .holderEmail(let new):
            var changed: [Reason.Evidence] = []
            if new != holderEmail ?? "" {
                holderEmail = new.isEmpty ? nil : new
                changed.append(Self.changed("holderEmail"))
            }
            return new.isEmpty ? changed + apply(.holderName(""), at: now) : changed
        case .holderName(let new):
            guard new != holderName ?? "" else { return [] }
            holderName = new.isEmpty ? nil : new
            return [Self.changed("holderName")]
        case .order(let new):
            guard new != order ?? "" else { return [] }
            order = new.isEmpty ? nil : new
            return [.init("order", .text(new))]
        case .activationLimit(let new):
            guard new != activationLimit else { return [] }
            activationLimit = new
            return [.init("activationLimit", .text(new.map(String.init) ?? "policy"))]
        case .end(let new):
            let end = new.end
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

    private static func changed(_ field: String) -> Reason.Evidence { .init(changedFact, .text(field)) }

    /// Changes several fields and returns the facts for one event, which names each changed field once.
    package mutating func apply(_ changes: [FieldChange], at now: Timestamp) -> [Reason.Evidence] {
        var facts: [Reason.Evidence] = []
        for fact in changes.flatMap({ apply($0, at: now) }) {
            if fact.name == Self.changedFact, let position = facts.firstIndex(where: { $0.name == fact.name }) {
                facts[position] = Self.changed("\(facts[position].value.text), \(fact.value.text)")
            } else {
                facts.append(fact)
            }
        }
        return facts
    }
}

extension LicenseTerms {
    /// The address to which letters about the license go; `nil` if the vendor gave none.
    ///
    /// Many vendors give an address as the holder, so that is used if ``holderEmail`` is unset.
    package var letterAddress: String? {
        holderEmail ?? holder.flatMap(EmailAddress.read)
    }
}

extension [LicenseTerms.FieldChange] {
    /// The address for letters about a license that is issued with these values; `nil` if they contain none.
    package var letterAddress: String? {
        var (holder, email): (String?, String?)
        for change in self {
            switch change {
            case .holder(let text): holder = text.isEmpty ? nil : text
            case .holderEmail(let text): email = text.isEmpty ? nil : text
            default: continue
            }
        }
        return email ?? holder.flatMap(EmailAddress.read)
    }
}

extension LicenseTerms {
    /// The ways in which later terms of the license are different or permit more, such as a later end; empty if there
    /// aren't any.
    ///
    /// Its counterpart is ``License/takingBack(_:since:)``.
    package func giving(_ later: LicenseTerms) -> [String] {
        var acts: [String] = []
        if later.policy != policy { acts.append("policy \(later.policy) instead of \(policy)") }
        if later.holder != holder {
            acts.append("holder \(later.holder ?? "none") instead of \(holder ?? "none")")
        }
        if later.holderEmail != holderEmail {
            acts.append("address \(later.holderEmail ?? "none") instead of \(holderEmail ?? "none")")
        }
        if later.holderName != holderName {
            acts.append("name \(later.holderName ?? "none") instead of \(holderName ?? "none")")
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
